// The kinds of steps: each one's word, options, and effect on the lock.
//
// Steps are read, written and executed by this table.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace lockstep::checker {
enum class HoldMode : std::uint8_t;
}  // namespace lockstep::checker

namespace lockstep::scenario {

enum class StepKind : std::uint8_t;

enum class StepRole : std::uint8_t {
  takes,       ///< requests a hold; the thread believes in it once this returned true
  gives_back,  ///< ends the hold of the matching `takes`
  frees,       ///< force_unlock
  extends,     ///< requests a longer lease of the hold
  asks,        ///< a query: its answer is only shown
  sets,        ///< try_set_permits, try_set_count
  counts_down,
  awaits,  ///< waits, but holds nothing
  none,    ///< no function of the client model
};

struct StepForm {
  StepKind kind;
  std::string_view word;  ///< also the client model's function
  StepRole role;
  std::span<const std::string_view> options;  ///< `name` or `names` last
  std::string_view example;
  StepKind ended_by = kind;  ///< takes: the step that gives it back
  checker::HoldMode mode{};  ///< exclusive
  bool has_duration = false;
};

[[nodiscard]] std::span<const StepForm> step_forms();
[[nodiscard]] const StepForm& form_of(StepKind kind);

/// Whether the client model waits for at most `wait_ns`: a try_… or await.
[[nodiscard]] bool takes_wait(const StepForm& form);
[[nodiscard]] bool takes_lease(const StepForm& form);
/// Whether it has a number of permits, or a count.
[[nodiscard]] bool takes_amount(const StepForm& form);
[[nodiscard]] bool takes_several_locks(const StepForm& form);

}  // namespace lockstep::scenario
