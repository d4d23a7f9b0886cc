#include "app/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <charconv>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "app/explore/explore_options.h"
#include "app/fuzz/corpus_options.h"
#include "app/fuzz/fuzz_options.h"
#include "app/history/check_options.h"
#include "app/option_words.h"
#include "app/run/run_options.h"
#include "app/shrink/finding_options.h"
#include "app/trace/step_options.h"
#include "app/trace/timeline_options.h"
#include "scenario/scenario.h"
#include "scenario/text/located_text.h"
#include "scenario/text/suggest.h"
#include "sim/versions.h"

namespace lockstep::app {
namespace {

constexpr std::string_view exit_codes =
    "Exit codes: 0 as expected, 1 not as expected, 2 bad input or usage, 3 unknown.";

constexpr std::string_view check_exit_codes =
    "Exit codes: 0 linearizable, 1 not, 2 bad input or usage, 3 unknown.";

constexpr std::array<std::string_view, 6> listing_words = {"locks",      "scenarios", "faults",
                                                           "properties", "models",    "commands"};
constexpr std::array<std::string_view, 5> topology_words = {"standalone", "replicated",
                                                            "independent", "sentinel", "cluster"};
constexpr std::uint16_t replicas_max = 100;
constexpr std::array<std::string_view, 2> format_words = {"text", "json"};

std::uint16_t read_small(std::string_view argument, const std::string& word, std::uint16_t low,
                         std::uint16_t high) {
  std::uint16_t number = 0;
  const char* const end = word.data() + word.size();
  const auto [stopped_at, error] = std::from_chars(word.data(), end, number);
  if (error != std::errc{} || stopped_at != end || number < low || number > high) {
    refuse_word(argument, word, fmt::format("a whole number from {} to {}", low, high));
  }
  return number;
}

OutputFormat read_format(const std::string& word) {
  if (word == format_words[0]) return OutputFormat::text;
  if (word == format_words[1]) return OutputFormat::json;
  refuse_word("--format", word, "text or json", format_words);
}

NewTopology read_topology(const std::string& word) {
  for (std::size_t i = 0; i < topology_words.size(); ++i) {
    if (topology_words[i] == word) return static_cast<NewTopology>(i);
  }
  refuse_word("--topology", word, scenario::listed(topology_words, "or"), topology_words);
}

Listing read_listing(const std::string& word) {
  for (std::size_t i = 0; i < listing_words.size(); ++i) {
    if (listing_words[i] == word) return static_cast<Listing>(i);
  }
  refuse_word("WHAT", word, scenario::listed(listing_words, "or"), listing_words);
}

/// The application with its commands, and what they fill.
class Grammar {
 public:
  Grammar() {
    app_.set_version_flag("--version",
                          fmt::format("lockstep {} (model {})", LOCKSTEP_VERSION, model_version),
                          "Print the version");
    app_.require_subcommand(1);
    app_.footer(
        fmt::format("Example:\n  lockstep run scenarios/known-bugs/gc-pause.toml\n\n"
                    "lockstep COMMAND --help says more. {}",
                    exit_codes));
    add_run();
    add_fuzz();
    add_corpus();
    add_merge();
    add_shrink();
    add_keep();
    add_explore();
    add_replay();
    add_confirm();
    add_timeline();
    add_step();
    add_export();
    add_list();
    add_check();
    add_serve();
    add_lint();
    add_extract();
    add_new();
    add_schema();
  }

  CommandLine read(int count, const char* const* words) {
    try {
      app_.parse(count, words);
      return {chosen(), {}, ExitCode::as_expected};
    } catch (const CLI::CallForHelp&) {
      return {std::nullopt, app_.help(), ExitCode::as_expected};
    } catch (const CLI::CallForAllHelp&) {
      return {std::nullopt, app_.help("", CLI::AppFormatMode::All), ExitCode::as_expected};
    } catch (const CLI::CallForVersion& version) {
      return {std::nullopt, fmt::format("{}\n", version.what()), ExitCode::as_expected};
    } catch (const CLI::ParseError& error) {
      return {std::nullopt, explain(error), ExitCode::bad_input};
    }
  }

