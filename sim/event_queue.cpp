// A binary heap of (time, sequence) over slots that hold the events. Cancelling frees the slot and
// leaves the heap entry behind, which its generation shows to be stale; entries that are stale are
// dropped when they come to the top, or all at once when they are most of the heap.
//
// Invariants: a slot is in free_slots_, or exactly one heap entry has its generation; free slots'
// generations are in no entry and in no handle.
#include "sim/event_queue.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace lockstep::sim {

EventHandle EventQueue::schedule(TimeNs at, EventTarget& target, std::uint32_t code,
                                 std::uint64_t argument, EventKind kind) {
  assert(at >= now_ && at < never_ns);
  if (free_slots_.empty()) {
    free_slots_.push_back(static_cast<std::uint32_t>(slots_.size()));
    slots_.emplace_back();
  }
  const std::uint32_t index = free_slots_.back();
  free_slots_.pop_back();
  Slot& slot = slots_[index];
  slot.target = &target;
  slot.argument = argument;
  slot.code = code;
  slot.kind = kind;
  if (kind == EventKind::normal) ++normal_pending_;
  heap_.push_back({at, next_sequence_++, index, slot.generation});
  std::push_heap(heap_.begin(), heap_.end(), RunsLater{});
  return {index, slot.generation};
}

bool EventQueue::cancel(EventHandle handle) {
  if (!handle.valid() || handle.slot >= slots_.size()) return false;
  if (slots_[handle.slot].generation != handle.generation) return false;
  release(handle.slot);
  const std::size_t live = slots_.size() - free_slots_.size();
  // Most are time-outs, far off and never due: each of them makes the heap deeper for all the rest.
  constexpr std::size_t small = 16;
  if (heap_.size() > small && heap_.size() > 2 * live) compact();
  return true;
}

bool EventQueue::is_pending(EventHandle handle) const {
  return handle.valid() && handle.slot < slots_.size() &&
         slots_[handle.slot].generation == handle.generation;
}

void EventQueue::move(EventHandle handle, TimeNs at) {
  assert(is_pending(handle) && at >= now_ && at < never_ns);
  const auto entry = std::find_if(heap_.begin(), heap_.end(), [handle](const Entry& each) {
    return each.slot == handle.slot && each.generation == handle.generation;
  });
  assert(entry != heap_.end());
  if (entry->at == at) return;
  entry->at = at;
  std::make_heap(heap_.begin(), heap_.end(), RunsLater{});
}

bool EventQueue::run_next() {
  drop_cancelled();
  if (heap_.empty()) return false;
  const Entry next = heap_.front();
  pop();
  assert(next.at >= now_);
  now_ = next.at;
  const Slot event = slots_[next.slot];  // the target may schedule, and so move the slots
  release(next.slot);
  event.target->on_event(event.code, event.argument);
  return true;
}

void EventQueue::advance_to(TimeNs at) {
  assert(at >= now_ && next_at() >= at);
  now_ = at;
}

TimeNs EventQueue::next_at() {
  drop_cancelled();
  return heap_.empty() ? never_ns : heap_.front().at;
}

PendingEvent EventQueue::next_event() {
  drop_cancelled();
  assert(!heap_.empty());
  const Slot& event = slots_[heap_.front().slot];
  return {heap_.front().at, event.target, event.code, event.argument};
}

void EventQueue::reset() {
  for (const Entry& entry : heap_) {
    if (!is_cancelled(entry)) release(entry.slot);
  }
  heap_.clear();
  // Slots are taken in the order in which a new queue would take them.
  assert(free_slots_.size() == slots_.size());
  std::iota(free_slots_.rbegin(), free_slots_.rend(), 0U);
  now_ = 0;
  next_sequence_ = 0;
  assert(normal_pending_ == 0);
}

void EventQueue::pop() {
  std::pop_heap(heap_.begin(), heap_.end(), RunsLater{});
  heap_.pop_back();
}

void EventQueue::compact() {
  std::erase_if(heap_, [this](const Entry& entry) { return is_cancelled(entry); });
  std::make_heap(heap_.begin(), heap_.end(), RunsLater{});
}

void EventQueue::release(std::uint32_t slot) {
  Slot& released = slots_[slot];
  ++released.generation;
  if (released.kind == EventKind::normal) --normal_pending_;
  free_slots_.push_back(slot);
}

}  // namespace lockstep::sim
