// Whether a server had lost what it had acknowledged: the lock that it gave, or a number.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>

#include "model/observers/takeovers.h"

namespace lockstep::search {

/// What the servers keep of a lock.
enum class KeptOfLock : std::uint8_t {
  leases,
  /// … or what is no lease: permits, a count, a queue, a counter. Nobody says whether that was
  /// there, so a restart counts in any case.
  more,
};

[[nodiscard]] bool has_lost_write(std::span<const model::Takeover> takeovers, KeptOfLock kept,
                                  std::int64_t by_ns);

/// Whether one of the servers came back by then at an instant of which condition(at_ns) holds.
template <typename Condition>
[[nodiscard]] bool any_restart(std::span<const model::Takeover> takeovers, std::int64_t by_ns,
                               Condition condition) {
  return std::ranges::any_of(takeovers, [&](const model::Takeover& each) {
    return each.kind == model::TakeoverKind::restart && each.at_ns <= by_ns &&
           condition(each.at_ns);
  });
}

}  // namespace lockstep::search
