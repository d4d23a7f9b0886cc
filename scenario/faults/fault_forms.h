// What each kind of fault is called in a scenario file, and which keys it has.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "scenario/scenario.h"

namespace lockstep::scenario {

/// Whether a fault without `at` and `when` is there from the start, or has to say when it strikes.
enum class DefaultOnset : std::uint8_t { from_the_start, must_be_given };

/// What kinds have in common; each theme is read, described and made to strike in files of its own.
enum class Theme : std::uint8_t {
  process,
  network,
  message,  ///< strikes single messages
  replication,
  clock,
  by_operator,
  client,  ///< within one client's process
};
inline constexpr std::size_t theme_count = 7;

struct FaultForm {
  FaultKind kind;
  Theme theme;
  std::string_view word;  ///< the key that makes it this kind
  DefaultOnset onset;
  std::span<const std::string_view> keys;  ///< besides the word and the trigger's
  std::string_view summary;                ///< one line for a reader who looks for a fault
  std::string_view example;
};

/// In the order of FaultKind.
[[nodiscard]] std::span<const FaultForm> fault_forms();
[[nodiscard]] const FaultForm& form_of(FaultKind kind);
/// The form with that word; null: none.
[[nodiscard]] const FaultForm* find_form(std::string_view word);
/// All words, in the order of the forms.
[[nodiscard]] std::vector<std::string_view> fault_words();
/// Whether what it does is over some time, or lasts for ever where the file does not say when.
[[nodiscard]] bool lasts(const FaultForm& form);
/// The keys of every fault: at, when, after, before, stays.
[[nodiscard]] std::span<const std::string_view> trigger_keys();
/// The keys of what can strike again: every, times. Faults of messages count those themselves.
[[nodiscard]] std::span<const std::string_view> repetition_keys(const FaultForm& form);

}  // namespace lockstep::scenario