 private:
  CLI::App* add_command(const std::string& name, const std::string& summary,
                        const std::string& example, std::string_view codes = exit_codes) {
    CLI::App* command = app_.add_subcommand(name, summary);
    command->footer(fmt::format("Example:\n  {}\n\n{}", example, codes));
    return command;
  }

  static void add_format(CLI::App* command, OutputFormat& format) {
    command
        ->add_option_function<std::string>(
            "--format", [&format](const std::string& word) { format = read_format(word); },
            "text, for people (the default), or json, for programs")
        ->type_name("FORMAT");
  }

  void add_run() {
    run_command_ = add_command("run", "Run scenarios and compare them with what they expect",
                               "lockstep run scenarios/ --seeds 100 --out out");
    add_run_options(*run_command_, run_);
    add_format(run_command_, run_.format);
  }

  void add_fuzz() {
    fuzz_command_ = add_command(
        "fuzz", "Search for faults that break a lock, and save what is found as small scenarios",
        "lockstep fuzz plain --time 60s\n  lockstep fuzz my-scenario.toml --runs 100000 "
        "--keep-going");
    fuzz_options_.add_to(*fuzz_command_);
    add_format(fuzz_command_, fuzz_options_.format());
  }

  void add_corpus() {
    corpus_command_ =
        add_command("corpus",
                    "Look at what fuzz keeps, take over what others kept, and leave out what is "
                    "superfluous",
                    "lockstep corpus plain --corpus corpus --from their-corpus --few");
    add_corpus_options(*corpus_command_, corpus_);
    add_format(corpus_command_, corpus_.format);
  }

  void add_merge() {
    merge_command_ = add_command("merge", "Join what the shards of a search came to",
                                 "lockstep merge out-1 out-2 out-3 -o merged");
    merge_command_
        ->add_option("PART", merge_.parts, "Output folders of fuzz --shard, or records in them")
        ->required()
        ->type_name("");
    add_fuzz_output(*merge_command_, merge_.output);
    add_format(merge_command_, merge_.output.format);
  }

  void add_shrink() {
    shrink_command_ = add_command(
        "shrink", "Make a failing scenario, or the run of a trace, as small as it can be",
        "lockstep shrink my-scenario.toml\n  lockstep shrink "
        "lockstep-out/plain-mutual-exclusion-pause.found.trace.jsonl");
    shrink_options_.add_to(*shrink_command_);
    add_format(shrink_command_, shrink_options_.format());
  }

  void add_keep() {
    keep_command_ =
        add_command("keep", "Take the small scenario of a finding into a folder of regressions",
                    "lockstep keep lockstep-out/plain-mutual-exclusion-pause.toml");
    keep_options_.add_to(*keep_command_);
  }

  void add_explore() {
    explore_command_ = add_command(
        "explore", "Search scenarios exhaustively within bounds: a certificate or the least run",
        "lockstep explore scenarios/explore/pause.toml\n"
        "  lockstep explore my-scenario.toml --faults 1 --delay-steps 3");
    explore_options_.add_to(*explore_command_);
    add_format(explore_command_, explore_options_.format());
  }

  void add_replay() {
    replay_command_ = add_command("replay", "Run saved traces again and compare every event",
                                  "lockstep replay lockstep-out/gc-pause.trace.jsonl");
    replay_command_->add_option("TRACE", replay_.traces, "Traces, as run wrote them")
        ->required()
        ->type_name("");
    add_format(replay_command_, replay_.format);
  }

  void add_confirm() {
    confirm_command_ = add_command(
        "confirm", "Do what saved traces say on real Redis servers and compare every reply",
        "lockstep confirm lockstep-out/gc-pause.trace.jsonl");
    confirm_command_->add_option("TRACE", confirm_.traces, "Traces, as run wrote them")
        ->required()
        ->type_name("");
    add_format(confirm_command_, confirm_.format);
  }

