#include "model/lua/random.h"

#include <cmath>
#include <limits>
#include <lua.hpp>

namespace lockstep::lua {

namespace {

Drand48& generator_of(lua_State* state) {
  return *static_cast<Drand48*>(lua_touserdata(state, lua_upvalueindex(1)));
}

int random_number(lua_State* state) {
  constexpr auto range = std::numeric_limits<std::int32_t>::max();
  const int argument_count = lua_gettop(state);
  if (argument_count > 2) {
    return luaL_error(state, "wrong number of arguments");
  }
  // The draw comes first, as in Redis: a refused interval has used it up.
  const lua_Number fraction = static_cast<lua_Number>(generator_of(state).next() % range) / range;
  if (argument_count == 0) {
    lua_pushnumber(state, fraction);
    return 1;
  }
  const lua_Number low = argument_count == 1 ? 1 : std::trunc(luaL_checknumber(state, 1));
  const lua_Number high = std::trunc(luaL_checknumber(state, argument_count));
  luaL_argcheck(state, low <= high, argument_count, "interval is empty");
  lua_pushnumber(state, std::floor(fraction * (high - low + 1)) + low);
  return 1;
}

int random_seed(lua_State* state) {
  const lua_Number seed = luaL_checknumber(state, 1);
  const bool fits = std::fabs(seed) < 9.0e18;
  generator_of(state).seed(fits ? static_cast<std::int32_t>(static_cast<std::int64_t>(seed)) : 0);
  return 0;
}

}  // namespace

void Drand48::seed(std::int32_t seed) {
  state_ = (static_cast<std::uint64_t>(static_cast<std::uint32_t>(seed)) << 16) | 0x330E;
}

std::int32_t Drand48::next() {
  constexpr std::uint64_t mask = (std::uint64_t{1} << 48) - 1;
  state_ = (state_ * 0x5DEECE66D + 0xB) & mask;
  return static_cast<std::int32_t>(state_ >> 17);
}

void install_random(lua_State* state, int environment_index, Drand48& generator) {
  lua_getfield(state, environment_index, LUA_MATHLIBNAME);
  lua_pushlightuserdata(state, &generator);
  lua_pushcclosure(state, &random_number, 1);
  lua_setfield(state, -2, "random");
  lua_pushlightuserdata(state, &generator);
  lua_pushcclosure(state, &random_seed, 1);
  lua_setfield(state, -2, "randomseed");
  lua_pop(state, 1);
}

}  // namespace lockstep::lua
