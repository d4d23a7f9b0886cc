// lockstep run: scenarios in; verdicts, traces and timelines out.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdint>
#include <optional>
#include <ostream>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "app/command.h"
#include "app/context.h"
#include "app/exit_code.h"
#include "app/interruption.h"
#include "app/output/annotation_output.h"
#include "app/output/file_names.h"
#include "app/output/html_file.h"
#include "app/output/output_file.h"
#include "app/output/output_place.h"
#include "app/output/run_files.h"
#include "app/progress.h"
#include "app/scenarios/scenario_choice.h"
#include "app/scenarios/scenario_description.h"
#include "app/scenarios/scenario_paths.h"
#include "app/scenarios/server_scripts.h"
#include "app/scenarios/server_versions.h"
#include "app/scenarios/watched_files.h"
#include "app/search/kept_findings.h"
#include "app/search/run_jobs.h"
#include "model/engine/engine.h"
#include "model/lock/known_messages.h"
#include "model/program/program.h"
#include "reports/formats/console.h"
#include "reports/formats/json_report.h"
#include "reports/formats/junit.h"
#include "reports/text.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "scenario/text/in_quotes.h"
#include "search/runs/seed_runs.h"
#include "search/runs/untested.h"
#include "search/runs/with_programs.h"

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
  AnnotationOptions annotations;
  VersionChoice version;
  std::vector<scenario::ParameterSetting> set;  ///< values of parameters, instead of the files'
  std::uint64_t jobs = 1;
  std::string words;            ///< of names and titles; empty: any
  bool stops_at_first = false;  ///< that is not as expected
  bool runs_last_failed = false;
  bool watches = false;
};

/// A file that is to be run: its scenarios, or what is wrong with it.
struct LoadedFile {
  ScenarioPath path;
  std::vector<scenario::Scenario> rows;
  std::optional<scenario::InputError> error;
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
        engine_(context.script_folders, context.programs),
        annotations_(arguments.annotations, context) {
    if (arguments.html) html_.emplace(*arguments.html, context);
  }

