// Which calls a strike came between: those that take something, or give it back late. And what a
// clock that was wrong did to those who had the lock.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "checker/check.h"
#include "checker/observations.h"
#include "model/client/client.h"
#include "model/faults/effects/strike_rivals.h"
#include "model/faults/strike_effects.h"

namespace lockstep::model::strikes {
namespace {

/// In what was recorded in the order of time.
template <typename Record>
auto first_since(const std::vector<Record>& records, sim::TimeNs since_ns) {
  return std::partition_point(records.begin(), records.end(),
                              [&](const Record& each) { return each.at.at_ns < since_ns; });
}

/// Servers answered it, with errors only: one that is no master any more, or misses its replicas.
bool was_refused(const StrikeQuestion& question, const checker::Operation& operation) {
  const auto& given_up = observations_of(question).calls_given_up;
  const checker::Moment end = end_of(question, operation);
  for (auto each = first_since(given_up, operation.invoked.at_ns);
       each != given_up.end() && !(end < each->at); ++each) {
    if (each->by_error && each->owner == operation.owner && !(each->at < operation.invoked)) {
      return true;
    }
  }
  return false;
}

// -- an acquire --

/// A request was under way as its process stopped: what it asked for may be there, and grow old.
bool a_request_was_out(const StrikeQuestion& question, const checker::Operation& operation) {
  const sim::TimeNs struck_ns = question.span.from_ns;
  const sim::TimeNs first_ns =
      std::max(operation.invoked.at_ns, struck_ns - 2 * question.facts.run.slowest_hop_ns);
  const auto& requests = observations_of(question).requests;
  const auto first = std::partition_point(
      requests.begin(), requests.end(),
      [&](const checker::SentRequest& each) { return each.at.at_ns < first_ns; });
  const auto end = std::partition_point(
      first, requests.end(),
      [&](const checker::SentRequest& each) { return each.at.at_ns <= struck_ns; });
  return std::any_of(
      first, end, [&](const checker::SentRequest& each) { return each.owner == operation.owner; });
}

/// The owner had the lock, or some of it, before its process went on.
bool had_it_by_then(const StrikeQuestion& question, const checker::Operation& operation) {
  const auto& changes = observations_of(question).hold_changes;
  return std::any_of(changes.begin(), changes.end(), [&](const checker::HoldChange& change) {
    return change.owner == operation.owner && change.lock == operation.lock &&
           change.count_after > change.count_before && !(change.at < operation.invoked) &&
           change.at.at_ns < question.span.until_ns;
  });
}

/// Its owner had the lock, or got it then or later, and knew: it can meet what the call left
/// behind.
bool came_to_believe(const StrikeQuestion& question, const checker::Operation& operation) {
  const auto& beliefs = observations_of(question).beliefs;
  return std::any_of(beliefs.begin(), beliefs.end(), [&](const checker::Belief& belief) {
    return belief.owner == operation.owner && belief.lock == operation.lock &&
           operation.invoked < belief.until;
  });
}

/// It gave its owner the lock, or left it a hold that another wanted: a request may be executed
/// when its caller has given up. Who was given votes enough may have refused them for their age.
/// What is so slow that no answer ever comes in time gives nobody anything.
bool takes_something(const StrikeQuestion& question, const checker::Operation& operation) {
  if (operation.outcome == checker::Outcome::ok || was_refused(question, operation)) return true;
  const StrikeSpan& span = question.span;
  const bool makes_late = span.by_ns > 0;
  if (makes_late && !question.facts.is_vote && !came_to_believe(question, operation)) return false;
  const auto& changes = observations_of(question).hold_changes;
  return std::any_of(changes.begin(), changes.end(), [&](const checker::HoldChange& change) {
    if (change.owner != operation.owner || change.lock != operation.lock ||
        change.count_after <= change.count_before || change.at < operation.invoked) {
      return false;
    }
    const bool is_told = question.facts.is_vote && change.at < end_of(question, operation);
    return is_told || (makes_late && !span.is_of_network && !span.is_of_call) ||
           has_rival(question, {change.owner, change.lock, change.mode, change.at.at_ns,
                                observations_of(question).ended.at_ns});
  });
}

// -- a release, or a renewal --

/// A time in which a call may be executed.
struct Window {
  sim::TimeNs from_ns;
  sim::TimeNs until_ns;
};

/// Until when it may be executed: a client that hears nothing gives up, and its request goes on.
sim::TimeNs end_of_execution(const StrikeQuestion& question, const checker::Operation& operation) {
  const StrikeSpan& span = question.span;
  sim::TimeNs until_ns = end_of(question, operation).at_ns;
  const bool was_answered = operation.outcome_is_known() || was_refused(question, operation);
  if (was_answered && !span.is_of_call) return until_ns;
  if (span.until_ns != sim::never_ns) until_ns = std::max(until_ns, span.until_ns);
  return until_ns + std::max<sim::DurationNs>(span.by_ns, 0);
}

std::ptrdiff_t requests_of(const StrikeQuestion& question, const checker::Operation& operation) {
  const auto& requests = observations_of(question).requests;
  const sim::TimeNs end_ns = end_of(question, operation).at_ns;
  const auto first = std::partition_point(
      requests.begin(), requests.end(),
      [&](const checker::SentRequest& each) { return each.at < operation.invoked; });
  const auto end = std::partition_point(
      first, requests.end(),
      [&](const checker::SentRequest& each) { return each.at.at_ns <= end_ns; });
  return std::count_if(
      first, end, [&](const checker::SentRequest& each) { return each.owner == operation.owner; });
}

struct SentSteps {
  std::optional<sim::TimeNs> first_ns;
  bool are_several = false;  ///< one after the other
};

SentSteps steps_of(const StrikeQuestion& question, const checker::Operation& operation) {
  const sim::TimeNs end_ns = end_of(question, operation).at_ns;
  const auto& requests = observations_of(question).requests;
  SentSteps steps;
  for (auto each = first_since(requests, operation.invoked.at_ns);
       each != requests.end() && each->at.at_ns <= end_ns; ++each) {
    if (each->owner != operation.owner || each->at < operation.invoked) continue;
    if (!steps.first_ns) steps.first_ns = each->at.at_ns;
    steps.are_several |= *steps.first_ns < each->at.at_ns;
  }
  return steps;
}

/// Such a release takes several steps, and all of this one's came after its process had stood
/// still: the first tells what has become of the lock, and what the others do is not put to the
/// test.
bool came_before_all_steps(const StrikeQuestion& question, const checker::Operation& operation) {
  if (!question.is_stop_of_clients()) return false;
  const SentSteps own = steps_of(question, operation);
  if (own.first_ns && *own.first_ns < question.span.until_ns) return false;
  const auto& operations = question.facts.run.history.operations;
  return std::any_of(operations.begin(), operations.end(), [&](const checker::Operation& each) {
    return each.kind == operation.kind && each.outcome == checker::Outcome::ok &&
           steps_of(question, each).are_several;
  });
}

/// The moment at which it gave back what its owner had; none: that was over, or was never given
/// back.
const checker::HoldChange* own_end(const StrikeQuestion& question,
                                   const checker::Operation& operation) {
  const auto& changes = observations_of(question).hold_changes;
  const auto found =
      std::find_if(changes.begin(), changes.end(), [&](const checker::HoldChange& change) {
        return change.owner == operation.owner && change.by == operation.owner &&
               change.lock == operation.lock && change.count_after < change.count_before &&
               !(change.at < operation.invoked);
      });
  return found == changes.end() ? nullptr : &*found;
}

/// Another had the lock in true state.
bool another_has_it_in(const StrikeQuestion& question, const checker::Operation& operation,
                       const Window& window) {
  const auto& changes = observations_of(question).hold_changes;
  for (auto each = changes.begin(); each != changes.end(); ++each) {
    if (each->lock != operation.lock || each->owner == operation.owner) continue;
    if (each->at.at_ns >= window.until_ns) return false;
    if (each->count_before > 0 || each->count_after == 0) continue;
    const auto end = std::find_if(each + 1, changes.end(), [&](const checker::HoldChange& later) {
      return later.lock == each->lock && later.owner == each->owner && later.mode == each->mode &&
             later.count_after == 0;
    });
    if (end == changes.end() || end->at.at_ns > window.from_ns) return true;
  }
  return false;
}

/// What is late may be executed when another has the lock.
bool may_meet_another(const StrikeQuestion& question, const checker::Operation& operation,
                      sim::TimeNs from_ns) {
  const StrikeSpan& span = question.span;
  Window window{from_ns, end_of_execution(question, operation)};
  const auto takeovers = question.facts.takeovers;
  const bool has_other_way =
      question.facts.is_vote || std::any_of(takeovers.begin(), takeovers.end(),
                                            [](const Takeover& each) { return each.of_lock; });
  if (question.holds_requests_back() && (!has_other_way || question.is_stop_of_clients())) {
    window.from_ns = std::max(window.from_ns, span.until_ns);
  }
  return another_has_it_in(question, operation, window);
}

/// So may what is sent again; and its owner may yet count on what that takes away.
bool may_release_anothers(const StrikeQuestion& question, const checker::Operation& operation) {
  const auto& beliefs = observations_of(question).beliefs;
  const bool goes_on =
      std::any_of(beliefs.begin(), beliefs.end(), [&](const checker::Belief& belief) {
        return belief.owner == operation.owner && belief.lock == operation.lock &&
               belief.from < operation.invoked && operation.invoked.at_ns < belief.until.at_ns;
      });
  if (goes_on) return true;
  const checker::HoldChange* own = own_end(question, operation);
  if (own == nullptr) return may_meet_another(question, operation, operation.invoked.at_ns);
  return requests_of(question, operation) > 1 &&
         may_meet_another(question, operation, own->at.at_ns);
}

/// Whom a fault has kept from asking for as long as it lasted, and who asks when all others are
/// done, has come late to nobody's harm.
bool asked_beside_another(const StrikeQuestion& question, const checker::Operation& operation) {
  const SentSteps own = steps_of(question, operation);
  if (!own.first_ns || *own.first_ns < question.span.until_ns) return true;
  sim::TimeNs until_ns = end_of_execution(question, operation);
  for (const checker::Belief& belief : observations_of(question).beliefs) {
    const bool is_its = belief.owner == operation.owner && belief.lock == operation.lock &&
                        operation.invoked < belief.until;
    if (is_its) until_ns = std::max(until_ns, belief.until.at_ns);
  }
  return has_rival(question,
                   {operation.owner, operation.lock, operation.mode, *own.first_ns, until_ns});
}

}  // namespace

bool strikes_operation(const StrikeQuestion& question, const checker::Operation& operation) {
  const bool is_late_to_ask = operation.kind == checker::OperationKind::acquire &&
                              question.concerns_clients() && !question.is_stop_of_clients() &&
                              operation.outcome == checker::Outcome::ok &&
                              operation.invoked.at_ns < question.span.until_ns &&
                              !asked_beside_another(question, operation);
  if (is_late_to_ask) return false;
  if (!question.facts.has_holds) return true;
  switch (operation.kind) {
    case checker::OperationKind::acquire:
      if (!question.is_stop_of_clients()) return takes_something(question, operation);
      if (operation.invoked.at_ns >= question.span.until_ns) return false;
      return had_it_by_then(question, operation) || (operation.outcome != checker::Outcome::fail &&
                                                     a_request_was_out(question, operation));
    case checker::OperationKind::release:
      return !came_before_all_steps(question, operation) &&
             may_release_anothers(question, operation);
    case checker::OperationKind::renew:
      return question.facts.is_vote ||  // its caller may be told of a validity
             may_meet_another(question, operation, operation.invoked.at_ns);
    case checker::OperationKind::force_release:
      return true;
  }
  return true;
}

// -- clocks that were wrong --

namespace {

/// A time in which an owner truly had the lock.
struct Hold {
  const checker::HoldChange& taken;
  checker::Moment until;
};

Hold hold_since(const StrikeQuestion& question, const checker::HoldChange& taken) {
  const checker::Observations& observations = observations_of(question);
  const auto& changes = observations.hold_changes;
  const auto from = changes.begin() + (&taken - changes.data()) + 1;
  const auto end = std::find_if(from, changes.end(), [&taken](const checker::HoldChange& later) {
    return later.lock == taken.lock && later.owner == taken.owner && later.mode == taken.mode &&
           later.count_after == 0;
  });
  return {taken, end == changes.end() ? observations.ended : end->at};
}

/// Until when a lease that was asked for at one moment counted: it was renewed, or its owner was
/// done with it.
bool was_outlasted(const StrikeQuestion& question, const ClockShift& shift,
                   const checker::Moment& asked, sim::TimeNs ends_ns,
                   const checker::Moment& until) {
  if (!question.meets(asked, until)) return false;
  // A clock that has jumped counts later leases as any other does.
  if (shift.is_at_once && asked.at_ns > question.span.from_ns) return false;
  return (shift.is_later || shift.earlier_ns > 0) && until.at_ns >= ends_ns - shift.earlier_ns;
}

bool was_counted_wrong(const StrikeQuestion& question, const ClockShift& shift, const Hold& hold) {
  if (!question.meets(hold.taken.at, hold.until)) return false;
  checker::Moment asked = hold.taken.at;
  sim::TimeNs ends_ns = asked.at_ns + question.facts.longest_lease_ns;
  const auto& changes = observations_of(question).lease_changes;
  for (auto each = first_since(changes, hold.taken.at.at_ns);
       each != changes.end() && each->at.at_ns < hold.until.at_ns; ++each) {
    const bool is_of_hold = each->lock == hold.taken.lock &&
                            (each->owner == checker::no_name || each->owner == hold.taken.owner);
    const bool was_asked_for = each->by != checker::no_name;
    if (!is_of_hold || !was_asked_for || each->ends_ns == 0) continue;
    if (was_outlasted(question, shift, asked, ends_ns, each->at)) return true;
    asked = each->at;
    // No lease ends by a clock that stands still.
    ends_ns = each->ends_ns == sim::never_ns && shift.stands_still
                  ? asked.at_ns + question.facts.longest_lease_ns
                  : each->ends_ns;
  }
  return was_outlasted(question, shift, asked, ends_ns, hold.until);
}

/// Another server's data came to count: any hold may have seen that.
bool another_server_counted(const StrikeQuestion& question) {
  const auto takeovers = question.facts.takeovers;
  return std::any_of(takeovers.begin(), takeovers.end(),
                     [](const Takeover& each) { return each.of_lock; });
}

/// Whose model asks what time it is, but for a validity that its caller is told.
bool tells_the_time(const StrikeQuestion& question) {
  const auto& grants = observations_of(question).grants;
  const bool is_for_validity = std::any_of(
      grants.begin(), grants.end(),
      [](const checker::Grant& grant) { return grant.reported_valid_until_ns.has_value(); });
  if (is_for_validity) return false;
  const auto& clients = question.facts.clients;
  for (std::size_t i = 0; i < clients.size(); ++i) {
    const bool is_struck = (question.span.clients & StrikeEffects::bit_of(i)) != 0;
    if (is_struck && clients[i]->wall_clock_was_read()) return true;
  }
  return false;
}

/// Its hold ended by the clock, or its belief.
bool lost_its_lock(const StrikeQuestion& question) {
  const auto is_since = [&](const checker::Moment& at) { return question.meets(at, at); };
  const auto& beliefs = observations_of(question).beliefs;
  const auto& changes = observations_of(question).hold_changes;
  return std::any_of(beliefs.begin(), beliefs.end(),
                     [&](const checker::Belief& belief) {
                       const bool was_lost = belief.end == checker::BeliefEnd::validity ||
                                             belief.end == checker::BeliefEnd::told;
                       return was_lost && question.concerns(belief.owner) && is_since(belief.until);
                     }) ||
         std::any_of(changes.begin(), changes.end(), [&](const checker::HoldChange& change) {
           return change.cause == checker::ChangeCause::expiry && change.count_after == 0 &&
                  question.concerns(change.owner) && is_since(change.at);
         });
}

/// It stopped waiting, for the lock or for an answer.
bool heard_of_nothing(const StrikeQuestion& question) {
  const auto& waits = observations_of(question).waits;
  return std::any_of(waits.begin(), waits.end(),
                     [&](const checker::Wait& wait) {
                       const bool got_none = wait.end == checker::WaitEnd::refused ||
                                             wait.end == checker::WaitEnd::failed;
                       return got_none && question.concerns(wait.owner) &&
                              question.meets(wait.until, wait.until);
                     }) ||
         any_call(question,
                  [](const checker::Operation& each) { return !each.outcome_is_known(); });
}

}  // namespace

bool leases_ended_too_soon_at_most(const StrikeQuestion& question) {
  return question.facts.has_holds && !question.facts.is_vote && !question.clock_shift().is_later &&
         !another_server_counted(question);
}

bool a_lease_was_counted_wrong(const StrikeQuestion& question) {
  if (!question.facts.has_holds) return question.facts.longest_lease_ns > 0;
  if (another_server_counted(question)) return true;
  const ClockShift shift = question.clock_shift();
  const auto& changes = observations_of(question).hold_changes;
  return std::any_of(changes.begin(), changes.end(), [&](const checker::HoldChange& change) {
    return change.count_before == 0 && change.count_after > 0 &&
           was_counted_wrong(question, shift, hold_since(question, change));
  });
}

bool a_validity_was_counted_wrong(const StrikeQuestion& question) {
  const sim::TimeNs struck_ns = question.span.from_ns;
  const bool is_at_once = question.clock_shift().is_at_once;
  const auto& grants = observations_of(question).grants;
  return std::any_of(grants.begin(), grants.end(), [&](const checker::Grant& grant) {
    const bool is_concerned = question.meets(grant.invoked, grant.at) &&
                              !(is_at_once && grant.invoked.at_ns >= struck_ns) &&
                              !(is_at_once && grant.at.at_ns <= struck_ns);
    return grant.reported_valid_until_ns && question.concerns(grant.owner) && is_concerned;
  });
}

bool a_client_lost_count(const StrikeQuestion& question) {
  return tells_the_time(question) || lost_its_lock(question) || heard_of_nothing(question);
}

}  // namespace lockstep::model::strikes
