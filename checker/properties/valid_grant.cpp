#include "checker/properties/valid_grant.h"

#include <fmt/format.h>

#include <algorithm>

#include "checker/check.h"
#include "checker/drift.h"
#include "checker/evidence.h"
#include "checker/observations.h"
#include "checker/text.h"
#include "checker/verdict.h"

namespace lockstep::checker {
namespace {

/// By how much the reported validity outlasts the true lease beyond what drift excuses; ≤ 0: it
/// doesn't.
TimeNs outlasts_by_ns(const Grant& grant, std::int64_t drift_ppm) {
  if (!grant.reported_valid_until_ns || grant.true_lease_ends_ns == never_ns) return 0;
  const TimeNs reported_ns = *grant.reported_valid_until_ns;
  const TimeNs length_ns = std::max<TimeNs>(reported_ns - grant.at.at_ns, 0);
  return reported_ns - grant.true_lease_ends_ns - drift_over(length_ns, drift_ppm);
}

std::string describe_not_held(const Names& names, const Grant& grant) {
  const std::string truth = grant.true_holder == no_name
                                ? std::string("nobody held it")
                                : fmt::format("{} held it", name_of(names, grant.true_holder));
  return fmt::format("{} was granted lock \"{}\" at {}, but in truth {}",
                     holder_name(names, grant.owner, grant.mode), name_of(names, grant.lock),
                     milliseconds(grant.at.at_ns), truth);
}

std::string describe_outlasting(const Names& names, const Grant& grant, TimeNs by_ns) {
  return fmt::format(
      "{} was granted lock \"{}\" at {} and told that it was valid until {}, but the lease ends at "
      "{}: {} too long, beyond the declared drift",
      holder_name(names, grant.owner, grant.mode), name_of(names, grant.lock),
      milliseconds(grant.at.at_ns), milliseconds(*grant.reported_valid_until_ns),
      milliseconds(grant.true_lease_ends_ns), milliseconds(by_ns));
}

/// Whether no server had the lock at that moment, and the one that took over has it as its owner's:
/// then nobody else could get it meanwhile.
bool was_only_out_of_reach(const Run& run, const Grant& grant) {
  const HoldChange* before = nullptr;
  for (const HoldChange& each : run.observations.hold_changes) {
    const bool is_its =
        each.owner == grant.owner && each.lock == grant.lock && each.mode == grant.mode;
    if (!is_its) continue;
    const bool is_by_failover = each.cause == ChangeCause::failover;
    if (grant.at < each.at) {
      return before != nullptr && is_by_failover && each.count_after >= before->count_before;
    }
    before = is_by_failover && each.count_after == 0 ? &each : nullptr;
  }
  return false;
}

}  // namespace

void judge_valid_grant(const Run& run, Verdict& verdict) {
  std::size_t count = 0;
  for (const Grant& grant : run.observations.grants) {
    const TimeNs by_ns = outlasts_by_ns(grant, run.declared_drift_ppm);
    if (grant.truly_held ? by_ns <= 0 : was_only_out_of_reach(run, grant)) continue;
    if (++count > evidence_max) continue;
    std::string what = grant.truly_held ? describe_outlasting(run.names, grant, by_ns)
                                        : describe_not_held(run.names, grant);
    if (count == 1) verdict.summary = what;
    verdict.evidence.push_back({std::move(what), grant.owner, grant.at, std::nullopt});
  }
  if (count == 0) return;
  verdict.kind = VerdictKind::violated;
  verdict.summary += in_all(count, "such grants");
}

}  // namespace lockstep::checker
