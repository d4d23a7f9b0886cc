#include "app/fuzz_command.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <ostream>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "app/file_names.h"
#include "app/fuzz_corpus.h"
#include "app/fuzz_findings.h"
#include "app/fuzz_jobs.h"
#include "app/fuzz_targets.h"
#include "app/interruption.h"
#include "app/output_file.h"
#include "app/progress_line.h"
#include "reports/fuzz_report.h"
#include "reports/junit.h"
#include "reports/text.h"
#include "search/tally.h"

namespace lockstep::app {
namespace {

using Clock = std::chrono::steady_clock;

std::int64_t now_ns() { return Clock::now().time_since_epoch() / std::chrono::nanoseconds(1); }

class FuzzCommand {
 public:
  FuzzCommand(const FuzzArguments& arguments, const Context& context)
      : arguments_(arguments), context_(context) {}

  ExitCode run() {
    const std::vector<FuzzTarget> targets = find_targets(arguments_.targets, context_);
    make_output_folder();
    if (arguments_.time_ms) {
      end_ns_ = now_ns() + static_cast<std::int64_t>(*arguments_.time_ms) * 1'000'000;
    }
    for (std::size_t i = 0; i < targets.size() && !is_interrupted(); ++i) {
      share_time(targets.size() - i);
      try_to_search(targets[i]);
    }
    if (is_interrupted()) {
      complain(context_, "interrupted: this is what was found until then");
      exit_code_ = worse(exit_code_, ExitCode::unknown);
    }
    finish();
    return exit_code_;
  }

 private:
  /// One that can't be made is better said before a long search than after it.
  void make_output_folder() const {
    std::error_code error;
    std::filesystem::create_directories(arguments_.output_folder, error);
    if (error) {
      throw model::InputError({arguments_.output_folder, 0, 0},
                              fmt::format("cannot make this folder: {}", error.message()));
    }
  }

  /// Each target may have its part of the time that is left.
  void share_time(std::size_t targets_left) {
    if (!end_ns_) return;
    const std::int64_t left_ns = std::max<std::int64_t>(*end_ns_ - now_ns(), 0);
    deadline_ns_ = now_ns() + left_ns / static_cast<std::int64_t>(targets_left);
  }

  /// A target that is wrong does not take the results of the others with it.
  void try_to_search(const FuzzTarget& target) {
    try {
      search(target);
    } catch (const model::InputError& error) {
      complain(context_, error);
      exit_code_ = worse(exit_code_, ExitCode::bad_input);
    }
  }

  /// Asked by all workers, between runs.
  bool is_to_end() {
    runs_.fetch_add(1, std::memory_order_relaxed);
    return is_interrupted() || now_ns() >= deadline_ns_;
  }

  void search(const FuzzTarget& target) {
    runs_ = 0;
    reports::FuzzReport report;
    report.name = target.name;
    report.root_seed = arguments_.plan.root_seed;
    report.strategy = search::to_string(arguments_.plan.strategy);
    search::FuzzPlan plan = arguments_.plan;
    std::optional<FuzzCorpus> corpus;
    if (arguments_.corpus_folder) {
      corpus.emplace(
          std::filesystem::path(*arguments_.corpus_folder) / corpus_names_.take(target.file_name),
          target.scenario, context_, [this] { return is_to_end(); });
      plan.corpus = &corpus->corpus();
    }
    {
      ProgressLine line(context_);
      const FuzzJobs jobs{
          arguments_.jobs, context_.script_folders, [this] { return is_to_end(); },
          [&](const search::FuzzResult& result) { tell_progress(target, result, line); },
          [&](const search::Discovery& discovery) { corpus->keep(discovery); }};
      report.result = make_stretches(target.scenario, plan, jobs);
      report.elapsed_ms = line.elapsed_ms();
    }
    if (corpus) {
      report.corpus = corpus->counts();
      if (corpus->has_failed()) exit_code_ = worse(exit_code_, ExitCode::bad_input);
    }
    // A deadline is no reason to doubt: so many runs were asked for.
    if (arguments_.time_ms && !is_interrupted()) report.result.outcome.interrupted = false;
    save(target, report);
    search::conclude(report.result.outcome);
    tell(report);
    reports_.push_back(std::move(report));
  }

  void save(const FuzzTarget& target, reports::FuzzReport& report) {
    model::Engine engine(context_.script_folders);
    FindingSaver saver(target.scenario, arguments_.output_folder, context_, engine);
    // Also after Ctrl-C: then nothing is shrunk for long.
    for (const search::Finding& finding : report.result.findings) {
      const std::string name = fmt::format("{}-{}", target.file_name, short_name(finding));
      report.saved.push_back(saver.save(finding, names_.take(name), arguments_.plan.root_seed));
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

  void tell_progress(const FuzzTarget& target, const search::FuzzResult& result,
                     ProgressLine& line) {
    if (!line.is_due()) return;
    constexpr std::size_t name_characters_max = 40;
    const std::uint64_t runs = runs_;
    const std::uint64_t rate = runs * 1000 / line.elapsed_ms();
    line.draw(fmt::format("{}  {} runs, {}/s, {} abstract states, {} findings, {} left",
                          reports::shortened(reports::harmless(target.name), name_characters_max),
                          runs, rate, result.states.size(), result.findings.size(),
                          time_left(runs, rate)));
  }

  std::string time_left(std::uint64_t runs, std::uint64_t rate) const {
    if (end_ns_) {
      const std::int64_t left_ns = std::max<std::int64_t>(deadline_ns_ - now_ns(), 0);
      return fmt::format("{} s", left_ns / 1'000'000'000);
    }
    const std::uint64_t all = arguments_.plan.runs / arguments_.plan.shards;
    return rate == 0 ? "?" : fmt::format("{} s", (all - std::min(all, runs)) / rate);
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
  UniqueNames names_;
  UniqueNames corpus_names_;
  std::optional<std::int64_t> end_ns_;    // of the time for all targets
  std::int64_t deadline_ns_ = INT64_MAX;  // of this target; changes only between searches
  std::atomic<std::uint64_t> runs_{0};    // of this target, by all workers
  ExitCode exit_code_ = ExitCode::as_expected;
};

}  // namespace

ExitCode fuzz(const FuzzArguments& arguments, const Context& context) {
  return FuzzCommand(arguments, context).run();
}

}  // namespace lockstep::app
