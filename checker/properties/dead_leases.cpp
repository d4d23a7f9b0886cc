#include "checker/properties/dead_leases.h"

#include <algorithm>

#include "checker/check.h"
#include "checker/drift.h"
#include "checker/history.h"

namespace lockstep::checker {
namespace {

constexpr TimeNs rounding_ns = 1'000'000;

/// Until when at most what the dead asked for, and was told that it got, lasts on its server: which
/// counts whole milliseconds, by a clock that may be slow.
TimeNs granted_until(const Run& run, NameId owner, NameId lock) {
  TimeNs until_ns = 0;
  for (const Operation& each : run.history.operations) {
    const bool is_granted =
        each.kind == OperationKind::acquire || each.kind == OperationKind::renew;
    const bool is_its = each.owner == owner && each.lock == lock && each.completed &&
                        each.outcome == Outcome::ok && each.lease_ns > 0;
    if (!is_granted || !is_its) continue;
    until_ns =
        std::max(until_ns, each.completed->at_ns + each.lease_ns +
                               drift_over(each.lease_ns, run.declared_drift_ppm) + rounding_ns);
  }
  return until_ns;
}

/// Whether the owner's hold was there still; where nobody saw it change, it was.
bool has_hold(const Run& run, NameId owner, NameId lock, const Moment& at) {
  bool has_it = true;
  for (const HoldChange& change : run.observations.hold_changes) {
    if (at < change.at) break;
    if (change.owner == owner && change.lock == lock) has_it = change.count_after > 0;
  }
  return has_it;
}

constexpr TimeNs asked_factor = 2;
constexpr TimeNs own_factor = 10;

/// What the lease that was granted there got from its requests; never_ns: no TTL, or nobody saw it.
TimeNs lease_of_lock(const Run& run, const AskedLease& asked) {
  TimeNs length_ns = 0;
  for (const LeaseChange& change : run.observations.lease_changes) {
    if (asked.granted < change.at) break;
    const bool is_its =
        change.lock == asked.lock && change.by == asked.owner && !(change.at < asked.asked);
    if (is_its && change.ends_ns == never_ns) return never_ns;
    if (is_its) length_ns = std::max(length_ns, change.ends_ns - change.at.at_ns);
  }
  return length_ns == 0 ? never_ns : length_ns;
}

constexpr TimeNs times(TimeNs length_ns, TimeNs factor) {
  return length_ns > never_ns / factor ? never_ns : length_ns * factor;
}

/// How long a lease of the lock may last; never_ns: nobody can tell.
TimeNs longest_lease(const Run& run, NameId lock) {
  TimeNs longest_ns = 0;
  for (const AskedLease& asked : run.observations.asked_leases) {
    if (asked.lock != lock) continue;
    const TimeNs may_last_ns = asked.lease_ns > 0 ? times(asked.lease_ns, asked_factor)
                                                  : times(lease_of_lock(run, asked), own_factor);
    longest_ns = std::max(longest_ns, may_last_ns);
  }
  // What was asked for and never answered may have been granted.
  for (const Operation& each : run.history.operations) {
    const bool asks = each.kind == OperationKind::acquire || each.kind == OperationKind::renew;
    const bool is_unanswered = !each.completed || each.outcome == Outcome::info;
    if (!asks || each.lock != lock || !is_unanswered) continue;
    longest_ns =
        std::max(longest_ns, each.lease_ns > 0 ? times(each.lease_ns, asked_factor) : never_ns);
  }
  return longest_ns == 0 ? never_ns : longest_ns;
}

/// The instant among the events: behind all that is seen until then.
Moment moment_at(const Run& run, const Moment& from, TimeNs at_ns) {
  Moment found{at_ns, from.order};
  const auto see = [&](const Moment& seen) {
    if (seen.at_ns <= at_ns) found.order = std::max(found.order, seen.order);
  };
  for (const LeaseChange& each : run.observations.lease_changes) see(each.at);
  for (const Belief& each : run.observations.beliefs) {
    see(each.from);
    see(each.until);
  }
  for (const Wait& each : run.observations.waits) {
    see(each.from);
    see(each.until);
  }
  ++found.order;
  return found;
}

}  // namespace

void DeadLeases::cut(const Run& run, const Death& death, std::vector<DeadLease>& found,
                     std::size_t first) {
  if (first == found.size()) return;
  const TimeNs longest_ns = longest_lease(run, death.lock);
  for (std::size_t i = first; i < found.size(); ++i) {
    DeadLease& span = found[i];
    std::optional<TimeNs> set_last_ns;
    for (const LeaseChange& change : run.observations.lease_changes) {
      if (span.until && !(change.at < *span.until)) break;
      const bool is_a_holders =
          change.by == death.owner || (change.by != no_name && change.by_holder);
      if (change.lock == death.lock && is_a_holders) set_last_ns = change.at.at_ns;
    }
    if (!set_last_ns || longest_ns > never_ns - *set_last_ns) continue;
    const TimeNs due_ns = *set_last_ns + longest_ns;
    const bool lasts_longer = !span.until || span.until->at_ns > due_ns;
    if (lasts_longer) span.until = moment_at(run, span.from, std::max(due_ns, span.from.at_ns));
  }
}

void DeadLeases::find(const Run& run, std::vector<DeadLease>& found) {
  const Observations& observations = run.observations;
  const History& history = run.history;
  deaths_.clear();
  for (const Belief& belief : observations.beliefs) {
    if (belief.end == BeliefEnd::crashed || belief.died_releasing) {
      add({belief.owner, belief.lock, belief.until, true});
    }
  }
  for (const Operation& each : history.operations) {
    const bool is_unanswered = each.kind == OperationKind::release && !each.completed;
    if (!is_unanswered) continue;
    const bool had_it = std::any_of(
        observations.beliefs.begin(), observations.beliefs.end(), [&](const Belief& belief) {
          return belief.owner == each.owner && belief.lock == each.lock &&
                 belief.end == BeliefEnd::released && belief.until.at_ns == each.invoked.at_ns;
        });
    if (had_it) add({each.owner, each.lock, each.invoked, true});
  }
  for (const Wait& wait : observations.waits) {
    if (wait.end == WaitEnd::crashed) add({wait.owner, wait.lock, wait.until, false});
  }
  for (const Death& death : deaths_) {
    const std::size_t first = found.size();
    follow(run, death, found);
    cut(run, death, found, first);
  }
}

/// One that held and waited, or held in two ways, died once.
void DeadLeases::add(const Death& death) {
  const auto same = std::find_if(deaths_.begin(), deaths_.end(), [&](const Death& other) {
    return other.owner == death.owner && other.lock == death.lock;
  });
  if (same == deaths_.end()) deaths_.push_back(death);
}

void DeadLeases::follow(const Run& run, const Death& death, std::vector<DeadLease>& found) {
  const std::vector<LeaseChange>& changes = run.observations.lease_changes;
  const auto concerns = [&](const LeaseChange& change) {
    return change.lock == death.lock && (change.owner == no_name || change.owner == death.owner);
  };
  const auto ends = [](const LeaseChange& change) {
    return change.ends_ns != never_ns && change.ends_ns > change.at.at_ns;
  };
  // The latest end that its own requests gave the lease, or that it was promised: of a lease that
  // lasts for others already its request need not change anything.
  TimeNs own_ends_ns = granted_until(run, death.owner, death.lock);
  bool is_its_own = false;  // whoever else may have the lock
  bool is_open = false;
  const auto set_open = [&](bool open, const Moment& at) {
    if (open == is_open) return;
    is_open = open;
    if (open) {
      found.push_back({death.lock, at, std::nullopt});
    } else {
      found.back().until = at;
    }
  };
  auto change = changes.begin();
  const LeaseChange* last = nullptr;
  for (; change != changes.end() && change->at < death.at; ++change) {
    if (!concerns(*change)) continue;
    last = &*change;
    if (change->by == death.owner) own_ends_ns = std::max(own_ends_ns, change->ends_ns);
  }
  if (last != nullptr && last->ends_ns > death.at.at_ns && ends(*last)) {
    is_its_own = death.is_holder || last->by == death.owner;
    set_open(is_its_own, death.at);
  }
  for (; change != changes.end(); ++change) {
    if (!concerns(*change)) continue;
    const bool is_by_dead = change->by == death.owner;
    if (is_by_dead) own_ends_ns = std::max(own_ends_ns, change->ends_ns);
    // Who leaves the dead what it had renews nothing.
    const bool is_left_to_it = change->ends_ns <= own_ends_ns;
    const bool is_by_stranger =
        change->by != no_name && !is_by_dead && !change->by_holder && !is_left_to_it;
    const bool is_given_up = change->ends_ns == 0 && change->by != no_name;
    // As of a reader that goes after one whose lease was longer.
    const bool is_its_again = !is_its_own && death.is_holder && is_left_to_it && ends(*change) &&
                              !change->by_holder &&
                              has_hold(run, death.owner, death.lock, change->at);
    if (is_by_dead || is_its_again) is_its_own = true;
    if (is_by_stranger || is_given_up) is_its_own = false;
    set_open(is_its_own && ends(*change), change->at);
  }
}

}  // namespace lockstep::checker
