// redis.call and redis.pcall.
#pragma once

#include "redis/scripting/script_context.h"

namespace lockstep::redis {

/// Lua functions over a ScriptContext. An error reply is raised by redis_call and returned by
/// redis_pcall.
int redis_call(lua_State* state);
int redis_pcall(lua_State* state);

}  // namespace lockstep::redis
