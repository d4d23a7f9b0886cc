// Arithmetic on strings as Lua 5.1 does it: on the floats that they spell.
//
// Lua 5.4 computes with integers where strings spell them ("5" + "6" can overflow, -"0" is 0). The
// functions that do so hang in the metatable of strings, which the whole Lua state shares; while no
// script runs, those put in their place hand on to them.
#pragma once

#include "redis/scripting/script_context.h"

namespace lockstep::redis {

/// Puts the functions into the metatable of strings. The context must outlive that. Raises only
/// "not enough memory".
void install_string_arithmetic(lua_State* state, ScriptContext& context);

/// Puts back what was there.
void remove_string_arithmetic(lua_State* state);

}  // namespace lockstep::redis
