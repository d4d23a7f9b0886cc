// The globals that scripts see.
//
// Redis marks the globals and the libraries read-only; stock Lua can't. So there are two
// environments with the same contents. The guarded one reaches everything through read-only views.
// The open one has plain tables, which cost nothing to read; only a script whose text can't write
// to them (ScriptSource::may_touch_globals is false) may run in it. Both refuse unknown names.
#pragma once

#include "redis/scripting/script_context.h"

namespace lockstep::redis {

struct VersionTraits;

/// Registry references.
struct ScriptEnvironments {
  int open = LUA_NOREF;              ///< the open environment
  int guarded = LUA_NOREF;           ///< the guarded one, as scripts get it
  int guarded_contents = LUA_NOREF;  ///< the table behind it
  int functions = LUA_NOREF;         ///< what functions of libraries see, guarded too
  int loading = LUA_NOREF;           ///< what a library's code sees while it is loaded
  int string_methods = LUA_NOREF;    ///< what method calls on strings look into
};

/// Builds both. The context must outlive the state's use of them. Raises only "not enough memory".
[[nodiscard]] ScriptEnvironments build_environments(lua_State* state, ScriptContext& context);

/// What scripts are told of the server that they run in, and whether they may call it `server`, is
/// from now on as the version has it.
void set_version(lua_State* state, const ScriptEnvironments& environments,
                 const VersionTraits& version);

/// Pushes the globals of a library: an empty table that shows what its code may use while it is
/// loaded.
void begin_library(lua_State* state, const ScriptEnvironments& environments);
/// The globals of a library, on top of the stack, show what its functions may use from now on.
void end_library(lua_State* state, const ScriptEnvironments& environments);

/// Pops a value and makes it the global `name` in both environments.
void set_script_global(lua_State* state, const ScriptEnvironments& environments, const char* name);

}  // namespace lockstep::redis
