// lockstep run: scenarios in; verdicts, traces and timelines out.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "app/command.h"
#include "app/context.h"
#include "app/exit_code.h"
#include "app/interruption.h"
#include "app/outcome_exit_code.h"
#include "app/output/file_names.h"
#include "app/output/html_file.h"
#include "app/output/output_file.h"
#include "app/output/run_files.h"
#include "app/progress.h"
#include "app/scenarios/scenario_description.h"
#include "app/scenarios/scenario_paths.h"
#include "app/scenarios/server_scripts.h"
#include "checker/property.h"
#include "model/engine/engine.h"
#include "redis/server/server_version.h"
#include "reports/formats/console.h"
#include "reports/formats/github_annotations.h"
#include "reports/formats/json_report.h"
#include "reports/formats/junit.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "search/runs/preflight.h"
#include "search/runs/seed_runs.h"

namespace lockstep::app {
namespace {

/// Which scenarios leave a trace and a timeline.
enum class SavedFiles : std::uint8_t {
  none,
  where_useful,  ///< a single scenario's, and of those that are not as expected
  all,
};

enum class RunMode : std::uint8_t {
  run,
  describe,  ///< --dry-run: say in words what each scenario is
};

enum class Detail : std::uint8_t {
  quiet,    ///< only what is not as expected, and the counts
  compact,  ///< a line for each of many scenarios, all of a single one
  all,      ///< also how the lock's server scripts are rewritten
};

struct RunArguments {
  std::vector<std::string> paths;
  std::uint64_t first_seed = 1;
  std::uint64_t seeds = 1;
  OutputFormat format = OutputFormat::text;
  std::string output_folder = "lockstep-out";
  SavedFiles files = SavedFiles::where_useful;
  std::optional<std::string> junit;
  std::optional<std::string> html;
  Detail detail = Detail::compact;
  RunMode mode = RunMode::run;
  /// Whether to report what is not as expected as commands that GitHub shows in a pull request.
  enum class Annotations : std::uint8_t { none, github };
  Annotations annotations = Annotations::none;
  /// The version that every node runs, instead of the files'.
  std::optional<redis::ServerVersion> version;
  bool compares_versions = false;               ///< runs each scenario under every version, too
  std::vector<scenario::ParameterSetting> set;  ///< values of parameters, instead of the files'
};

/// What it expects to be violated breaks in one of many runs only, so a few runs say nothing.
bool is_to_be_searched(const scenario::Scenario& scenario) {
  return scenario.open_faults && !scenario.expect.violates.empty();
}

/// Runs every scenario, also after one that is wrong; the exit code is the worst.
class RunCommand {
 public:
  RunCommand(const RunArguments& arguments, const Context& context)
      : arguments_(arguments),
        context_(context),
        engine_(context.script_folders, context.programs) {
    if (arguments.html) html_.emplace(*arguments.html);
  }

  ExitCode run() {
    const std::vector<ScenarioPath> scenarios = find_scenarios(arguments_.paths);
    is_alone_ = scenarios.size() == 1;
    make_output_folder();
    {
      Progress progress(context_, scenarios.size(), arguments_.seeds);
      for (const ScenarioPath& scenario : scenarios) {
        if (is_interrupted()) break;
        run_one(scenario, progress);
      }
    }
    if (arguments_.mode == RunMode::describe && !is_interrupted()) return exit_code_;
    if (is_interrupted()) {
      print_error(context_, fmt::format("interrupted: {} of {} scenarios were run", scenarios_run_,
                                        scenarios.size()));
      exit_code_ = worse(exit_code_, ExitCode::unknown);
    }
    // Scenarios that were passed over say nothing about any lock.
    if (scenarios_run_ == 0) exit_code_ = worse(exit_code_, ExitCode::unknown);
    finish();
    return exit_code_;
  }

 private:
  /// Fails before a long run rather than after it.
  void make_output_folder() const {
    if (arguments_.files != SavedFiles::all || arguments_.mode == RunMode::describe) return;
    std::error_code error;
    std::filesystem::create_directories(arguments_.output_folder, error);
    if (error) {
      throw scenario::InputError::about(
          arguments_.output_folder, fmt::format("cannot make this folder: {}", error.message()));
    }
  }