  void add_timeline() {
    timeline_command_ =
        add_command("timeline", "Draw a saved trace",
                    "lockstep timeline lockstep-out/gc-pause.trace.jsonl -o gc-pause.pdf");
    add_timeline_options(*timeline_command_, timeline_);
  }

  void add_step() {
    step_command_ = add_command("step", "Go through a run event by event, with everybody's state",
                                "lockstep step lockstep-out/gc-pause.trace.jsonl\n"
                                "  lockstep step scenarios/known-bugs/gc-pause.toml --commands "
                                "'violation; state; without 1'");
    add_step_options(*step_command_, step_);
  }

  void add_export() {
    export_command_ =
        add_command("export", "Write the history of a saved run as Jepsen stores it",
                    "lockstep export lockstep-out/gc-pause.trace.jsonl -o history.edn");
    export_command_->add_option("TRACE", export_.trace, "A trace, as run wrote it")
        ->required()
        ->type_name("");
    export_command_
        ->add_option("-o,--output", export_.output, "The history: a .edn (standard output)")
        ->type_name("FILE");
  }

  void add_check() {
    check_command_ = add_command("check", "Tell whether a recorded history is linearizable",
                                 "lockstep check histories/double-hold.edn --model owned-mutex",
                                 check_exit_codes);
    check_options_.add_to(*check_command_);
    add_format(check_command_, check_options_.format());
  }

  void add_list() {
    list_command_ =
        add_command("list", "List locks, scenarios, faults, properties, models and commands",
                    "lockstep list faults");
    list_command_
        ->add_option(
            "WHAT", listing_words_given_,
            "locks, scenarios, faults, properties, models (of histories), or Redis's commands;\n"
            "without it all but the last two")
        ->type_name("");
    add_format(list_command_, list_.format);
  }

  void add_serve() {
    serve_command_ = add_command(
        "serve", "Serve the simulated Redis on real sockets, until SIGTERM or Ctrl-C",
        "lockstep serve --port 7000 --replicas 2\n  redis-cli -p 7000 set greeting hello");
    serve::ServiceOptions& options = serve_.options;
    serve_command_
        ->add_option_function<std::string>(
            "--port",
            [&options](const std::string& word) {
              options.port = read_small("--port", word, 0, 65535);
            },
            "Listen on this TCP port; 0 takes a free one")
        ->type_name("N");
    serve_command_->add_option("--unix", options.unix_path, "Listen on a Unix socket of this name")
        ->type_name("PATH");
    serve_command_
        ->add_option("--bind", options.address, "Listen on this address of TCP (127.0.0.1)")
        ->type_name("ADDRESS");
    serve_command_
        ->add_option_function<std::string>(
            "--replicas",
            [&options](const std::string& word) {
              options.replicas = read_small("--replicas", word, 0, replicas_max);
            },
            "Serve so many replicas, on the ports that follow, or on PATH.1, PATH.2 and so on")
        ->type_name("N");
    serve_command_
        ->add_option_function<std::string>(
            "--clock",
            [&options](const std::string& word) {
              options.clock_path = word == "real" ? std::string() : word;
            },
            "real (the default), or a file that holds the time: 8 bytes, Unix microseconds")
        ->type_name("real|FILE");
  }

  void add_lint() {
    lint_command_ = add_command(
        "lint", "Look at a lock's scripts and its client model as a review would, and give reasons",
        "lockstep lint plain");
    lint_command_
        ->add_option("SCRIPT", lint_.paths,
                     "Server scripts, client models, folders of locks, or names of locks")
        ->type_name("");
    lint_command_->add_flag_callback(
        "--rules", [this] { lint_.work = LintMode::list_rules; }, "List what is looked for");
    add_format(lint_command_, lint_.format);
  }

