#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "lua/interpreter/numbers.h"
#include "lua/interpreter/text.h"
#include "redis/scripting/libraries/libraries.h"
#include "redis/scripting/script_call.h"
#include "redis/scripting/script_reply_writer.h"
#include "redis/scripting/script_result.h"
#include "redis/server/command_table.h"
#include "redis/server/version_traits.h"

namespace lockstep::redis {

namespace {

constexpr lua_Integer log_level_max = 3;  // LOG_WARNING
constexpr lua_Integer replication_none = 0;
constexpr lua_Integer replication_aof = 1;
constexpr lua_Integer replication_replica = 2;
constexpr lua_Integer replication_all = replication_aof | replication_replica;

/// Of the server whose script runs.
const VersionTraits& version_of(lua_State* state) {
  const ScriptHost* const host = context_of(state).host;
  return host == nullptr ? traits_of(default_version) : host->script_version();
}

int raise(lua_State* state, std::string_view text) {
  constexpr std::string_view code = "ERR ";
  if (version_of(state).has_old_script_errors) {  // a text, without a code
    if (text.starts_with(code)) text.remove_prefix(code.size());
    lua::push_view(state, text);
  } else {
    push_error_table(state, text);
  }
  return lua_error(state);
}

int reply_bad_arguments(lua_State* state) {
  if (version_of(state).has_old_script_errors) {
    push_located_error_table(state, "wrong number or type of arguments");
  } else {
    push_error_table(state, "ERR wrong number or type of arguments");
  }
  return 1;
}

/// An error that begins with the library's name.
int raise_of(lua_State* state, std::string_view text) {
  lua_pushliteral(state, "ERR ");
  lua::push_view(state, version_of(state).script_library);
  lua::push_view(state, text);
  lua_concat(state, 3);
  return raise(state, lua::view_of(state, -1));
}

bool has_one_string(lua_State* state) {
  return lua_gettop(state) == 1 && lua_type(state, 1) == LUA_TSTRING;
}

int error_reply(lua_State* state) {
  if (!has_one_string(state)) return reply_bad_arguments(state);
  std::string_view text = lua::view_of(state, 1);
  if (version_of(state).has_old_script_errors) {  // as it is
    lua_createtable(state, 0, 1);
    lua_pushvalue(state, 1);
    lua_setfield(state, -2, "err");
    return 1;
  }
  text = text.substr(0, text.find('\0'));
  if (text.starts_with('-')) {
    text.remove_prefix(1);
  }
  push_error_table(state, text);
  return 1;
}

int status_reply(lua_State* state) {
  if (!has_one_string(state)) return reply_bad_arguments(state);
  lua_createtable(state, 0, 1);
  lua_pushvalue(state, 1);
  lua_setfield(state, -2, "ok");
  return 1;
}

int sha1_of_text(lua_State* state) {
  if (lua_gettop(state) != 1) {
    return raise(state, "ERR wrong number of arguments");
  }
  lua::make_text(state, 1);
  std::size_t length = 0;
  const char* text = lua_tolstring(state, 1, &length);
  {
    const lua::Memory::Unlimited unlimited(*context_of(state).memory);
    const std::string digest = sha1_hex({text == nullptr ? "" : text, length});
    lua_pushlstring(state, digest.data(), digest.size());
  }
  return 1;
}

int log(lua_State* state) {
  const int count = lua_gettop(state);
  if (count < 2) {
    return raise_of(state, ".log() requires two arguments or more.");
  }
  if (lua_isnumber(state, 1) == 0) {
    return raise(state, "ERR First argument must be a number (log level).");
  }
  const auto level = static_cast<lua_Integer>(lua_tonumber(state, 1));
  if (level < 0 || level > log_level_max) {
    return raise(state, version_of(state).bad_log_level);
  }
  for (int index = 2; index <= count; ++index) {
    lua::make_text(state, index);
  }
  luaL_Buffer buffer;
  luaL_buffinit(state, &buffer);
  for (int index = 2; index <= count; ++index) {
    const std::string_view text = lua::view_of(state, index);
    if (text.data() != nullptr) {
      if (index > 2) {
        luaL_addchar(&buffer, ' ');
      }
      luaL_addlstring(&buffer, text.data(), text.size());
    }
  }
  luaL_pushresult(&buffer);
  const ScriptContext& context = context_of(state);
  if (context.host != nullptr) {
    context.host->log(level, lua::view_of(state, -1));
  }
  return 0;
}

int set_protocol(lua_State* state) {
  if (lua_gettop(state) != 1) {
    return raise_of(state, ".setresp() requires one argument.");
  }
  lua::read_number(state, 1);
  const std::int64_t version = cut_to_integer(lua_tonumber(state, 1));
  if (version != 2 && version != 3) {
    return raise(state, "ERR RESP version must be 2 or 3.");
  }
  ScriptContext& context = context_of(state);
  context.protocol = version == 2 ? ScriptProtocol::resp2 : ScriptProtocol::resp3;
  if (context.host != nullptr) context.host->set_protocol(context.protocol);
  return 0;
}

int set_replication(lua_State* state) {
  if (lua_gettop(state) != 1) {
    return raise_of(state, version_of(state).set_repl_arguments == "one argument"
                               ? ".set_repl() requires one argument."
                               : ".set_repl() requires two arguments.");
  }
  const lua_Number flags = lua_tonumber(state, 1);
  if (!(flags >= replication_none && flags <= replication_all)) {
    return raise(
        state, "ERR Invalid replication flags. Use REPL_AOF, REPL_REPLICA, REPL_ALL or REPL_NONE.");
  }
  const ScriptContext& context = context_of(state);
  const bool is_replicated = (static_cast<lua_Integer>(flags) & replication_replica) != 0;
  if (context.host != nullptr) context.host->set_replicated(is_replicated);
  return 0;
}

int replicate_commands(lua_State* state) {
  lua_pushboolean(state, 1);
  return 1;
}

int no_breakpoint(lua_State* state) {
  lua_pushboolean(state, 0);
  return 1;
}

int no_debugger(lua_State*) { return 0; }

/// Without ACLs every command is allowed that there is.
int check_access(lua_State* state) {
  if (version_of(state).has_old_script_errors) {
    return luaL_error(state, "attempt to call field 'acl_check_cmd' (a nil value)");
  }
  const int count = lua_gettop(state);
  if (count == 0) {
    return raise(state, version_of(state).no_arguments_in_script);
  }
  for (int index = 1; index <= count; ++index) {
    const int type = lua_type(state, index);
    if (type != LUA_TSTRING && type != LUA_TNUMBER) {
      return raise(state, version_of(state).bad_arguments_in_script);
    }
    lua::make_text(state, index);
  }
  const ServerVersion version = version_of(state).version;
  const CommandSpec* spec = in_version(find_command(lua::view_of(state, 1)), version);
  if (spec != nullptr && !spec->subcommands.empty() && count > 1) {
    spec = in_version(find_subcommand(*spec, lua::view_of(state, 2)), version);
  }
  if (spec == nullptr) {
    lua_pushliteral(state, "ERR Invalid command passed to ");
    lua::push_view(state, version_of(state).script_library);
    lua_pushliteral(state, ".acl_check_cmd()");
    lua_concat(state, 3);
    return raise(state, lua::view_of(state, -1));
  }
  lua_pushboolean(state, 1);
  return 1;
}

void set_number(lua_State* state, const char* name, lua_Integer value) {
  lua::push_whole_number(state, value);
  lua_setfield(state, -2, name);
}

}  // namespace

void install_redis_functions(lua_State* state, ScriptContext& context) {
  set_context_function(state, context, "call", &redis_call);
  set_context_function(state, context, "pcall", &redis_pcall);
  set_context_function(state, context, "log", &log);
  set_context_function(state, context, "sha1hex", &sha1_of_text);
  set_context_function(state, context, "acl_check_cmd", &check_access);
  set_context_function(state, context, "setresp", &set_protocol);
  set_context_function(state, context, "set_repl", &set_replication);
  set_context_function(state, context, "error_reply", &error_reply);
  set_context_function(state, context, "status_reply", &status_reply);
  constexpr luaL_Reg functions[] = {
      {"breakpoint", &no_breakpoint},
      {"debug", &no_debugger},
      {"replicate_commands", &replicate_commands},
      {nullptr, nullptr},
  };
  luaL_setfuncs(state, functions, 0);
  set_number(state, "LOG_DEBUG", 0);
  set_number(state, "LOG_VERBOSE", 1);
  set_number(state, "LOG_NOTICE", 2);
  set_number(state, "LOG_WARNING", log_level_max);
  set_number(state, "REPL_NONE", replication_none);
  set_number(state, "REPL_AOF", replication_aof);
  set_number(state, "REPL_SLAVE", replication_replica);
  set_number(state, "REPL_REPLICA", replication_replica);
  set_number(state, "REPL_ALL", replication_all);
}

namespace {

/// "7.0.15" is 0x07000F.
lua_Integer version_number(std::string_view text) {
  lua_Integer number = 0;
  lua_Integer part = 0;
  for (const char letter : text) {
    if (letter == '.') {
      number = (number + part) << 8;
      part = 0;
    } else {
      part = 10 * part + (letter - '0');
    }
  }
  return number + part;
}

/// Pops a value and makes it a field of the table below it, whose guards would refuse it.
void set_raw(lua_State* state, const char* name) {
  lua_pushstring(state, name);
  lua_insert(state, -2);
  lua_rawset(state, -3);
}

/// Sets both fields of the table on top of the stack, or removes them where there is no version.
void set_version_fields(lua_State* state, const char* name, const char* number_name,
                        std::string_view version) {
  if (version.empty()) {
    lua_pushnil(state);
    set_raw(state, name);
    lua_pushnil(state);
  } else {
    lua::push_view(state, version);
    set_raw(state, name);
    lua::push_whole_number(state, version_number(version));
  }
  set_raw(state, number_name);
}

}  // namespace

void set_version_fields(lua_State* state, const VersionTraits& version) {
  const bool is_valkey = version.server == "valkey";
  set_version_fields(state, "REDIS_VERSION", "REDIS_VERSION_NUM",
                     version.names_itself_to_scripts ? version.number : std::string_view());
  set_version_fields(state, "VALKEY_VERSION", "VALKEY_VERSION_NUM",
                     is_valkey ? version.release : std::string_view());
  if (is_valkey) {
    lua::push_view(state, version.server);
  } else {
    lua_pushnil(state);
  }
  set_raw(state, "SERVER_NAME");
}

}  // namespace lockstep::redis
