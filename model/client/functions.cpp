// The functions of `client`, as Lua sees them. docs/your-own-lock.md describes them.
//
// Lua errors are longjmps: no object with a destructor lives across a call that can raise. A
// function that interacts leaves its request in its fiber and yields; `resumed` returns the result
// or raises the error that the fiber is resumed with.
#include <algorithm>
#include <array>
#include <charconv>
#include <lua.hpp>

#include "model/client/client_parts.h"
#include "model/trace_vocabulary.h"

namespace lockstep::model {
namespace {

Fiber& fiber_of(lua_State* lua) {
  Fiber* fiber = *static_cast<Fiber**>(lua_getextraspace(lua));
  if (fiber == nullptr) {
    luaL_error(lua, "this may only be called from within the lock's functions and tasks");
  }
  return *fiber;
}

/// As the last results of a resumed interaction come: [value…, true] or [error, false].
int resumed(lua_State* lua, int /*status*/, lua_KContext /*context*/) {
  const bool succeeded = lua_toboolean(lua, -1) != 0;
  lua_pop(lua, 1);
  if (!succeeded) return lua_error(lua);
  return lua_gettop(lua);
}

int interact(lua_State* lua, Fiber& fiber, Interaction::Kind kind) {
  fiber.interaction.kind = kind;
  lua_settop(lua, 0);
  return lua_yieldk(lua, 0, 0, &resumed);
}

std::string_view check_text(lua_State* lua, int index) {
  std::size_t length = 0;
  const char* text = luaL_checklstring(lua, index, &length);
  return {text, length};
}

std::size_t check_shard(lua_State* lua, Fiber& fiber, int index) {
  const lua_Integer node = luaL_checkinteger(lua, index);
  const std::size_t count = fiber.client->environment.topology.shards.size();
  if (node < 1 || static_cast<std::size_t>(node) > count) {
    luaL_error(lua, "there is no node %d: nodes() is %d", static_cast<int>(node),
               static_cast<int>(count));
  }
  return static_cast<std::size_t>(node) - 1;
}

void push_number(redis::Arguments& arguments, std::int64_t number) {
  std::array<char, 24> digits;
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
  arguments.push({digits.data(), static_cast<std::size_t>(end - digits.data())});
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
    luaL_error(lua, "a key or argument must be a string or a whole number, not %s",
               luaL_typename(lua, -1));
  }
  lua_pop(lua, 1);
}

lua_Integer check_list(lua_State* lua, int index) {
  if (lua_isnoneornil(lua, index)) return 0;
  luaL_checktype(lua, index, LUA_TTABLE);
  return static_cast<lua_Integer>(lua_rawlen(lua, index));
}

/// Fills a command with a script's call: keys and arguments are lists at these indices.
void add_script(lua_State* lua, Fiber& fiber, std::string_view name, int keys, int arguments) {
  const int script = fiber.client->runtime.find_script(name);
  if (script == Command::no_script) {
    luaL_error(lua, "the lock has no script '%s'", luaL_checkstring(lua, 2));
  }
  Command& command = fiber.interaction.add_command();
  command.script = script;
  command.label = fiber.client->runtime.scripts[static_cast<std::size_t>(script)].name;
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
  command.label = fiber.client->runtime.label_of_command(name);
  command.rest.push(name);
}

// -- interactions --

int call_script(lua_State* lua) {
  Fiber& fiber = fiber_of(lua);
  fiber.interaction.shard = check_shard(lua, fiber, 1);
  fiber.interaction.command_count = 0;
  add_script(lua, fiber, check_text(lua, 2), 3, 4);
  return interact(lua, fiber, Interaction::Kind::call);
}

int call_command(lua_State* lua) {
  Fiber& fiber = fiber_of(lua);
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
  Fiber& fiber = fiber_of(lua);
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
      const auto length = static_cast<lua_Integer>(lua_rawlen(lua, i));
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
  Fiber& fiber = fiber_of(lua);
  set_channel(lua, fiber);
  set_timeout(lua, fiber, 3);
  return interact(lua, fiber, Interaction::Kind::subscribe);
}

int wait_message(lua_State* lua) {
  Fiber& fiber = fiber_of(lua);
  set_channel(lua, fiber);
  set_timeout(lua, fiber, 3);
  return interact(lua, fiber, Interaction::Kind::wait_message);
}

int unsubscribe(lua_State* lua) {
  Fiber& fiber = fiber_of(lua);
  set_channel(lua, fiber);
  return interact(lua, fiber, Interaction::Kind::unsubscribe);
}

int sleep(lua_State* lua) {
  Fiber& fiber = fiber_of(lua);
  luaL_checkinteger(lua, 1);
  set_timeout(lua, fiber, 1);
  return interact(lua, fiber, Interaction::Kind::sleep);
}

// -- what a client knows by itself --

int wall_ms(lua_State* lua) {
  lua_pushinteger(lua, fiber_of(lua).client->wall_ms());
  return 1;
}

int monotonic_ms(lua_State* lua) {
  lua_pushinteger(lua, fiber_of(lua).client->monotonic_ms());
  return 1;
}

int random(lua_State* lua) {
  Fiber& fiber = fiber_of(lua);
  const lua_Integer count = luaL_checkinteger(lua, 1);
  luaL_argcheck(lua, count >= 1, 1, "at least 1 is expected");
  lua_pushinteger(lua, fiber.client->random(count));
  return 1;
}

int token(lua_State* lua) {
  const std::string_view text = fiber_of(lua).client->make_token();
  lua_pushlstring(lua, text.data(), text.size());
  return 1;
}

int owner(lua_State* lua) {
  const Fiber& fiber = fiber_of(lua);
  const std::string_view text = fiber.client->owner_text(fiber.thread);
  lua_pushlstring(lua, text.data(), text.size());
  return 1;
}

int thread(lua_State* lua) {
  lua_pushinteger(lua, static_cast<lua_Integer>(fiber_of(lua).thread) + 1);
  return 1;
}

int nodes(lua_State* lua) {
  const Fiber& fiber = fiber_of(lua);
  lua_pushinteger(lua, static_cast<lua_Integer>(fiber.client->environment.topology.shards.size()));
  return 1;
}

int log(lua_State* lua) {
  const Fiber& fiber = fiber_of(lua);
  fiber.client->environment.trace.emit(fiber.client->now(), trace_kind::client_logged, fiber.actor,
                                       {{"text", check_text(lua, 1)}});
  return 0;
}

// -- background tasks --

int spawn(lua_State* lua) {
  const Fiber& parent = fiber_of(lua);
  ClientParts& client = *parent.client;
  const std::string_view name = check_text(lua, 1);
  luaL_checktype(lua, 2, LUA_TFUNCTION);
  const std::uint32_t thread_index = parent.thread;
  const sim::ActorId actor = parent.actor;
  Fiber& fiber = client.fibers.take();
  fiber.thread = thread_index;
  fiber.actor = actor;
  const int count = lua_gettop(lua) - 1;  // the function and its arguments
  const std::uint32_t number = client.tasks.add(fiber, name);
  lua_checkstack(fiber.lua, count);
  lua_xmove(lua, fiber.lua, count);
  client.fibers.make_ready(fiber, count - 1);
  lua_pushinteger(lua, number);
  return 1;
}

int cancel(lua_State* lua) {
  Fiber& fiber = fiber_of(lua);
  const lua_Integer task = luaL_checkinteger(lua, 1);
  lua_pushboolean(lua, fiber.client->tasks.cancel(static_cast<std::uint32_t>(task)) ? 1 : 0);
  return 1;
}

// -- what the client half declares --

/// The owner whose text is at the index, or whom the fiber works for where it is nil.
std::uint32_t check_owner(lua_State* lua, const Fiber& fiber, int index) {
  if (lua_isnoneornil(lua, index)) return fiber.thread;
  const auto found = fiber.client->thread_of_owner(check_text(lua, index));
  if (!found) luaL_error(lua, "'%s' is no owner of this client", luaL_checkstring(lua, index));
  return *found;
}

/// The name in the lock table at the index.
std::string_view check_lock(lua_State* lua, int index) {
  luaL_checktype(lua, index, LUA_TTABLE);
  lua_getfield(lua, index, "name");
  std::size_t length = 0;
  const char* text = lua_tolstring(lua, -1, &length);
  if (text == nullptr) luaL_argerror(lua, index, "a lock is expected");
  lua_pop(lua, 1);  // the lock's table still holds it
  return {text, length};
}

checker::OperationKind check_kind(lua_State* lua, int index) {
  const std::string_view kind = check_text(lua, index);
  if (kind == "acquire") return checker::OperationKind::acquire;
  if (kind == "renew") return checker::OperationKind::renew;
  if (kind == "release") return checker::OperationKind::release;
  if (kind != "force_release") {
    luaL_argerror(lua, index, "acquire, renew, release or force_release is expected");
  }
  return checker::OperationKind::force_release;
}

int invoke(lua_State* lua) {
  Fiber& fiber = fiber_of(lua);
  const checker::OperationKind kind = check_kind(lua, 1);
  const std::string_view lock = check_lock(lua, 2);
  const lua_Integer lease_ms = luaL_optinteger(lua, 3, 0);
  const std::uint32_t owner_thread = check_owner(lua, fiber, 4);
  ClientParts& client = *fiber.client;
  const OperationId operation = client.records.invoke(fiber, kind, client.workload.lock_name(lock),
                                                      owner_thread, lease_ms * sim::millisecond_ns);
  lua_pushinteger(lua, static_cast<lua_Integer>(operation));
  return 1;
}

int complete(lua_State* lua) {
  Fiber& fiber = fiber_of(lua);
  const auto operation = static_cast<OperationId>(luaL_checkinteger(lua, 1));
  const std::string_view word = check_text(lua, 2);
  checker::Outcome outcome = checker::Outcome::info;
  if (word == "ok") {
    outcome = checker::Outcome::ok;
  } else if (word == "fail") {
    outcome = checker::Outcome::fail;
  } else if (word != "info") {
    luaL_argerror(lua, 2, "ok, fail or info is expected");
  }
  fiber.client->records.complete(fiber, operation, outcome);
  return 0;
}

int lost(lua_State* lua) {
  const Fiber& fiber = fiber_of(lua);
  const std::string_view lock = check_lock(lua, 1);
  const std::uint32_t owner_thread = check_owner(lua, fiber, 2);
  ClientParts& client = *fiber.client;
  client.workload.told_of_loss(owner_thread, client.workload.lock_name(lock));
  return 0;
}

int refuse(lua_State* lua) {
  const std::string_view message = check_text(lua, 1);
  push_error(lua, fiber_of(lua).client->runtime.error_metatable, {}, message, Effect::none);
  lua_pushboolean(lua, 1);
  lua_setfield(lua, -2, "refused");
  return lua_error(lua);
}

constexpr luaL_Reg functions[] = {{"eval", &call_script},
                                  {"command", &call_command},
                                  {"pipeline", &call_pipeline},
                                  {"subscribe", &subscribe},
                                  {"wait_message", &wait_message},
                                  {"unsubscribe", &unsubscribe},
                                  {"sleep", &sleep},
                                  {"wall_ms", &wall_ms},
                                  {"monotonic_ms", &monotonic_ms},
                                  {"random", &random},
                                  {"token", &token},
                                  {"owner", &owner},
                                  {"thread", &thread},
                                  {"nodes", &nodes},
                                  {"log", &log},
                                  {"spawn", &spawn},
                                  {"cancel", &cancel},
                                  {"invoke", &invoke},
                                  {"complete", &complete},
                                  {"lost", &lost},
                                  {"refuse", &refuse},
                                  {nullptr, nullptr}};

}  // namespace

void push_client_functions(lua_State* lua) {
  lua_newtable(lua);
  luaL_setfuncs(lua, functions, 0);
}

void push_reply(lua_State* lua, const redis::Reply& reply) {
  luaL_checkstack(lua, 3, "a reply is nested too deeply");
  switch (reply.kind) {
    case redis::Reply::Kind::null_bulk:
    case redis::Reply::Kind::null_array:
      lua_pushnil(lua);
      return;
    case redis::Reply::Kind::integer:
      lua_pushinteger(lua, reply.integer);
      return;
    case redis::Reply::Kind::bulk:
    case redis::Reply::Kind::status:
    case redis::Reply::Kind::error:
      lua_pushlstring(lua, reply.text.data(), reply.text.size());
      return;
    case redis::Reply::Kind::array:
      lua_createtable(lua, static_cast<int>(reply.elements.size()), 0);
      for (std::size_t i = 0; i < reply.elements.size(); ++i) {
        push_reply(lua, reply.elements[i]);
        lua_rawseti(lua, -2, static_cast<lua_Integer>(i) + 1);
      }
      return;
  }
}

}  // namespace lockstep::model
