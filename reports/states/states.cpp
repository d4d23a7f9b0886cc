#include "reports/states/states.h"

#include <algorithm>

namespace lockstep::reports {
namespace {

/// The last of the sorted changes for which the predicate holds, up to the event.
auto end_of_changes(const std::vector<StateChange>& changes, EventIndex event) {
  return std::upper_bound(
      changes.begin(), changes.end(), event,
      [](EventIndex wanted, const StateChange& change) { return wanted < change.event; });
}

}  // namespace

std::vector<StateLine> States::at(EventIndex event) const {
  std::vector<const StateChange*> latest(items.size(), nullptr);
  const auto end = end_of_changes(changes, event);
  for (auto change = changes.begin(); change != end; ++change) latest[change->item] = &*change;
  std::vector<StateLine> lines;
  for (std::size_t item = 0; item < items.size(); ++item) {
    const StateChange* const change = latest[item];
    if (change == nullptr || change->value == 0) continue;
    lines.push_back({items[item].subject, items[item].name, values[change->value], change->ends_ns,
                     change->event == event});
  }
  return lines;
}

std::vector<StateLine> States::changed_at(EventIndex event) const {
  std::vector<const StateChange*> found;
  const auto begin = std::lower_bound(
      changes.begin(), changes.end(), event,
      [](const StateChange& change, EventIndex wanted) { return change.event < wanted; });
  for (auto change = begin; change != changes.end() && change->event == event; ++change) {
    found.push_back(&*change);
  }
  std::stable_sort(
      found.begin(), found.end(),
      [](const StateChange* one, const StateChange* other) { return one->item < other->item; });
  std::vector<StateLine> lines;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const bool is_replaced = i + 1 < found.size() && found[i + 1]->item == found[i]->item;
    if (is_replaced) continue;
    const StateItem& item = items[found[i]->item];
    lines.push_back({item.subject, item.name, values[found[i]->value], found[i]->ends_ns, true});
  }
  return lines;
}

const ClockChange* States::clocks_at(std::string_view host, EventIndex event) const {
  const ClockChange* latest = nullptr;
  for (const ClockChange& change : clocks) {
    if (change.event > event) break;
    if (change.host == host) latest = &change;
  }
  return latest;
}

sim::DurationNs ahead_at(const ClockChange& change, const model::ClockView& clock,
                         sim::TimeNs at_ns) {
  constexpr std::int64_t million = 1'000'000;
  const std::int64_t since_ns = at_ns - change.at_ns;
  // In two parts, so that no product leaves 64 bits.
  return clock.ahead_ns + since_ns / million * clock.rate_ppm +
         since_ns % million * clock.rate_ppm / million;
}

}  // namespace lockstep::reports
