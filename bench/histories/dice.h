// Random numbers that mean the same everywhere (splitmix64).
#pragma once

#include <cstdint>

namespace lockstep::bench {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}

  /// REQUIRES: bound > 0.
  std::uint32_t below(std::uint32_t bound) {
    state_ += 0x9E3779B97F4A7C15U;
    std::uint64_t mixed = state_;
    mixed = (mixed ^ mixed >> 30U) * 0xBF58476D1CE4E5B9U;
    mixed = (mixed ^ mixed >> 27U) * 0x94D049BB133111EBU;
    mixed ^= mixed >> 31U;
    return static_cast<std::uint32_t>((mixed >> 32U) * bound >> 32U);
  }
  bool one_in(std::uint32_t n) { return below(n) == 0; }
  bool percent(std::uint32_t share) { return below(100) < share; }

 private:
  std::uint64_t state_;
};

}  // namespace lockstep::bench
