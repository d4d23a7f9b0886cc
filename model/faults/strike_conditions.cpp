// When a strike of each kind mattered: one row for each. The words for it are in fault_table.h.
#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "checker/check.h"
#include "checker/observations.h"
#include "model/faults/strike_effects.h"
#include "scenario/faults/fault_table.h"

namespace lockstep::model {
namespace {

using Question = StrikeQuestion;
using scenario::FaultKind;

constexpr Mattered if_so(bool is_so) { return is_so ? Mattered::to_holders : Mattered::no; }

// -- what may have happened --

const checker::Observations& observations_of(const Question& question) {
  return question.facts.run.observations;
}

bool is_over_in(const Question& question, const checker::HoldChange& change) {
  return change.count_before > 0 && change.count_after == 0 &&
         question.meets(change.at, change.at) && question.concerns(change.owner);
}

bool had_or_asked(const Question& question);

/// The first that is not before the span. REQUIRES: they are in order.
template <typename Each>
auto first_in_span(const Question& question, const std::vector<Each>& all) {
  return std::partition_point(all.begin(), all.end(), [&](const Each& each) {
    return each.at.at_ns < question.span.from_ns;
  });
}

/// A hold ended that its owner had not given up: the lease was over, or another took it away. A
/// number has no leases: there it is enough that somebody has or wants some of it.
bool a_lease_ended(const Question& question) {
  if (!question.facts.has_holds) return had_or_asked(question);
  const auto& changes = observations_of(question).hold_changes;
  const auto first = first_in_span(question, changes);
  return std::any_of(first, changes.end(), [&](const checker::HoldChange& change) {
    if (!is_over_in(question, change)) return false;
    switch (change.cause) {
      case checker::ChangeCause::expiry:
      case checker::ChangeCause::eviction:
      case checker::ChangeCause::force_release:
      case checker::ChangeCause::other:
        return true;
      case checker::ChangeCause::release:
        return change.by != change.owner;
      case checker::ChangeCause::acquire:
      case checker::ChangeCause::failover:
        return false;
    }
    return false;
  });
}

/// A hold was taken away by nobody's request.
bool a_hold_was_deleted(const Question& question) {
  if (!question.facts.has_holds) return had_or_asked(question);
  const auto& changes = observations_of(question).hold_changes;
  const auto first = first_in_span(question, changes);
  return std::any_of(first, changes.end(), [&](const checker::HoldChange& change) {
    const bool is_nobodys = change.cause == checker::ChangeCause::other ||
                            change.cause == checker::ChangeCause::eviction;
    return is_nobodys && is_over_in(question, change);
  });
}

checker::Moment end_of(const Question& question, const checker::Operation& operation) {
  return operation.completed.value_or(observations_of(question).ended);
}

template <typename Condition>
bool any_operation(const Question& question, Condition condition) {
  const auto& operations = question.facts.run.history.operations;
  return std::any_of(operations.begin(), operations.end(), [&](const checker::Operation& each) {
    return question.concerns(each.owner) && question.meets(each.invoked, end_of(question, each)) &&
           condition(each);
  });
}

/// A call failed, or was never answered.
bool an_outcome_is_unknown(const Question& question) {
  return any_operation(question,
                       [](const checker::Operation& each) { return !each.outcome_is_known(); });
}

/// A request had changed who holds the lock, and its answer did not come in time.
bool an_answer_was_lost(const Question& question) {
  const auto& changes = observations_of(question).hold_changes;
  return any_operation(question, [&](const checker::Operation& each) {
    if (each.outcome_is_known()) return false;
    return std::any_of(changes.begin(), changes.end(), [&](const checker::HoldChange& change) {
      return change.by == each.owner && !(change.at < each.invoked) &&
             change.at.at_ns <= question.span.from_ns;
    });
  });
}

/// Somebody was told no, or an error, though nobody believed to have the lock: replicas did not
/// confirm it, or a majority could not be had.
bool was_refused_for_nothing(const Question& question) {
  const auto& beliefs = observations_of(question).beliefs;
  const auto& waits = observations_of(question).waits;
  return std::any_of(waits.begin(), waits.end(), [&](const checker::Wait& wait) {
    const bool got_none =
        wait.end == checker::WaitEnd::refused || wait.end == checker::WaitEnd::failed;
    if (!got_none || !question.concerns(wait.owner) || !question.meets(wait.from, wait.until)) {
      return false;
    }
    // In order of their beginnings; who had the lock is mostly the last before the answer.
    const auto after = std::partition_point(
        beliefs.begin(), beliefs.end(),
        [&](const checker::Belief& belief) { return !(wait.until < belief.from); });
    return std::none_of(std::make_reverse_iterator(after), beliefs.rend(),
                        [&](const checker::Belief& belief) {
                          return belief.lock == wait.lock && !(belief.until < wait.from);
                        });
  });
}

bool was_held(const Question& question) {
  const auto& beliefs = observations_of(question).beliefs;
  return std::any_of(beliefs.begin(), beliefs.end(), [&](const checker::Belief& belief) {
    return question.concerns(belief.owner) && question.meets(belief.from, belief.until);
  });
}

bool was_asked_for(const Question& question) {
  const auto& waits = observations_of(question).waits;
  return std::any_of(waits.begin(), waits.end(),
                     [&](const checker::Wait& wait) {
                       return question.concerns(wait.owner) &&
                              question.meets(wait.from, wait.until);
                     }) ||
         any_operation(question, [](const checker::Operation&) { return true; });
}

bool had_or_asked(const Question& question) {
  return was_held(question) || was_asked_for(question);
}

/// A call was under way of somebody who is told for how long the lock is valid: the time that it
/// takes has to be taken off.
bool a_validity_was_told(const Question& question) {
  const auto& grants = observations_of(question).grants;
  const bool is_told = std::any_of(grants.begin(), grants.end(), [&](const checker::Grant& grant) {
    return grant.reported_valid_until_ns && question.concerns(grant.owner);
  });
  return is_told && any_operation(question, [](const checker::Operation&) { return true; });
}

/// The answer to a call came when a quarter of the lease that it asked for was over, or later.
bool an_answer_was_late(const Question& question) {
  return any_operation(question, [](const checker::Operation& each) {
    return each.completed && each.lease_ns > 0 &&
           each.completed->at_ns - each.invoked.at_ns >= each.lease_ns / 4;
  });
}

/// A call for the lock that was under way had its answer only once the fault was over. (Not where
/// another master took over meanwhile: then it was that master that was waited for.)
bool a_grant_waited_for_the_end(const Question& question) {
  const auto takeovers = question.facts.takeovers;
  return any_operation(question, [&](const checker::Operation& each) {
    if (each.kind != checker::OperationKind::acquire || !each.completed ||
        each.outcome != checker::Outcome::ok || each.completed->at_ns < question.span.until_ns) {
      return false;
    }
    return std::none_of(takeovers.begin(), takeovers.end(), [&](const Takeover& takeover) {
      return takeover.at_ns >= each.invoked.at_ns && takeover.at_ns <= each.completed->at_ns;
    });
  });
}

/// Somebody waited for the lock as the fault ended.
bool a_wait_outlasted_it(const Question& question) {
  const auto& waits = observations_of(question).waits;
  return std::any_of(waits.begin(), waits.end(), [&](const checker::Wait& wait) {
    return question.concerns(wait.owner) && question.meets(wait.from, wait.until) &&
           wait.until.at_ns >= question.span.until_ns;
  });
}

/// Somebody waited as it struck.
bool was_waited_for(const Question& question) {
  const auto& waits = observations_of(question).waits;
  return std::any_of(waits.begin(), waits.end(), [&](const checker::Wait& wait) {
    return wait.from.at_ns <= question.span.from_ns && question.span.from_ns <= wait.until.at_ns;
  });
}

/// There was something to be had while somebody waited for it.
bool a_waiter_could_be_served(const Question& question) {
  const checker::Observations& observations = observations_of(question);
  std::vector<checker::Moment>& waited_until = question.waited_until;  // by lock
  waited_until.assign(question.facts.run.names.size(), checker::Moment{});
  auto wait = observations.waits.begin();
  for (auto each = first_in_span(question, observations.availability);
       each != observations.availability.end() && each->at.at_ns <= question.span.until_ns;
       ++each) {
    for (; wait != observations.waits.end() && wait->from < each->at; ++wait) {
      if (!question.concerns(wait->owner)) continue;
      checker::Moment& until = waited_until[static_cast<std::size_t>(wait->lock)];
      until = checker::later_of(until, wait->until);
    }
    const bool is_there = each->exclusive + each->shared > 0;
    if (is_there && each->at < waited_until[static_cast<std::size_t>(each->lock)]) return true;
  }
  return false;
}

// -- other nodes' data --

template <typename Condition>
bool any_takeover(const Question& question, Condition condition) {
  const auto takeovers = question.facts.takeovers;
  return std::any_of(takeovers.begin(), takeovers.end(), [&](const Takeover& takeover) {
    return takeover.at_ns >= question.span.from_ns && condition(takeover);
  });
}

bool a_replica_took_over(const Question& question) {
  return any_takeover(
      question, [](const Takeover& takeover) { return takeover.kind != TakeoverKind::restart; });
}

/// And another came to see it: who goes on at an old master, or sleeps meanwhile, does not.
bool a_lock_was_lacking(const Question& question) {
  return any_takeover(question,
                      [](const Takeover& takeover) { return takeover.lacked && takeover.asked; });
}

/// What matters otherwise, beside a lock that its owner alone came to see lacking.
Mattered at_least_to_owners(const Question& question, Mattered otherwise) {
  const bool owner_saw = any_takeover(
      question, [](const Takeover& takeover) { return takeover.lacked && takeover.owner_asked; });
  return owner_saw ? std::max(otherwise, Mattered::to_owners) : otherwise;
}

bool came_back_to_a_held_lock(const Question& question) {
  return any_takeover(question, [](const Takeover& takeover) {
    return takeover.kind == TakeoverKind::restart && takeover.was_held;
  });
}

// -- what the rows are made of --

/// What takes time, or stands between two: of servers alone, it matters by the failover that it
/// brings about, if it does.
Mattered what_takes_time(const Question& question) {
  bool matters = a_lease_ended(question) || an_outcome_is_unknown(question) ||
                 a_validity_was_told(question) || an_answer_was_late(question);
  if (!question.concerns_clients()) {
    if (a_replica_took_over(question)) {
      matters = a_lock_was_lacking(question) || an_answer_was_lost(question) ||
                a_grant_waited_for_the_end(question) || was_refused_for_nothing(question);
    } else {
      matters = matters || (question.facts.is_vote && had_or_asked(question)) ||
                was_refused_for_nothing(question);
    }
  }
  if (matters) return Mattered::to_holders;
  const Mattered otherwise =
      a_waiter_could_be_served(question) ? Mattered::to_waiters : Mattered::no;
  return question.concerns_clients() ? otherwise : at_least_to_owners(question, otherwise);
}

Mattered what_ends_a_process(const Question& question) {
  if (question.concerns_clients()) return if_so(had_or_asked(question));
  if (a_replica_took_over(question)) {
    if (a_lock_was_lacking(question) || an_answer_was_lost(question)) return Mattered::to_holders;
    return at_least_to_owners(question,
                              had_or_asked(question) ? Mattered::to_waiters : Mattered::no);
  }
  if (came_back_to_a_held_lock(question)) return Mattered::to_holders;
  if (!had_or_asked(question)) return Mattered::no;
  return question.facts.is_vote ? Mattered::to_holders : Mattered::to_waiters;
}

Mattered what_loses_a_message(const Question& question) {
  return question.span.is_of_call ? Mattered::to_holders : what_takes_time(question);
}

Mattered what_turns_a_clock(const Question& question) { return if_so(was_held(question)); }

/// Beside the key that says who has the lock there may be others: of those who wait.
Mattered what_deletes(const Question& question) {
  return if_so(a_hold_was_deleted(question) || was_waited_for(question) ||
               (question.facts.is_vote && was_held(question)));
}

Mattered what_refuses_connections(const Question& question) {
  return if_so(an_outcome_is_unknown(question) || was_refused_for_nothing(question) ||
               a_wait_outlasted_it(question));
}

Mattered what_strikes_a_call(const Question& question) { return if_so(had_or_asked(question)); }

Mattered what_keeps_a_replica_behind(const Question& question) {
  const bool matters = a_lock_was_lacking(question) || was_refused_for_nothing(question) ||
                       a_grant_waited_for_the_end(question) ||
                       (!a_replica_took_over(question) && an_outcome_is_unknown(question));
  return at_least_to_owners(question, if_so(matters));
}

struct Condition {
  FaultKind kind;
  Mattered (*mattered)(const Question&);
};

/// In the order of FaultKind.
constexpr std::array conditions = {
    Condition{FaultKind::pause, what_takes_time},
    Condition{FaultKind::crash, what_ends_a_process},
    Condition{FaultKind::restart,
              [](const Question& question) { return if_so(came_back_to_a_held_lock(question)); }},
    Condition{FaultKind::promote,
              [](const Question& question) {
                return at_least_to_owners(question, if_so(a_lock_was_lacking(question)));
              }},
    Condition{FaultKind::cut, what_takes_time},
    Condition{FaultKind::drop, what_loses_a_message},
    Condition{FaultKind::delay, what_takes_time},
    Condition{FaultKind::reset, what_loses_a_message},
    Condition{FaultKind::clock_step, what_turns_a_clock},
    Condition{FaultKind::clock_drift, what_turns_a_clock},
    Condition{FaultKind::delete_key, what_deletes},
    Condition{FaultKind::power_loss, what_ends_a_process},
    Condition{FaultKind::shutdown, what_ends_a_process},
    Condition{FaultKind::clock_freeze, what_turns_a_clock},
    Condition{FaultKind::clock_strobe, what_turns_a_clock},
    Condition{FaultKind::clock_leap, what_turns_a_clock},
    Condition{FaultKind::evict, what_deletes},
    Condition{FaultKind::flush_all, what_deletes},
    Condition{FaultKind::script_flush, what_strikes_a_call},
    Condition{FaultKind::busy, what_takes_time},
    Condition{FaultKind::max_clients, what_refuses_connections},
    Condition{FaultKind::interrupt, what_strikes_a_call},
    Condition{FaultKind::abandon, what_strikes_a_call},
    Condition{FaultKind::postpone, what_takes_time},
    Condition{FaultKind::slow, what_takes_time},
    Condition{FaultKind::refuse, what_refuses_connections},
    Condition{FaultKind::half_open, what_takes_time},
    Condition{FaultKind::clog, what_takes_time},
    Condition{FaultKind::cut_one_way, what_takes_time},
    Condition{FaultKind::isolate, what_takes_time},
    Condition{FaultKind::partition, what_takes_time},
    Condition{FaultKind::ring, what_takes_time},
    Condition{FaultKind::swizzle, what_takes_time},
    Condition{FaultKind::reorder, what_takes_time},
    Condition{FaultKind::lag, what_keeps_a_replica_behind},
    Condition{FaultKind::stall, what_keeps_a_replica_behind},
    Condition{FaultKind::disconnect, what_keeps_a_replica_behind},
};

consteval bool are_in_order() {
  for (std::size_t i = 0; i < conditions.size(); ++i) {
    if (conditions[i].kind != scenario::fault_table[i].kind || conditions[i].mattered == nullptr)
      return false;
  }
  return conditions.size() == scenario::fault_kind_count;
}
static_assert(are_in_order(), "conditions needs one row for each FaultKind, in order");

}  // namespace

Mattered mattered(const StrikeQuestion& question) {
  return conditions[static_cast<std::size_t>(question.span.kind)].mattered(question);
}

}  // namespace lockstep::model
