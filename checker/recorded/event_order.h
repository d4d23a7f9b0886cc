// The events of some operations in the order in which they happened.
//
// An item is anything with `invoked` and `completed`, positions in the history's sequence of
// events; completed is never_completed for what never does. No two events share a position.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "checker/recorded/history.h"

namespace lockstep::checker::recorded {

/// An item twice, plus one if it is its completion.
using ItemEvent = std::uint32_t;

template <typename Item>
[[nodiscard]] std::uint32_t position_of(const std::vector<Item>& items, ItemEvent event) {
  const Item& item = items[event / 2];
  return event % 2 == 0 ? item.invoked : item.completed;
}

/// O(n) where positions are dense.
template <typename Item>
void order_events(const std::vector<Item>& items, std::vector<ItemEvent>& events) {
  constexpr ItemEvent no_event = UINT32_MAX;
  std::uint32_t last = 0;
  for (const Item& item : items) {
    last = std::max(last, item.invoked);
    if (item.completed != never_completed) last = std::max(last, item.completed);
  }
  events.clear();
  if (last > 8 * items.size() + 1024) {  // the part of one key among many
    events.reserve(items.size() * 2);
    for (std::uint32_t index = 0; index < items.size(); ++index) {
      events.push_back(index * 2);
      if (items[index].completed != never_completed) events.push_back(index * 2 + 1);
    }
    std::sort(events.begin(), events.end(), [&items](ItemEvent one, ItemEvent two) {
      return position_of(items, one) < position_of(items, two);
    });
    return;
  }
  events.assign(std::size_t{last} + 1, no_event);
  for (std::uint32_t index = 0; index < items.size(); ++index) {
    events[items[index].invoked] = index * 2;
    if (items[index].completed != never_completed) events[items[index].completed] = index * 2 + 1;
  }
  events.erase(std::remove(events.begin(), events.end(), no_event), events.end());
}

}  // namespace lockstep::checker::recorded
