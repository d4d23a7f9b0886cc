// When a strike of each kind mattered: one row for each. The words for it are in fault_table.h.
#include <algorithm>
#include <array>
#include <iterator>
#include <vector>

#include "checker/check.h"
#include "checker/observations.h"
#include "model/faults/effects/strike_rivals.h"
#include "model/faults/strike_effects.h"
#include "scenario/faults/fault_table.h"

namespace lockstep::model {
namespace {

using Question = StrikeQuestion;
using scenario::FaultKind;
using strikes::a_client_lost_count;
using strikes::a_lease_was_counted_wrong;
using strikes::a_request_was_sent;
using strikes::a_rival_came_after;
using strikes::a_rival_met;
using strikes::a_rival_met_its_call;
using strikes::a_rival_wanted;
using strikes::a_rival_wanted_meanwhile;
using strikes::a_shut_latch_was_waited_for;
using strikes::a_validity_was_counted_wrong;
using strikes::a_wait_outlasted_it;
using strikes::a_waiter_could_be_served;
using strikes::another_asked_after;
using strikes::any_call;
using strikes::any_operation;
using strikes::end_of;
using strikes::end_of_waiting;
using strikes::leases_ended_too_soon_at_most;
using strikes::observations_of;
using strikes::permits_were_lost;
using strikes::permits_were_set_since;
using strikes::was_come_to_since;
using strikes::was_over_while_it_waited;
using strikes::was_refused_for_nothing;
using strikes::was_waited_for;

constexpr Mattered if_so(bool is_so) { return is_so ? Mattered::to_holders : Mattered::no; }
/// It concerned a hold; whether there was a rival is asked.
constexpr Mattered by_rival(bool has_rival, Mattered otherwise) {
  return has_rival ? Mattered::to_holders : otherwise;
}

// -- what may have happened --

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

/// A hold ended that its owner had not given up: the lease was over, or another took it away.
template <typename Condition>
bool a_lease_ended(const Question& question, Condition condition) {
  const auto& changes = observations_of(question).hold_changes;
  const auto first = first_in_span(question, changes);
  return std::any_of(first, changes.end(), [&](const checker::HoldChange& change) {
    if (!is_over_in(question, change) || !condition(change)) return false;
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
template <typename Condition>
bool a_hold_was_deleted(const Question& question, Condition condition) {
  if (!question.facts.has_holds) return had_or_asked(question);
  const auto& changes = observations_of(question).hold_changes;
  const auto first = first_in_span(question, changes);
  return std::any_of(first, changes.end(), [&](const checker::HoldChange& change) {
    const bool is_nobodys = change.cause == checker::ChangeCause::other ||
                            change.cause == checker::ChangeCause::eviction;
    return is_nobodys && is_over_in(question, change) && condition(change);
  });
}

constexpr auto any_at_all = [](const checker::HoldChange&) { return true; };

/// `ended` is one of the two above; `came_after` asks whether another came for what is gone.
template <typename Ended, typename CameAfter>
Mattered as_it_ended(const Question& question, Ended ended, CameAfter came_after) {
  if (!ended(question, any_at_all)) return Mattered::no;
  if (!question.facts.has_holds) return by_rival(a_rival_wanted(question), Mattered::to_owners);
  const bool has_rival = ended(question, [&](const checker::HoldChange& change) {
    return a_rival_met_its_call(question, change) || came_after(question, change);
  });
  return by_rival(has_rival, Mattered::to_owners);
}

/// A call failed, or was never answered.
constexpr auto has_no_known_outcome = [](const Question&, const checker::Operation& operation) {
  return !operation.outcome_is_known();
};

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
         any_call(question, [](const checker::Operation&) { return true; });
}

bool had_or_asked(const Question& question) {
  return was_held(question) || was_asked_for(question);
}

/// A call was under way that gave the lock to somebody who is told for how long it is valid: the
/// time that it takes has to be taken off. One that was over as the fault came took no time of it.
bool a_validity_was_told(const Question& question) {
  const auto& grants = observations_of(question).grants;
  const bool is_told = std::any_of(grants.begin(), grants.end(), [&](const checker::Grant& grant) {
    return grant.reported_valid_until_ns && question.concerns(grant.owner);
  });
  return is_told && any_operation(question, [&question](const checker::Operation& each) {
           return each.kind != checker::OperationKind::release &&
                  each.outcome != checker::Outcome::fail &&
                  end_of(question, each).at_ns > question.span.from_ns &&
                  !was_over_while_it_waited(question, each);
         });
}

bool has_amount(FaultKind kind) {
  return kind == FaultKind::slow || kind == FaultKind::clog || kind == FaultKind::delay ||
         kind == FaultKind::postpone;
}

/// How late an answer is by itself: not for as long as its call waited for a holder, as no lease of
/// its own ran out then, but for as long as nobody heard the call that began meanwhile.
sim::DurationNs lateness_of(const Question& question, const checker::Operation& operation) {
  const StrikeSpan& span = question.span;
  const sim::TimeNs completed_ns = end_of(question, operation).at_ns;
  const sim::DurationNs since_ns = completed_ns - end_of_waiting(question, operation);
  if (has_amount(span.kind) || operation.invoked.at_ns < span.from_ns) return since_ns;
  return std::max(since_ns, std::min(completed_ns, span.until_ns) - operation.invoked.at_ns);
}

/// … or its answer came when a quarter of the lease that it asked for was over, or later.
constexpr auto failed_or_was_late = [](const Question& question,
                                       const checker::Operation& operation) {
  if (!operation.outcome_is_known()) return true;
  return operation.lease_ns > 0 && !was_over_while_it_waited(question, operation) &&
         lateness_of(question, operation) >= operation.lease_ns / 4;
};

/// As the fault ended another had the lock: it was that one who was waited for.
bool another_had_it_at_the_end(const Question& question, const checker::Operation& operation) {
  const auto& beliefs = observations_of(question).beliefs;
  return std::any_of(beliefs.begin(), beliefs.end(), [&](const checker::Belief& belief) {
    return belief.lock == operation.lock && belief.owner != operation.owner &&
           belief.from.at_ns < question.span.until_ns &&
           question.span.until_ns < belief.until.at_ns;
  });
}

/// A call for the lock that was under way had its answer only once the fault was over. (Not where
/// another master took over meanwhile: then it was that master that was waited for.)
bool a_grant_waited_for_the_end(const Question& question) {
  const auto takeovers = question.facts.takeovers;
  return any_operation(question, [&](const checker::Operation& each) {
    if (each.kind != checker::OperationKind::acquire || !each.completed ||
        each.outcome != checker::Outcome::ok || each.completed->at_ns < question.span.until_ns ||
        another_had_it_at_the_end(question, each)) {
      return false;
    }
    return std::none_of(takeovers.begin(), takeovers.end(), [&](const Takeover& takeover) {
      return takeover.of_lock && takeover.at_ns >= each.invoked.at_ns &&
             takeover.at_ns <= each.completed->at_ns;
    });
  });
}

// -- other nodes' data --

template <typename Condition>
bool any_takeover(const Question& question, Condition condition) {
  const auto takeovers = question.facts.takeovers;
  return std::any_of(takeovers.begin(), takeovers.end(), [&](const Takeover& takeover) {
    return takeover.of_lock && takeover.at_ns >= question.span.from_ns && condition(takeover);
  });
}

bool a_replica_took_over(const Question& question) {
  return any_takeover(
      question, [](const Takeover& takeover) { return takeover.kind != TakeoverKind::restart; });
}

bool came_to_be_seen(const Question& question, const Takeover& takeover) {
  return takeover.asked ||
         (takeover.for_setters && permits_were_set_since(question, takeover.at_ns));
}

/// And another came to see it: who goes on at an old master, or sleeps meanwhile, does not.
bool a_lock_was_lacking(const Question& question) {
  return any_takeover(question, [&question](const Takeover& takeover) {
    return takeover.lacked && came_to_be_seen(question, takeover);
  });
}

/// Who asks the new master gets what somebody has by the old one, from before or since.
bool two_may_have_it(const Question& question) {
  return a_lock_was_lacking(question) ||
         any_takeover(question, [](const Takeover& takeover) { return takeover.old_one_gave_it; });
}

/// What matters otherwise, beside a lock that its owner alone came to see lacking, or back again.
Mattered at_least_to_owners(const Question& question, Mattered otherwise) {
  const bool owner_saw =
      any_takeover(question, [](const Takeover& takeover) { return takeover.owner_asked; });
  return owner_saw ? std::max(otherwise, Mattered::to_owners) : otherwise;
}

/// With the lock, or without it, and another came to see that.
bool came_back_to_a_held_lock(const Question& question) {
  return any_takeover(question, [&question](const Takeover& takeover) {
    return takeover.kind == TakeoverKind::restart && takeover.was_held &&
           came_to_be_seen(question, takeover);
  });
}

// -- what the rows are made of --

constexpr auto lease_ended = [](const Question& question, auto condition) {
  return a_lease_ended(question, condition);
};
constexpr auto hold_was_deleted = [](const Question& question, auto condition) {
  return a_hold_was_deleted(question, condition);
};

/// A call for the lock was concerned, or what it gave: its caller was told something.
Mattered as_called(const Question& question, bool is_so) {
  if (!is_so) return Mattered::no;
  return by_rival(a_rival_wanted(question), Mattered::to_callers);
}

/// Such a call was: only its caller saw it where it could neither take nor give anything back.
template <typename Condition>
Mattered as_answered(const Question& question, Condition condition) {
  const auto is_so = [&](const checker::Operation& each) { return condition(question, each); };
  const bool told_caller = !question.is_stop_of_clients() && any_call(question, is_so);
  return std::max(told_caller ? Mattered::to_callers : Mattered::no,
                  as_called(question, any_operation(question, is_so)));
}

/// Each time that it makes somebody or something late.
bool takes_at_most(const Question& question, sim::DurationNs most_ns) {
  return has_amount(question.span.kind) && question.span.by_ns <= most_ns;
}

/// A number, and a latch, have no leases that could end: what takes time can make calls late that
/// another's come between, or keep a process from giving back what others wait for.
Mattered as_a_number_was_late(const Question& question) {
  const sim::DurationNs most_ns = question.facts.slowness_max_ns;
  const StrikeSpan& span = question.span;
  const sim::DurationNs late_ns = has_amount(span.kind) ? span.by_ns : span.until_ns - span.from_ns;
  if (late_ns <= most_ns) return Mattered::no;
  const bool stops_owners = span.kind == FaultKind::pause && question.concerns_clients();
  // Who waits at a latch may be told while it is cut off, with nobody else there.
  const bool may_be_alone = !question.concerns_clients() || !question.facts.excludes;
  const bool was_used = may_be_alone && was_asked_for(question);
  const bool concerned_one = stops_owners || was_used || a_request_was_sent(question);
  if (!concerned_one || !a_rival_wanted_meanwhile(question)) return Mattered::no;
  // Who is told late that a latch is open does not pass too soon.
  const bool could_pass = question.facts.excludes || a_shut_latch_was_waited_for(question);
  return could_pass ? Mattered::to_holders : Mattered::to_waiters;
}

Mattered as_it_made_late(const Question& question) {
  return question.facts.has_holds ? as_it_ended(question, lease_ended, a_rival_came_after)
                                  : as_a_number_was_late(question);
}

/// It stands between servers, or makes late what they tell each other, and no client waits for
/// that.
bool is_among_servers(const Question& question) {
  return is_of_link(question.span) && !question.concerns_clients() &&
         !question.facts.in_use.waits_for_replicas;
}

/// A call took a tenth of a timeout or of its lease, or more, or was not answered: with a network
/// that is so slow, each call is a late one.
bool a_call_was_slow(const Question& question) {
  return any_operation(question, [&question](const checker::Operation& each) {
    if (!each.completed) return true;
    constexpr sim::DurationNs parts = 10;
    const sim::DurationNs took_ns = each.completed->at_ns - each.invoked.at_ns;
    return took_ns >= question.facts.slowness_max_ns ||
           (each.lease_ns > 0 && took_ns >= each.lease_ns / parts);
  });
}

/// What is slow by itself is used by each call over it. So little is lost in any call.
Mattered what_is_slow(const Question& question) {
  if (!question.facts.has_holds) return as_a_number_was_late(question);
  constexpr sim::DurationNs parts = 10;
  if (takes_at_most(question, question.facts.slowness_max_ns / parts)) return Mattered::no;
  return as_called(question, a_call_was_slow(question));
}

/// What takes time, or stands between two: of servers alone, it matters by the failover that it
/// brings about, if it does.
Mattered what_takes_time(const Question& question) {
  if (question.span.is_of_network) return what_is_slow(question);
  const sim::DurationNs slowness_max_ns = question.facts.slowness_max_ns;
  // The network takes as much by itself.
  if (takes_at_most(question, std::min(slowness_max_ns, question.facts.run.slowest_hop_ns))) {
    return Mattered::no;
  }
  const bool concerns_clients = question.concerns_clients();
  Mattered most = Mattered::no;
  if (!concerns_clients && a_replica_took_over(question)) {
    most = if_so(a_lock_was_lacking(question) || an_answer_was_lost(question) ||
                 a_grant_waited_for_the_end(question) || was_refused_for_nothing(question));
  } else if (is_among_servers(question)) {
    most = if_so(was_refused_for_nothing(question));
  } else {
    most = as_it_made_late(question);
    if (most != Mattered::to_holders) {
      most = std::max({most, as_answered(question, failed_or_was_late),
                       as_called(question, a_validity_was_told(question))});
    }
    if (!concerns_clients && most != Mattered::to_holders) {
      most = std::max(most, if_so((question.facts.is_vote && had_or_asked(question)) ||
                                  was_refused_for_nothing(question)));
    }
  }
  const bool is_late =
      question.span.kind == FaultKind::delay || !takes_at_most(question, slowness_max_ns);
  if (most == Mattered::no && is_late && a_waiter_could_be_served(question)) {
    most = Mattered::to_waiters;
  }
  return concerns_clients ? most : at_least_to_owners(question, most);
}

/// Who stays with the old master goes on there: no call of theirs need be late.
Mattered what_parts(const Question& question) {
  const bool keeps_a_master = question.concerns_clients() && question.span.servers != 0;
  if (keeps_a_master && two_may_have_it(question)) return Mattered::to_holders;
  return what_takes_time(question);
}

Mattered what_ends_a_process(const Question& question) {
  if (question.concerns_clients()) return as_called(question, had_or_asked(question));
  if (a_replica_took_over(question)) {
    if (a_lock_was_lacking(question) || an_answer_was_lost(question)) return Mattered::to_holders;
    return at_least_to_owners(question,
                              had_or_asked(question) ? Mattered::to_waiters : Mattered::no);
  }
  if (came_back_to_a_held_lock(question)) return Mattered::to_holders;
  if (!had_or_asked(question)) return Mattered::no;
  return question.facts.is_vote ? Mattered::to_holders
                                : at_least_to_owners(question, Mattered::to_waiters);
}

/// Until the question is answered; for good where it never is.
sim::TimeNs end_of_question(const Question& question) {
  sim::TimeNs until_ns = sim::never_ns;
  for (const checker::Answer& each : observations_of(question).answers) {
    if (!question.concerns(each.owner) || !question.meets(each.invoked, each.returned)) continue;
    until_ns = std::min(until_ns, each.returned.at_ns);
  }
  return until_ns;
}

/// A question changes nothing: its caller is told late, and a lease may end meanwhile.
Mattered what_loses_a_question(const Question& question) {
  StrikeSpan longer = question.span;
  longer.until_ns = end_of_question(question);
  const Question until_told{question.facts, longer, question.all_spans, question.bits_of_owner,
                            question.waited_until};
  const Mattered told = had_or_asked(question) ? Mattered::to_owners : Mattered::no;
  return std::max(told, as_it_made_late(until_told));
}

/// What is sent beside such is a renewal.
constexpr auto takes_or_gives = [](const checker::Operation& operation) {
  return operation.kind != checker::OperationKind::renew;
};

/// It was sent again when a timeout was over, not at once, and another wanted the lock by then.
bool a_late_release_met_a_rival(const Question& question) {
  return any_call(question, [&question](const checker::Operation& each) {
    return each.kind == checker::OperationKind::release &&
           end_of(question, each).at_ns - each.invoked.at_ns > question.facts.slowness_max_ns &&
           a_rival_met(question, each);
  });
}

Mattered what_loses_a_message(const Question& question) {
  if (question.span.is_of_question) return what_loses_a_question(question);
  if (!question.span.is_of_call) return what_takes_time(question);
  // What sets permits, or a count, is no call for them.
  if (!had_or_asked(question)) return Mattered::to_holders;
  if (a_late_release_met_a_rival(question)) return Mattered::to_holders;
  const bool is_so = any_operation(question, takes_or_gives) || !any_call(question, takes_or_gives);
  return std::max(Mattered::to_callers, as_called(question, is_so));
}

/// Who sleeps until the lock is given back sees nothing of a lease that ended too soon.
Mattered as_a_server_counted(const Question& question) {
  if (!a_lease_was_counted_wrong(question)) return Mattered::no;
  return leases_ended_too_soon_at_most(question)
             ? as_it_ended(question, lease_ended, another_asked_after)
             : by_rival(a_rival_wanted(question), Mattered::to_owners);
}

/// A clock that is wrong changes nothing by itself: a lease or a belief has to end by it.
Mattered what_turns_a_clock(const Question& question) {
  if (!question.is_clock_far_off() || !was_held(question)) return Mattered::no;
  if (!question.concerns_clients()) return as_a_server_counted(question);
  if (a_client_lost_count(question)) {
    return by_rival(a_rival_wanted(question), Mattered::to_owners);
  }
  return as_called(question, a_validity_was_counted_wrong(question));
}

/// Where all permits were out there is nothing to lose, but for who sets them anew; and who sleeps
/// before a latch does not see that it is open.
Mattered what_deletes_a_number(const Question& question) {
  const bool is_waited_for = was_waited_for(question);
  const bool is_seen =
      question.facts.excludes
          ? permits_were_lost(question) || permits_were_set_since(question, question.span.from_ns)
          : was_come_to_since(question);
  if (!is_seen) return is_waited_for ? Mattered::to_waiters : Mattered::no;
  if (is_waited_for) return Mattered::to_holders;
  return as_it_ended(question, hold_was_deleted, another_asked_after);
}

/// Nobody is told that it is gone: who sleeps until the lock is given back sees nothing of that.
/// Beside the key that says who has the lock there may be others: of those who wait.
Mattered what_deletes(const Question& question) {
  if (!question.facts.has_holds) return what_deletes_a_number(question);
  const bool is_waited_for = was_waited_for(question);
  const bool is_of_hold = a_hold_was_deleted(question, any_at_all);
  const bool is_of_others = is_waited_for && !is_of_hold;
  if (is_of_others || (question.facts.is_vote && was_held(question))) return Mattered::to_holders;
  return std::max(is_waited_for ? Mattered::to_waiters : Mattered::no,
                  as_it_ended(question, hold_was_deleted, another_asked_after));
}

Mattered what_refuses_connections(const Question& question) {
  if (!question.span.has_refused) return Mattered::no;
  if (was_refused_for_nothing(question) || a_wait_outlasted_it(question)) {
    return Mattered::to_holders;
  }
  return as_answered(question, has_no_known_outcome);
}

Mattered what_strikes_a_call(const Question& question) {
  return as_called(question, had_or_asked(question));
}

bool keeps_a_replica_behind(FaultKind kind) {
  return kind == FaultKind::lag || kind == FaultKind::stall || kind == FaultKind::disconnect;
}

/// A call waited in vain for the replicas: nothing else had struck by then.
bool a_call_failed_for_a_replica(const Question& question) {
  return any_operation(question, [&question](const checker::Operation& each) {
    if (each.outcome_is_known()) return false;
    const sim::TimeNs until_ns = end_of(question, each).at_ns;
    return std::none_of(question.all_spans.begin(), question.all_spans.end(),
                        [&](const StrikeSpan& span) {
                          return !keeps_a_replica_behind(span.kind) && span.from_ns <= until_ns;
                        });
  });
}

Mattered what_keeps_a_replica_behind(const Question& question) {
  const bool matters = a_lock_was_lacking(question) || was_refused_for_nothing(question) ||
                       a_grant_waited_for_the_end(question) ||
                       (!a_replica_took_over(question) && a_call_failed_for_a_replica(question));
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
              [](const Question& question) {
                return at_least_to_owners(question, if_so(came_back_to_a_held_lock(question)));
              }},
    Condition{FaultKind::promote,
              [](const Question& question) {
                return at_least_to_owners(question, if_so(two_may_have_it(question)));
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
    Condition{FaultKind::isolate, what_parts},
    Condition{FaultKind::partition, what_parts},
    Condition{FaultKind::ring, what_parts},
    Condition{FaultKind::swizzle, what_parts},
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
