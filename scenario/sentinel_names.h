// The names and the quorum of sentinels.
#pragma once

#include <cstdint>
#include <string>

#include "scenario/failover_spec.h"

namespace lockstep::scenario {

/// s1, s2, …
[[nodiscard]] inline std::string sentinel_name(std::uint32_t number) {
  std::string name = "s";
  return name += std::to_string(number);
}

/// How many must agree that the master is down.
[[nodiscard]] constexpr std::uint32_t quorum_of(const SentinelSpec& spec) {
  return spec.quorum == 0 ? spec.count / 2 + 1 : spec.quorum;
}

}  // namespace lockstep::scenario
