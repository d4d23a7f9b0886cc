// lockstep explore: searches scenarios exhaustively within bounds. It ends in a certificate or in
// the smallest counterexample.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "app/command.h"
#include "app/context.h"
#include "app/exit_code.h"
#include "app/findings/counterexample.h"
#include "app/interruption.h"
#include "app/output/file_names.h"
#include "app/output/output_file.h"
#include "app/output/output_place.h"
#include "app/progress_line.h"
#include "app/scenarios/scenario_paths.h"
#include "app/search/explore_jobs.h"
#include "model/engine/engine.h"
#include "model/lock/known_messages.h"
#include "reports/formats/explore_report.h"
#include "reports/text.h"
#include "scenario/file/scenario_file.h"
#include "search/explore/certificate.h"
#include "search/explore/exploration.h"
#include "search/explore/exploration_file.h"
#include "search/explore/path_runner.h"

namespace lockstep::app {
namespace {

constexpr std::uint64_t threads_max = 1'024;
constexpr std::uint64_t steps_max = 1'000;
constexpr std::uint64_t count_max = 1'000'000;

struct ExploreArguments {
  std::vector<std::string> paths;  ///< scenario files, or folders of them
  search::Exploration::Plan plan;
  std::uint64_t jobs = std::max(1U, std::thread::hardware_concurrency());
  std::uint64_t time_max_ms = 0;  ///< for all files together; 0: no limit
  std::uint64_t memory_bytes_max = std::uint64_t{4} << 30U;
  OutputFormat format = OutputFormat::text;
  std::string output_folder = "lockstep-out";
  /// Whether to save certificates, besides counterexamples and interrupted searches.
  bool saves_certificates = false;
  std::optional<std::string> resume;  ///< a search that was interrupted
};

/// The exit code is the worst of all files: 1 if something broke that should hold, or holds that
/// should break; 3 if not all was searched.
class ExploreCommand {
 public:
  ExploreCommand(const ExploreArguments& arguments, const Context& context)
      : arguments_(arguments), context_(context) {}

