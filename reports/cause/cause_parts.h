// The parts of an explanation, each for one kind of violation or reason; cause.cpp joins them.
//
// All text is sanitized.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "checker/verdict.h"
#include "reports/cause/cause.h"
#include "reports/cause/cause_facts.h"

namespace lockstep::checker {
enum class NameId : std::uint32_t;
struct Moment;
}  // namespace lockstep::checker

namespace lockstep::reports {

// -- cause.cpp: what the parts below find, joined --

/// Of these verdicts of the run; found in its trace alone.
[[nodiscard]] std::vector<Cause> find_causes(const search::RunRecord& run,
                                             const std::vector<checker::Verdict>& verdicts);

// -- cause_kind.cpp --

/// Puts into the cause who had a command executed, what it was called, where, and when.
void note_command(Cause& cause, const CauseFacts& facts, const CauseFacts::Event& command);
/// `key "lock" was left at …` → lock: the name that is quoted first; empty: none is.
[[nodiscard]] std::string_view quoted_in(std::string_view text);

// -- cause_overlap.cpp, cause_losses.cpp and cause_grants.cpp: why two believed at once that they
// had the lock --

/// Empty where nothing is known. REQUIRES: both evidences name an owner.
[[nodiscard]] std::vector<Cause> explain_overlap(const CauseFacts& facts,
                                                 const checker::Evidence& first,
                                                 const checker::Evidence& second);

/// How an owner lost a lock, the last time before an event that it did not give it back itself;
/// none: it never did.
[[nodiscard]] std::optional<Cause> explain_loss(const CauseFacts& facts, const std::string& owner,
                                                EventIndex before);

/// How an owner gave back by mistake what it had last, before an event; none: it did not.
[[nodiscard]] std::optional<Cause> explain_own_loss(const CauseFacts& facts,
                                                    const std::string& owner, EventIndex before);

/// The acquisition by an owner, the last one by then, that its lock counted no hold for; none: each
/// was counted.
[[nodiscard]] std::optional<Cause> explain_uncounted(const CauseFacts& facts,
                                                     const std::string& owner, sim::TimeNs by_ns);

/// How an owner lost a lock at this event; none: it did not. What it is to explain was to be seen
/// at `shown_ns`: what was to come by then anyway is no clock's fault.
[[nodiscard]] std::optional<Cause> explain_loss_at(const CauseFacts& facts,
                                                   const std::string& owner, EventIndex event,
                                                   sim::TimeNs shown_ns = 0);

// -- cause_removals.cpp, cause_failovers.cpp: the same, where it is known how --

/// Of a hold that a request ended. REQUIRES: the period is lost, as of the next.
[[nodiscard]] Cause explain_removal(const CauseFacts& facts, const std::string& owner,
                                    const HoldPeriod& lost);
/// Of a hold that a server lost.
[[nodiscard]] Cause explain_failover(const CauseFacts& facts, const std::string& owner,
                                     const HoldPeriod& lost);

/// How somebody came to believe in a lock that was not its own at that moment; none: it was.
[[nodiscard]] std::optional<Cause> explain_grant(const CauseFacts& facts, const std::string& owner,
                                                 const checker::Moment& at);

// -- cause_hold_details.cpp: what is told of a lost hold beside the event that ended it --

/// "; it had been sent at 1 ms and came 2,500 ms late": of a command whose request a fault delayed.
/// Empty: none did.
[[nodiscard]] std::string lateness_of(const CauseFacts& facts, const CauseFacts::Event& command);

/// The owner's own request whose execution is that change of a lock; null: nobody knows.
[[nodiscard]] const TraceMessage* request_behind(const CauseFacts& facts, std::string_view owner,
                                                 std::string_view label, EventIndex changed);

/// " though a/1 had stopped waiting for it at 2 ms": of that request. Empty: it had not.
[[nodiscard]] std::string given_up_asking(const CauseFacts& facts, const std::string& owner,
                                          std::string_view label, EventIndex changed);
/// ", and undid by that what its lock, begun at 2 ms, had asked for", "begun at 2 ms and given up
/// at 5 ms": of the owner's own request for which the lock changed, and which gave something back.
/// Empty: it was to.
[[nodiscard]] std::string attempt_undone(const CauseFacts& facts, const std::string& owner,
                                         std::string_view label, EventIndex changed);
/// "20,000 ms", "no end": of a lease at an instant.
[[nodiscard]] std::string lease_left(sim::TimeNs ends_ns, sim::TimeNs at_ns);
/// Of a vote the node that a fault struck as the hold was lost; else where the lock was.
[[nodiscard]] std::string place_of_fault(const CauseFacts& facts, const std::string& owner,
                                         const HoldPeriod& lost);
/// "n1 and n2 had lost it before.": the other nodes of a vote that had, where `last` was the one
/// that ended it. Empty: none.
[[nodiscard]] std::string lost_before(const CauseFacts& facts, const HoldPeriod& lost,
                                      std::string_view last);
/// ", which had taken it at 1 ms and had asked for 10,000 ms": of a key without a lease that was
/// taken when that was over. Empty: it was not.
[[nodiscard]] std::string own_lease_over(const CauseFacts& facts, const std::string& owner,
                                         const HoldPeriod& lost);

/// When the leases are over that an owner asked for itself, and when it asked last.
struct OwnLease {
  sim::TimeNs asked_ns = 0;
  sim::DurationNs length_ns = 0;
  sim::TimeNs ends_ns = 0;
};
/// Which of what a client executes counts for whom it had asked last.
enum class Served : std::uint8_t {
  from_then_on,    ///< all: an answer may be lost, and the request be sent again
  until_answered,  ///< until it was answered: later requests are for others
};
/// Of a hold that was taken at that event, as far as the trace goes before another; none: one of
/// them has no end.
[[nodiscard]] std::optional<OwnLease> own_lease(const CauseFacts& facts, const std::string& owner,
                                                EventIndex taken_at, EventIndex before,
                                                Served served = Served::from_then_on);

/// Of a reader whose own lease was over before its hold went, with another's release or as the
/// key's lease ended, which is the longest of all readers': that lease. None: it lasted longer.
[[nodiscard]] std::optional<Cause> explain_own_lease(const CauseFacts& facts,
                                                     const std::string& owner,
                                                     const HoldPeriod& lost);

// -- cause_clocks.cpp: what clocks did that are wrong from the start --

/// Clocks that ended a lease too soon: a server's that runs fast, or its owner's that runs slow.
struct ClockBlame {
  std::string words;      ///< ", by n1's clock, which runs 25 % too fast"; empty: none to tell of
  std::string server;     ///< where it is one server's
  bool explains = false;  ///< with right clocks the owner would have been done in time
  bool is_of_the_owner = false;  ///< of it alone
};
/// REQUIRES: the period is lost.
[[nodiscard]] ClockBlame clocks_to_blame(const CauseFacts& facts, const std::string& owner,
                                         const HoldPeriod& period);

/// How far a host's wall clock is ahead at an instant, whatever the reason; negative: behind.
[[nodiscard]] sim::DurationNs wall_clock_ahead_ns(const CauseFacts& facts, std::string_view host,
                                                  sim::TimeNs at_ns);
/// "b's wall clock was 120,000 ms ahead then."; empty: it was about right.
[[nodiscard]] std::string wall_clock_in_words(const CauseFacts& facts, std::string_view host,
                                              sim::TimeNs at_ns);

/// What a client was told of a lease that a server's clock ended sooner; none: no such clock is
/// known.
[[nodiscard]] std::optional<Cause> explain_told_validity(const CauseFacts& facts,
                                                         const checker::Evidence& granted);
/// Says of who took a lock or a place from another by the time that its own clock showed.
void add_wall_clocks(const CauseFacts& facts, std::vector<Cause>& causes);

// -- cause_failovers.cpp: what a replica had of its master's writes --

/// Whether a replica had by then what its master wrote with this command.
[[nodiscard]] bool had_reached(const CauseFacts& facts, const CauseFacts::Event& write,
                               std::string_view replica, sim::TimeNs by_ns);
/// "n1 was cut off from it from 0 ms on", "its replication stalled from 0 ms to 5,000 ms": what
/// kept a write of that instant from a replica. Empty: nothing that is known.
[[nodiscard]] std::string why_unreached(const CauseFacts& facts, std::string_view master,
                                        std::string_view replica, sim::TimeNs written_ns);

// -- cause_takings.cpp: a vote that its owner took more than once, and not on the same nodes --

/// "on n2, n3, and once more on n1, n2": of what the owner has, or lost last before an event. What
/// such a hold has is not what its release gives back. Empty: it took it once, or on the same
/// nodes.
[[nodiscard]] std::string unlike_takings(const CauseFacts& facts, const std::string& owner,
                                         EventIndex before);

/// What a thread asked a vote for, and less than a majority did.
struct LostVote {
  std::size_t nodes = 0;  ///< of all
  std::set<std::string> done;
};
/// In that time; none: a majority did it, or it is no vote.
[[nodiscard]] std::optional<LostVote> lost_vote(const CauseFacts& facts, const std::string& who,
                                                sim::TimeNs from_ns, sim::TimeNs until_ns);
/// "of 3 nodes n3 alone had done it": of such a vote. Empty: there is none.
[[nodiscard]] std::string few_of_a_vote(const CauseFacts& facts, const std::string& who,
                                        sim::TimeNs from_ns, sim::TimeNs until_ns);

// -- cause_grants.cpp: the moments at which a client went wrong --

/// That the owner began to believe in what it had lost by then, since it had asked.
[[nodiscard]] Mistake late_belief(const CauseFacts& facts, const std::string& owner,
                                  sim::TimeNs asked_ns, sim::TimeNs lost_ns,
                                  sim::TimeNs believed_ns);
/// Of a step in that time that renewed it on less than a majority, and was a success to its owner.
[[nodiscard]] std::optional<Mistake> renewal_without_majority(const CauseFacts& facts,
                                                              const std::string& owner,
                                                              sim::TimeNs from_ns,
                                                              sim::TimeNs until_ns);
/// Of an owner whose validity, which its belief ended with, lasted a lease from when it heard of
/// the lease; from when it had asked it would have been over with it.
[[nodiscard]] std::optional<Mistake> counted_from_reply(const CauseFacts& facts,
                                                        const HoldPeriod& hold,
                                                        const std::string& owner,
                                                        sim::TimeNs until_ns);

// -- cause_duplicates.cpp: requests that were sent again and ran twice, or ran on an old master --

/// A request that wrote more than once: the cause's `at_ns` is that of its second execution.
struct DuplicateExecution {
  std::string thread;
  EventIndex again;                   ///< its second execution
  std::optional<EventIndex> because;  ///< the sending of the message that is told of as the reason
  Cause cause;
};
/// The first such request of each thread, label and shard, in the order of their second executions.
[[nodiscard]] std::vector<DuplicateExecution> find_duplicates(const CauseFacts& facts);

/// Whether another had been promoted in the place of the master that executed this.
[[nodiscard]] bool was_deposed(const CauseFacts& facts, const CauseFacts::Event& executed);
/// Of a request's label.
[[nodiscard]] bool is_renewal(std::string_view label);
/// Whether the server did not know the script: its client sends it again, whole.
[[nodiscard]] bool lacked_script(const CauseFacts::Event& executed);
/// Who went on writing to a master in whose place another was promoted, the first few; and of the
/// answers that these verdicts call untrue those that came from one.
[[nodiscard]] std::vector<Cause> explain_old_masters(const CauseFacts& facts,
                                                     const std::vector<checker::Verdict>& verdicts);

// -- cause_waits.cpp: why a thread waited in vain: who had the lock, or why nobody took a free one
// --

struct WaitSpan {
  sim::TimeNs from_ns;
  sim::TimeNs until_ns;
};

/// Empty where nothing is known. REQUIRES: the trace has events.
[[nodiscard]] std::vector<Cause> explain_wait(const CauseFacts& facts, const std::string& waiter,
                                              WaitSpan span);

/// Of a request that began at that moment and went on for longer than it was ready to wait until
/// the end of the span; none: it had time left.
[[nodiscard]] std::optional<Cause> explain_late_end(const CauseFacts& facts, checker::NameId waiter,
                                                    const checker::Moment& from,
                                                    sim::TimeNs until_ns);

// -- cause_wakeups.cpp: why nobody woke a waiter --

/// Whether a waiter neither subscribes nor blocks, but asks again and again from then on.
[[nodiscard]] bool is_polling(const CauseFacts& facts, std::string_view waiter, WaitSpan wait,
                              sim::TimeNs since_ns);

/// A wait while there was something to take.
struct Silence {
  std::string waiter;
  std::string owner;  ///< as whom it would have the lock
  std::string lock;
  WaitSpan span;
  EventIndex end;            ///< what comes from here on is none of the reasons
  bool waits_still = false;  ///< when the run is over
};
/// What there was: "Nobody had lock "lock"", since when, and ", when the lease of a/1 ended".
struct FreeLock {
  std::string what;
  sim::TimeNs since_ns = 0;
  std::string what_ended = {};
};
[[nodiscard]] std::vector<Cause> explain_silence(const CauseFacts& facts, const Silence& wait,
                                                 const FreeLock& free);
/// Of such a wait, without its sentences.
[[nodiscard]] Cause cause_of_wait(const std::string& waiter, CauseKind kind, sim::TimeNs at_ns);
/// Puts into the cause whose request it was that made the lock free at that instant, or enough of
/// it; of a fault or an expiry where.
void note_what_freed(const CauseFacts& facts, const Silence& wait, Cause& cause, sim::TimeNs at_ns);
/// "The last that a/1 was told was the reply 5 to its acquire, at 2 ms.": what it went by as it
/// fell asleep. Empty: nothing is known.
[[nodiscard]] std::string last_answer(const CauseFacts& facts, const Silence& wait);

// -- cause_holders.cpp: who has a lock that somebody else wants, or that is left behind --

/// What an owner has of the lock while another waits.
struct Blocker {
  std::string owner;
  HoldPeriod hold_period;
  sim::DurationNs length_ns = 0;
};
/// Who had it, since when, and why that one did not give it back, as far as the trace goes until an
/// event; `victim` waits for it, empty: nobody does.
[[nodiscard]] Cause explain_holder(const CauseFacts& facts, const Blocker& blocker,
                                   std::string_view victim, sim::TimeNs until_ns, EventIndex end);
/// Of a lock's key that was there at an event: its holder; none: there is none.
[[nodiscard]] std::optional<Cause> explain_left_key(const CauseFacts& facts, std::string_view lock,
                                                    EventIndex at);

// -- cause_unknown_holds.cpp: what an owner has without knowing it --

/// An owner who was told that it did not get the lock, and had it all the same.
[[nodiscard]] std::optional<Cause> explain_unknown_hold(const CauseFacts& facts,
                                                        const std::string& owner);

/// The request by which an operation was refused to its owner, who had the lock; none: it had not,
/// or was not refused.
[[nodiscard]] std::optional<Cause> explain_refused_owner(const CauseFacts& facts,
                                                         const checker::Evidence& operation);

/// How an owner that had a majority took it for a refusal, the first time in that span; none: it
/// never did.
[[nodiscard]] std::optional<Cause> explain_refused_majority(const CauseFacts& facts,
                                                            const std::string& owner,
                                                            sim::TimeNs from_ns,
                                                            sim::TimeNs until_ns);

/// Which nodes of a vote an owner got last, and whether it gave them back.
[[nodiscard]] std::optional<Cause> explain_split_vote(const CauseFacts& facts,
                                                      const std::string& owner, EventIndex before);

// -- cause_answers.cpp: operations whose answer is not what they did --

/// Whose lease the operation set that had no lock to set one of; none: nobody's.
[[nodiscard]] std::optional<Cause> explain_set_for_others(const CauseFacts& facts,
                                                          const checker::Evidence& operation);
/// Of the one who had the lock until the operation: that it gave it back and was told that it had
/// not, or never had it. None: neither.
[[nodiscard]] std::optional<Cause> explain_earlier_hold(const CauseFacts& facts,
                                                        const checker::Verdict& verdict);
/// Who had the lock without knowing it when an acquire was refused, behind its request that was
/// executed twice; empty: nobody.
[[nodiscard]] std::vector<Cause> explain_refused_acquire(const CauseFacts& facts,
                                                         const checker::Evidence& operation);
/// A release, the owner's last by then, that asked no server; none: it did.
[[nodiscard]] std::optional<Cause> explain_unsent_release(const CauseFacts& facts,
                                                          const std::string& owner,
                                                          sim::TimeNs by_ns);
/// A release that was answered yes though its owner had no lock to give back; none: it had one, or
/// took another's.
[[nodiscard]] std::optional<Cause> explain_empty_release(const CauseFacts& facts,
                                                         const checker::Verdict& verdict);
/// Of a release that said no: what of it was executed last, in that time, and wrote. "a/1's
/// release, executed on n1 at 5 ms, gave it back."; empty: nothing.
[[nodiscard]] std::string denied_release(const CauseFacts& facts, std::string_view who,
                                         sim::TimeNs from_ns, sim::TimeNs until_ns);
/// "No server was asked for "y" in that call.": of a lock whose release was answered no. Empty: one
/// was.
[[nodiscard]] std::string request_behind_refusal(const CauseFacts& facts, std::string_view who,
                                                 std::string_view lock,
                                                 const checker::Evidence& answered);

/// Of the answers that these verdicts call untrue those that a deposed master gave: by thread the
/// command behind it.
[[nodiscard]] std::map<std::string, const CauseFacts::Event*> answers_of_old_masters(
    const CauseFacts& facts, const std::vector<checker::Verdict>& verdicts);

// -- cause_queue.cpp: how a place in a queue was lost, and who was first while the lock was free --

/// Whose script took `who` out of its queue, or put it further back, until then; of any lock where
/// none is named. None: nobody's but its own.
[[nodiscard]] std::optional<Cause> explain_lost_place(const CauseFacts& facts, std::string_view who,
                                                      std::string_view lock, sim::TimeNs until_ns);

/// The attempt, the last one by then, that refused `who` and gave it no place. None: it was queued
/// then, or sent no script.
[[nodiscard]] std::optional<Cause> explain_no_place(const CauseFacts& facts, std::string_view who,
                                                    sim::TimeNs refused_ns);

/// Who else was the first in a queue for most of that time; empty: nobody.
struct QueueHead {
  std::string owner;
  sim::TimeNs since_ns = 0;
};
/// ", and stayed there as it got the lock at 5 ms": of the head of a queue that took the lock by
/// this change of it; with the reason where it stood there twice.
[[nodiscard]] std::string stayed_when_served(const CauseFacts& facts,
                                             const CauseFacts::Event& served);
[[nodiscard]] QueueHead head_of_queue(const CauseFacts& facts, std::string_view lock,
                                      sim::TimeNs from_ns, sim::TimeNs until_ns);

// -- cause_counts.cpp: why a thread waits in vain at a semaphore or a latch --

/// What a semaphore or a latch had to give while somebody waited for it.
struct CountExplanation {
  /// Empty where there was enough, so that the silence is to be explained.
  std::vector<Cause> causes;
  /// Where there was enough: since when, and "2 permits of "lock" were free", "latch "lock" was
  /// open".
  sim::TimeNs enough_since_ns = 0;
  std::string enough;
};

/// A semaphore's or a latch's number that a server had lost by then, or that it knew another one
/// of.
[[nodiscard]] std::optional<Cause> explain_lost_count(const CauseFacts& facts, sim::TimeNs by_ns);
/// Who took a latch for open that was not; none: it was open, or not there.
[[nodiscard]] std::optional<Cause> explain_early_pass(const CauseFacts& facts,
                                                      const checker::Evidence& passed);

// -- cause_permits.cpp --

/// Whether it is known who has each, as they are members of a set; else there is their number.
[[nodiscard]] bool knows_owners_of_permits(const CauseFacts& facts);
/// Who took, gave back or believed to have another number of permits than was taken off or given
/// back, by then, or which fault deleted them; none: the numbers agree.
[[nodiscard]] std::optional<Cause> explain_permits(const CauseFacts& facts, sim::TimeNs by_ns);

/// Whether the lock is one that counts: it judges `permits` or `latch`.
[[nodiscard]] bool is_counting_lock(const search::RunRecord& example);

/// REQUIRES: is_counting_lock(facts.example()).
[[nodiscard]] CountExplanation explain_count(const CauseFacts& facts, std::string_view waiter,
                                             std::string_view lock, EventIndex end);

// -- cause_residue.cpp: who left behind what is left --

/// Of the first residue: a key without a TTL, a lock's key, a subscription. None: nobody knows.
[[nodiscard]] std::optional<Cause> explain_left_behind(const CauseFacts& facts,
                                                       const checker::Evidence& residue);

// -- cause_fencing.cpp: how a later grant came to have no higher token; and
// writes that came when their writer had no lock any more --

/// None where the trace does not show who gave the tokens. REQUIRES: both evidences name an owner.
[[nodiscard]] std::optional<Cause> explain_fencing(const CauseFacts& facts,
                                                   const checker::Evidence& earlier,
                                                   const checker::Evidence& later);

/// How the writer had lost the lock; none: it had it, or nobody knows.
[[nodiscard]] std::optional<Cause> explain_late_write(const CauseFacts& facts,
                                                      const checker::Verdict& verdict);
/// Of a lost update whose writer had the higher token. Empty: it had not.
[[nodiscard]] std::string why_older_token_was_accepted(const CauseFacts& facts,
                                                       const checker::Verdict& verdict);

// -- cause_steps.cpp: when a violation came about; and what the clients did last, where no fault
// explains it --

/// When the last of what it tells began, or was over.
[[nodiscard]] sim::TimeNs came_about_by(const checker::Verdict& verdict);
/// When the violation was there: what came later did not bring it about.
[[nodiscard]] sim::TimeNs shown_by(const checker::Verdict& verdict);
/// Sentences about those whom the violations name: what they were about as it broke, what they had
/// asked the servers for, and what they were told. Empty where nothing broke.
[[nodiscard]] std::vector<std::string> explain_by_steps(
    const CauseFacts& facts, const std::vector<checker::Verdict>& verdicts);

/// Who wrote last before a key was left behind, or refused, though nobody has it; none: no such key
/// is told of.
[[nodiscard]] std::optional<Cause> last_write_of_residue(
    const CauseFacts& facts, const std::vector<checker::Verdict>& verdicts);
/// The faults that struck by then, as long as these causes don't tell of all of them; without
/// sentences where they do.
[[nodiscard]] Cause untold_faults(const CauseFacts& facts, const std::vector<Cause>& causes,
                                  sim::TimeNs until_ns);

/// "The last that wrote before was a/1's release, executed on n1 at 1 ms."; empty: nobody did.
[[nodiscard]] std::string last_write_before(const CauseFacts& facts, std::string_view lock,
                                            const checker::Moment& at);
/// "a/1's extend had come to nothing at 2 ms.": of the steps before the one that was answered the
/// last; empty: that came to something.
[[nodiscard]] std::string vain_step_before(const CauseFacts& facts, std::string_view who,
                                           const checker::Moment& at);

}  // namespace lockstep::reports
