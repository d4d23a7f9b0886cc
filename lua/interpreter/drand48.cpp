#include "lua/interpreter/drand48.h"

namespace lockstep::lua {

void Drand48::seed(std::int32_t seed) {
  state_ = (static_cast<std::uint64_t>(static_cast<std::uint32_t>(seed)) << 16) | 0x330E;
}

std::int32_t Drand48::next() {
  constexpr std::uint64_t mask = (std::uint64_t{1} << 48) - 1;
  state_ = (state_ * 0x5DEECE66D + 0xB) & mask;
  return static_cast<std::int32_t>(state_ >> 17);
}

}  // namespace lockstep::lua