  ExitCode run() {
    std::vector<Target> targets = find_targets();
    if (arguments_.resume && targets.size() != 1) {
      throw scenario::InputError::about(*arguments_.resume,
                                        "a search is of one scenario; expected a file with one");
    }
    for (const Target& target : targets) {
      if (is_interrupted() || is_out_of_time()) break;
      try_to_explore(target);
      ++explored_;
    }
    if (is_out_of_time()) {
      print_error(context_, fmt::format("the time is over: {} of {} scenarios were searched, the "
                                        "last one perhaps in part",
                                        explored_, targets.size()));
      exit_code_ = worse(exit_code_, ExitCode::unknown);
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
  [[nodiscard]] bool is_out_of_time() const {
    if (arguments_.time_max_ms == 0) return false;
    return std::chrono::steady_clock::now() - begun_ >=
           std::chrono::milliseconds(arguments_.time_max_ms);
  }

  struct Target {
    scenario::Scenario scenario;
    std::string file_name;  // base of the names of its files
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
    model::require_known_messages(target.scenario, context_.script_folders);
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
      jobs.interrupted = [this] { return is_interrupted() || is_out_of_time(); };
      jobs.report_progress = [&] { report_progress(target, exploration, line); };
      end = explore_in_parallel(target.scenario, exploration, runner, jobs);
      report.elapsed_ms = line.elapsed_ms();
    }
    report.certificate = search::certify(target.scenario, exploration, runner, end);
    save(target, exploration, runner, engine, report);
    add(std::move(report));
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

  void add(reports::ExploreReport report) {
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
  std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
  std::size_t explored_ = 0;
  ExitCode exit_code_ = ExitCode::as_expected;
};

ExitCode run_explore(const ExploreArguments& arguments, const Context& context) {
  return ExploreCommand(arguments, context).run();
}

/// Adds an option with a number, which `take` stores.
void add_bounded_number(CLI::App& command, const std::string& name, std::uint64_t least,
                        std::uint64_t most, const std::function<void(std::uint64_t)>& take,
                        const std::string& summary) {
  add_word(
      command, name, "N",
      [=](const std::string& word) {
        const std::uint64_t number = read_whole_number(name, word);
        if (number < least || number > most) {
          refuse_word(name, word, fmt::format("a number from {} to {}", least, most));
        }
        take(number);
      },
      summary);
}

void add_bounds(CLI::App& command, search::ExploreBounds& bounds) {
  const auto small = [](std::uint64_t number) { return static_cast<std::uint32_t>(number); };
  add_bounded_number(
      command, "--faults", 0, count_max,
      [&bounds, small](std::uint64_t number) { bounds.faults_max = small(number); },
      "At most so many faults in a run, where the file leaves them open (its budget)");
  add_bounded_number(
      command, "--delay-steps", 1, steps_max,
      [&bounds, small](std::uint64_t number) { bounds.delay_steps = small(number); },
      "So many values of each range of delays (2: the least and the most)");
  add_bounded_number(
      command, "--range-steps", 1, steps_max,
      [&bounds, small](std::uint64_t number) { bounds.range_steps = small(number); },
      "So many values of each other range (2)");
  add_bounded_number(
      command, "--deviations", 0, count_max,
      [&bounds, small](std::uint64_t number) { bounds.deviations_max = small(number); },
      "At most so many choices of a run other than the least (all of them)");
  add_word(
      command, "--fault-places", "WORD",
      [&bounds](const std::string& word) {
        constexpr std::array<std::string_view, 2> words = {"own", "every"};
        bounds.places =
            static_cast<search::FaultPlaces>(read_choice("--fault-places", word, words));
      },
      "own (the default): a fault strikes just before a step of whom it is about;\n"
      "every: before any step");
}

void add_search(CLI::App& command, ExploreArguments& arguments) {
  search::Exploration::Plan& plan = arguments.plan;
  command.add_flag_callback(
      "--no-merging", [&plan] { plan.bounds.merging = search::Merging::none; },
      "Make every run to its end, also where its state was reached before: decides all\n"
      "properties, and takes long");
  command.add_flag_callback(
      "--no-reduction", [&plan] { plan.bounds.reduction = search::Reduction::none; },
      "Look at no state ahead of the run that leads to it: the same verdicts, slowly");
  command.add_flag_callback(
      "--keep-going",
      [&plan] { plan.after_finding = search::Exploration::Plan::AfterFinding::go_on; },
      "Go on after a counterexample, until all is searched");
  add_bounded_number(
      command, "--jobs", 1, threads_max,
      [&arguments](std::uint64_t number) { arguments.jobs = number; },
      "Work with so many threads (one for each core); the result is the same");
  add_word(
      command, "--limit-memory", "SIZE",
      [&arguments](const std::string& word) {
        arguments.memory_bytes_max = read_bytes("--limit-memory", word);
      },
      "Stop when states and paths take so much: 512MiB, 8GiB (4GiB)");
  add_word(
      command, "--limit-time", "TIME",
      [&arguments](const std::string& word) {
        arguments.time_max_ms = read_milliseconds("--limit-time", word);
      },
      "Stop after so long, all files together: 30s, 5m; what is missing is unknown");
  add_word(
      command, "--resume", "STATE",
      [&arguments](const std::string& path) { arguments.resume = path; },
      "Go on with a search of this file that was interrupted");
}

void add_options(CLI::App& command, ExploreArguments& arguments) {
  command.add_option("PATH", arguments.paths, "Scenario files, or folders of them")
      ->required()
      ->type_name("");
  add_bounds(command, arguments.plan.bounds);
  add_search(command, arguments);
  writes_to(add_word(
                command, "-o,--out", "DIR",
                [&arguments](const std::string& folder) {
                  arguments.output_folder = folder;
                  arguments.saves_certificates = true;
                },
                "Write certificates and counterexamples here (lockstep-out, counterexamples only)"),
            OutputPlace::folder);
  add_format(command, arguments.format);
}

void require_one_path(const CLI::App& /*command*/, ExploreArguments& arguments) {
  if (!arguments.resume || arguments.paths.size() == 1) return;
  throw CLI::ValidationError("--resume goes on with one file; expected one PATH");
}

}  // namespace

CommandDescription explore_command() {
  return describe_command<ExploreArguments>(
      {.name = "explore",
       .summary = "Search scenarios exhaustively within bounds: a certificate or the least run",
       .examples = "lockstep explore scenarios/explore/pause.toml\n"
                   "  lockstep explore my-scenario.toml --faults 1 --delay-steps 3"},
      {.add_options = add_options,
       .complete = require_one_path,
       .format = [](const ExploreArguments& arguments) { return arguments.format; },
       .run = run_explore});
}

}  // namespace lockstep::app
