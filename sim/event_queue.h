// What happens next: events ordered by (time, sequence).
//
// Two events of one instant run in the order in which they were scheduled. An event is a target, a
// code and one argument, all of them plain numbers, so that scheduling allocates nothing once the
// queue has grown, and so that pending events can be told apart by a state digest.
//
// A daemon event (a replica's periodic acknowledgement, say) runs like any other but does not keep
// a run alive: the run is quiescent when only daemons are left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/time.h"

namespace lockstep::sim {

class Digest;

/// Receives events. Must outlive those it has scheduled, or cancel them.
class EventTarget {
 public:
  virtual ~EventTarget() = default;
  virtual void on_event(std::uint32_t code, std::uint64_t argument) = 0;
  /// Digests a pending event: whose it is, and what is to happen. By default, states with such an
  /// event are never merged.
  virtual void digest_event(Digest& digest, std::uint32_t code, std::uint64_t argument) const;
};

enum class EventKind : std::uint8_t { normal, daemon };

/// Names a scheduled event; a handle of an event that ran, was cancelled or belongs to a run before
/// the last reset() is stale and harmless. What it holds means nothing to others: never trace it.
struct EventHandle {
  std::uint32_t slot = UINT32_MAX;
  std::uint32_t generation = 0;

  [[nodiscard]] bool valid() const { return slot != UINT32_MAX; }
  friend bool operator==(const EventHandle&, const EventHandle&) = default;
};

/// A pending event.
struct PendingEvent {
  TimeNs at = 0;
  const EventTarget* target = nullptr;
  std::uint32_t code = 0;
  std::uint64_t argument = 0;
};

class EventQueue {
 public:
  [[nodiscard]] TimeNs now() const { return now_; }
  /// Schedules an event. REQUIRES: at ≥ now(), at < never_ns.
  EventHandle schedule(TimeNs at, EventTarget& target, std::uint32_t code,
                       std::uint64_t argument = 0, EventKind kind = EventKind::normal);
  /// Cancels an event; false if it ran or was cancelled before.
  bool cancel(EventHandle handle);
  /// Whether it is still to run.
  [[nodiscard]] bool is_pending(EventHandle handle) const;
  /// Moves an event to another instant; among that instant's events it is ordered by when it was
  /// scheduled. REQUIRES: it is pending, and at ≥ now().
  void move(EventHandle handle, TimeNs at);
  /// Advances now() to the next event and runs it; false if none is left.
  bool run_next();
  /// Advances now() without running anything. REQUIRES: now() ≤ at, and no event is due before.
  void advance_to(TimeNs at);
  /// The instant of the next event, never_ns where none is left.
  [[nodiscard]] TimeNs next_at();
  /// The next event itself. REQUIRES: there is one.
  [[nodiscard]] PendingEvent next_event();
  /// The number of pending events that are not daemons.
  [[nodiscard]] std::size_t normal_pending() const { return normal_pending_; }
  /// Forgets everything and goes back to time 0; keeps its memory.
  void reset();
  /// All pending events in their order, by when and what (event_queue_digest.cpp).
  void digest_into(Digest& digest) const;

 private:
  struct Entry {  // a heap entry; the event itself stays in its slot
    TimeNs at;
    std::uint64_t sequence;
    std::uint32_t slot;
    std::uint32_t generation;
  };
  struct Slot {
    EventTarget* target = nullptr;
    std::uint64_t argument = 0;
    std::uint32_t code = 0;
    std::uint32_t generation = 0;
    EventKind kind = EventKind::normal;
  };

  /// The order of the heap; a type, so that the heap's algorithms are compiled for it.
  struct RunsLater {
    bool operator()(const Entry& one, const Entry& other) const {
      return one.at != other.at ? one.at > other.at : one.sequence > other.sequence;
    }
  };
  [[nodiscard]] bool is_cancelled(const Entry& entry) const {
    return slots_[entry.slot].generation != entry.generation;
  }
  void drop_cancelled() {
    while (!heap_.empty() && is_cancelled(heap_.front())) pop();
  }
  void pop();
  void compact();
  void release(std::uint32_t slot);

  TimeNs now_ = 0;
  std::uint64_t next_sequence_ = 0;
  std::size_t normal_pending_ = 0;
  std::vector<Entry> heap_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_slots_;
};

}  // namespace lockstep::sim
