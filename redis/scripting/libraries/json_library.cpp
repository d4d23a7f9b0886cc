// The functions of the cjson library over json.h.
#include <climits>
#include <cmath>
#include <cstddef>
#include <lua.hpp>
#include <string>

#include "lua/interpreter/numbers.h"
#include "redis/scripting/libraries/json.h"
#include "redis/scripting/libraries/libraries.h"
#include "redis/scripting/script_process_state.h"
#include "redis/scripting/script_result.h"

namespace lockstep::redis {

namespace {

constexpr const char* module_name = "cjson";

JsonOptions& options_of(lua_State* state) {
  void* const own = lua_touserdata(state, lua_upvalueindex(2));
  return own == nullptr ? context_of(state).host->process().json : *static_cast<JsonOptions*>(own);
}

std::string& buffer_of(lua_State* state) { return cleared_library_text(context_of(state)); }

int encode(lua_State* state) {
  luaL_argcheck(state, lua_gettop(state) == 1, 1, "expected 1 argument");
  std::string& json = buffer_of(state);
  encode_json(state, options_of(state), 1, json);
  lua_pushlstring(state, json.data(), json.size());
  return 1;
}

int decode(lua_State* state) {
  luaL_argcheck(state, lua_gettop(state) == 1, 1, "expected 1 argument");
  lua::make_text(state, 1);
  luaL_checkstring(state, 1);
  decode_json(state, options_of(state), 1, buffer_of(state));
  return 1;
}

/// Makes the stack so many arguments, nil for those that are missing.
void take_arguments(lua_State* state, int count) {
  luaL_argcheck(state, lua_gettop(state) <= count, count + 1, "found too many arguments");
  lua_settop(state, count);
}

/// Sets a number from an argument, unless that is nil, and pushes it.
void set_number(lua_State* state, int argument, int& setting, int least, int most) {
  if (!lua_isnil(state, argument)) {
    const std::int64_t value = cut_to_integer(luaL_checknumber(state, argument));
    const bool fits = value >= least && value <= most;
    if (!fits) {
      luaL_argerror(state, 1,
                    lua_pushfstring(state, "expected integer between %d and %d", least, most));
    }
    setting = static_cast<int>(value);
  }
  lua::push_whole_number(state, setting);
}

/// The same for one of the names; a boolean stands for the first and second.
void set_choice(lua_State* state, int argument, int& setting, const char* const names[]) {
  if (lua_isboolean(state, argument)) {
    setting = lua_toboolean(state, argument);
  } else if (!lua_isnil(state, argument)) {
    lua::make_text(state, argument);
    setting = luaL_checkoption(state, argument, nullptr, names);
  }
  if (setting < 2) {
    lua_pushboolean(state, setting);
  } else {
    lua_pushstring(state, names[setting]);
  }
}

void set_switch(lua_State* state, int argument, bool& setting) {
  static constexpr const char* names[] = {"off", "on", nullptr};
  int choice = setting ? 1 : 0;
  set_choice(state, argument, choice, names);
  setting = choice == 1;
}

int encode_sparse_array(lua_State* state) {
  JsonOptions& options = options_of(state);
  take_arguments(state, 3);
  set_switch(state, 1, options.converts_sparse_arrays);
  set_number(state, 2, options.sparse_ratio, 0, INT_MAX);
  set_number(state, 3, options.sparse_safe, 0, INT_MAX);
  return 3;
}

template <int JsonOptions::*member, int most>
int number_option(lua_State* state) {
  take_arguments(state, 1);
  set_number(state, 1, options_of(state).*member, 1, most);
  return 1;
}

template <bool JsonOptions::*member>
int switch_option(lua_State* state) {
  take_arguments(state, 1);
  set_switch(state, 1, options_of(state).*member);
  return 1;
}

int encode_invalid_numbers(lua_State* state) {
  static constexpr const char* names[] = {"off", "on", "null", nullptr};
  take_arguments(state, 1);
  JsonOptions& options = options_of(state);
  int choice = static_cast<int>(options.encode_invalid_numbers);
  set_choice(state, 1, choice, names);
  options.encode_invalid_numbers = static_cast<InvalidNumbers>(choice);
  return 1;
}

int new_module(lua_State* state);

/// Fills the table on top of the stack. The functions share the options in the userdata below it.
void fill_module(lua_State* state, ScriptContext& context) {
  constexpr luaL_Reg functions[] = {
      {"encode", &encode},
      {"decode", &decode},
      {"encode_sparse_array", &encode_sparse_array},
      {"encode_max_depth", &number_option<&JsonOptions::encode_depth_max, INT_MAX>},
      {"decode_max_depth", &number_option<&JsonOptions::decode_depth_max, INT_MAX>},
      {"encode_number_precision", &number_option<&JsonOptions::number_precision, 14>},
      {"encode_keep_buffer", &switch_option<&JsonOptions::keeps_buffer>},
      {"encode_invalid_numbers", &encode_invalid_numbers},
      {"decode_invalid_numbers", &switch_option<&JsonOptions::decodes_invalid_numbers>},
      {"new", &new_module},
      {nullptr, nullptr},
  };
  lua_pushlightuserdata(state, &context);
  lua_pushvalue(state, -3);
  luaL_setfuncs(state, functions, 2);
  lua_pushlightuserdata(state, nullptr);
  lua_setfield(state, -2, "null");
  lua_pushstring(state, module_name);
  lua_setfield(state, -2, "_NAME");
  lua_pushliteral(state, "2.1.0");
  lua_setfield(state, -2, "_VERSION");
}

/// cjson.new: the library once more, with options of its own.
int new_module(lua_State* state) {
  ScriptContext& context = context_of(state);
  void* const memory = lua_newuserdatauv(state, sizeof(JsonOptions), 0);
  *static_cast<JsonOptions*>(memory) = JsonOptions();
  lua_newtable(state);
  fill_module(state, context);
  return 1;
}

}  // namespace

void install_json_functions(lua_State* state, ScriptContext& context) {
  lua_pushlightuserdata(state, nullptr);  // its options are the server's
  lua_insert(state, -2);
  fill_module(state, context);
  lua_remove(state, -2);
}

}  // namespace lockstep::redis
