// math.random with a generator of its own, the one Redis gives its scripts.
#pragma once

#include <cstdint>

struct lua_State;

namespace lockstep::lua {

/// The 48-bit linear congruential generator of POSIX drand48 (x' = 0x5DEECE66D x + 0xB mod 2^48),
/// with the seed that drand48 starts from.
class Drand48 {
 public:
  /// srand48: the low 32 bits count.
  void seed(std::int32_t seed);
  /// lrand48: 31 bits.
  std::int32_t next();

 private:
  std::uint64_t state_ = 0x1234'ABCD'330E;
};

/// Adds math.random and math.randomseed, with Lua 5.1's arguments and results, to the `math` table
/// of the environment at `environment_index`. The generator must outlive every call.
void install_random(lua_State* state, int environment_index, Drand48& generator);

}  // namespace lockstep::lua
