// Other answers to the delays of one instant.
//
// A delay is at least 1 µs: nothing that is drawn in an instant is seen before the next. So the
// state between two instants that other answers would have led to is this one with other arrivals.
#include <algorithm>
#include <cassert>

#include "sim/network.h"

namespace lockstep::sim {
namespace {

bool is_range(Latency range) { return range.delay_ns_min < range.delay_ns_max; }

}  // namespace

std::optional<std::size_t> Network::delays_drawn_at_instant() const {
  std::size_t count = 0;
  for (const DrawnArrival& planned : drawn_arrivals_) {
    if (planned.drawn_at != queue_.now()) return std::size_t{0};
    const Flight& flight = flights_[planned.flight];
    const bool is_as_planned = queue_.is_pending(planned.event) &&
                               flight.state == FlightState::under_way &&
                               flight.event == planned.event;
    if (!is_as_planned) return std::nullopt;
    if (is_range(planned.range)) ++count;
  }
  return count;
}

Latency Network::range_of_delay(std::size_t number) const {
  for (const DrawnArrival& planned : drawn_arrivals_) {
    if (is_range(planned.range) && number-- == 0) return planned.range;
  }
  assert(false);
  return {};
}

void Network::replace_drawn_delays(std::span<const DurationNs> delays) {
  // Backwards to what was before the first of each direction, then forwards again.
  const auto last_at = [this](const DrawnArrival& planned) -> TimeNs& {
    const Flight& flight = flights_[planned.flight];
    return connection(flight.connection).last_arrival_at[static_cast<std::size_t>(flight.to)];
  };
  for (auto planned = drawn_arrivals_.rbegin(); planned != drawn_arrivals_.rend(); ++planned) {
    last_at(*planned) = planned->last_at;
  }
  std::size_t next = 0;
  for (DrawnArrival& planned : drawn_arrivals_) {
    const DurationNs delay_ns =
        is_range(planned.range) ? delays[next++] : planned.range.delay_ns_min;
    TimeNs& last = last_at(planned);
    planned.last_at = last;
    last = std::max(last, planned.starts_at + delay_ns + planned.extra);
    queue_.move(planned.event, last);
  }
  assert(next == delays.size());
}

}  // namespace lockstep::sim
