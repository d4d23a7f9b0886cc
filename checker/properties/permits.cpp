#include "checker/properties/permits.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "checker/check.h"
#include "checker/evidence.h"
#include "checker/text.h"
#include "checker/verdict.h"

namespace lockstep::checker {
namespace {

Evidence evidence_of(const Names& names, const Belief& belief) {
  return {fmt::format("{} believed that it had {} of \"{}\"", name_of(names, belief.owner),
                      counted(belief.permits, "permit"), name_of(names, belief.lock)),
          belief.owner, belief.from, belief.until};
}

bool is_open_at(const Belief& belief, const Moment& at) {
  return !(at < belief.from) && at < belief.until;
}

}  // namespace

void Permits::judge(const Run& run, Verdict& verdict) {
  judge_excess(run, verdict);
  judge_rest(run, verdict);
}

Permits::StepKind Permits::kind_of(SetOutcome outcome) {
  switch (outcome) {
    case SetOutcome::accepted:
      return StepKind::set;
    case SetOutcome::refused:
      return StepKind::refused_to_set;
    case SetOutcome::unknown:
      return StepKind::may_be_set;
  }
  return StepKind::may_be_set;
}

void Permits::load(const Observations& observations) {
  steps_.clear();
  for (const Belief& belief : observations.beliefs) {
    const bool is_kept = belief.end == BeliefEnd::run_over;
    if (is_kept) semaphores_[static_cast<std::size_t>(belief.lock)].kept += belief.permits;
    if (!(belief.from < belief.until)) continue;  // it never lasted
    steps_.push_back({belief.from, StepKind::begins, belief.lock, belief.permits});
    steps_.push_back({belief.until, StepKind::ends, belief.lock, belief.permits});
  }
  for (const PermitsSet& each : observations.permits_set) {
    const StepKind kind = kind_of(each.outcome);
    steps_.push_back({each.at, kind, each.lock, each.permits});
  }
  std::sort(steps_.begin(), steps_.end(), [](const Step& a, const Step& b) {
    return std::tuple(a.at.order, a.kind, a.lock, a.permits) <
           std::tuple(b.at.order, b.kind, b.lock, b.permits);
  });
}

void Permits::judge_excess(const Run& run, Verdict& verdict) {
  semaphores_.assign(run.names.size(), Semaphore{});
  load(run.observations);
  first_.reset();
  excess_count_ = 0;
  for (const Step& step : steps_) take(step);
  if (first_) report_excess(run, verdict);
}

void Permits::take(const Step& step) {
  Semaphore& semaphore = semaphores_[static_cast<std::size_t>(step.lock)];
  const bool was_exceeded = semaphore.is_exceeded();
  switch (step.kind) {
    case StepKind::ends:
      semaphore.out -= step.permits;
      break;
    case StepKind::set:
      semaphore.set = step.permits;
      semaphore.was_set = true;
      semaphore.is_certain = true;
      break;
    case StepKind::refused_to_set:
    case StepKind::may_be_set:
      if (step.kind == StepKind::refused_to_set && semaphore.was_set) break;
      semaphore.set = std::max(semaphore.set, step.permits);
      semaphore.is_certain = false;
      break;
    case StepKind::begins:
      semaphore.out += step.permits;
      break;
  }
  if (semaphore.is_exceeded() && !was_exceeded) {
    if (++excess_count_ == 1) first_ = {step.lock, semaphore.set, semaphore.out, step.at, {}};
  } else if (was_exceeded && !semaphore.is_exceeded()) {
    if (first_->lock == step.lock && !first_->until) first_->until = step.at;
  }
}

void Permits::report_excess(const Run& run, Verdict& verdict) const {
  const Moment until = first_->until.value_or(run.observations.ended);
  verdict.kind = VerdictKind::violated;
  verdict.overlap_from_ns = first_->from.at_ns;
  verdict.overlap_until_ns = until.at_ns;
  verdict.summary =
      fmt::format("{} of \"{}\" {} believed out, though only {} existed, for {} (from {} to {})",
                  counted(first_->out, "permit"), name_of(run.names, first_->lock),
                  first_->out == 1 ? "was" : "were", first_->set,
                  milliseconds(until.at_ns - first_->from.at_ns), milliseconds(first_->from.at_ns),
                  milliseconds(until.at_ns));
  verdict.summary += in_all(excess_count_, "such spans");
  for (const Belief& belief : run.observations.beliefs) {
    if (verdict.evidence.size() == evidence_max) break;
    if (belief.lock != first_->lock || !is_open_at(belief, first_->from)) continue;
    verdict.evidence.push_back(evidence_of(run.names, belief));
  }
}

/// After the walk, when `set` is what was set last.
void Permits::judge_rest(const Run& run, Verdict& verdict) const {
  for (const PermitsLeft& left : run.observations.permits_left) {
    const Semaphore& semaphore = semaphores_[static_cast<std::size_t>(left.lock)];
    const std::int64_t missing = semaphore.set - left.permits - semaphore.kept;
    if (missing == 0 || !semaphore.is_certain) continue;
    std::string what = fmt::format(
        "when the run came to rest {} of \"{}\" {} left and {} believed out, though {} had been "
        "set: {} {}",
        counted(left.permits, "permit"), name_of(run.names, left.lock),
        left.permits == 1 ? "was" : "were", semaphore.kept, semaphore.set,
        missing > 0 ? missing : -missing, missing > 0 ? "lost" : "too many");
    verdict.kind = VerdictKind::violated;
    verdict.summary += verdict.summary.empty() ? what : "; " + what;
    if (verdict.evidence.size() < evidence_max) {
      verdict.evidence.push_back({std::move(what), no_name, left.at, std::nullopt});
    }
  }
}

}  // namespace lockstep::checker
