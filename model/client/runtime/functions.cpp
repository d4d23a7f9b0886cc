// The functions of `client` that return at once: clocks, chance, names, background tasks, and what
// the client model declares of its work.
#include "model/client/runtime/functions.h"

#include <array>
#include <lua.hpp>

#include "model/client/client_components.h"
#include "model/client/runtime/errors.h"
#include "model/recorder.h"
#include "model/trace_vocabulary.h"
#include "redis/values/key_slot.h"
#include "scenario/faults/callback_kind.h"
#include "scenario/milestones.h"

namespace lockstep::model {
namespace {

// -- what a client knows by itself --

int wall_ms(lua_State* lua) {
  ClientComponents& client = *calling_fiber(lua).client;
  client.wall_clock_was_read = true;
  lua_pushinteger(lua, client.process.wall_ms());
  return 1;
}

int monotonic_ms(lua_State* lua) {
  lua_pushinteger(lua, calling_fiber(lua).client->process.monotonic_ms());
  return 1;
}

int random(lua_State* lua) {
  Fiber& fiber = calling_fiber(lua);
  const lua_Integer count = luaL_checkinteger(lua, 1);
  luaL_argcheck(lua, count >= 1, 1, "at least 1 is expected");
  lua_pushinteger(lua, fiber.client->process.random(count));
  return 1;
}

int token(lua_State* lua) {
  const std::string_view text = calling_fiber(lua).client->process.make_token();
  lua_pushlstring(lua, text.data(), text.size());
  return 1;
}

int owner(lua_State* lua) {
  const Fiber& fiber = calling_fiber(lua);
  fiber.client->process.push_owner(lua, fiber.thread);
  return 1;
}

int thread(lua_State* lua) {
  lua_pushinteger(lua, static_cast<lua_Integer>(calling_fiber(lua).thread) + 1);
  return 1;
}

/// Clients are the first hosts of the network, in the order of the scenario.
int number(lua_State* lua) {
  ClientComponents& client = *calling_fiber(lua).client;
  client.client_number_was_read = true;
  lua_pushinteger(lua, static_cast<lua_Integer>(client.process.id) + 1);
  return 1;
}

int nodes(lua_State* lua) {
  const Fiber& fiber = calling_fiber(lua);
  lua_pushinteger(lua, static_cast<lua_Integer>(fiber.client->discovery->shard_count()));
  return 1;
}

int node_of(lua_State* lua) {
  const Fiber& fiber = calling_fiber(lua);
  const std::size_t shards = fiber.client->discovery->shard_count();
  const std::uint32_t slot = redis::key_slot(check_text(lua, 1));
  lua_pushinteger(lua, static_cast<lua_Integer>(redis::master_of_slot(slot, shards)) + 1);
  return 1;
}

int log(lua_State* lua) {
  const Fiber& fiber = calling_fiber(lua);
  const std::string_view text = check_text(lua, 1);
  fiber.client->process.environment.trace.emit(
      fiber.client->process.now(), trace_kind::client_logged, fiber.actor, {{"text", text}});
  fiber.client->process.environment.recorder.milestone(scenario::Milestone::logged, fiber.actor,
                                                       text);
  return 0;
}

// -- background tasks --

int spawn(lua_State* lua) {
  const Fiber& parent = calling_fiber(lua);
  ClientComponents& client = *parent.client;
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
  if (!client.postponements.hold_back(fiber, scenario::CallbackKind::task, name, count - 1)) {
    client.fibers.make_ready(fiber, count - 1);
  }
  lua_pushinteger(lua, number);
  return 1;
}

int cancel(lua_State* lua) {
  Fiber& fiber = calling_fiber(lua);
  const lua_Integer task = luaL_checkinteger(lua, 1);
  lua_pushboolean(lua, fiber.client->tasks.cancel(static_cast<std::uint32_t>(task)) ? 1 : 0);
  return 1;
}

int signal(lua_State* lua) {
  Fiber& fiber = calling_fiber(lua);
  const std::string_view name = check_text(lua, 1);
  const lua_Integer permits = luaL_optinteger(lua, 2, 1);
  luaL_argcheck(lua, permits >= 1, 2, "at least one permit is expected");
  fiber.client->signals.signal(name, permits);
  return 0;
}

// -- what the client model declares --

/// The owner whose text is at the index, or whom the fiber works for where it is nil.
std::uint32_t check_owner(lua_State* lua, const Fiber& fiber, int index) {
  if (lua_isnoneornil(lua, index)) return fiber.thread;
  const auto found = fiber.client->process.thread_of_owner(check_text(lua, index));
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

struct DeclaredKind {
  std::string_view word;
  checker::OperationKind kind;
  checker::HoldMode mode;
};
constexpr std::array declared_kinds = {
    DeclaredKind{"acquire", checker::OperationKind::acquire, checker::HoldMode::exclusive},
    DeclaredKind{"renew", checker::OperationKind::renew, checker::HoldMode::exclusive},
    DeclaredKind{"release", checker::OperationKind::release, checker::HoldMode::exclusive},
    DeclaredKind{"force_release", checker::OperationKind::force_release,
                 checker::HoldMode::exclusive},
    DeclaredKind{"acquire_shared", checker::OperationKind::acquire, checker::HoldMode::shared},
    DeclaredKind{"renew_shared", checker::OperationKind::renew, checker::HoldMode::shared},
    DeclaredKind{"release_shared", checker::OperationKind::release, checker::HoldMode::shared},
};

const DeclaredKind& check_kind(lua_State* lua, int index) {
  const std::string_view word = check_text(lua, index);
  for (const DeclaredKind& kind : declared_kinds) {
    if (kind.word == word) return kind;
  }
  luaL_argerror(lua, index,
                "acquire, renew, release, force_release, acquire_shared, renew_shared or "
                "release_shared is expected");
  return declared_kinds.front();
}

/// A negative lease is over at once; none, or one that 64 bits can't count, ends never.
sim::DurationNs lease_in_ns(lua_Integer lease_ms) {
  if (lease_ms < 0) return 1;
  return lease_ms > sim::never_ns / sim::millisecond_ns ? 0 : lease_ms * sim::millisecond_ns;
}

int invoke(lua_State* lua) {
  Fiber& fiber = calling_fiber(lua);
  const DeclaredKind& kind = check_kind(lua, 1);
  const std::string_view lock = check_lock(lua, 2);
  const lua_Integer lease_ms = luaL_optinteger(lua, 3, 0);
  const std::uint32_t owner_thread = check_owner(lua, fiber, 4);
  ClientComponents& client = *fiber.client;
  const std::uint32_t operation =
      client.service_operations.invoke(fiber, kind.kind, kind.mode, client.workload.lock_name(lock),
                                       owner_thread, lease_in_ns(lease_ms));
  lua_pushinteger(lua, static_cast<lua_Integer>(operation));
  return 1;
}

int complete(lua_State* lua) {
  Fiber& fiber = calling_fiber(lua);
  const auto operation = static_cast<std::uint32_t>(luaL_checkinteger(lua, 1));
  const std::string_view word = check_text(lua, 2);
  checker::Outcome outcome = checker::Outcome::info;
  if (word == "ok") {
    outcome = checker::Outcome::ok;
  } else if (word == "fail") {
    outcome = checker::Outcome::fail;
  } else if (word != "info") {
    luaL_argerror(lua, 2, "ok, fail or info is expected");
  }
  fiber.client->service_operations.complete(fiber, operation, outcome);
  return 0;
}

int lost(lua_State* lua) {
  const Fiber& fiber = calling_fiber(lua);
  const std::string_view lock = check_lock(lua, 1);
  const std::uint32_t owner_thread = check_owner(lua, fiber, 2);
  ClientComponents& client = *fiber.client;
  client.workload.on_loss_reported(owner_thread, client.workload.lock_name(lock));
  return 0;
}

int refuse(lua_State* lua) {
  const std::string_view message = check_text(lua, 1);
  push_error(lua, calling_fiber(lua).client->process.runtime.error_metatable, {}, message,
             CallEffect::none);
  lua_pushboolean(lua, 1);
  lua_setfield(lua, -2, "refused");
  return lua_error(lua);
}

constexpr luaL_Reg functions[] = {{"wall_ms", &wall_ms},   {"monotonic_ms", &monotonic_ms},
                                  {"random", &random},     {"token", &token},
                                  {"owner", &owner},       {"thread", &thread},
                                  {"number", &number},     {"nodes", &nodes},
                                  {"node_of", &node_of},   {"signal", &signal},
                                  {"log", &log},           {"spawn", &spawn},
                                  {"cancel", &cancel},     {"invoke", &invoke},
                                  {"complete", &complete}, {"lost", &lost},
                                  {"refuse", &refuse},     {nullptr, nullptr}};

}  // namespace

void add_plain_functions(lua_State* lua) { luaL_setfuncs(lua, functions, 0); }

void push_client_functions(lua_State* lua) {
  lua_newtable(lua);
  add_interactions(lua);
  add_plain_functions(lua);
}

Fiber& calling_fiber(lua_State* lua) {
  Fiber* fiber = *static_cast<Fiber**>(lua_getextraspace(lua));
  if (fiber == nullptr) {
    luaL_error(lua, "this may only be called from within the lock's functions and tasks");
  }
  return *fiber;
}

std::string_view check_text(lua_State* lua, int index) {
  std::size_t length = 0;
  const char* text = luaL_checklstring(lua, index, &length);
  return {text, length};
}

void push_reply(lua_State* lua, const redis::Reply& reply) {
  luaL_checkstack(lua, 3, "a reply is nested too deeply");
  switch (reply.kind) {
    case redis::Reply::Kind::null_bulk:
    case redis::Reply::Kind::null_array:
    case redis::Reply::Kind::null:
      lua_pushnil(lua);
      return;
    case redis::Reply::Kind::boolean:
      lua_pushboolean(lua, reply.integer != 0 ? 1 : 0);
      return;
    case redis::Reply::Kind::integer:
      lua_pushinteger(lua, reply.integer);
      return;
    case redis::Reply::Kind::bulk:
    case redis::Reply::Kind::status:
    case redis::Reply::Kind::error:
    case redis::Reply::Kind::real:
    case redis::Reply::Kind::big_number:
    case redis::Reply::Kind::verbatim:
      lua_pushlstring(lua, reply.text.data(), reply.text.size());
      return;
    case redis::Reply::Kind::array:
    case redis::Reply::Kind::map:
    case redis::Reply::Kind::set:
    case redis::Reply::Kind::push:
      lua_createtable(lua, static_cast<int>(reply.elements.size()), 0);
      for (std::size_t i = 0; i < reply.elements.size(); ++i) {
        push_reply(lua, reply.elements[i]);
        lua_rawseti(lua, -2, static_cast<lua_Integer>(i) + 1);
      }
      return;
  }
}

}  // namespace lockstep::model
