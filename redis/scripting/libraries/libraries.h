// Lua 5.1's libraries for scripts, as far as they differ from the deterministic base's.
//
// Each function fills the table on top of the stack, which stays there. Functions that behave alike
// in Lua 5.4 are the stock ones. Raises only "not enough memory".
#pragma once

#include "redis/scripting/script_context.h"

namespace lockstep::redis {

struct VersionTraits;

/// assert, error, pairs, pcall, tonumber, unpack, …; without load, loadstring and getmetatable,
/// which belong to an environment.
void install_base_functions(lua_State* state, ScriptContext& context);
void install_string_functions(lua_State* state, ScriptContext& context);
/// find, match, gsub, gmatch and gfind, into the string table.
void install_matching_functions(lua_State* state, ScriptContext& context);
/// redis.register_function, into the table on top of the stack.
void install_register_function(lua_State* state, ScriptContext& context);
void install_table_functions(lua_State* state, ScriptContext& context);
void install_math_functions(lua_State* state, ScriptContext& context);
void install_bit_functions(lua_State* state);
void install_struct_functions(lua_State* state);
void install_json_functions(lua_State* state, ScriptContext& context);
void install_message_pack_functions(lua_State* state, ScriptContext& context);
void install_coroutine_functions(lua_State* state, ScriptContext& context);

/// The `redis` table.
void install_redis_functions(lua_State* state, ScriptContext& context);
/// Of the same table: what tells scripts which server they run in.
void set_version_fields(lua_State* state, const VersionTraits& version);

/// load and loadstring for the environment at `environment_index`, under which what they compile
/// runs.
void install_loading_functions(lua_State* state, int environment_index, ScriptContext& context);

/// What rewritten operators (lua/source/rewriter.h) call.
void install_operator_functions(lua_State* state);

/// string.format of Lua 5.1.
int format_text(lua_State* state);

/// Puts a stock function into the table on top of the stack, as it is.
void set_stock_function(lua_State* state, const char* library, const char* name);

/// Puts it there so that fractions are cut from its numbers, as Lua 5.1 does, from argument
/// `first_truncated` on; numbers before that become text as 5.1 prints them; and its results are
/// floats. Past `arguments_max`, arguments are dropped.
void set_truncating_function(lua_State* state, const char* library, const char* name,
                             int first_truncated, int arguments_max);

/// Raises if the table at `index` is read-only.
void check_writable(lua_State* state, int index);

}  // namespace lockstep::redis
