// Whether another wanted the lock that a strike came between: what strike_conditions.cpp asks of
// most kinds of fault, and how it looks at operations.
#pragma once

#include <algorithm>

#include "checker/check.h"
#include "checker/observations.h"
#include "model/faults/strike_effects.h"

namespace lockstep::model::strikes {

inline const checker::Observations& observations_of(const StrikeQuestion& question) {
  return question.facts.run.observations;
}

inline checker::Moment end_of(const StrikeQuestion& question, const checker::Operation& operation) {
  return operation.completed.value_or(observations_of(question).ended);
}

/// Whether it came between an operation that was under way and what that does
/// (effects/struck_calls.cpp). A process that is stopped while it waits to try again, or for a call
/// that changes nothing any more, only comes later; so does an acquire that takes nothing, or a
/// release that meets nobody.
[[nodiscard]] bool strikes_operation(const StrikeQuestion& question,
                                     const checker::Operation& operation);

/// Of those whom it strikes, and that were under way: whatever it did to them.
template <typename Condition>
bool any_call(const StrikeQuestion& question, Condition condition) {
  const auto& operations = question.facts.run.history.operations;
  return std::any_of(operations.begin(), operations.end(), [&](const checker::Operation& each) {
    return question.concerns(each.owner) && question.meets(each.invoked, end_of(question, each)) &&
           condition(each);
  });
}

/// The same, of those that it came between.
template <typename Condition>
bool any_operation(const StrikeQuestion& question, Condition condition) {
  return any_call(question, [&](const checker::Operation& each) {
    return condition(each) && strikes_operation(question, each);
  });
}

/// A time in which an owner had a lock, or was about to.
struct Claim {
  checker::NameId owner;
  checker::NameId lock;
  checker::HoldMode mode;
  sim::TimeNs from_ns;
  sim::TimeNs until_ns;
};

/// Another wanted the lock in that time, or believed to have it.
[[nodiscard]] bool has_rival(const StrikeQuestion& question, const Claim& claim);

/// Until when a call waited for another who had the lock, and got nothing of its own; when it
/// began, where it did not.
[[nodiscard]] sim::TimeNs end_of_waiting(const StrikeQuestion& question,
                                         const checker::Operation& operation);

/// What struck its client, and what that made late, was over while the call still waited for
/// another.
[[nodiscard]] bool was_over_while_it_waited(const StrikeQuestion& question,
                                            const checker::Operation& operation);

/// Another wanted the lock while that call was under way, or what it had sent still was.
[[nodiscard]] bool a_rival_met(const StrikeQuestion& question, const checker::Operation& operation);

/// Another wanted the lock while a call of somebody whom it strikes was under way, or what it had
/// sent for it still was.
[[nodiscard]] bool a_rival_met_a_call(const StrikeQuestion& question);

/// Another wanted a lock that somebody whom it strikes had or asked for, then or later, until that
/// one was done with it.
[[nodiscard]] bool a_rival_wanted(const StrikeQuestion& question);

/// Somebody whom it strikes had the lock or asked for it while it lasted, and another wanted it
/// then. Of a latch, which nobody has: somebody waited.
[[nodiscard]] bool a_rival_wanted_meanwhile(const StrikeQuestion& question);

/// A hold ended during a call of its owner, or before the one that was to give it back, and another
/// wanted the lock by the end of that.
[[nodiscard]] bool a_rival_met_its_call(const StrikeQuestion& question,
                                        const checker::HoldChange& change);

/// Another wanted the lock after that hold of it had ended, while its owner still counted on it.
[[nodiscard]] bool a_rival_came_after(const StrikeQuestion& question,
                                      const checker::HoldChange& change);

/// The same, and it sent a request for it by then.
[[nodiscard]] bool another_asked_after(const StrikeQuestion& question,
                                       const checker::HoldChange& change);

/// For so long after it struck nobody notices: what makes somebody late is not seen at once.
[[nodiscard]] inline sim::DurationNs unnoticed_for(const StrikeQuestion& question) {
  return std::clamp<sim::DurationNs>(question.span.by_ns, 0, question.facts.slowness_max_ns);
}

/// Two might have had the lock at once since then, when the strike could be noticed: one believed
/// to have it, and another wanted it by the end of that; or, where masters vote, two wanted it. Of
/// what several may have: always.
[[nodiscard]] bool two_might_have_it(const StrikeQuestion& question, sim::TimeNs since_ns);

// -- who wanted what was there --

/// Somebody was told no, or an error, though nobody believed to have the lock: replicas did not
/// confirm it, or a majority could not be had.
[[nodiscard]] bool was_refused_for_nothing(const StrikeQuestion& question);

/// Somebody waited for the lock as the fault ended.
[[nodiscard]] bool a_wait_outlasted_it(const StrikeQuestion& question);

/// Somebody waited as it struck.
[[nodiscard]] bool was_waited_for(const StrikeQuestion& question);

/// There was something to be had while somebody waited for it.
[[nodiscard]] bool a_waiter_could_be_served(const StrikeQuestion& question);

// -- clocks that were wrong (effects/struck_calls.cpp) --

/// By the clock a lease may have ended too soon, and none too late. Where masters vote no hold ends
/// by the clock of one.
[[nodiscard]] bool leases_ended_too_soon_at_most(const StrikeQuestion& question);

/// A lease that a server counts ended at another instant, or would have, before its owner was done
/// with it: it was over early, or still there when it should have been over. Who gives the lock
/// back before either does not notice. Once another server's data counted, any hold may have seen
/// it.
[[nodiscard]] bool a_lease_was_counted_wrong(const StrikeQuestion& question);

/// A client came to believe something else, or heard something else, since its clock was wrong: its
/// lease or its belief ended, a call was given up, or it tells others the time.
[[nodiscard]] bool a_client_lost_count(const StrikeQuestion& question);

/// A client was told for how long the lock is valid, by a clock that was wrong or jumped meanwhile.
[[nodiscard]] bool a_validity_was_counted_wrong(const StrikeQuestion& question);

// -- permits, and latches --

/// Whom it concerns sent a request meanwhile; a client that it strikes, while another waited for
/// some, or had some.
[[nodiscard]] bool a_request_was_sent(const StrikeQuestion& question);

/// Somebody set permits then or later, or tried to.
[[nodiscard]] bool permits_were_set_since(const StrikeQuestion& question, sim::TimeNs at_ns);

/// As it struck there were permits to be lost.
[[nodiscard]] bool permits_were_lost(const StrikeQuestion& question);

/// Somebody waited for a latch that was shut, since the strike could be noticed.
[[nodiscard]] bool a_shut_latch_was_waited_for(const StrikeQuestion& question);

/// Somebody came to a latch, or asked again, since it struck.
[[nodiscard]] bool was_come_to_since(const StrikeQuestion& question);

}  // namespace lockstep::model::strikes
