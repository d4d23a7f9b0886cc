// The cjson library of scripts: lua-cjson 2.1.0, as Debian's Redis has it.
//
// Texts, limits and options are the same. Members of an object are written in a fixed order
// (ordered_traversal.h) and not in that of Lua 5.1's hash.
#pragma once

#include <lua.hpp>
#include <string>

#include "redis/scripting/script_process_state.h"

namespace lockstep::redis {

/// Values that Redis's Lua lets a C function have on its stack.
inline constexpr int c_stack_max = 8000;

/// Appends the value at `index` as JSON. Raises what can't be written.
void encode_json(lua_State* state, const JsonOptions& options, int index, std::string& json);

/// Reads the Lua string at `index` and pushes the value. Raises where it is no JSON.
void decode_json(lua_State* state, const JsonOptions& options, int index, std::string& buffer);

}  // namespace lockstep::redis
