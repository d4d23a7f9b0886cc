#include "model/faults/fault_choices.h"

#include <algorithm>
#include <bit>

namespace lockstep::model {
namespace {

/// unit × 2^-halvings × [1, 2), in eighths.
sim::DurationNs scaled(sim::DurationNs unit_ns, std::size_t halvings, std::size_t eighths) {
  const sim::DurationNs base_ns = std::max<sim::DurationNs>(unit_ns >> halvings, 8);
  return base_ns + base_ns / 8 * static_cast<sim::DurationNs>(eighths);
}

}  // namespace

sim::DurationNs readable_ns(sim::DurationNs duration_ns) {
  sim::DurationNs digit_ns = sim::microsecond_ns;
  while (duration_ns / digit_ns >= 100) digit_ns *= 10;
  return std::max(duration_ns / digit_ns, sim::DurationNs{1}) * digit_ns;
}

sim::DurationNs FaultChoices::lasting_ns(sim::DurationNs unit_ns) {
  constexpr std::size_t halvings_max = 10;
  const bool is_beyond = extent(2) == 0;
  const std::size_t eighths = extent(8);
  if (is_beyond) return readable_ns(scaled(unit_ns + unit_ns / 8, 0, eighths) << extent(2));
  return readable_ns(scaled(unit_ns, 1 + extent(halvings_max), eighths));
}

sim::DurationNs FaultChoices::after_ns(sim::DurationNs unit_ns) {
  constexpr std::size_t halvings_max = 16;
  if (moment(2) == 0) return 0;
  const std::size_t halvings = 1 + moment(halvings_max);
  return readable_ns(scaled(unit_ns, halvings, moment(8)));
}

std::uint32_t FaultChoices::nth(std::uint32_t most) {
  if (most <= 1) return 1;
  const auto doublings = static_cast<std::size_t>(std::bit_width(most));
  const std::uint32_t up_to = std::min(most, 1U << moment(doublings));
  return static_cast<std::uint32_t>(1 + moment(up_to));
}

}  // namespace lockstep::model
