// Every kind of step: its word, what it may say, and what it does to the lock that it names.
//
// One table, from which steps are read and written, and by which clients carry them out.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "checker/observations.h"
#include "scenario/scenario.h"

namespace lockstep::scenario {

enum class StepRole : std::uint8_t {
  takes,       ///< asks for a hold; the thread believes in it once it returned true
  gives_back,  ///< ends what the matching `takes` began
  frees,       ///< force_unlock
  extends,     ///< asks for a longer lease of the hold
  asks,        ///< a question: its answer is shown, nothing depends on it
  sets,        ///< try_set_permits, try_set_count
  counts_down,
  awaits,  ///< waits, but holds nothing
  none,    ///< no function of the client model
};

struct StepForm {
  StepKind kind;
  std::string_view word;  ///< also the client model's function
  StepRole role;
  std::span<const std::string_view> options;  ///< those that it may have, `name` or `names` last
  std::string_view example;
  StepKind ended_by = kind;  ///< takes: the step that gives it back
  checker::HoldMode mode = checker::HoldMode::exclusive;
  bool has_duration = false;
};

[[nodiscard]] std::span<const StepForm> step_forms();
[[nodiscard]] const StepForm& form_of(StepKind kind);

/// Whether the client model waits for at most `wait_ns`: a try_… or await.
[[nodiscard]] bool takes_wait(const StepForm& form);
[[nodiscard]] bool takes_lease(const StepForm& form);
/// Whether it is about `amount` permits, or a count.
[[nodiscard]] bool takes_amount(const StepForm& form);
[[nodiscard]] bool takes_several_locks(const StepForm& form);

}  // namespace lockstep::scenario
