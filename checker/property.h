// The properties that a run is judged by, and what the judges are told of the lock.
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

/// What the lock promises to an owner that acquires what it holds already.
enum class Reentry : std::uint8_t {
  counted,  ///< it is granted once more, and must be released as often
  refused,  ///< it is refused, like everybody else
};

/// What a refused acquire says of the lock.
enum class Refusal : std::uint8_t {
  truthful,  ///< that somebody held it
  spurious,  ///< nothing: a split vote, a queue with somebody ahead
};

}  // namespace lockstep::checker
