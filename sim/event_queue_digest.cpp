// The pending events as a part of a state: what, for whom, how long from now, in which order.
//
// Not state: sequence, next_sequence_ (the order is written), generation, free_slots_ (which place
// an event has), now_ (the next event is where times count from), normal_pending_ (counted by
// kind).
#include <algorithm>

#include "sim/digest.h"
#include "sim/event_queue.h"

namespace lockstep::sim {

void EventTarget::digest_event(Digest& digest, std::uint32_t /*code*/,
                               std::uint64_t /*argument*/) const {
  digest.mark_unmergeable();
}

// Sequences are never written: events of one instant stand in their order.
void EventQueue::digest_into(Digest& digest) const {
  std::vector<std::uint32_t>& order = digest.memory();
  for (std::uint32_t i = 0; i < heap_.size(); ++i) {
    if (!is_cancelled(heap_[i])) order.push_back(i);
  }
  std::sort(order.begin(), order.end(), [this](std::uint32_t one, std::uint32_t other) {
    return RunsLater{}(heap_[other], heap_[one]);
  });
  digest.add(order.size());
  for (const std::uint32_t index : order) {
    const Slot& event = slots_[heap_[index].slot];
    digest.add_instant(heap_[index].at);
    digest.add(event.kind);
    event.target->digest_event(digest, event.code, event.argument);
  }
}

}  // namespace lockstep::sim
