#include "app/fuzz_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <filesystem>
#include <ostream>
#include <set>
#include <system_error>

#include "app/fuzz_findings.h"
#include "app/fuzz_jobs.h"
#include "app/interruption.h"
#include "app/new_scenario.h"
#include "app/output_file.h"
#include "app/scenario_paths.h"
#include "model/scenario/scenario_file.h"
#include "reports/fuzz_report.h"
#include "reports/junit.h"
#include "reports/text.h"
#include "search/tally.h"

namespace lockstep::app {
namespace {

using Clock = std::chrono::steady_clock;

/// What workers ask between runs: a plain function, which has nothing else to find it by.
struct Watch {
  std::atomic<std::uint64_t> runs{0};
  std::atomic<std::int64_t> deadline_ns{INT64_MAX};
};
Watch& watch() {
  static Watch one;
  return one;
}

std::int64_t now_ns() { return Clock::now().time_since_epoch() / std::chrono::nanoseconds(1); }

bool is_to_end() {
  watch().runs.fetch_add(1, std::memory_order_relaxed);
  return is_interrupted() || now_ns() >= watch().deadline_ns.load(std::memory_order_relaxed);
}

struct Target {
  model::Scenario scenario;
  std::string name;       // as the user named it
  std::string file_name;  // of what is saved of it
};

std::string file_name_of(std::string name) {
  std::replace(name.begin(), name.end(), '/', '-');
  return name;
}

class FuzzCommand {
 public:
  FuzzCommand(const FuzzArguments& arguments, const Context& context)
      : arguments_(arguments), context_(context) {}

  ExitCode run() {
    const std::vector<Target> targets = find_targets();
    if (arguments_.time_ms) {
      watch().deadline_ns = now_ns() + static_cast<std::int64_t>(*arguments_.time_ms) * 1'000'000;
    }
    for (std::size_t i = 0; i < targets.size() && !is_interrupted(); ++i) {
      share_time(targets.size() - i);
      search(targets[i]);
    }
    if (is_interrupted()) {
      complain(context_, "interrupted: this is what was found until then");
      exit_code_ = worse(exit_code_, ExitCode::unknown);
    }
    finish();
    return exit_code_;
  }

 private:
  std::vector<Target> find_targets() const {
    std::vector<Target> targets;
    for (const std::string& word : arguments_.targets) {
      std::error_code error;
      if (!std::filesystem::exists(word, error)) {
        targets.push_back({model::parse_scenario(word + ".toml", open_scenario_of(word, context_)),
                           word, file_name_of(word)});
        continue;
      }
      for (const ScenarioPath& path : find_scenarios({word})) {
        for (model::Scenario& row : model::load_scenarios(path.path)) {
          std::string name = row.name();
          targets.push_back({std::move(row), std::move(name), path.name});
        }
      }
    }
    return targets;
  }

  /// Each target may have its part of the time that is left.
  void share_time(std::size_t targets_left) {
    if (!arguments_.time_ms) return;
    if (!end_ns_) end_ns_ = watch().deadline_ns.load();
    const std::int64_t left_ns = std::max<std::int64_t>(*end_ns_ - now_ns(), 0);
    watch().deadline_ns = now_ns() + left_ns / static_cast<std::int64_t>(targets_left);
  }

  void search(const Target& target) {
    const Clock::time_point began = Clock::now();
    watch().runs = 0;
    reports::FuzzReport report;
    report.name = target.name;
    report.root_seed = arguments_.plan.root_seed;
    report.strategy = search::to_string(arguments_.plan.strategy);
    const FuzzJobs jobs{
        arguments_.jobs, context_.script_folders, &is_to_end,
        [&](const search::FuzzResult& result) { tell_progress(target, result, began); }};
    report.result = make_stretches(target.scenario, arguments_.plan, jobs);
    clear_progress();
    report.elapsed_ms =
        static_cast<std::uint64_t>((Clock::now() - began) / std::chrono::milliseconds(1));
    // A deadline is no reason to doubt: so many runs were asked for.
    if (arguments_.time_ms && !is_interrupted()) report.result.outcome.interrupted = false;
    save(target, report);
    search::conclude(report.result.outcome);
    tell(report);
    reports_.push_back(std::move(report));
  }

