// What really happened, as the simulator saw it: neutral observations beside the history.
//
// The simulator reports them without judging; the properties judge. They name no Redis and no host:
// a *belief* is a thread's, a *hold* is the lock's true state, a *residue* is what is left behind.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "checker/history.h"

namespace lockstep::checker {

enum class BeliefEnd : std::uint8_t {
  released,  ///< the thread's own hold count reached zero at a release's invocation
  told,      ///< a refused release, or a delivered notice of loss
  validity,  ///< the thread's own validity timer fired
  crashed,   ///< its process died
  run_over,  ///< it still believed when the run ended
};

/// A thread's belief that it holds the lock: from acquire's ok. A thread has one open belief for
/// each lock and mode; a semaphore's ends and begins anew with each change of its permits.
struct Belief {
  NameId owner;
  NameId lock;
  Moment from;
  Moment until;
  BeliefEnd end = BeliefEnd::run_over;
  HoldMode mode = HoldMode::exclusive;
  std::int64_t permits = 1;  ///< a semaphore's: how many it took
  /// It took the lock without a lease of its own, at least once: it may count on it until it gives
  /// it back.
  bool until_released = false;
  /// Its process died before the release that ended it returned.
  bool died_releasing = false;
  NameId thread = no_name;  ///< of an owner that has several, which began it; none: it is the owner
};

/// Taken at the moment at which a thread's acquire returned ok.
struct Grant {
  NameId owner;
  NameId lock;
  Moment at;
  bool truly_held = false;        ///< in true state (a quorum of keys) the lock is the caller's
  NameId true_holder = no_name;   ///< who holds it instead, if anyone
  TimeNs true_lease_ends_ns = 0;  ///< true instant at which the hold will lapse; never_ns: no TTL
  std::optional<TimeNs>
      reported_valid_until_ns;  ///< what the client model told its caller, true time
  HoldMode mode = HoldMode::exclusive;
  Moment invoked = {};                               ///< when the step that was granted began
  std::optional<std::int64_t> token = std::nullopt;  ///< the fencing token that came with it
};

enum class ChangeCause : std::uint8_t {
  acquire,
  release,
  force_release,
  expiry,
  eviction,
  failover,
  other
};

/// A change of an owner's true hold count. One event may change several owners' counts.
struct HoldChange {
  NameId lock;
  NameId owner;
  NameId by =
      no_name;  ///< the owner whose request did it; none: no owner's (expiry, failover, operator)
  Moment at;
  std::int64_t count_before = 0;
  std::int64_t count_after = 0;
  ChangeCause cause = ChangeCause::other;
  HoldMode mode = HoldMode::exclusive;
};

/// Taken when a call of a thread returned and it has no call under way: what its own counting says
/// (acquires minus releases that returned ok) beside the true count. Not taken for an owner any of
/// whose operations had an unknown outcome before, or changed the lock where that does not count.
struct HoldCheck {
  NameId owner;
  NameId lock;
  Moment at;
  std::int64_t believed_count = 0;
  std::int64_t true_count = 0;
  HoldMode mode = HoldMode::exclusive;
};

enum class WaitEnd : std::uint8_t {
  granted,
  refused,   ///< it gave up, or was told no
  failed,    ///< it raised: its outcome may be unknown
  crashed,   ///< its process died
  run_over,  ///< it still waited when the run ended
};

/// A thread's step that asks for the lock, for permits, or for a latch to open: from its invocation
/// to its return, however short.
struct Wait {
  NameId owner;
  NameId lock;
  Moment from;
  Moment until;
  WaitEnd end = WaitEnd::run_over;
  HoldMode mode = HoldMode::exclusive;
  std::int64_t permits = 1;  ///< how much of what is available it needs
  std::optional<TimeNs> limit_ns =
      std::nullopt;  ///< for how long it is ready to wait; none: for ever
  /// Since `healed` a fault that was never over has kept it from the lock, whatever the lock did.
  bool is_hopeless = false;
  /// When a server first executed a request of it, and did not refuse it: before that nothing can
  /// have been given to it. never_ns: none was; 0: not known.
  TimeNs heard_ns = 0;
  TimeNs told_ns = 0;       ///< when the first such answer came; never_ns: none did; 0: not known
  NameId thread = no_name;  ///< of an owner that has several; none: it is the owner
};

/// A request that a client sent to a server: one command, also where it was sent again.
struct SentRequest {
  std::uint32_t client;  ///< whose process it was
  NameId owner;          ///< the thread on whose behalf
  Moment at;
};

/// What a caller asked for, and got: the lock, or a longer lease of it.
struct AskedLease {
  NameId owner;
  NameId lock;
  HoldMode mode = HoldMode::exclusive;
  Moment asked;
  Moment granted;
  TimeNs lease_ns = 0;  ///< 0: it asked for none, so that the lock's own counts
  /// Until when it is valid, as the caller was told, in true time; none: it was told nothing.
  std::optional<TimeNs> told_until_ns = std::nullopt;
};

/// A request that was sent again was executed again, there or on another server, and wrote at least
/// one of the two times.
struct RepeatedWrite {
  NameId request;  ///< its label: "acquire"
  NameId owner;    ///< on whose behalf; no_name: on nobody's
  Moment first;    ///< when it was executed first
  Moment at;       ///< … and again
};

/// A call that never got an answer other than errors of the servers': its client gave up asking.
struct CallGivenUp {
  NameId owner;
  Moment at;
  std::uint32_t server = 0;  ///< which of those that keep locks was asked, counted from 0
  bool by_error = false;     ///< the last thing that it got was an error, not silence
};

/// A span in which a thread's process was stopped: it could neither ask nor be woken.
struct Stop {
  NameId owner;  ///< the thread
  Moment from;
  Moment until;  ///< the end of the run, where it was never resumed
};

/// How much of a lock may be had from this moment on, in true state: by one who asks for it
/// exclusively (a free lock: 1; a semaphore: its permits; an open latch: 1) and by one who shares
/// it. Told for every lock at the start of a run and at every change.
struct Availability {
  NameId lock;
  Moment at;
  std::int64_t exclusive = 0;
  std::int64_t shared = 0;
  NameId by = no_name;  ///< whose request did it; none: no owner's (expiry, failover, operator)
};

/// How many permits are left, or how often a latch is to be counted down yet, in true state: told
/// at each change, 0 where there is no number. Not of permits that are somebody's.
struct NumberChange {
  NameId lock;
  Moment at;
  std::int64_t number = 0;
  NameId by = no_name;  ///< the owner whose request did it; none: no owner's
};

enum class QueueEventKind : std::uint8_t {
  entered,             ///< the owner has a place, at the end of the queue
  seen,                ///< a script ran for an owner that has a place
  left,                ///< the owner's place is gone
  lost_with_failover,  ///< the node that counts now has no place for it
};

/// What happened to a waiter's place in a first-come, first-served queue, in true state.
struct QueueEvent {
  QueueEventKind kind;
  NameId owner;
  NameId lock;
  Moment at;
  NameId by = no_name;  ///< whose script it was; none: no owner's
  /// entered, seen: the true instant until which the owner may be silent and keep its place.
  TimeNs deadline_ns = never_ns;
};

enum class SetOutcome : std::uint8_t {
  accepted,
  refused,  ///< permits were there already: another's, or its own, if it was asked twice
  unknown,  ///< it may have been accepted, at any time, or never
};

/// Permits that were set (try_set_permits): so many exist from then on.
struct PermitsSet {
  NameId lock;
  Moment at;  ///< when it took effect; where that isn't known, when it was asked for
  std::int64_t permits = 0;
  SetOutcome outcome = SetOutcome::accepted;
};

/// What is left of a semaphore's permits when the run came to rest, nobody had crashed, and no
/// call's outcome was unknown.
struct PermitsLeft {
  NameId lock;
  Moment at;
  std::int64_t permits = 0;
};

/// An owner's own request removed a permit of it that had ended by the clock, and that nobody had
/// removed since. It may be told that it gave one back: nobody else can have had it.
struct EndedPermitRemoved {
  NameId lock;
  NameId owner;
  Moment at;
};

enum class LatchEventKind : std::uint8_t {
  set,           ///< try_set_count returned true
  may_be_set,    ///< try_set_count has no known outcome
  counted_down,  ///< a count_down: it took effect between `invoked` and `at`, if at all
  passed,        ///< await returned true
};

/// A count-down latch as its callers see it, in any order.
struct LatchEvent {
  LatchEventKind kind;
  NameId owner;
  NameId lock;
  Moment invoked;
  Moment at;               ///< when it returned; a count_down that didn't: the end of the run
  std::int64_t count = 0;  ///< set: the count
};

enum class CallKind : std::uint8_t {
  acquire,
  release,
  force_release,
  extend,
  is_locked,
  is_held,
  hold_count,
  remaining_lease,
  set_permits,
  set_count,
  count_down,
  release_permits,  ///< of permits that are nobody's by name
  await,
};

/// What a call of a thread answered, where that says something of the lock's true state. A granted
/// acquire of a lock is none: that is a Grant.
struct Answer {
  CallKind call;
  NameId owner;
  NameId lock;
  Moment invoked;
  Moment returned;
  bool yes = false;  ///< remaining_lease: false where it says that nobody has the lock
  HoldMode mode = HoldMode::exclusive;
  /// acquire, where no other lock was asked for with it, and set_…: how much was asked for.
  /// hold_count: the answer. remaining_lease: the answer in ms, negative: for ever.
  std::optional<std::int64_t> number = std::nullopt;
  TimeNs lease_ns = 0;  ///< extend: the new lease; 0: the lock's own
  std::optional<TimeNs> valid_until_ns = std::nullopt;  ///< extend: what its caller was told
  bool is_certain = true;  ///< no request of its owner's went unanswered (releases: of one lock)
  /// acquire, await: for how long it was ready to wait (never_ns: for ever). None: it raised an
  /// error.
  std::optional<TimeNs> limit_ns = std::nullopt;
  /// hold_count, where the client alone counts, and `number` says no more than whether it holds.
  std::optional<std::int64_t> counted = std::nullopt;
};

/// A lease ends at another instant from now on, in true state.
struct LeaseChange {
  NameId lock;
  NameId owner;  ///< no_name: the lease of whoever has the lock
  Moment at;
  TimeNs ends_ns = 0;      ///< never_ns: there is no TTL; 0: there is no lease
  NameId by = no_name;     ///< whose request did it; none: no owner's (expiry, failover, operator)
  bool by_holder = false;  ///< that owner has a hold of the lock now
};

enum class AccessKind : std::uint8_t { read, write, refused_write };

/// An access to the protected resource, at the moment at which the resource handled it.
struct Access {
  AccessKind kind;
  NameId owner;
  NameId resource;
  Moment at;
  std::int64_t version_seen = 0;   ///< read: the version handed out; write: the one it is based on
  std::int64_t version_after = 0;  ///< the resource's version afterwards
  std::optional<std::int64_t> token;  ///< the fencing token shown
  NameId thread = no_name;            ///< of an owner that has several; none: it is the owner
};

enum class ResidueKind : std::uint8_t {
  lease_without_ttl,  ///< seen between two scripts: a key that is declared a lease lacks a TTL
  lock_key,           ///< the rest: seen at the end of the run, all holders gone and leases passed
  subscription,
  background_task,  ///< a renewal, or another task of a client model
};

struct Residue {
  ResidueKind kind;
  std::string name;  ///< the key, channel or task
  Moment at;
  NameId owner = no_name;  ///< whose place in a queue it is; none: it is no place
};

/// Who did it: of an owner that has several threads one of them.
template <typename Observed>
[[nodiscard]] NameId thread_of(const Observed& observed) {
  return observed.thread == no_name ? observed.owner : observed.thread;
}

/// Each list is in order of its moments (of `from` for beliefs).
struct Observations {
  std::vector<Belief> beliefs;
  std::vector<Grant> grants;
  std::vector<HoldChange> hold_changes;
  std::vector<HoldCheck> hold_checks;
  std::vector<Access> accesses;
  std::vector<Residue> residues;
  std::vector<Wait> waits;  ///< in order of `from`
  std::vector<Stop> stops;  ///< in order of `from`
  std::vector<SentRequest> requests;
  std::vector<AskedLease> asked_leases;  ///< in order of `granted`
  std::vector<RepeatedWrite> repeated_writes;
  std::vector<CallGivenUp> calls_given_up;
  std::vector<Availability> availability;
  std::vector<NumberChange> number_changes;
  std::vector<QueueEvent> queue_events;
  std::vector<PermitsSet> permits_set;
  std::vector<PermitsLeft> permits_left;
  std::vector<EndedPermitRemoved> ended_permits_removed;
  std::vector<LatchEvent> latch_events;
  std::vector<Answer> answers;
  std::vector<LeaseChange> lease_changes;
  Moment healed;  ///< when the last fault was over; what is permanent is over as it strikes
  bool has_fault_struck = false;  ///< any, at any time
  Moment ended;                   ///< the run's last moment
  /// Whose processes ran, with steps of a lock before them or a belief to have one, when the run
  /// was cut off, at its horizon or its limit of events.
  std::vector<NameId> at_work;
  /// Whether the run came to rest, so that what is left is really left. If not, no-leak is unknown
  /// where it is not violated.
  bool came_to_rest = false;

  void clear();
};

}  // namespace lockstep::checker
