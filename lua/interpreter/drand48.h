// The generator that Redis gives its scripts for math.random.
#pragma once

#include <cstdint>

namespace lockstep::lua {

/// The 48-bit linear congruential generator of POSIX drand48 (x' = 0x5DEECE66D x + 0xB mod 2^48),
/// with the seed that drand48 starts from.
class Drand48 {
 public:
  /// srand48: the low 32 bits count.
  void seed(std::int32_t seed);
  /// lrand48: 31 bits.
  std::int32_t next();
  /// What the numbers to come depend on.
  [[nodiscard]] std::uint64_t state() const { return state_; }

 private:
  std::uint64_t state_ = 0x1234'ABCD'330E;
};

}  // namespace lockstep::lua