  void run_one(const ScenarioPath& path, Progress& progress) {
    try {
      const std::vector<scenario::Scenario> rows =
          scenario::load_scenarios(path.path, arguments_.set);
      is_alone_ = is_alone_ && rows.size() == 1;
      if (arguments_.mode == RunMode::describe) return describe(rows);
      progress.replace_one_by(rows.size());
      bool is_run = false;
      for (scenario::Scenario row : rows) {
        if (is_interrupted()) return;
        if (arguments_.version) set_version(row, *arguments_.version);
        if (path.found_as == FoundAs::in_folder && is_to_be_searched(row)) {
          progress.replace_one_by(0);
          pass_over(row);
          continue;
        }
        if (!run_row(row, path.name, progress)) return;
        is_run = true;
      }
      if (is_run) ++scenarios_run_;
    } catch (const scenario::InputError& error) {
      progress.clear();
      print_error(context_, error);
      annotate([&error] { return reports::github_annotation(error); });
      ++counts_.files_refused;
      json_.refuse(error);
      if (html_) html_->count_refused_file();
      exit_code_ = worse(exit_code_, ExitCode::bad_input);
    }
  }

  void describe(const std::vector<scenario::Scenario>& rows) {
    for (const scenario::Scenario& row : rows) {
      if (scenarios_run_++ > 0) context_.output << '\n';
      context_.output << describe_scenario(row, context_);
    }
  }

  void pass_over(const scenario::Scenario& scenario) {
    ++counts_.passed_over;
    json_.pass_over(scenario);
    junit_.pass_over(scenario);
    if (html_) html_->pass_over(scenario);
  }

  /// Returns false if it was interrupted before its first run.
  bool run_row(const scenario::Scenario& scenario, const std::string& name, Progress& progress) {
    show_scripts(scenario);
    progress.begin(scenario.title);
    search::require_reproducible(scenario, arguments_.first_seed, engine_, context_.programs);
    const search::ScenarioOutcome outcome = search::run_scenario(
        scenario, {arguments_.first_seed, arguments_.seeds, &Progress::ask_between_runs}, engine_);
    progress.clear();
    if (outcome.runs == 0) return false;
    exit_code_ = worse(exit_code_, exit_code_of(outcome));
    report(outcome, write_files(outcome, file_name(name, scenario.row)));
    if (arguments_.compares_versions) compare_versions(scenario, outcome);
    return true;
  }

  static void set_version(scenario::Scenario& scenario, redis::ServerVersion version) {
    scenario.redis.version = version;
    for (scenario::NodeSpec& node : scenario.redis.nodes) node.version.reset();
  }

  /// Says in one line where another version comes to other verdicts.
  void compare_versions(const scenario::Scenario& scenario,
                        const search::ScenarioOutcome& outcome) {
    std::string same;
    std::string others;
    for (const redis::VersionTraits& each : redis::version_table) {
      if (each.version == scenario.redis.version || is_interrupted()) continue;
      scenario::Scenario other = scenario;
      set_version(other, each.version);
      const search::ScenarioOutcome found = search::run_scenario(
          other, {arguments_.first_seed, arguments_.seeds, &Progress::ask_between_runs}, engine_);
      const std::string difference = difference_of(outcome, found);
      std::string& list = difference.empty() ? same : others;
      list.append(list.empty() ? "" : difference.empty() ? ", " : "; ").append(each.name);
      if (!difference.empty()) list.append(": ").append(difference);
    }
    if (!others.empty()) exit_code_ = worse(exit_code_, ExitCode::not_as_expected);
    std::ostream& stream =
        arguments_.format == OutputFormat::text ? context_.output : context_.errors;
    stream << fmt::format("{} on {}: ", scenario.title, redis::to_string(scenario.redis.version));
    if (!same.empty()) stream << "the same verdicts on " << same;
    if (!others.empty()) stream << (same.empty() ? "" : "; ") << "others on " << others;
    stream << std::endl;
  }