  void save(const Target& target, reports::FuzzReport& report) {
    model::Engine engine(context_.script_folders);
    FindingSaver saver(target.scenario, arguments_.output_folder, context_, engine);
    for (const search::Finding& finding : report.result.findings) {
      if (is_interrupted()) break;
      report.saved.push_back(
          saver.save(finding, unique(fmt::format("{}-{}", target.file_name, short_name(finding))),
                     arguments_.plan.root_seed));
    }
    if (!report.result.findings.empty()) {
      report.result.outcome.example = saver.example_of(report.result.findings.front());
    }
  }

  /// "mutual-exclusion-pause-promote"
  static std::string short_name(const search::Finding& finding) {
    std::string name(checker::to_string(finding.property));
    for (const model::FaultKind kind : finding.kinds) {
      name += '-';
      name += model::to_string(kind);
    }
    return name;
  }

  std::string unique(const std::string& name) {
    std::string unique = name;
    for (int number = 2; !names_.insert(unique).second; ++number) {
      unique = fmt::format("{}-{}", name, number);
    }
    return unique;
  }

  void tell_progress(const Target& target, const search::FuzzResult& result,
                     Clock::time_point began) {
    if (context_.progress == ProgressDisplay::hidden) return;
    const std::uint64_t runs = watch().runs.load();
    const auto elapsed_ms =
        static_cast<std::uint64_t>((Clock::now() - began) / std::chrono::milliseconds(1));
    const std::uint64_t rate = elapsed_ms == 0 ? 0 : runs * 1000 / elapsed_ms;
    std::string left;
    if (arguments_.time_ms) {
      const std::int64_t left_ns = watch().deadline_ns.load() - now_ns();
      left = fmt::format("{} s left", std::max<std::int64_t>(left_ns, 0) / 1'000'000'000);
    } else if (rate > 0 && arguments_.plan.runs >= runs) {
      left = fmt::format("{} s left", (arguments_.plan.runs - runs) / rate);
    }
    context_.errors << "\r\x1b[K"
                    << fmt::format("{}  {} runs, {}/s, {} states, {} findings, {}",
                                   reports::shortened(reports::harmless(target.name), 40), runs,
                                   rate, result.states.size(), result.findings.size(), left)
                    << std::flush;
    is_progress_drawn_ = true;
  }

  void clear_progress() {
    if (is_progress_drawn_) context_.errors << "\r\x1b[K" << std::flush;
    is_progress_drawn_ = false;
  }

  void tell(const reports::FuzzReport& report) {
    switch (report.result.outcome.kind) {
      case search::OutcomeKind::as_expected:
        break;
      case search::OutcomeKind::not_as_expected:
        exit_code_ = worse(exit_code_, ExitCode::not_as_expected);
        break;
      case search::OutcomeKind::unknown:
        exit_code_ = worse(exit_code_, ExitCode::unknown);
        break;
    }
    junit_.add(report.result.outcome, {});
    if (arguments_.annotations == FuzzArguments::Annotations::github) {
      context_.errors << reports::github_annotations(report);
    }
    if (arguments_.format == OutputFormat::json) return;
    if (!reports_.empty()) context_.output << '\n';
    context_.output << reports::fuzz_console(report, context_.style);
    context_.output.flush();
  }

  void finish() {
    if (arguments_.format == OutputFormat::json) context_.output << reports::fuzz_json(reports_);
    if (!arguments_.junit) return;
    write_file(*arguments_.junit, [this](std::ostream& stream) { stream << junit_.text(); });
  }

  const FuzzArguments& arguments_;
  const Context& context_;
  std::vector<reports::FuzzReport> reports_;
  reports::JunitReport junit_;
  std::set<std::string> names_;
  std::optional<std::int64_t> end_ns_;  // of the time for all targets
  bool is_progress_drawn_ = false;
  ExitCode exit_code_ = ExitCode::as_expected;
};

}  // namespace

ExitCode fuzz(const FuzzArguments& arguments, const Context& context) {
  return FuzzCommand(arguments, context).run();
}

}  // namespace lockstep::app
