#include "checker/no_starvation.h"

#include <fmt/format.h>

#include <algorithm>

#include "checker/text.h"

namespace lockstep::checker {

void NoStarvation::judge(const Run& run, Verdict& verdict) {
  load(run.observations);
  for (const Wait& wait : run.observations.waits) {
    const std::int64_t grants = grants_to_others(wait);
    const Span span{wait.from, wait.until};
    if (grants > run.liveness.overtakings) {
      findings_.add({&wait, WaitFault::bound_broken, span, grants});
    } else if (!run.observations.came_to_rest && stretches_.is_left(wait)) {
      findings_.add({&wait, WaitFault::unfinished, span, grants});
    }
  }
  findings_.report([&](const WaitFinding& finding) { return describe(run, finding); }, verdict);
}

void NoStarvation::load(const Observations& observations) {
  stretches_.load(observations);
  findings_.clear();
  grants_.clear();
  for (const Belief& belief : observations.beliefs) {
    grants_.emplace_back(belief.lock, belief.owner, belief.from.order);
    grants_.emplace_back(belief.lock, no_name, belief.from.order);
  }
  std::sort(grants_.begin(), grants_.end());
}

/// After the span's beginning and before its end.
std::int64_t NoStarvation::grants_within(const Span& span, NameId lock, NameId owner) const {
  const auto after =
      std::upper_bound(grants_.begin(), grants_.end(), Place(lock, owner, span.from.order));
  const auto end = std::lower_bound(after, grants_.end(), Place(lock, owner, span.until.order));
  return end - after;
}

std::int64_t NoStarvation::grants_to_others(const Wait& wait) const {
  std::int64_t grants = 0;
  stretches_.for_each(wait, [&](const Span& stretch) {
    grants += grants_within(stretch, wait.lock, no_name);
    grants -= grants_within(stretch, wait.lock, wait.owner);
    return false;
  });
  return grants;
}

std::string NoStarvation::describe(const Run& run, const WaitFinding& finding) {
  const Wait& wait = *finding.wait;
  const std::string waiter = holder_name(run.names, wait.owner, wait.mode);
  const std::string_view lock = name_of(run.names, wait.lock);
  if (finding.fault == WaitFault::unfinished) {
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
