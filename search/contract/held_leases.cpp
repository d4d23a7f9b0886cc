#include "search/contract/held_leases.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "checker/observations.h"
#include "model/engine/run_result.h"

namespace lockstep::search {

using checker::TimeNs;

HeldLeases::HeldLeases(const model::RunResult& run, OwnLeases own, LeaseBegins begins)
    : run_(run), own_(own), begins_(begins), by_owner_(run.names->size()) {}

const std::vector<HeldLease>& HeldLeases::of(checker::NameId owner) const {
  std::optional<std::vector<HeldLease>>& known = by_owner_[static_cast<std::size_t>(owner)];
  if (!known) known = find(owner);
  return *known;
}

std::vector<HeldLease> HeldLeases::find(checker::NameId owner) const {
  std::vector<HeldLease> held;
  std::map<std::pair<checker::NameId, checker::HoldMode>, std::vector<std::size_t>> counted_on;
  for (const checker::AskedLease& asked : run_.observations->asked_leases) {
    if (asked.owner != owner) continue;
    std::vector<std::size_t>& before = counted_on[{asked.lock, asked.mode}];
    if (is_replaced_by(asked)) {
      for (const std::size_t each : before) {
        held[each].until_ns = std::min(held[each].until_ns, asked.granted.at_ns);
      }
      before.clear();
    }
    before.push_back(held.size());
    const TimeNs given_up_ns = held_until(asked);
    held.push_back({&asked, given_up_ns, given_up_ns});
  }
  return held;
}

/// Whether what its owner asked for before, of the same lock and mode, counts no longer.
bool HeldLeases::is_replaced_by(const checker::AskedLease& later) const {
  switch (own_) {
    case OwnLeases::renewed:
      return later.lease_ns > 0;
    case OwnLeases::end_too:
      return true;
    case OwnLeases::shared_apart:
      return later.mode != checker::HoldMode::shared;
    case OwnLeases::apart:
      return false;
  }
  return false;
}

bool HeldLeases::is_asked_for_at(checker::NameId owner, TimeNs at_ns) const {
  return std::ranges::any_of(of(owner), [&](const HeldLease& each) {
    const checker::AskedLease& asked = *each.asked;
    if (at_ns < asked.asked.at_ns || asked.granted.at_ns < at_ns) return false;
    TimeNs begun_ns = asked.asked.at_ns;
    for (const checker::Operation& attempt : run_.history->operations) {
      const bool is_its = attempt.owner == owner && attempt.lock == asked.lock &&
                          attempt.kind == checker::OperationKind::acquire &&
                          attempt.invoked < asked.granted;
      if (is_its) begun_ns = std::max(begun_ns, attempt.invoked.at_ns);
    }
    return begun_ns <= at_ns;
  });
}

TimeNs HeldLeases::begun_at(const checker::AskedLease& asked) const {
  TimeNs begun_ns = checker::never_ns;
  TimeNs set_ns = checker::never_ns;  // where it is set when all of several are there
  for (const checker::Operation& each : run_.history->operations) {
    const bool may_be_it = each.owner == asked.owner && each.lock == asked.lock &&
                           each.outcome != checker::Outcome::fail &&
                           !(each.invoked < asked.asked) && each.invoked < asked.granted;
    if (!may_be_it) continue;
    begun_ns = std::min(begun_ns, each.invoked.at_ns);
    const bool sets_it = each.kind == checker::OperationKind::renew && each.outcome_is_known() &&
                         asked.lease_ns > 0 && each.lease_ns == asked.lease_ns;
    if (sets_it) set_ns = std::min(set_ns, each.invoked.at_ns);
  }
  if (set_ns != checker::never_ns) return set_ns;
  // A client model may declare nothing.
  if (begun_ns == checker::never_ns) begun_ns = asked.asked.at_ns;
  if (begins_ == LeaseBegins::with_the_call) return begun_ns;
  // What is under way has no lease yet, and who waited had been refused before.
  for (const checker::HoldChange& change : run_.observations->hold_changes) {
    if (asked.granted < change.at) break;
    const bool may_be_it =
        change.owner == asked.owner && change.lock == asked.lock && change.count_after > 0;
    if (may_be_it && change.at.at_ns >= begun_ns) return change.at.at_ns;
  }
  return begun_ns;
}

/// Until when its owner counted on it, had it not asked again.
TimeNs HeldLeases::held_until(const checker::AskedLease& asked) const {
  TimeNs until_ns = asked.granted.at_ns;
  TimeNs believed_until_ns = checker::never_ns;
  for (const checker::Belief& belief : run_.observations->beliefs) {
    if (belief.owner != asked.owner || belief.lock != asked.lock || belief.mode != asked.mode) {
      continue;
    }
    const bool begins_in_it = !(asked.granted < belief.from) && !(belief.until < asked.granted);
    // Who gives some of its permits back goes on believing in the others.
    if (!begins_in_it && belief.from.at_ns != believed_until_ns) continue;
    believed_until_ns = belief.until.at_ns;
    // A holder that died believes no more, but its calls may still be under way.
    until_ns = std::max({until_ns, belief.until.at_ns, released_by(belief)});
  }
  return until_ns;
}

bool HeldLeases::may_be_cut_short(const checker::AskedLease& asked, TimeNs until_ns) const {
  const bool has_threads = run_.names->text(asked.owner).find('/') == std::string::npos;
  const auto cuts = [&](const checker::Operation& each) {
    using checker::OperationKind;
    const bool is_known = each.outcome_is_known();
    const bool is_refused = is_known && each.outcome == checker::Outcome::fail;
    const bool is_unheard_of = !is_known && asked.granted < each.invoked;
    // An extension may have been executed once, and be refused when it is sent again.
    const bool is_under_way =
        each.completed && asked.granted < each.invoked && until_ns < each.completed->at_ns;
    const bool is_extending = each.kind == OperationKind::renew && is_of_caller(each.process) &&
                              (is_unheard_of || is_under_way);
    const bool is_meanwhile = has_threads && each.invoked < asked.granted &&
                              (!each.completed || asked.asked < *each.completed);
    const bool is_acquiring =
        each.kind == OperationKind::acquire && !is_refused && (is_unheard_of || is_meanwhile);
    return (is_acquiring || is_extending) && each.owner == asked.owner && each.lock == asked.lock &&
           each.lease_ns > 0 && each.invoked.at_ns + each.lease_ns <= until_ns;
  };
  return std::ranges::any_of(run_.history->operations, cuts);
}

/// Not by one of its tasks, which renew or set the lease for the lock: "a/1 watchdog".
bool HeldLeases::is_of_caller(checker::NameId process) const {
  const std::string_view name = run_.names->text(process);
  const std::size_t space = name.find(' ');
  return space == std::string_view::npos || name.substr(space + 1).starts_with('(');
}

/// When the release that ended a belief was over: as it was invoked its owner gave the hold up, but
/// it has it until then.
TimeNs HeldLeases::released_by(const checker::Belief& belief) const {
  if (belief.end != checker::BeliefEnd::released) return 0;
  for (const checker::Operation& each : run_.history->operations) {
    const bool is_it = each.kind == checker::OperationKind::release && each.owner == belief.owner &&
                       each.lock == belief.lock && each.invoked.at_ns >= belief.until.at_ns;
    if (is_it) return each.completed ? each.completed->at_ns : checker::never_ns;
  }
  return 0;
}

TimeNs HeldLeases::last_renewed(const checker::AskedLease& asked, TimeNs until_ns,
                                TimeNs own_lease_ns) const {
  const TimeNs begun_ns = begun_at(asked);
  TimeNs last_ns = begun_ns;
  const auto& hold_changes = run_.observations->hold_changes;
  auto next_change = hold_changes.begin();
  bool has_it = false;  // in truth
  for (const checker::LeaseChange& change : run_.observations->lease_changes) {
    if (change.at.at_ns > until_ns) break;
    for (; next_change != hold_changes.end() && next_change->at.at_ns <= change.at.at_ns;
         ++next_change) {
      const bool is_its_own = next_change->lock == asked.lock &&
                              next_change->owner == asked.owner && next_change->mode == asked.mode;
      if (!is_its_own) continue;
      // What it takes later does not bring back what it has lost.
      if (next_change->count_after == 0 && next_change->at.at_ns > begun_ns) return last_ns;
      has_it = next_change->count_after > 0;
    }
    // Of what several share, others' leases say nothing.
    const bool is_of_hold = has_it && change.lock == asked.lock &&
                            are_of_one_client(change.by, asked.owner) &&
                            (change.owner == checker::no_name || change.owner == asked.owner);
    const bool is_whole = change.ends_ns - change.at.at_ns >= own_lease_ns - own_lease_ns / 10;
    if (is_of_hold && is_whole) last_ns = std::max(last_ns, change.at.at_ns);
  }
  return last_ns;
}

TimeNs HeldLeases::first_refused(const checker::AskedLease& asked, TimeNs since_ns) const {
  TimeNs first_ns = checker::never_ns;
  for (const checker::Operation& each : run_.history->operations) {
    const bool is_refused = each.kind == checker::OperationKind::renew && each.completed &&
                            each.outcome == checker::Outcome::fail && each.owner == asked.owner &&
                            each.lock == asked.lock && each.invoked.at_ns >= since_ns;
    if (is_refused) first_ns = std::min(first_ns, each.completed->at_ns);
  }
  return first_ns;
}

/// "a/1" and "a/2" are, and "a" is one of them.
bool HeldLeases::are_of_one_client(checker::NameId thread, checker::NameId other) const {
  if (thread == checker::no_name || other == checker::no_name) return false;
  const auto client_of = [&](checker::NameId name) {
    const std::string_view text = run_.names->text(name);
    return text.substr(0, text.find('/'));
  };
  return client_of(thread) == client_of(other);
}

TimeNs longest_lease(const checker::Observations& observations) {
  TimeNs longest_ns = 0;
  for (const checker::LeaseChange& change : observations.lease_changes) {
    if (change.by == checker::no_name || change.ends_ns == checker::never_ns) continue;
    longest_ns = std::max(longest_ns, change.ends_ns - change.at.at_ns);
  }
  return longest_ns;
}

}  // namespace lockstep::search