  ExitCode run() {
    const std::vector<ScenarioPath> scenarios = choose();
    if (scenarios.empty()) return exit_code_;
    is_alone_ = scenarios.size() == 1;
    if (arguments_.mode == RunMode::run) run_kept(scenarios);
    {
      Progress progress(context_, scenarios.size(), arguments_.seeds);
      run_all(scenarios, progress);
    }
    if (is_stopped_) {
      print_error(context_, fmt::format("stopped at the first that is not as expected: {} of {} "
                                        "scenarios were run",
                                        scenarios_run_, scenarios.size()));
    }
    if (arguments_.files != SavedFiles::none && arguments_.mode == RunMode::run)
      last_failed_.save();
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
  /// The scenarios that were asked for; tells where there are none.
  std::vector<ScenarioPath> choose() {
    std::vector<std::string> paths = arguments_.paths;
    if (paths.empty()) paths.assign(last_failed_.paths().begin(), last_failed_.paths().end());
    if (paths.empty()) {
      context_.output << fmt::format(
          "no failure is on record in {}/ (a run with --no-files leaves no record)\n",
          reports::sanitized(arguments_.output_folder));
      return {};
    }
    std::vector<ScenarioPath> scenarios = find_scenarios(paths);
    if (arguments_.runs_last_failed) {
      std::erase_if(scenarios, [this](const ScenarioPath& each) {
        return !last_failed_.paths().contains(each.path);
      });
      if (scenarios.empty()) {
        context_.output << "nothing here failed when it was run last\n";
        return {};
      }
    }
    if (arguments_.words.empty()) return scenarios;
    scenarios = with_words(std::move(scenarios), arguments_.words);
    if (scenarios.empty()) {
      print_error(context_, fmt::format("no scenario has {} in its name or title",
                                        scenario::in_quotes(arguments_.words)));
      exit_code_ = ExitCode::bad_input;
    }
    return scenarios;
  }

  void run_all(const std::vector<ScenarioPath>& scenarios, Progress& progress) {
    if (arguments_.jobs == 1 || arguments_.mode == RunMode::describe) {
      for (const ScenarioPath& path : scenarios) {
        if (is_interrupted() || is_stopped_) return;
        run_one(load(path), progress);
      }
      return;
    }
    std::vector<LoadedFile> files;
    for (const ScenarioPath& path : scenarios) files.push_back(load(path));
    std::vector<RunJobs::Row> rows;
    for (const LoadedFile& file : files) {
      for (const scenario::Scenario& row : file.rows) {
        if (!is_passed_over(file, row)) rows.push_back({&row, scenario::has_program(row)});
      }
    }
    jobs_.emplace(RunJobs::Plan{arguments_.jobs, arguments_.first_seed, arguments_.seeds,
                                context_.script_folders, context_.programs},
                  rows);
    for (const LoadedFile& file : files) {
      if (is_interrupted() || is_stopped_) break;
      run_one(file, progress);
    }
    jobs_.reset();
  }

  [[nodiscard]] static bool is_passed_over(const LoadedFile& file, const scenario::Scenario& row) {
    return file.path.found_as == FoundAs::in_folder && is_to_be_searched(row);
  }

  [[nodiscard]] LoadedFile load(const ScenarioPath& path) const {
    LoadedFile file{path, {}, std::nullopt};
    try {
      file.rows = scenario::load_scenarios(path.path, arguments_.set);
      for (scenario::Scenario& row : file.rows) use_version(row, arguments_.version);
      for (const scenario::Scenario& row : file.rows) {
        if (is_passed_over(file, row)) continue;
        model::require_known_messages(row, context_.script_folders);
      }
    } catch (const scenario::InputError& error) {
      file.error = error;
    }
    return file;
  }

  /// What was kept of these locks, before anything else of them.
  void run_kept(const std::vector<ScenarioPath>& scenarios) {
    std::error_code error;
    if (!std::filesystem::is_directory(KeptFindings::folder, error)) return;
    std::vector<LoadedFile> files;
    for (const ScenarioPath& path : scenarios) files.push_back(load(path));
    std::vector<const scenario::Scenario*> rows;
    std::set<std::string> named;
    for (const LoadedFile& file : files) {
      named.insert(file.path.path);
      if (!file.rows.empty()) rows.push_back(&file.rows.front());
    }
    exit_code_ = worse(exit_code_, KeptFindings(context_, engine_).run(rows, named));
  }

  void run_one(const LoadedFile& file, Progress& progress) {
    const ExitCode before = std::exchange(exit_code_, ExitCode::as_expected);
    run_rows(file, progress);
    if (!is_interrupted() && arguments_.mode == RunMode::run) {
      last_failed_.note(file.path.path, exit_code_ == ExitCode::as_expected);
    }
    exit_code_ = worse(before, exit_code_);
    is_stopped_ = arguments_.stops_at_first &&
                  (exit_code_ == ExitCode::not_as_expected || exit_code_ == ExitCode::bad_input);
  }

  void run_rows(const LoadedFile& file, Progress& progress) {
    try {
      if (file.error) throw scenario::InputError(*file.error);
      const std::vector<scenario::Scenario>& rows = file.rows;
      is_alone_ = is_alone_ && rows.size() == 1;
      if (arguments_.mode == RunMode::describe) return describe(rows);
      progress.replace_one_by(rows.size());
      bool is_run = false;
      for (const scenario::Scenario& row : rows) {
        if (is_interrupted()) return;
        if (is_passed_over(file, row)) {
          progress.replace_one_by(0);
          pass_over(row);
          continue;
        }
        if (!run_row(file, row, progress)) return;
        is_run = true;
      }
      if (is_run) ++scenarios_run_;
    } catch (const scenario::InputError& error) {
      progress.clear();
      // What is wrong with a lock is wrong for each of its scenarios: that is said once.
      if (refusals_.insert(error.what()).second) {
        print_error(context_, error);
        annotations_.add(reports::annotations_of(error));
      } else {
        print_error(context_, scenario::InputError::about(
                                  file.path.path, "refused for an error that is told above"));
      }
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
  bool run_row(const LoadedFile& file, const scenario::Scenario& scenario, Progress& progress) {
    show_scripts(scenario);
    progress.begin(scenario.title);
    search::ScenarioOutcome outcome = outcome_of(scenario, progress);
    if (file.path.found_as == FoundAs::named) search::find_untested_of_sample(outcome);
    progress.clear();
    if (outcome.runs == 0) return false;
    exit_code_ = worse(exit_code_, exit_code_of(outcome));
    report(outcome, write_files(outcome, file_name(file.path.name, scenario.row)));
    if (arguments_.version.is_all) compare_versions(scenario, outcome);
    return true;
  }

  search::ScenarioOutcome outcome_of(const scenario::Scenario& scenario, Progress& progress) {
    search::require_reproducible(scenario, arguments_.first_seed, engine_, context_.programs);
    if (jobs_) return jobs_->take([&](std::uint64_t runs) { progress.count_runs(runs); });
    return search::run_scenario(scenario, run_options(), engine_);
  }

  void compare_versions(const scenario::Scenario& scenario,
                        const search::ScenarioOutcome& outcome) {
    const VersionComparison found =
        app::compare_versions(scenario, outcome, run_options(), engine_);
    exit_code_ = worse(exit_code_, found.exit_code);
    std::ostream& stream =
        arguments_.format == OutputFormat::text ? context_.output : context_.errors;
    stream << found.line << std::endl;
  }

  [[nodiscard]] search::SeedRunOptions run_options() const {
    return {arguments_.first_seed, arguments_.seeds, &Progress::ask_between_runs};
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
    annotations_.add(reports::annotations_of(outcome));
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
    annotations_.finish();
    if (html_) html_->write();
  }

  void write_junit(const std::filesystem::path& path) const {
    write_file(path, [this](std::ostream& stream) { stream << junit_.text(); });
  }

  const RunArguments& arguments_;
  const Context& context_;
  model::Engine engine_;
  reports::OutcomeCounts counts_;
  std::set<std::string> refusals_;  ///< that were told
  reports::JunitReport junit_;
  AnnotationOutput annotations_;
  reports::JsonReport json_;
  std::optional<HtmlFile> html_;
  UniqueNames row_names_;
  LastFailed last_failed_{arguments_.output_folder};
  std::optional<RunJobs> jobs_;
  bool is_stopped_ = false;
  std::uint64_t scenarios_run_ = 0;
  bool is_alone_ = false;
  ExitCode exit_code_ = ExitCode::as_expected;
};

/// Once, while files are watched: a mistake in one is mended, and run again.
ExitCode run_told(const RunArguments& arguments, const Context& context) {
  try {
    return RunCommand(arguments, context).run();
  } catch (const scenario::InputError& error) {
    print_error(context, error);
    return ExitCode::bad_input;
  }
}

ExitCode run_run(const RunArguments& arguments, const Context& context) {
  if (!arguments.watches) return RunCommand(arguments, context).run();
  for (;;) {
    WatchedFiles files(arguments.paths, context.script_folders);
    const ExitCode code = run_told(arguments, context);
    context.output << "watching for changes; Ctrl-C ends it" << std::endl;
    const std::string changed = files.await_change();
    if (changed.empty()) return code;
    context.output << fmt::format("\n{} changed\n", reports::sanitized(changed));
  }
}

scenario::ParameterSetting read_setting(const std::string& word) {
  const std::size_t equals = word.find('=');
  if (equals == std::string::npos || equals == 0) refuse_word("--set", word, "NAME=VALUE");
  return {word.substr(0, equals), word.substr(equals + 1)};
}

void add_files(CLI::App& command, RunArguments& arguments) {
  CLI::Option* const out = writes_to(
      add_word(
          command, "-o,--out", "DIR",
          [&arguments](const std::string& folder) {
            arguments.output_folder = folder;
            arguments.files = SavedFiles::all;
          },
          "Write traces, timelines and junit.xml here (lockstep-out, what is worth a look)"),
      OutputPlace::folder);
  command
      .add_flag_callback(
          "--no-files", [&arguments] { arguments.files = SavedFiles::none; },
          "Write no trace and no timeline")
      ->excludes(out);
  writes_to(add_word(
                command, "--junit", "FILE",
                [&arguments](const std::string& path) { arguments.junit = path; },
                "Write the results as JUnit XML"),
            OutputPlace::file);
  writes_to(add_word(
                command, "--html", "FILE",
                [&arguments](const std::string& path) { arguments.html = path; },
                "Write an HTML report, in which runs can be stepped through"),
            OutputPlace::file);
}

void add_details(CLI::App& command, RunArguments& arguments) {
  add_annotation_options(command, arguments.annotations);
  CLI::Option* const verbose = command.add_flag_callback(
      "-v,--verbose", [&arguments] { arguments.detail = Detail::all; },
      "Tell all of each scenario, and how the lock's server scripts were rewritten");
  command
      .add_flag_callback(
          "-q,--quiet", [&arguments] { arguments.detail = Detail::quiet; },
          "Tell only what is not as expected")
      ->excludes(verbose);
}

void add_choice(CLI::App& command, RunArguments& arguments) {
  add_word(
      command, "-k", "WORDS", [&arguments](const std::string& words) { arguments.words = words; },
      "Only scenarios that have all of these words in their name or title; 'not WORD'\n"
      "leaves those with a word out");
  command.add_flag("--last-failed", arguments.runs_last_failed,
                   "Only what was not as expected when it was run last");
  command.add_flag("-x,--fail-fast", arguments.stops_at_first,
                   "Stop at the first that is not as expected");
  command.add_flag("--watch", arguments.watches, "Run again whenever a scenario or a lock changes");
  add_word(
      command, "-j,--jobs", "N",
      [&arguments](const std::string& word) {
        constexpr std::uint64_t threads_at_most = 1'024;
        arguments.jobs = read_number_between("--jobs", word, 1, threads_at_most);
      },
      "Run so many at once (1), scenarios or seeds of one; the output is the same");
}

void add_options(CLI::App& command, RunArguments& arguments) {
  command.add_option("PATH", arguments.paths, "Scenario files, or folders of them")->type_name("");
  add_choice(command, arguments);
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
  add_redis_version(command, arguments.version);
  add_details(command, arguments);
  add_format(command, arguments.format);
}

void require_seeds(const CLI::App& /*command*/, RunArguments& arguments) {
  if (arguments.paths.empty() && !arguments.runs_last_failed) {
    throw CLI::ValidationError("PATH is missing: expected scenario files, or folders of them");
  }
  if (arguments.watches && arguments.paths.empty()) {
    throw CLI::ValidationError("--watch: expected a PATH to watch");
  }
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
       .examples = "lockstep run scenarios/ --seeds 100 --out out\n"
                   "  lockstep run scenarios/ -k 'pause not redlock' --jobs 4\n"
                   "  lockstep run my-scenario.toml --watch"},
      {.add_options = add_options,
       .complete = require_seeds,
       .format = [](const RunArguments& arguments) { return arguments.format; },
       .run = run_run});
}

}  // namespace lockstep::app
