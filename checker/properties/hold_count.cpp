#include "checker/properties/hold_count.h"

#include <fmt/format.h>

#include <algorithm>

#include "checker/check.h"
#include "checker/drift.h"
#include "checker/evidence.h"
#include "checker/text.h"
#include "checker/verdict.h"

namespace lockstep::checker {
namespace {

bool by_own_release(const HoldChange& change) {
  return change.cause == ChangeCause::release && change.by == change.owner;
}

std::string describe_foreign_release(const Names& names, const HoldChange& change) {
  return fmt::format("{}'s release lowered {}'s hold count on lock \"{}\" from {} to {} at {}",
                     name_of(names, change.by), holder_name(names, change.owner, change.mode),
                     name_of(names, change.lock), change.count_before, change.count_after,
                     milliseconds(change.at.at_ns));
}

std::string describe_mismatch(const Names& names, const HoldCheck& check, std::string_view why) {
  return fmt::format("at {} Redis counts {} of lock \"{}\" for {}, which has {}: {}",
                     milliseconds(check.at.at_ns), counted(check.true_count, "hold"),
                     name_of(names, check.lock), holder_name(names, check.owner, check.mode),
                     check.believed_count, why);
}

}  // namespace

void HoldCount::judge(const Run& run, Verdict& verdict) {
  holds_.clear();
  next_operation_ = 0;
  next_belief_ = 0;
  violations_ = 0;
  const std::vector<HoldChange>& changes = run.observations.hold_changes;
  std::size_t next_change = 0;
  for (const HoldCheck& check : run.observations.hold_checks) {
    while (next_change < changes.size() && !(check.at < changes[next_change].at)) {
      judge_change(run, changes[next_change++], verdict);
    }
    judge_check(run, check, verdict);
  }
  while (next_change < changes.size()) judge_change(run, changes[next_change++], verdict);
  verdict.summary += in_all(violations_, "mismatches");
}

void HoldCount::advance_to(const Run& run, const Moment& moment) {
  const std::vector<Operation>& operations = run.history.operations;
  for (; next_operation_ < operations.size(); ++next_operation_) {
    const Operation& operation = operations[next_operation_];
    if (moment < operation.invoked) break;
    const bool is_refused = operation.outcome_is_known() && operation.outcome == Outcome::fail;
    const bool sets_lease = operation.lease_ns > 0 || operation.kind == OperationKind::acquire;
    if (is_refused || !sets_lease) continue;
    const TimeNs ends_ns =
        operation.lease_ns > 0
            ? earliest_end(operation.invoked.at_ns, operation.lease_ns, run.declared_drift_ppm)
            : never_ns;
    Hold& hold = hold_of(operation.owner, operation.lock, operation.mode);
    const bool is_another = operation.kind == OperationKind::acquire;
    const TimeNs first_ns = hold.first_lease_ends_ns.value_or(ends_ns);
    if (operation.kind != OperationKind::release) {  // which renews no single hold
      hold.first_lease_ends_ns =
          is_another ? std::min(first_ns, ends_ns) : std::max(first_ns, ends_ns);
    }
    hold.lease_ends_ns = std::max(hold.lease_ends_ns.value_or(0), ends_ns);
  }
  const std::vector<Belief>& beliefs = run.observations.beliefs;
  for (; next_belief_ < beliefs.size() && !(moment < beliefs[next_belief_].from); ++next_belief_) {
    const Belief& belief = beliefs[next_belief_];
    hold_of(belief.owner, belief.lock, belief.mode).belief = &belief;
  }
}

bool HoldCount::is_over(const Hold& hold, const Moment& at) {
  const bool counts_on_it =
      hold.belief != nullptr && hold.belief->until_released && at < hold.belief->until;
  return !counts_on_it && hold.lease_ends_ns && *hold.lease_ends_ns <= at.at_ns;
}

void HoldCount::judge_change(const Run& run, const HoldChange& change, Verdict& verdict) {
  advance_to(run, change.at);
  Hold& hold = hold_of(change.owner, change.lock, change.mode);
  const std::int64_t raised = change.count_after - change.count_before;
  if (raised > 0 && change.cause == ChangeCause::acquire && change.by == change.owner) {
    hold.raised += raised;
  } else if (raised > 0) {
    const std::int64_t back = std::min(raised, hold.lost_with_server);
    hold.lost_with_server -= back;
    hold.given_back = hold.given_back || raised > back;
  } else if (by_own_release(change)) {
    hold.lowered -= raised;
    // Of readers each hold has a lease of its own: with it went those that were over.
    const bool has_others_over = change.mode == HoldMode::shared && raised < -1 &&
                                 hold.first_lease_ends_ns &&
                                 *hold.first_lease_ends_ns <= change.at.at_ns;
    hold.taken_away = hold.taken_away || has_others_over;
    // Nobody says which of a reader's holds is left, and so which lease.
    if (change.mode == HoldMode::shared) hold.lease_ends_ns = hold.first_lease_ends_ns;
  } else if (raised < 0) {
    hold.taken_away = true;
    if (change.cause == ChangeCause::failover) hold.lost_with_server -= raised;
    if (change.cause == ChangeCause::release && !is_over(hold, change.at)) {
      add_violation(describe_foreign_release(run.names, change), change.by, change.at, verdict);
    }
  }
  if (change.count_after > 0) return;
  hold.lease_ends_ns.reset();
  hold.first_lease_ends_ns.reset();
}

void HoldCount::judge_check(const Run& run, const HoldCheck& check, Verdict& verdict) {
  Hold& hold = hold_of(check.owner, check.lock, check.mode);
  hold.released += std::max<std::int64_t>(hold.believed - check.believed_count, 0);
  hold.believed = check.believed_count;
  std::string_view why;
  if (check.true_count > check.believed_count && !hold.given_back) {
    why = "a release too few would leave it held";
  } else if (check.true_count < check.believed_count && !hold.taken_away && hold.raised > 0) {
    why = hold.lowered > hold.released ? "its own releases removed more than it released"
                                       : "not every acquire was counted";
  }
  if (check.believed_count == 0 && check.true_count == 0) {
    hold.taken_away = hold.given_back = false;
    hold.raised = hold.lowered = hold.released = 0;
  }
  if (why.empty()) return;
  add_violation(describe_mismatch(run.names, check, why), check.owner, check.at, verdict);
}

HoldCount::Hold& HoldCount::hold_of(NameId owner, NameId lock, HoldMode mode) {
  return holds_.at(owner, lock)[static_cast<std::size_t>(mode)];
}

void HoldCount::add_violation(std::string what, NameId who, const Moment& at, Verdict& verdict) {
  verdict.kind = VerdictKind::violated;
  if (++violations_ == 1) verdict.summary = what;
  if (violations_ > evidence_max) return;
  verdict.evidence.push_back({std::move(what), who, at, std::nullopt});
}

}  // namespace lockstep::checker
