// What each kind of fault is called in a scenario file, and which keys it has.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "model/scenario/scenario.h"

namespace lockstep::model {

/// Whether a fault without `at` and `when` is there from the start, or has to say when it strikes.
enum class Onset : std::uint8_t { from_the_start, to_be_said };

struct FaultForm {
  FaultKind kind;
  std::string_view word;  ///< the key that makes it this kind
  Onset onset;
  std::span<const std::string_view> keys;  ///< besides the word and the trigger's
  std::string_view story;                  ///< one line for a reader who looks for a fault
  std::string_view example;
};

/// In the order of FaultKind.
[[nodiscard]] std::span<const FaultForm> fault_forms();
[[nodiscard]] const FaultForm& form_of(FaultKind kind);
/// The keys of every fault: at, when, after.
[[nodiscard]] std::span<const std::string_view> trigger_keys();

}  // namespace lockstep::model
