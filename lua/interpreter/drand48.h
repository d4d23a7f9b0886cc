// The generator that Redis gives its scripts for math.random.
#pragma once

#include <cstdint>

namespace lockstep::lua {

/// The 48-bit linear congruential generator of POSIX drand48 (x' = 0x5DEECE66D x + 0xB mod 2^48),
/// with the seed that drand48 starts from.
class Drand48 {
 public:
  /// srand48: sets the upper 32 of the 48 bits.
  void seed(std::int32_t seed) {
    state_ = (static_cast<std::uint64_t>(static_cast<std::uint32_t>(seed)) << 16) | 0x330E;
  }
  /// lrand48: returns 31 bits.
  std::int32_t next() {
    constexpr std::uint64_t mask = (std::uint64_t{1} << 48) - 1;
    state_ = (state_ * 0x5DEECE66D + 0xB) & mask;
    return static_cast<std::int32_t>(state_ >> 17);
  }
  /// All that future numbers depend on.
  [[nodiscard]] std::uint64_t state() const { return state_; }

 private:
  std::uint64_t state_ = 0x1234'ABCD'330E;
};

}  // namespace lockstep::lua
