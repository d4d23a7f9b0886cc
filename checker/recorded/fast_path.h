// The fast exact algorithms, asked for one key's operations.
//
// Nobody has to trust them: decide.h replays the order of a "yes", and searches the blamed
// operations of a "no"; a proof of numbers is counted a second time.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "checker/linearizability/limits.h"
#include "checker/recorded/counting/counting_proof.h"
#include "checker/recorded/decide.h"
#include "checker/recorded/history.h"
#include "checker/recorded/model.h"
#include "checker/recorded/mutex/hold_proof.h"

namespace lockstep::checker::recorded {

enum class FastAnswer : std::uint8_t {
  linearizable,
  not_linearizable,
  cannot_say,
};

struct FastResult {
  FastAnswer answer = FastAnswer::cannot_say;
  Method method = Method::search;
  /// Linearizable: indices into the history, an order that explains it.
  std::vector<std::uint32_t> order;
  /// Not: indices into the history, ascending: few, and without an order by themselves, where what
  /// completes after `until` counts as unknown.
  std::vector<std::uint32_t> blamed;
  std::uint32_t until = 0;  ///< not: the completion at which the shortest prefix without order ends
  /// Not, in place of the two: it was counted, and then counted again.
  std::optional<CountingProof> proof;
  std::optional<HoldProof> hold_proof;  ///< not, in place of these: the same
  /// Not: the algorithm asks for less than the model does, so a shorter prefix may have none, too.
  bool may_be_late = false;
  std::uint64_t steps = 0;
};

/// `operations`: those of one key, indices into the history's, in order of invocation. It cannot
/// say where no algorithm covers the model, or these operations.
[[nodiscard]] FastResult ask_fast_path(const History& history, Model model,
                                       const Settings& settings, const Limits& limits,
                                       std::span<const std::uint32_t> operations);

}  // namespace lockstep::checker::recorded
