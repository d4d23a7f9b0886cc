// Faults of a run that strike at another time: what shows whether a violation needs the moment, or
// only the fault. And which moments there are.
//
// Not covered: other targets, and faults that last longer or shorter (shrinking).
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sim/time.h"

namespace lockstep::scenario {
struct FaultSpec;
}  // namespace lockstep::scenario

namespace lockstep::search {

struct RunRecord;

/// A fault that was moved, and whether the property still broke.
struct MovedFault {
  std::size_t fault = 0;  ///< its number in the example's faults
  /// How much later, ns; negative: earlier. Of one that strikes single messages: how many messages.
  std::int64_t by = 0;
  bool breaks = false;

  friend bool operator==(const MovedFault&, const MovedFault&) = default;
};

/// Whether moving it means striking another message, or another call, and not another instant.
[[nodiscard]] bool strikes_single_messages(const scenario::FaultSpec& fault);

/// The fault, closed, that strikes so much later; none: it can't. One that waits for a moment of
/// the run may come before that moment, where it struck once in the example.
[[nodiscard]] std::optional<scenario::FaultSpec> moved(const scenario::FaultSpec& fault,
                                                       std::int64_t by,
                                                       const std::vector<sim::TimeNs>& struck_at);

/// When each fault of the example struck.
[[nodiscard]] std::vector<std::vector<sim::TimeNs>> strikes_of(const RunRecord& example);

/// What a node executed: the script, or the command in lower case.
struct ExecutedStep {
  std::string node;
  std::string name;

  friend bool operator==(const ExecutedStep&, const ExecutedStep&) = default;
};
/// What the node executed in the example for a client or a thread, or for anybody where there is
/// no name; each once, in the order of the first time.
[[nodiscard]] std::vector<ExecutedStep> steps_of(const RunRecord& example, std::string_view node,
                                                 std::string_view asker);
/// The same of any node, for the release that took the most steps.
[[nodiscard]] std::vector<ExecutedStep> steps_of_release(const RunRecord& example);

/// Whether the property breaks with the fault moved so far; none: nobody can tell.
using BreaksMoved = std::function<std::optional<bool>(std::int64_t by)>;

/// What was found of one fault between 1 ms and 10 s in both directions, by halving: of each
/// direction the farthest at which it breaks, and the next one, at which it does not; ascending.
[[nodiscard]] std::vector<MovedFault> try_moves(const scenario::FaultSpec& fault,
                                                std::size_t number,
                                                const BreaksMoved& breaks_moved);

}  // namespace lockstep::search