  /// "mutual-exclusion is violated in 3 runs, not in 5"; empty where the verdicts are the same.
  static std::string difference_of(const search::ScenarioOutcome& one,
                                   const search::ScenarioOutcome& other) {
    std::string text;
    for (std::size_t i = 0; i < one.properties.size() && i < other.properties.size(); ++i) {
      const std::uint64_t before = one.properties[i].violated;
      const std::uint64_t after = other.properties[i].violated;
      if (before == after) continue;
      text +=
          fmt::format("{}{} is violated in {} of {} runs, not in {}", text.empty() ? "" : ", ",
                      checker::to_string(one.properties[i].property), after, other.runs, before);
    }
    return text;
  }

  std::string file_name(const std::string& name, const std::string& row) {
    return row.empty() ? name : row_names_.take(file_name_of_row(name, row));
  }

  /// Keeps clear of output that a program reads.
  void show_scripts(const scenario::Scenario& scenario) const {
    if (arguments_.detail != Detail::all) return;
    const bool is_text = arguments_.format == OutputFormat::text;
    describe_server_scripts(scenario, context_.script_folders,
                            is_text ? context_.output : context_.errors);
  }

  /// Not writing files that were asked for is bad input; others are only reported.
  reports::RunArtifacts write_files(const search::ScenarioOutcome& outcome,
                                    const std::string& name) {
    reports::RunArtifacts artifacts;
    artifacts.replay_command = run_again_command_line(outcome, context_);
    const bool is_worth_files = arguments_.files == SavedFiles::all ||
                                (arguments_.files == SavedFiles::where_useful &&
                                 (is_alone_ || outcome.kind != search::OutcomeKind::as_expected));
    if (!is_worth_files) return artifacts;
    try {
      const LongTraces long_traces =
          arguments_.files == SavedFiles::all ? LongTraces::written : LongTraces::left_out;
      return write_run_files(outcome, arguments_.output_folder, name, long_traces, context_);
    } catch (const scenario::InputError& error) {
      print_error(context_, error);
      if (arguments_.files == SavedFiles::all) {
        exit_code_ = worse(exit_code_, ExitCode::bad_input);
      }
      return artifacts;
    }
  }

  void report(const search::ScenarioOutcome& outcome, const reports::RunArtifacts& artifacts) {
    counts_.add(outcome);
    junit_.add(outcome, artifacts);
    annotate([&outcome] { return reports::github_annotation(outcome); });
    if (html_) html_->add(outcome, artifacts, engine_);
    if (arguments_.format == OutputFormat::json) {
      json_.add(outcome, artifacts);
      return;
    }
    const bool is_as_expected = outcome.kind == search::OutcomeKind::as_expected;
    if (is_as_expected && arguments_.detail == Detail::quiet) return;
    if (!is_alone_) {
      context_.output << reports::scenario_line(outcome, context_.style, context_.columns);
    }
    if (is_alone_ || !is_as_expected || arguments_.detail == Detail::all) {
      context_.output << reports::console_report(outcome, context_.style, artifacts,
                                                 context_.columns);
    }
    context_.output.flush();
  }

  template <typename Make>
  void annotate(Make make) const {
    if (arguments_.annotations == RunArguments::Annotations::github) context_.errors << make();
  }

  void finish() {
    if (arguments_.format == OutputFormat::json) {
      context_.output << json_.text();
    } else if (!is_alone_ || counts_.passed_over > 0) {
      context_.output << reports::summary_line(counts_, context_.style);
    }
    if (arguments_.files == SavedFiles::all) {
      write_junit(std::filesystem::path(arguments_.output_folder) / "junit.xml");
    }
    if (arguments_.junit) write_junit(*arguments_.junit);
    if (html_) html_->write();
  }

  void write_junit(const std::filesystem::path& path) const {
    write_file(path, [this](std::ostream& stream) { stream << junit_.text(); });
  }

