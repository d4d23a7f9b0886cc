// A number that depends on two others, each bit of it on each bit of them.
//
// For seeds that are derived from seeds and for telling states apart; no cryptography.
#pragma once

#include <cstdint>

namespace lockstep::sim {

/// SplitMix64's finalizer (David Stafford's variant 13).
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t bits) {
  bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9;
  bits = (bits ^ (bits >> 27)) * 0x94d049bb133111eb;
  return bits ^ (bits >> 31);
}

inline constexpr std::uint64_t golden_gamma = 0x9e3779b97f4a7c15;

/// Of two numbers, in this order.
[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t one, std::uint64_t other) {
  return mix(one + golden_gamma * (other + 1));
}

}  // namespace lockstep::sim
