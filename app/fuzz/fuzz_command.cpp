#include "app/fuzz/fuzz_command.h"

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

#include "app/fuzz/fuzz_corpus.h"
#include "app/fuzz/fuzz_jobs.h"
#include "app/fuzz/fuzz_record.h"
#include "app/fuzz/fuzz_targets.h"
#include "app/interruption.h"
#include "app/progress_line.h"
#include "app/run/file_names.h"
#include "reports/formats/fuzz_report.h"
#include "reports/text.h"

namespace lockstep::app {
namespace {

using Clock = std::chrono::steady_clock;

std::int64_t now_ns() { return Clock::now().time_since_epoch() / std::chrono::nanoseconds(1); }

class FuzzCommand {
 public:
  FuzzCommand(const FuzzArguments& arguments, const Context& context)
      : arguments_(arguments), context_(context), reporter_(arguments.output, context) {}

  ExitCode run() {
    const std::vector<FuzzTarget> targets = find_targets(arguments_.targets, context_);
    if (arguments_.time_ms) {
      end_ns_ = now_ns() + static_cast<std::int64_t>(*arguments_.time_ms) * 1'000'000;
    }
    for (std::size_t i = 0; i < targets.size() && !is_interrupted(); ++i) {
      share_time(targets.size() - i);
      try_to_search(targets[i]);
    }
    if (is_interrupted()) {
      print_error(context_, "interrupted: this is what was found until then");
      exit_code_ = worse(exit_code_, ExitCode::unknown);
    }
    reporter_.finish();
    return worse(exit_code_, reporter_.exit_code());
  }

 private:
  /// Each target may have its part of the time that is left.
  void share_time(std::size_t targets_left) {
    if (!end_ns_) return;
    const std::int64_t left_ns = std::max<std::int64_t>(*end_ns_ - now_ns(), 0);
    const std::int64_t ours_ns = left_ns / static_cast<std::int64_t>(targets_left);
    deadline_ns_ = now_ns() + ours_ns;
    shrinking_ns_ = ours_ns / 10;
  }

  /// A target that is wrong does not take the results of the others with it.
  void try_to_search(const FuzzTarget& target) {
    try {
      search(target);
    } catch (const scenario::InputError& error) {
      print_error(context_, error);
      exit_code_ = worse(exit_code_, ExitCode::bad_input);
    }
  }

  /// Asked by all workers, between runs. What was found takes time too: to make it small.
  bool is_to_end() {
    runs_.fetch_add(1, std::memory_order_relaxed);
    const std::int64_t for_shrinking_ns = has_findings_ ? shrinking_ns_ : 0;
    return is_interrupted() || now_ns() >= deadline_ns_ - for_shrinking_ns;
  }

  /// Asked between the runs that make findings small.
  bool is_shrinking_over(const FuzzTarget& target, ProgressLine& line) {
    if (line.is_due()) {
      line.draw(fmt::format("{}  making what was found small{}", shown_name(target),
                            end_ns_ ? fmt::format(", {} left", time_left(0, 0)) : ""));
    }
    return is_interrupted() || now_ns() >= deadline_ns_;
  }

  void search(const FuzzTarget& target) {
    runs_ = 0;
    has_findings_ = false;
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
    std::optional<FuzzRecord> record;
    if (arguments_.record == FuzzArguments::Record::written)
      record.emplace(arguments_, target, plan, context_);
    std::optional<ProgressLine> line(std::in_place, context_);
    const FuzzJobs jobs{
        arguments_.jobs,
        context_.script_folders,
        [this] { return is_to_end(); },
        [&](const search::FuzzResult& result) { report_progress(target, result, *line); },
        [&](const search::Discovery& discovery) { corpus->keep(discovery); },
        [&](const search::BatchResult& batch) {
          if (record) record->add(batch);
        }};
    report.result = fuzz_in_parallel(target.scenario, plan, jobs);
    report.elapsed_ms = line->elapsed_ms();
    if (corpus) {
      report.corpus = corpus->counts();
      if (corpus->has_failed()) exit_code_ = worse(exit_code_, ExitCode::bad_input);
    }
    if (record) record->write(record_names_.take(target.file_name), report.elapsed_ms);
    // A deadline is no reason to doubt: so many runs were asked for.
    if (arguments_.time_ms && !is_interrupted()) report.result.outcome.interrupted = false;
    reporter_.save(target, report, [&] { return is_shrinking_over(target, *line); });
    line.reset();
    reporter_.tell(std::move(report));
  }

  static std::string shown_name(const FuzzTarget& target) {
    constexpr std::size_t name_characters_max = 40;
    return reports::shortened(reports::sanitized(target.name), name_characters_max);
  }

  void report_progress(const FuzzTarget& target, const search::FuzzResult& result,
                       ProgressLine& line) {
    has_findings_ = !result.findings.empty();
    if (!line.is_due()) return;
    const std::uint64_t runs = runs_;
    const std::uint64_t rate = runs * 1000 / line.elapsed_ms();
    line.draw(fmt::format("{}  {} runs, {}/s, {} abstract states{}, {} findings, {} left",
                          shown_name(target), runs, rate, result.states.size(),
                          probes_hit(result.outcome), result.findings.size(),
                          time_left(runs, rate)));
  }

  /// ", 1 of 2 probes hit": of the scenario's own faults and of what is to happen sometimes.
  static std::string probes_hit(const search::ScenarioOutcome& outcome) {
    const std::size_t all = outcome.probes.size() + outcome.sometimes.size();
    if (all == 0) return "";
    const auto struck = std::count_if(outcome.probes.begin(), outcome.probes.end(),
                                      [](const auto& probe) { return probe.runs_struck > 0; });
    const auto seen = std::count_if(outcome.sometimes.begin(), outcome.sometimes.end(),
                                    [](const auto& each) { return each.runs_seen > 0; });
    return fmt::format(", {} of {} probes hit", struck + seen, all);
  }

  std::string time_left(std::uint64_t runs, std::uint64_t rate) const {
    if (end_ns_) {
      const std::int64_t left_ns = std::max<std::int64_t>(deadline_ns_ - now_ns(), 0);
      return fmt::format("{} s", left_ns / 1'000'000'000);
    }
    const std::uint64_t all = arguments_.plan.runs / arguments_.plan.shards;
    return rate == 0 ? "?" : fmt::format("{} s", (all - std::min(all, runs)) / rate);
  }

  const FuzzArguments& arguments_;
  const Context& context_;
  FuzzReporter reporter_;
  UniqueNames corpus_names_;
  UniqueNames record_names_;
  std::optional<std::int64_t> end_ns_;    // of the time for all targets
  std::int64_t deadline_ns_ = INT64_MAX;  // of this target; changes only between searches
  std::int64_t shrinking_ns_ = 0;         // before it, for findings
  std::atomic<bool> has_findings_{false};
  std::atomic<std::uint64_t> runs_{0};  // of this target, by all workers
  ExitCode exit_code_ = ExitCode::as_expected;
};

}  // namespace

ExitCode fuzz(const FuzzArguments& arguments, const Context& context) {
  return FuzzCommand(arguments, context).run();
}

}  // namespace lockstep::app
