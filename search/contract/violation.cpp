#include "search/contract/violation.h"

#include <algorithm>

#include "checker/evidence.h"
#include "checker/property.h"
#include "checker/verdict.h"

namespace lockstep::search {

using checker::never_ns;
using checker::Property;

Violation told_violation(std::span<const checker::Evidence> evidence) {
  Violation violation;
  if (evidence.empty()) return violation;
  violation.by_ns = 0;
  violation.from_ns = never_ns;
  for (const checker::Evidence& each : evidence) {
    if (each.who != checker::no_name) violation.parties.push_back(each.who);
    violation.from_ns = std::min(violation.from_ns, each.from.at_ns);
    violation.by_ns = std::max(violation.by_ns, each.from.at_ns);
    if (each.until) violation.by_ns = std::max(violation.by_ns, each.until->at_ns);
  }
  return violation;
}

bool ended_between(const checker::Observations& observations, checker::NameId owner,
                   const checker::RepeatedWrite& repeated) {
  const auto& changes = observations.hold_changes;
  return std::any_of(changes.begin(), changes.end(), [&](const checker::HoldChange& change) {
    return change.owner == owner && change.cause == checker::ChangeCause::expiry &&
           repeated.first < change.at && change.at < repeated.at;
  });
}

bool went_for_good(const checker::Observations& observations, const checker::HoldChange& change) {
  const auto is_by_failover = [](const checker::HoldChange& each) {
    return each.cause == checker::ChangeCause::failover;
  };
  const auto& changes = observations.hold_changes;
  return is_by_failover(change) && change.count_after == 0 &&
         std::none_of(changes.begin(), changes.end(), [&](const checker::HoldChange& later) {
           return is_by_failover(later) && change.at < later.at && later.lock == change.lock &&
                  later.owner == change.owner && later.mode == change.mode && later.count_after > 0;
         });
}

bool changed_something(const checker::Observations& observations, checker::NameId owner,
                       const checker::Moment& at) {
  const auto is_then = [&](const auto& change) { return change.at.at_ns == at.at_ns; };
  const auto is_its_own_then = [&](const auto& change) {
    return change.by == owner && is_then(change);
  };
  return std::ranges::any_of(observations.hold_changes, is_its_own_then) ||
         std::ranges::any_of(observations.lease_changes, is_its_own_then) ||
         std::ranges::any_of(observations.number_changes, is_then);
}

bool waits_unheard_with_a_hold(const checker::History& history,
                               const checker::Observations& observations) {
  const auto is_unheard = [&](checker::NameId owner) {
    return std::ranges::any_of(history.operations, [&](const checker::Operation& each) {
      return each.owner == owner && !each.outcome_is_known();
    });
  };
  return std::ranges::any_of(observations.beliefs, [&](const checker::Belief& each) {
    return each.end == checker::BeliefEnd::run_over && is_unheard(each.owner);
  });
}

bool was_answered_late(const checker::Operation& operation, const checker::Moment& run_ended,
                       checker::TimeNs progress_ns) {
  const checker::Moment& end = operation.completed ? *operation.completed : run_ended;
  return operation.kind != checker::OperationKind::acquire &&
         end.at_ns - operation.invoked.at_ns > progress_ns;
}

bool tells_of_too_much(const checker::Observations& observations, const checker::Evidence& evidence,
                       Asked asked) {
  return std::ranges::any_of(observations.answers, [&](const checker::Answer& each) {
    const bool is_of_lease = each.call == checker::CallKind::remaining_lease || each.valid_until_ns;
    const bool is_of_release = each.call == checker::CallKind::release && asked == Asked::one;
    return each.yes && (is_of_lease || is_of_release) && each.owner == evidence.who &&
           each.invoked == evidence.from;
  });
}

bool is_of_one_server(Property property, std::span<const Property> promises) {
  if (property == Property::no_leak) return true;
  return property == Property::no_deadlock &&
         std::find(promises.begin(), promises.end(), Property::no_lost_wakeup) == promises.end();
}

bool is_of_each_evidence(Property property) {
  return property == Property::valid_grant || property == Property::truthful_answers;
}

bool tells_of(const checker::Verdict& verdict, const checker::Belief& earlier,
              const checker::Belief& later) {
  const auto is_of = [](const checker::Evidence& evidence, const checker::Belief& belief) {
    return evidence.who == belief.owner && evidence.from == belief.from;
  };
  return verdict.evidence.size() == 2 && is_of(verdict.evidence[0], earlier) &&
         is_of(verdict.evidence[1], later);
}

bool waits_for_what_nobody_set(const checker::Observations& observations,
                               const checker::Verdict& verdict) {
  const auto is_in_vain = [&](const checker::Evidence& evidence) {
    return std::ranges::any_of(observations.waits, [&](const checker::Wait& wait) {
      return wait.owner == evidence.who && wait.from == evidence.from &&
             std::ranges::none_of(observations.permits_set,
                                  [&](const checker::PermitsSet& each) {
                                    return each.lock == wait.lock && each.permits > 0;
                                  }) &&
             std::ranges::none_of(observations.number_changes,
                                  [&](const checker::NumberChange& each) {
                                    return each.lock == wait.lock && each.number > 0;
                                  });
    });
  };
  return verdict.property == Property::no_deadlock && !verdict.evidence.empty() &&
         std::ranges::all_of(verdict.evidence, is_in_vain);
}

bool is_of_overtaken_writes(const checker::Observations& observations,
                            const checker::Verdict& verdict) {
  const auto is_overtaken = [&](const checker::Access& write) {
    return std::ranges::any_of(observations.accesses, [&](const checker::Access& each) {
      return checker::thread_of(each) == checker::thread_of(write) &&
             each.resource == write.resource && each.at < write.at &&
             each.version_after > write.version_seen;
    });
  };
  if (verdict.property != Property::harm || verdict.evidence.size() < 2) return false;
  // Behind what it should have heeded stands each write.
  for (std::size_t i = 1; i < verdict.evidence.size(); i += 2) {
    const checker::Evidence& told = verdict.evidence[i];
    const auto write = std::ranges::find(observations.accesses, told.until.value_or(told.from),
                                         &checker::Access::at);
    const bool is_by_itself = verdict.evidence[i - 1].who == told.who;
    if (!is_by_itself || write == observations.accesses.end() || !is_overtaken(*write)) {
      return false;
    }
  }
  return true;
}

void put_first(std::size_t place, checker::Verdict& verdict) {
  if (place == 0) return;
  const std::string& told = verdict.evidence.front().what;
  if (verdict.summary.starts_with(told)) {
    verdict.summary.replace(0, told.size(), verdict.evidence[place].what);
  }
  const auto first = verdict.evidence.begin();
  const auto counted = first + static_cast<std::ptrdiff_t>(place);
  std::rotate(first, counted, counted + 1);
}

bool is_of_whole_run(Property property) {
  switch (property) {
    case Property::no_leak:
    case Property::no_deadlock:
    case Property::no_lost_wakeup:
    case Property::no_starvation:
    case Property::permits:
    case Property::latch:
    case Property::fencing:
    case Property::fifo:
      return true;
    case Property::mutual_exclusion:
    case Property::valid_grant:
    case Property::lease_linearizability:
    case Property::harm:
    case Property::hold_count:
    case Property::truthful_answers:
      return false;
  }
  return false;
}

}  // namespace lockstep::search