  const RunArguments& arguments_;
  const Context& context_;
  model::Engine engine_;
  reports::OutcomeCounts counts_;
  reports::JunitReport junit_;
  reports::JsonReport json_;
  std::optional<HtmlFile> html_;
  UniqueNames row_names_;
  std::uint64_t scenarios_run_ = 0;
  bool is_alone_ = false;
  ExitCode exit_code_ = ExitCode::as_expected;
};

ExitCode run_run(const RunArguments& arguments, const Context& context) {
  return RunCommand(arguments, context).run();
}

scenario::ParameterSetting read_setting(const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0) refuse_word("--set", word, "NAME=VALUE");
  return {word.substr(0, equals), word.substr(equals + 1)};
}

void add_files(CLI::App& command, RunArguments& arguments) {
  CLI::Option* const out = add_word(
      command, "--out", "DIR",
      [&arguments](const std::string& folder) {
        arguments.output_folder = folder;
        arguments.files = SavedFiles::all;
      },
      "Write traces, timelines and junit.xml here (lockstep-out, what is worth a look)");
  command
      .add_flag_callback(
          "--no-files", [&arguments] { arguments.files = SavedFiles::none; },
          "Write no trace and no timeline")
      ->excludes(out);
  add_word(
      command, "--junit", "FILE", [&arguments](const std::string& path) { arguments.junit = path; },
      "Write the results as JUnit XML");
  add_word(
      command, "--html", "FILE", [&arguments](const std::string& path) { arguments.html = path; },
      "Write an HTML report, in which runs can be stepped through");
}

void add_details(CLI::App& command, RunArguments& arguments) {
  add_word(
      command, "--annotations", "WORD",
      [&arguments](const std::string& word) {
        constexpr std::array<std::string_view, 1> words = {"github"};
        (void)read_choice("--annotations", word, words);
        arguments.annotations = RunArguments::Annotations::github;
      },
      "github: say what is not as expected so that it shows in a pull request");
  CLI::Option* const verbose = command.add_flag_callback(
      "-v,--verbose", [&arguments] { arguments.detail = Detail::all; },
      "Tell all of each scenario, and how the lock's server scripts were rewritten");
  command
      .add_flag_callback(
          "-q,--quiet", [&arguments] { arguments.detail = Detail::quiet; },
          "Tell only what is not as expected")
      ->excludes(verbose);
}

void add_options(CLI::App& command, RunArguments& arguments) {
  command.add_option("PATH", arguments.paths, "Scenario files, or folders of them")
      ->required()
      ->type_name("");
  add_number(command, "--seed", arguments.first_seed, "The first seed (1)");
  add_number(command, "--seeds", arguments.seeds, "Run each scenario with so many seeds (1)");
  add_files(command, arguments);
  command
      .add_flag_callback(
          "--dry-run", [&arguments] { arguments.mode = RunMode::describe; },
          "Say in words what would be run, and run nothing")
      ->excludes("--html")
      ->excludes("--junit");
  command
      .add_option_function<std::vector<std::string>>(
          "--set",
          [&arguments](const std::vector<std::string>& words) {
            for (const std::string& word : words) arguments.set.push_back(read_setting(word));
          },
          "Give a parameter of the files this value")
      ->allow_extra_args(false)
      ->type_name("NAME=VALUE");
  add_word(
      command, "--redis-version", "VERSION|all",
      [&arguments](const std::string& word) {
        arguments.compares_versions = word == "all";
        if (arguments.compares_versions) return;
        arguments.version = redis::find_version(word);
        if (arguments.version) return;
        throw CLI::ValidationError(
            "--redis-version",
            "the version '" + word + "' is not simulated; " + redis::versions_near(word));
      },
      "Let every node be this version; all: compare the verdicts under each");
  add_details(command, arguments);
  add_format(command, arguments.format);
}

void require_seeds(const CLI::App& /*command*/, RunArguments& arguments) {
  if (arguments.seeds == 0) throw CLI::ValidationError("--seeds: expected at least 1");
  if (arguments.first_seed > UINT64_MAX - (arguments.seeds - 1)) {
    throw CLI::ValidationError("--seeds: there are no so many seeds after --seed");
  }
}

}  // namespace

CommandDescription run_command() {
  return describe_command<RunArguments>(
      {.name = "run",
       .summary = "Run scenarios and compare them with what they expect",
       .examples = "lockstep run scenarios/ --seeds 100 --out out"},
      {.add_options = add_options,
       .complete = require_seeds,
       .format = [](const RunArguments& arguments) { return arguments.format; },
       .run = run_run});
}

}  // namespace lockstep::app
