// The properties that a run is judged by.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace lockstep::checker {

enum class Property : std::uint8_t {
  mutual_exclusion,
  valid_grant,
  lease_linearizability,
  harm,
  hold_count,
  no_leak,
  fencing,
  fifo,
  permits,
  latch,
  no_deadlock,
  no_lost_wakeup,
  no_starvation,
  truthful_answers,
};

/// All properties, in the order in which they are reported.
[[nodiscard]] std::span<const Property> all_properties();
/// "mutual-exclusion", …
[[nodiscard]] std::string_view to_string(Property property);
/// None where no property has that name.
[[nodiscard]] std::optional<Property> property_from(std::string_view name);

}  // namespace lockstep::checker
