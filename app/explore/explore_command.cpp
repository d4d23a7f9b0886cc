#include "app/explore/explore_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <ostream>
#include <string>
#include <utility>
#include <vector>

#include "app/explore/explore_findings.h"
#include "app/explore/explore_jobs.h"
#include "app/interruption.h"
#include "app/output_file.h"
#include "app/progress_line.h"
#include "app/run/file_names.h"
#include "app/run/scenario_paths.h"
#include "reports/formats/explore_report.h"
#include "reports/text.h"
#include "scenario/file/scenario_file.h"
#include "search/explore/exploration_file.h"

namespace lockstep::app {
namespace {

class ExploreCommand {
 public:
  ExploreCommand(const ExploreArguments& arguments, const Context& context)
      : arguments_(arguments), context_(context) {}

  ExitCode run() {
    std::vector<Target> targets = find_targets();
    if (arguments_.resume && targets.size() != 1) {
      throw scenario::InputError({*arguments_.resume, 0, 0},
                                 "a search is of one scenario; expected a file with one");
    }
    for (const Target& target : targets) {
      if (is_interrupted()) break;
      try_to_explore(target);
    }
    if (is_interrupted()) {
      print_error(context_, "interrupted: this is what was searched until then");
      exit_code_ = worse(exit_code_, ExitCode::unknown);
    }
    if (arguments_.format == OutputFormat::json) {
      context_.output << reports::explore_json(reports_);
    }
    return exit_code_;
  }

 private:
  struct Target {
    scenario::Scenario scenario;
    std::string file_name;  // of what is saved of it
  };

  std::vector<Target> find_targets() const {
    std::vector<Target> targets;
    for (const ScenarioPath& path : find_scenarios(arguments_.paths)) {
      for (scenario::Scenario& row : scenario::load_scenarios(path.path)) {
        std::string file_name = file_name_of_row(path.name, row.row);
        std::replace(file_name.begin(), file_name.end(), '/', '-');
        targets.push_back({std::move(row), std::move(file_name)});
      }
    }
    return targets;
  }

  /// A file that is wrong does not take the results of the others with it.
  void try_to_explore(const Target& target) {
    try {
      explore(target);
    } catch (const scenario::InputError& error) {
      print_error(context_, error);
      exit_code_ = worse(exit_code_, ExitCode::bad_input);
    }
  }

  void explore(const Target& target) {
    model::Engine engine(context_.script_folders);
    search::PathRunner runner(target.scenario, arguments_.plan.bounds, engine);
    search::Exploration exploration(target.scenario, arguments_.plan, runner.judged());
    if (arguments_.resume) {
      search::load_exploration(*arguments_.resume,
                               search::identity_of(target.scenario, runner.lock_digest()),
                               exploration);
    }
    reports::ExploreReport report;
    report.name = target.scenario.name();
    search::ExploreEnd end{};
    {
      ProgressLine line(context_);
      ExploreJobs jobs;
      jobs.workers = arguments_.jobs;
      jobs.memory_bytes_max = arguments_.memory_bytes_max;
      jobs.script_folders = context_.script_folders;
      jobs.interrupted = &is_interrupted;
      jobs.report_progress = [&] { report_progress(target, exploration, line); };
      end = explore_in_parallel(target.scenario, exploration, runner, jobs);
      report.elapsed_ms = line.elapsed_ms();
    }
    report.certificate = search::certify(target.scenario, exploration, runner, end);
    save(target, exploration, runner, engine, report);
    tell(std::move(report));
  }

  void save(const Target& target, const search::Exploration& exploration,
            search::PathRunner& runner, model::Engine& engine, reports::ExploreReport& report) {
    const std::filesystem::path folder = arguments_.output_folder;
    const bool is_partial = report.certificate.end == search::ExploreEnd::interrupted ||
                            report.certificate.end == search::ExploreEnd::out_of_memory;
    if (is_partial) {
      report.resume_file = (folder / (target.file_name + ".explored")).string();
      write_file(report.resume_file, [&](std::ostream& stream) {
        search::save_exploration(stream, search::identity_of(target.scenario, runner.lock_digest()),
                                 exploration);
      });
    }
    for (const search::Counterexample& found : report.certificate.found) {
      const std::string name =
          fmt::format("{}-{}", target.file_name, checker::to_string(found.property));
      report.saved.push_back(save_counterexample(target.scenario, found, runner, engine, folder,
                                                 names_.take(name), context_));
    }
    if (!arguments_.saves_certificates) return;
    write_file(folder / (target.file_name + ".certificate.json"),
               [&](std::ostream& stream) { stream << reports::explore_json({report}); });
  }

  void report_progress(const Target& target, const search::Exploration& exploration,
                       ProgressLine& line) const {
    if (!line.is_due()) return;
    constexpr std::size_t name_characters_max = 40;
    const std::uint64_t runs = exploration.counts().runs;
    const search::Exploration::Cost cost = exploration.cost_now();
    line.draw(fmt::format(
        "{}  {} interventions: {} states, {} runs, {}/s, {} runs ahead, {} MiB",
        reports::shortened(reports::sanitized(target.scenario.name()), name_characters_max),
        cost.interventions, exploration.visited().size(), runs,
        runs * 1000 / std::max<std::uint64_t>(line.elapsed_ms(), 1), exploration.paths_left(),
        exploration.bytes() >> 20U));
  }

  void tell(reports::ExploreReport report) {
    switch (report.certificate.outcome) {
      case search::OutcomeKind::as_expected:
        break;
      case search::OutcomeKind::not_as_expected:
        exit_code_ = worse(exit_code_, ExitCode::not_as_expected);
        break;
      case search::OutcomeKind::unknown:
        exit_code_ = worse(exit_code_, ExitCode::unknown);
        break;
    }
    if (arguments_.format == OutputFormat::text) {
      if (!reports_.empty()) context_.output << '\n';
      context_.output << reports::explore_console(report, context_.style);
      context_.output.flush();
    }
    reports_.push_back(std::move(report));
  }

  const ExploreArguments& arguments_;
  const Context& context_;
  std::vector<reports::ExploreReport> reports_;
  UniqueNames names_;
  ExitCode exit_code_ = ExitCode::as_expected;
};

}  // namespace

ExitCode explore(const ExploreArguments& arguments, const Context& context) {
  return ExploreCommand(arguments, context).run();
}

}  // namespace lockstep::app
