// What a fast exact algorithm says of one key's operations. Nobody has to trust it: decide.h
// replays the order of a "yes", and searches the blamed operations of a "no".
#pragma once

#include <cstdint>
#include <vector>

namespace lockstep::checker::recorded {

enum class FastAnswer : std::uint8_t {
  linearizable,
  not_linearizable,
  cannot_say,
};

struct FastResult {
  FastAnswer answer = FastAnswer::cannot_say;
  /// Linearizable: indices into the history, an order that explains it.
  std::vector<std::uint32_t> order;
  /// Not: indices into the history, ascending: few, and without an order by themselves, where what
  /// completes after `until` counts as unknown.
  std::vector<std::uint32_t> blamed;
  std::uint32_t until = 0;  ///< not: the completion at which the shortest prefix without order ends
};

}  // namespace lockstep::checker::recorded
