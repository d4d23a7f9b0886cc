// The functions of `client` that suspend the caller. Each leaves its request in its fiber and
// yields; `resumed` then returns the result, or raises the error that the fiber is resumed with.
#include <algorithm>
#include <lua.hpp>

#include "model/client/client_components.h"
#include "model/client/runtime/functions.h"
#include "redis/protocol/integer_text.h"

namespace lockstep::model {
namespace {

/// As the last results of a resumed interaction come: [value…, true] or [error, false].
int resumed(lua_State* lua, int /*status*/, lua_KContext /*context*/) {
  const bool succeeded = lua_toboolean(lua, -1) != 0;
  lua_pop(lua, 1);
  if (!succeeded) return lua_error(lua);
  return lua_gettop(lua);
}

int interact(lua_State* lua, Fiber& fiber, Interaction::Kind kind) {
  if (fiber.is_runaway) return raise_runaway(lua, fiber);
  fiber.interaction.kind = kind;
  lua_settop(lua, 0);
  return lua_yieldk(lua, 0, 0, &resumed);
}

std::size_t check_shard(lua_State* lua, Fiber& fiber, int index) {
  const lua_Integer node = luaL_checkinteger(lua, index);
  const std::size_t count = fiber.client->discovery->shard_count();
  if (node < 1 || static_cast<std::size_t>(node) > count) {
    luaL_error(lua, "there is no node %d: nodes() is %d", static_cast<int>(node),
               static_cast<int>(count));
  }
  return static_cast<std::size_t>(node) - 1;
}

void push_number(redis::Arguments& arguments, std::int64_t number) {
  arguments.push(redis::IntegerText(number).view());
}

/// Adds the string or whole number at the top of the stack to the arguments, and pops it.
void take_argument(lua_State* lua, redis::Arguments& arguments) {
  int is_integer = 0;
  if (lua_type(lua, -1) == LUA_TSTRING) {
    std::size_t length = 0;
    const char* text = lua_tolstring(lua, -1, &length);
    arguments.push({text, length});
  } else if (const lua_Integer number = lua_tointegerx(lua, -1, &is_integer); is_integer != 0) {
    push_number(arguments, number);
  } else {
    if (lua_type(lua, -1) == LUA_TNUMBER) {
      luaL_error(lua, "a key or argument must be a string or a whole number, not %f",
                 lua_tonumber(lua, -1));
    }
    luaL_error(lua, "a key or argument must be a string or a whole number, not a %s",
               luaL_typename(lua, -1));
  }
  lua_pop(lua, 1);
}

/// Up to the first hole: what Lua itself says of a list with holes depends on how it came about.
lua_Integer list_length(lua_State* lua, int index) {
  lua_Integer length = 0;
  while (lua_rawgeti(lua, index, length + 1) != LUA_TNIL) {
    lua_pop(lua, 1);
    ++length;
  }
  lua_pop(lua, 1);
  return length;
}

lua_Integer check_list(lua_State* lua, int index) {
  if (lua_isnoneornil(lua, index)) return 0;
  luaL_checktype(lua, index, LUA_TTABLE);
  return list_length(lua, index);
}

/// Fills a command with a script's call: keys and arguments are lists at these indices.
void add_script(lua_State* lua, Fiber& fiber, std::string_view name, int keys, int arguments) {
  const int script = fiber.client->process.runtime.find_script(name);
  if (script == Command::no_script) {
    luaL_error(lua, "the lock has no script '%s'", luaL_checkstring(lua, 2));
  }
  Command& command = fiber.interaction.add_command();
  command.script = script;
  command.label = fiber.client->process.runtime.scripts[static_cast<std::size_t>(script)].name;
  const lua_Integer key_count = check_list(lua, keys);
  push_number(command.rest, key_count);
  for (lua_Integer i = 1; i <= key_count; ++i) {
    lua_rawgeti(lua, keys, i);
    take_argument(lua, command.rest);
  }
  const lua_Integer argument_count = check_list(lua, arguments);
  for (lua_Integer i = 1; i <= argument_count; ++i) {
    lua_rawgeti(lua, arguments, i);
    take_argument(lua, command.rest);
  }
}

/// Begins a command with its name; its arguments follow.
void add_command(Fiber& fiber, std::string_view name) {
  Command& command = fiber.interaction.add_command();
  command.label = fiber.client->process.runtime.label_of_command(name);
  command.rest.push(name);
}

// -- interactions --

int call_script(lua_State* lua) {
  Fiber& fiber = calling_fiber(lua);
  fiber.interaction.shard = check_shard(lua, fiber, 1);
  fiber.interaction.command_count = 0;
  add_script(lua, fiber, check_text(lua, 2), 3, 4);
  return interact(lua, fiber, Interaction::Kind::call);
}

int call_command(lua_State* lua) {
  Fiber& fiber = calling_fiber(lua);
  fiber.interaction.shard = check_shard(lua, fiber, 1);
  fiber.interaction.command_count = 0;
  add_command(fiber, check_text(lua, 2));
  const int count = lua_gettop(lua);
  for (int i = 3; i <= count; ++i) {
    lua_pushvalue(lua, i);
    take_argument(lua, fiber.interaction.commands[0].rest);
  }
  return interact(lua, fiber, Interaction::Kind::call);
}

/// pipeline(node, {"eval", script, keys, arguments}, {"WAIT", 1, 1000}, …)
int call_pipeline(lua_State* lua) {
  Fiber& fiber = calling_fiber(lua);
  fiber.interaction.shard = check_shard(lua, fiber, 1);
  fiber.interaction.command_count = 0;
  const int count = lua_gettop(lua);
  luaL_argcheck(lua, count >= 2, 2, "a command is expected");
  for (int i = 2; i <= count; ++i) {
    luaL_checktype(lua, i, LUA_TTABLE);
    lua_rawgeti(lua, i, 1);
    const std::string_view name = check_text(lua, -1);
    if (name == "eval") {
      lua_rawgeti(lua, i, 2);
      lua_rawgeti(lua, i, 3);
      lua_rawgeti(lua, i, 4);
      const int top = lua_gettop(lua);
      add_script(lua, fiber, check_text(lua, top - 2), top - 1, top);
    } else {
      add_command(fiber, name);
      const lua_Integer length = list_length(lua, i);
      for (lua_Integer place = 2; place <= length; ++place) {
        lua_rawgeti(lua, i, place);
        take_argument(lua, fiber.interaction.commands[fiber.interaction.command_count - 1].rest);
      }
    }
    lua_settop(lua, count);
  }
  return interact(lua, fiber, Interaction::Kind::call);
}

void set_channel(lua_State* lua, Fiber& fiber) {
  fiber.interaction.shard = check_shard(lua, fiber, 1);
  fiber.interaction.text = check_text(lua, 2);
}

void set_timeout(lua_State* lua, Fiber& fiber, int index) {
  fiber.interaction.timeout_ns.reset();
  if (lua_isnoneornil(lua, index)) return;
  const lua_Integer milliseconds = luaL_checkinteger(lua, index);
  constexpr lua_Integer years = 100'000'000'000;
  fiber.interaction.timeout_ns =
      std::clamp<lua_Integer>(milliseconds, 0, years) * sim::millisecond_ns;
}

int subscribe(lua_State* lua) {
  Fiber& fiber = calling_fiber(lua);
  set_channel(lua, fiber);
  set_timeout(lua, fiber, 3);
  return interact(lua, fiber, Interaction::Kind::subscribe);
}

int wait_message(lua_State* lua) {
  Fiber& fiber = calling_fiber(lua);
  set_channel(lua, fiber);
  set_timeout(lua, fiber, 3);
  return interact(lua, fiber, Interaction::Kind::wait_message);
}

int unsubscribe(lua_State* lua) {
  Fiber& fiber = calling_fiber(lua);
  set_channel(lua, fiber);
  return interact(lua, fiber, Interaction::Kind::unsubscribe);
}

int wait_signal(lua_State* lua) {
  Fiber& fiber = calling_fiber(lua);
  fiber.interaction.text = check_text(lua, 1);
  set_timeout(lua, fiber, 2);
  return interact(lua, fiber, Interaction::Kind::wait_signal);
}

int sleep(lua_State* lua) {
  Fiber& fiber = calling_fiber(lua);
  luaL_checkinteger(lua, 1);
  set_timeout(lua, fiber, 1);
  return interact(lua, fiber, Interaction::Kind::sleep);
}

constexpr luaL_Reg interactions[] = {{"eval", &call_script},
                                     {"command", &call_command},
                                     {"pipeline", &call_pipeline},
                                     {"subscribe", &subscribe},
                                     {"wait_message", &wait_message},
                                     {"unsubscribe", &unsubscribe},
                                     {"wait", &wait_signal},
                                     {"sleep", &sleep},
                                     {nullptr, nullptr}};

}  // namespace

void add_interactions(lua_State* lua) { luaL_setfuncs(lua, interactions, 0); }

}  // namespace lockstep::model
