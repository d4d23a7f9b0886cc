// Random numbers for generated sequences: the same seed gives the same numbers everywhere.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lockstep::redis::test {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}

  /// From 0 to `bound` - 1. REQUIRES: bound is not 0.
  std::size_t below(std::size_t bound) { return static_cast<std::size_t>(next() % bound); }
  bool one_in(std::size_t bound) { return below(bound) == 0; }
  template <class List>
  decltype(auto) one_of(const List& list) {
    return list[below(list.size())];
  }

  /// SplitMix64.
  std::uint64_t next() {
    state_ += 0x9e3779b97f4a7c15U;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31U);
  }

 private:
  std::uint64_t state_;
};

}  // namespace lockstep::redis::test
