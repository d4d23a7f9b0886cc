// The part of a violation that an assumption may excuse: who is involved, and when.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "checker/history.h"
#include "checker/observations.h"

namespace lockstep::checker {
enum class Property : std::uint8_t;
struct Evidence;
struct Verdict;
}  // namespace lockstep::checker

namespace lockstep::search {

/// Who is involved in a violation, and when it was complete.
struct Violation {
  std::vector<checker::NameId> parties;  ///< none: everybody
  checker::TimeNs from_ns = 0;           ///< only holds at this time or later are involved
  checker::TimeNs by_ns = checker::never_ns;
  bool is_of_answers = false;   ///< an answer to a caller is wrong
  bool is_of_a_server = false;  ///< of a vote, too: what is left on one server is left
};

/// Whether the owner's hold ended by itself between the two times that its request was executed:
/// then no key tells of the first any more, however well a lock recognizes what is sent again.
[[nodiscard]] bool ended_between(const checker::Observations& observations, checker::NameId owner,
                                 const checker::RepeatedWrite& repeated);

/// Whether a request of that owner changed a hold or its lease then, or anybody's a number.
[[nodiscard]] bool changed_something(const checker::Observations& observations,
                                     checker::NameId owner, const checker::Moment& at);

/// Whether somebody who believes that it has a lock as the run is over never heard what became of a
/// call.
[[nodiscard]] bool waits_unheard_with_a_hold(const checker::History& history,
                                             const checker::Observations& observations);

/// Whether the answer about a hold, which others may have waited for meanwhile, took longer than
/// that.
[[nodiscard]] bool was_answered_late(const checker::Operation& operation,
                                     const checker::Moment& run_ended, checker::TimeNs progress_ns);

enum class Asked : std::uint8_t { one, votes };

/// That the caller was told of more than there is left, or that it has given back what it has,
/// which no call without an answer excuses: who does not know says less. (A vote knows what most
/// have said.)
[[nodiscard]] bool tells_of_too_much(const checker::Observations& observations,
                                     const checker::Evidence& evidence, Asked asked);

/// Taken from the evidence.
[[nodiscard]] Violation told_violation(std::span<const checker::Evidence> evidence);

/// Whether a failover took a hold away, and brought it back with no other master: while nobody
/// serves a lock, no hold of it is seen.
[[nodiscard]] bool went_for_good(const checker::Observations& observations,
                                 const checker::HoldChange& change);

/// Whether a single server's failure may be the reason, though others vote: what is left on one is
/// left, and whoever may sleep on though the lock is free may wait for the message of one.
[[nodiscard]] bool is_of_one_server(checker::Property property,
                                    std::span<const checker::Property> promises);

/// Whether each evidence is a violation by itself.
[[nodiscard]] bool is_of_each_evidence(checker::Property property);

/// Whether it tells of these two, of which each excludes the other.
[[nodiscard]] bool tells_of(const checker::Verdict& verdict, const checker::Belief& earlier,
                            const checker::Belief& later);

/// Of permits: whether all that wait ask for some that nobody ever tried to set, which is their
/// callers' mistake. False of a verdict that tells of no waits.
[[nodiscard]] bool waits_for_what_nobody_set(const checker::Observations& observations,
                                             const checker::Verdict& verdict);

/// Of harm: whether all that is told was lost to writes that came to the resource after a later
/// access of their own thread, and was that thread's. No lock keeps a thread from itself.
[[nodiscard]] bool is_of_overtaken_writes(const checker::Observations& observations,
                                          const checker::Verdict& verdict);

/// Tells of that evidence first. REQUIRES: the summary begins with what the first one is.
void put_first(std::size_t place, checker::Verdict& verdict);

/// Whether it is judged at the end, over the whole run.
[[nodiscard]] bool is_of_whole_run(checker::Property property);

}  // namespace lockstep::search
