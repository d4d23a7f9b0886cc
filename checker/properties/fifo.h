// fifo: grants follow the order in which requests first entered the queue on the current master.
//
// A grant (a hold that begins through an acquire) while another owner has an earlier place is an
// overtaking, and so is one past somebody's place without ever having had one. Who has a place is
// not what the queue says but what it should say:
// - A place begins where the owner entered the queue, and stays the same when it enters again. Who
//   is willing to wait, was refused twice in that wait and never had a place meanwhile should have
//   got one by then: its place begins with the second refusal. (The first may be an attempt made
//   before it queues.)
// - It ends with the owner's own grant.
// - An owner that stops waiting otherwise (it gave up, its call failed, its process crashed)
//   forfeits it.
//   Its entry may stay in the queue for a while and blocks nobody; a later request of the owner
//   takes it over where the lock does, and a request that is still under way, or that goes on by
//   itself, may be granted the lock in its turn.
// - Whoever is silent for longer than it may forfeits it: since it last entered or was seen, up to
//   that contact's deadline. If it comes back too late and is still in the queue, it may be granted
//   the lock in its turn, but blocks nobody until it enters anew. Two clocks decide on that, the
//   waiter's and that of whoever clears the queue, and each may be off by the declared drift since
//   the start of the run.
// - A failover may lose it.
// - Any other loss is no end: the owner keeps its place here, so a grant to one behind it is an
//   overtaking. Only where the owner's own script took it off, it may be about to leave: as long as
//   it neither enters again nor is done with its wait, nobody overtakes it.
//
// Algorithm. Queue events, grants, and the beginnings and ends of waits are sorted into one walk.
// Each lock has its places in a linked list, in the order of entry; a grant looks at those ahead of
// the granted owner's until it finds one that counts. Invariant: a list has at most one place for
// each owner, and one that blocks others only for an owner that waits. O(n log n) for the sorting,
// plus the places ahead at each grant: none in a queue that is kept, and else those that are
// forfeited but still there. Nothing is allocated once warm while the property holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "checker/observations.h"
#include "checker/pair_table.h"

namespace lockstep::checker {

struct Run;
struct Verdict;

class Fifo {
 public:
  /// REQUIRES: `verdict` is fresh (holds, empty).
  void judge(const Run& run, Verdict& verdict);

 private:
  /// In the order in which they count at one moment: a wait has begun before its script runs, and
  /// who gives up in the moment of a grant isn't overtaken by it.
  enum class StepKind : std::uint8_t { wait_begins, queue_event, refusal, wait_ends, grant };

  struct Step {
    std::uint64_t order;
    StepKind kind;
    std::uint32_t index;  ///< among waits, queue events, operations or hold changes
  };

  using PlaceIndex = std::uint32_t;
  static constexpr PlaceIndex no_place = UINT32_MAX;

  struct Place {
    NameId owner = no_name;
    Moment entered;
    TimeNs deadline_ns = never_ns;
    bool is_queued = true;
    bool was_never_entered = false;    ///< its owner was refused, and not put into the queue
    bool is_forfeited = false;         ///< its owner doesn't wait any more
    bool was_silent = false;           ///< its owner came back too late
    bool may_be_withdrawing = false;   ///< its owner's own script took it off the queue
    const QueueEvent* loss = nullptr;  ///< where another took it off the queue
    /// When its owner's own script took it off the queue though it was forfeited.
    std::optional<TimeNs> left_forfeited_ns = std::nullopt;
    PlaceIndex before = no_place;
    PlaceIndex behind = no_place;
  };

  struct Queue {
    PlaceIndex first = no_place;
    PlaceIndex last = no_place;
  };

  /// What is known of an owner at a lock.
  struct Waiter {
    std::int32_t waits = 0;  ///< under way
    PlaceIndex place = no_place;
    // Of the first wait under way:
    bool is_patient = false;     ///< it is willing to wait
    TimeNs until_ns = never_ns;  ///< … for no longer
    bool had_place = false;
    std::int32_t refusals = 0;
  };

  void load(const Run& run);
  void take(const Run& run, const Step& step, Verdict& verdict);
  void take_contact(const QueueEvent& event);
  void take_loss(const QueueEvent& event);
  void begin_wait(const Wait& wait);
  void take_refusal(const Operation& attempt);
  void end_wait(const Wait& wait);
  void judge_grant(const Run& run, const HoldChange& grant, Verdict& verdict);
  void add_violation(const Run& run, const HoldChange& grant, const Place* own, const Place& ahead,
                     Verdict& verdict);

  void append(NameId owner, Waiter& waiter, NameId lock, const Moment& at);
  void remove(Waiter& waiter, NameId lock);
  [[nodiscard]] bool is_silent_too_long(const Place& place, TimeNs now_ns) const;
  [[nodiscard]] static bool has_gone(const Place& place, TimeNs now_ns);
  [[nodiscard]] bool blocks(const Place& place, TimeNs now_ns) const;
  Queue& queue_of(NameId lock) { return queues_[static_cast<std::size_t>(lock)]; }

  std::int64_t drift_ppm_ = 0;
  std::vector<Step> steps_;
  std::vector<Place> places_;  ///< all that ever were in this run
  std::vector<Queue> queues_;  ///< by the lock's NameId
  PairTable<Waiter> waiters_;  ///< by (owner, lock)
  std::size_t overtakings_ = 0;
};

}  // namespace lockstep::checker
