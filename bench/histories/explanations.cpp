#include "bench/histories/explanations.h"

#include <sys/resource.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>

#include "bench/histories/processor_time.h"
#include "checker/linearizability/limits.h"
#include "checker/recorded/decide.h"
#include "checker/recorded/explanation.h"

namespace lockstep::bench {
namespace {

using checker::Limits;
using checker::recorded::Answer;
using checker::recorded::Decision;
using checker::recorded::History;
using checker::recorded::Operation;
using checker::recorded::Outcome;

constexpr std::size_t page_lines = 34;

/// As `lockstep check` has them where nothing else is asked for.
Limits limits_of_check() {
  using Clock = std::chrono::steady_clock;
  const auto until = Clock::now() + std::chrono::seconds(checker::recorded_seconds_max);
  return {.steps_max = UINT64_MAX,
          .memory_bytes_max = checker::recorded_gib_max << 30U,
          .is_over = [until] { return Clock::now() >= until; }};
}

template <typename Work>
double best_of_three(Work work) {
  double best = 1e9;
  for (int round = 0; round < 3; ++round) {
    const double start = seconds_of_processor();
    work();
    best = std::min(best, seconds_of_processor() - start);
    if (best > 10) break;
  }
  return best;
}

/// What was known before this event.
History before(const History& history, std::uint32_t event) {
  History part;
  part.events = event;
  for (Operation operation : history.operations) {
    if (operation.invoked >= event) break;
    if (operation.completed >= event) operation.outcome = Outcome::info;
    part.operations.push_back(operation);
  }
  return part;
}

/// All that this process ever had in RAM.
double peak_mib() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

}  // namespace

ExplanationFigure measure_explanation(checker::recorded::Model model, const RoundsShape& shape) {
  const History history = generate_rounds(shape);
  const checker::recorded::Settings settings{.initial_number = shape.permits};
  ExplanationFigure figure;
  figure.operations = history.operations.size();
  std::uint32_t stuck_at = 0;
  figure.explained_seconds = best_of_three([&] {
    const Decision decision = decide(history, model, limits_of_check(), settings);
    figure.refuted = decision.answer == Answer::not_linearizable;
    const checker::recorded::Told page = tell(history, decision.parts[0].explanation, page_lines);
    figure.lines = static_cast<std::size_t>(std::count(page.lines.begin(), page.lines.end(), '\n'));
    stuck_at = decision.parts[0].explanation.until;
  });
  figure.peak_mib = peak_mib();
  History part = before(history, stuck_at);
  figure.verdict_seconds = best_of_three([&] {
    const Answer answer = decide(part, model, limits_of_check(), settings).answer;
    figure.is_rest_known = answer == Answer::linearizable;
  });
  return figure;
}

}  // namespace lockstep::bench
