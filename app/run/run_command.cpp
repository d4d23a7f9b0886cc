#include "app/run/run_command.h"

#include <fmt/format.h>

#include <ostream>
#include <system_error>

#include "app/interruption.h"
#include "app/output_file.h"
#include "app/progress.h"
#include "app/run/dry_run.h"
#include "app/run/file_names.h"
#include "app/run/html_file.h"
#include "app/run/run_files.h"
#include "app/run/scenario_paths.h"
#include "app/run/server_scripts.h"
#include "model/engine/engine.h"
#include "reports/formats/console.h"
#include "reports/formats/github_annotations.h"
#include "reports/formats/json_report.h"
#include "reports/formats/junit.h"
#include "scenario/file/scenario_file.h"
#include "search/runs/seed_runs.h"

namespace lockstep::app {
namespace {

/// What it expects to be violated breaks in one of many runs, so that a run or two say nothing.
bool is_to_be_searched(const scenario::Scenario& scenario) {
  return scenario.open_faults && !scenario.expect.violates.empty();
}

ExitCode exit_code_of(const search::ScenarioOutcome& outcome) {
  const ExitCode interrupted = outcome.interrupted ? ExitCode::unknown : ExitCode::as_expected;
  switch (outcome.kind) {
    case search::OutcomeKind::as_expected:
      return interrupted;
    case search::OutcomeKind::not_as_expected:
      return ExitCode::not_as_expected;
    case search::OutcomeKind::unknown:
      return ExitCode::unknown;
  }
  return ExitCode::unknown;
}

/// One `lockstep run`.
class RunCommand {
 public:
  RunCommand(const RunArguments& arguments, const Context& context)
      : arguments_(arguments), context_(context), engine_(context.script_folders) {
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
    if (arguments_.work == RunMode::tell && !is_interrupted()) return exit_code_;
    if (is_interrupted()) {
      print_error(context_, fmt::format("interrupted: {} of {} scenarios were run", scenarios_run_,
                                        scenarios.size()));
      exit_code_ = worse(exit_code_, ExitCode::unknown);
    }
    // What was only passed over says nothing of any lock.
    if (scenarios_run_ == 0) exit_code_ = worse(exit_code_, ExitCode::unknown);
    finish();
    return exit_code_;
  }

 private:
  /// A folder that can't be made is better said before a long campaign than after it.
  void make_output_folder() const {
    if (arguments_.files != FilesWanted::all || arguments_.work == RunMode::tell) return;
    std::error_code error;
    std::filesystem::create_directories(arguments_.output_folder, error);
    if (error) {
      throw scenario::InputError({arguments_.output_folder, 0, 0},
                                 fmt::format("cannot make this folder: {}", error.message()));
    }
  }

  void run_one(const ScenarioPath& path, Progress& progress) {
    try {
      const std::vector<scenario::Scenario> rows =
          scenario::load_scenarios(path.path, arguments_.set);
      is_alone_ = is_alone_ && rows.size() == 1;
      if (arguments_.work == RunMode::tell) return tell(rows);
      progress.replace_one_by(rows.size());
      bool is_run = false;
      for (const scenario::Scenario& row : rows) {
        if (is_interrupted()) return;
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
      json_.count_refused_file();
      if (html_) html_->count_refused_file();
      exit_code_ = worse(exit_code_, ExitCode::bad_input);
    }
  }

  void tell(const std::vector<scenario::Scenario>& rows) {
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

  /// False where it was interrupted before its first run.
  bool run_row(const scenario::Scenario& scenario, const std::string& name, Progress& progress) {
    show_scripts(scenario);
    progress.begin(scenario.title);
    const search::ScenarioOutcome outcome = search::run_scenario(
        scenario, {arguments_.first_seed, arguments_.seeds, &Progress::ask_between_runs}, engine_);
    progress.clear();
    if (outcome.runs == 0) return false;
    exit_code_ = worse(exit_code_, exit_code_of(outcome));
    report(outcome, write_files(outcome, file_name(name, scenario.row)));
    return true;
  }

  std::string file_name(const std::string& name, const std::string& row) {
    return row.empty() ? name : row_names_.take(file_name_of_row(name, row));
  }

  /// Not into what a program is to read.
  void show_scripts(const scenario::Scenario& scenario) const {
    if (arguments_.detail != Detail::all) return;
    const bool is_text = arguments_.format == OutputFormat::text;
    describe_server_scripts(scenario, context_.script_folders,
                            is_text ? context_.output : context_.errors);
  }

  /// Files that were asked for and can't be written are an error; others are only said to be
  /// missing.
  reports::RunArtifacts write_files(const search::ScenarioOutcome& outcome,
                                    const std::string& name) {
    reports::RunArtifacts artifacts;
    artifacts.replay_command = run_again_command(outcome, context_);
    const bool is_worth_files = arguments_.files == FilesWanted::all ||
                                (arguments_.files == FilesWanted::where_useful &&
                                 (is_alone_ || outcome.kind != search::OutcomeKind::as_expected));
    if (!is_worth_files) return artifacts;
    try {
      const LongTraces long_traces =
          arguments_.files == FilesWanted::all ? LongTraces::written : LongTraces::left_out;
      return write_run_files(outcome, arguments_.output_folder, name, long_traces, context_);
    } catch (const scenario::InputError& error) {
      print_error(context_, error);
      if (arguments_.files == FilesWanted::all) {
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
    if (arguments_.files == FilesWanted::all) {
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

}  // namespace

ExitCode run(const RunArguments& arguments, const Context& context) {
  return RunCommand(arguments, context).run();
}

}  // namespace lockstep::app