  void add_extract() {
    extract_command_ = add_command(
        "extract", "Find the Lua in the string literals of Java, JavaScript and TypeScript files",
        "lockstep extract Lock.java --save scripts");
    extract_command_->add_option("FILE", extract_.paths, "Files of a library's source")
        ->required()
        ->type_name("");
    extract_command_
        ->add_option("--save", extract_.save_folder,
                     "Write each script to DIR/NAME.lua, over no file that is there")
        ->type_name("DIR");
    extract_command_->add_option("--name", extract_.name, "Only the script of this name")
        ->type_name("NAME");
    add_format(extract_command_, extract_.format);
  }

  void add_schema() {
    schema_command_ = add_command("schema", "Print the JSON Schema of scenario files, for editors",
                                  "lockstep schema > scenario.schema.json");
  }

  void add_new() {
    new_command_ =
        add_command("new", "Make a lock or a scenario of your own that runs at once",
                    "lockstep new lock my-lock\n"
                    "  lockstep new scenario failover --lock plain --topology replicated");
    new_command_->add_option("WHAT", new_what_, "lock or scenario")->required()->type_name("");
    new_command_
        ->add_option("NAME", new_.name, "What it is called: small letters, digits and hyphens")
        ->required()
        ->type_name("");
    new_command_
        ->add_option("--from", new_.from,
                     "Begin with a copy of this lock: plain, setnx/fixed-value")
        ->type_name("LOCK");
    new_command_
        ->add_option("--lock", new_scenario_.lock,
                     "The lock of the scenario: plain (the default), …")
        ->type_name("LOCK");
    new_command_
        ->add_option_function<std::string>(
            "--topology",
            [this](const std::string& word) { new_scenario_.topology = read_topology(word); },
            "standalone (the default), replicated, independent, sentinel or cluster")
        ->type_name("WORD");
  }

  Command chosen() {
    if (run_command_->parsed()) {
      require_seeds(run_);
      return run_;
    }
    if (fuzz_command_->parsed()) return fuzz_options_.arguments();
    if (corpus_command_->parsed()) return corpus_;
    if (merge_command_->parsed()) return merge_;
    if (shrink_command_->parsed()) return shrink_options_.arguments();
    if (keep_command_->parsed()) return keep_options_.arguments();
    if (explore_command_->parsed()) return explore_options_.arguments();
    if (replay_command_->parsed()) return replay_;
    if (confirm_command_->parsed()) return confirm_;
    if (timeline_command_->parsed()) return timeline_;
    if (step_command_->parsed()) return step_;
    if (export_command_->parsed()) return export_;
    if (check_command_->parsed()) return check_options_.arguments();
    if (serve_command_->parsed()) {
      require_place();
      return serve_;
    }
    if (new_command_->parsed()) {
      return chosen_new();
    }
    if (extract_command_->parsed()) return extract_;
    if (lint_command_->parsed()) {
      const bool is_idle = lint_.paths.empty() && lint_.work == LintMode::lint_files;
      if (is_idle) throw CLI::ValidationError("expected a SCRIPT to look at, or --rules");
      return lint_;
    }
    if (schema_command_->parsed()) return SchemaArguments{};
    for (const std::string& word : listing_words_given_) {
      list_.listings.push_back(read_listing(word));
    }
    if (list_.listings.empty()) {
      list_.listings = {Listing::locks, Listing::scenarios, Listing::faults, Listing::properties};
    }
    return list_;
  }

  Command chosen_new() {
    constexpr std::array<std::string_view, 2> things = {"lock", "scenario"};
    const bool is_scenario = new_what_ == things[1];
    if (!is_scenario && new_what_ != things[0]) {
      refuse_word("WHAT", new_what_, "lock or scenario", things);
    }
    const auto is_given = [this](const char* option) { return new_command_->count(option) > 0; };
    if (is_scenario && is_given("--from")) {
      throw CLI::ValidationError("--from is for a lock; a scenario has --lock and --topology");
    }
    if (!is_scenario && (is_given("--lock") || is_given("--topology"))) {
      throw CLI::ValidationError("--lock and --topology are for a scenario; a lock has --from");
    }
    if (!is_scenario) return new_;
    new_scenario_.name = new_.name;
    return new_scenario_;
  }

