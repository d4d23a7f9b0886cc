#include "checker/properties/no_starvation.h"

#include <fmt/format.h>

#include <algorithm>

#include "checker/check.h"
#include "checker/liveness_bounds.h"
#include "checker/text.h"

namespace lockstep::checker {

void NoStarvation::judge(const Run& run, Verdict& verdict) {
  load(run.observations);
  wait_spans_.for_each_request([&](Request request) {
    for (std::size_t index = 0; index < request.size(); ++index) {
      judge_wait(run, request.subspan(index, 1));
    }
  });
  anomalies_.report([&](const WaitAnomaly& finding) { return describe(run, finding); }, verdict);
}

void NoStarvation::judge_wait(const Run& run, Request request) {
  const Wait& wait = *request.front();
  const std::int64_t grants = grants_to_others(wait);
  const Span span{wait.from, wait.until};
  if (grants > run.liveness.overtakings) {
    anomalies_.add({request, WaitAnomalyKind::bound_broken, span, grants});
  } else if (!run.observations.came_to_rest && wait_spans_.is_stranded(wait)) {
    anomalies_.add({request, WaitAnomalyKind::unfinished, span, grants});
  }
}

void NoStarvation::load(const Observations& observations) {
  wait_spans_.load(observations);
  anomalies_.clear();
  beliefs_.clear();
  for (const Belief& belief : observations.beliefs) beliefs_.push_back(&belief);
  std::sort(beliefs_.begin(), beliefs_.end(), [](const Belief* a, const Belief* b) {
    return std::tuple(a->lock, a->owner, a->mode, a->from.order, a) <
           std::tuple(b->lock, b->owner, b->mode, b->from.order, b);
  });
  grants_.clear();
  for (const Grant& grant : observations.grants) {
    if (is_reentry(grant)) continue;
    grants_.emplace_back(grant.lock, grant.owner, grant.at.order);
    grants_.emplace_back(grant.lock, no_name, grant.at.order);
  }
  std::sort(grants_.begin(), grants_.end());
}

/// Whether its owner believed all the while from asking to being granted.
bool NoStarvation::is_reentry(const Grant& grant) const {
  const auto after =
      std::partition_point(beliefs_.begin(), beliefs_.end(), [&](const Belief* belief) {
        return std::tuple(belief->lock, belief->owner, belief->mode, belief->from.order) <
               std::tuple(grant.lock, grant.owner, grant.mode, grant.invoked.order);
      });
  if (after == beliefs_.begin()) return false;
  const Belief& before = **(after - 1);
  return before.lock == grant.lock && before.owner == grant.owner && before.mode == grant.mode &&
         (before.end == BeliefEnd::run_over || grant.at < before.until);
}

/// After the span's beginning and before its end.
std::int64_t NoStarvation::grants_within(const Span& span, NameId lock, NameId owner) const {
  const auto after =
      std::upper_bound(grants_.begin(), grants_.end(), EventPosition(lock, owner, span.from.order));
  const auto end =
      std::lower_bound(after, grants_.end(), EventPosition(lock, owner, span.until.order));
  return end - after;
}

std::int64_t NoStarvation::grants_to_others(const Wait& wait) const {
  std::int64_t grants = 0;
  wait_spans_.for_each_span(wait, [&](const Span& wait_span) {
    grants += grants_within(wait_span, wait.lock, no_name);
    grants -= grants_within(wait_span, wait.lock, wait.owner);
    return false;
  });
  return grants;
}

std::string NoStarvation::describe(const Run& run, const WaitAnomaly& finding) {
  const std::string waiter = holder_name(run.names, thread_of(finding.wait()), finding.wait().mode);
  const std::string_view lock = name_of(run.names, finding.wait().lock);
  if (finding.fault == WaitAnomalyKind::unfinished) {
    return fmt::format(
        "the run was cut off while {} waited for lock \"{}\", with {} to others so far: too early "
        "to tell",
        waiter, lock, counted(finding.grants, "grant"));
  }
  return fmt::format(
      "{} waited for lock \"{}\" for {} (from {} to {}) while {} went to others; {} is the bound",
      waiter, lock, milliseconds(finding.span.length_ns()), milliseconds(finding.span.from.at_ns),
      milliseconds(finding.span.until.at_ns), counted(finding.grants, "grant"),
      run.liveness.overtakings);
}

}  // namespace lockstep::checker