  void require_place() const {
    if (serve_.options.port || !serve_.options.unix_path.empty()) return;
    throw CLI::ValidationError("expected --port N or --unix PATH, to listen on");
  }

  [[nodiscard]] std::string explain(const CLI::ParseError& error) const {
    const CLI::App& command = active_command();
    const std::vector<std::string> unknown = app_.remaining(true);
    if (&command == &app_) {
      return fmt::format(
          "error: {}\nlockstep --help says more\n",
          unknown.empty()
              ? fmt::format("a command is missing; expected {}", listed_commands("or"))
              : fmt::format("there is no command {}{} (there are {})",
                            scenario::in_quotes(unknown.front()),
                            suggestion(command, unknown.front()), listed_commands("and")));
    }
    return fmt::format("error: {}{}\nlockstep {} --help says more\n", error.what(),
                       unknown.empty() ? "" : suggestion(command, unknown.front()),
                       command.get_name());
  }

  [[nodiscard]] const CLI::App& active_command() const {
    for (const CLI::App* command : app_.get_subcommands({})) {
      if (command->parsed()) return *command;
    }
    return app_;
  }

  [[nodiscard]] std::string listed_commands(std::string_view conjunction) const {
    std::vector<std::string> names;
    for (const CLI::App* command : app_.get_subcommands({})) names.push_back(command->get_name());
    const std::vector<std::string_view> views(names.begin(), names.end());
    return scenario::listed(views, conjunction);
  }

  /// The option or command nearest to a word that the command line does not know.
  static std::string suggestion(const CLI::App& command, std::string_view word) {
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) names.push_back(option->get_name());
    for (const CLI::App* each : command.get_subcommands({})) names.push_back(each->get_name());
    const std::vector<std::string_view> candidates(names.begin(), names.end());
    return scenario::did_you_mean(word.substr(0, word.find('=')), candidates);
  }

  CLI::App app_{"Finds out whether a Redis lock really locks", "lockstep"};
  CLI::App* run_command_ = nullptr;
  CLI::App* fuzz_command_ = nullptr;
  CLI::App* corpus_command_ = nullptr;
  CLI::App* merge_command_ = nullptr;
  CLI::App* shrink_command_ = nullptr;
  CLI::App* keep_command_ = nullptr;
  CLI::App* explore_command_ = nullptr;
  CLI::App* replay_command_ = nullptr;
  CLI::App* confirm_command_ = nullptr;
  CLI::App* timeline_command_ = nullptr;
  CLI::App* step_command_ = nullptr;
  CLI::App* export_command_ = nullptr;
  CLI::App* check_command_ = nullptr;
  CheckOptions check_options_;
  CLI::App* list_command_ = nullptr;
  CLI::App* serve_command_ = nullptr;
  CLI::App* lint_command_ = nullptr;
  CLI::App* extract_command_ = nullptr;
  CLI::App* new_command_ = nullptr;
  RunArguments run_;
  FuzzOptions fuzz_options_;
  CorpusArguments corpus_;
  MergeArguments merge_;
  ShrinkOptions shrink_options_;
  KeepOptions keep_options_;
  ExploreOptions explore_options_;
  ReplayArguments replay_;
  ConfirmArguments confirm_;
  TimelineArguments timeline_;
  StepArguments step_;
  ExportArguments export_;
  ListArguments list_;
  ServeArguments serve_;
  LintArguments lint_;
  ExtractArguments extract_;
  NewArguments new_;
  NewScenarioArguments new_scenario_;
  CLI::App* schema_command_ = nullptr;
  std::string new_what_;
  std::vector<std::string> listing_words_given_;
};

}  // namespace

CommandLine read_command_line(int count, const char* const* words) {
  return Grammar().read(count, words);
}

}  // namespace lockstep::app
