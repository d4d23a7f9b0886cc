#include "model/client/runtime/fiber_scheduler.h"

#include <algorithm>
#include <cassert>
#include <lua.hpp>

#include "model/client/client_process.h"
#include "model/lock/client_model_instrumentation.h"

namespace lockstep::model {
namespace {

/// More turns than any client needs before time passes.
constexpr int turns_in_an_instant_max = 10'000;

/// A client model that goes on and on while no time passes, interactions and all, is stopped by a
/// hook, at each instruction again.
void stop_timeless(lua_State* lua, lua_Debug* /*debug*/) {
  Fiber* fiber = *static_cast<Fiber**>(lua_getextraspace(lua));
  fiber->is_runaway = true;
  luaL_where(lua, 0);
  lua_pushfstring(lua, "the client model had %d turns while no time passed",
                  turns_in_an_instant_max);
  lua_concat(lua, 2);
  lua_error(lua);
}

/// Says more than Lua's "not enough memory" on top of the stack: where it was raised, and the
/// limit. The stack is as the error left it. REQUIRES: the memory is unlimited.
void explain_memory_error(lua_State* lua, bool has_copied_too_much) {
  lua_pop(lua, 1);
  int level = 0;
  lua_Debug caller;
  while (lua_getstack(lua, level, &caller) != 0 && lua_getinfo(lua, "l", &caller) != 0 &&
         caller.currentline <= 0) {
    ++level;
  }
  luaL_where(lua, level);
  if (has_copied_too_much) {
    lua_pushfstring(lua, "the client model copied more than %d MiB without an interaction",
                    static_cast<int>(large_blocks_bytes_max >> 20));
  } else {
    lua_pushliteral(lua, "the client model needs too much memory");
  }
  lua_concat(lua, 2);
}

}  // namespace

int raise_runaway(lua_State* lua, Fiber& fiber) {
  fiber.is_runaway = true;
  return luaL_error(lua, "the client model went through %d loops and calls without an interaction",
                    iterations_max);
}

Command& Interaction::add_command() {
  if (command_count == commands.size()) commands.emplace_back();
  Command& command = commands[command_count++];
  command.script = Command::no_script;
  command.rest.clear();
  command.number = 0;
  command.reply.reset();
  return command;
}

FiberScheduler::~FiberScheduler() {
  for (const auto& fiber : fibers_)
    luaL_unref(process_.runtime.main, LUA_REGISTRYINDEX, fiber->reference);
}

Fiber& FiberScheduler::take() {
  if (unused_.empty()) {
    auto fiber = std::make_unique<Fiber>();
    fiber->client = &client_;
    fiber->index = static_cast<std::uint32_t>(fibers_.size());
    make_coroutine(*fiber);
    fibers_.push_back(std::move(fiber));
    unused_.push_back(fibers_.back()->index);
  }
  Fiber& fiber = *fibers_[unused_.back()];
  unused_.pop_back();
  ++changes_;
  assert(fiber.state == Fiber::State::unused && lua_gettop(fiber.lua) == 0);
  fiber.state = Fiber::State::waiting;
  fiber.task.reset();
  fiber.interaction.kind = Interaction::Kind::none;
  fiber.interaction.command_count = 0;
  fiber.is_runaway = false;
  fiber.operations.clear();
  fiber.timer = {};
  fiber.is_postponed = false;
  fiber.connection = {};
  return fiber;
}

void FiberScheduler::make_coroutine(Fiber& fiber) {
  const lua::Memory::Unlimited unlimited(process_.runtime.state.memory());
  fiber.lua = lua_newthread(process_.runtime.main);
  fiber.reference = luaL_ref(process_.runtime.main, LUA_REGISTRYINDEX);
  *static_cast<Fiber**>(lua_getextraspace(fiber.lua)) = &fiber;
}

void FiberScheduler::recycle(Fiber& fiber) {
  if (fiber.state == Fiber::State::unused) return;
  ++changes_;
  if (fiber.state == Fiber::State::ready) {
    const auto is_its = [&](const Turn& turn) {
      return turn.kind == Turn::Kind::fiber && turn.index == fiber.index;
    };
    const auto next = turns_.begin() + static_cast<std::ptrdiff_t>(next_turn_);
    turns_.erase(std::remove_if(next, turns_.end(), is_its), turns_.end());
  }
  if (lua_status(fiber.lua) != LUA_OK) lua_resetthread(fiber.lua);
  lua_settop(fiber.lua, 0);
  if (fiber.is_runaway) {
    // Lua calls no hook any more in a coroutine whose hook has raised: nothing would stop the next.
    luaL_unref(process_.runtime.main, LUA_REGISTRYINDEX, fiber.reference);
    make_coroutine(fiber);
    fiber.is_runaway = false;
  }
  fiber.state = Fiber::State::unused;
  fiber.is_postponed = false;  // the end of its fault has nothing to make up for any more
  unused_.push_back(fiber.index);
}

void FiberScheduler::recycle_all() {
  ++changes_;
  for (const auto& fiber : fibers_) recycle(*fiber);
  // Taken in the order of a client that has none yet, whatever the last run did.
  unused_.clear();
  for (std::size_t i = fibers_.size(); i-- > 0;) {
    unused_.push_back(static_cast<std::uint32_t>(i));
  }
  turns_.clear();
  next_turn_ = 0;
  is_deferred_ = false;
  turns_in_instant_ = 0;
}

void FiberScheduler::make_ready(Fiber& fiber, int results) {
  assert(fiber.state == Fiber::State::waiting);
  ++changes_;
  fiber.state = Fiber::State::ready;
  fiber.results = results;
  turns_.push_back({Turn::Kind::fiber, fiber.index});
}

void FiberScheduler::succeed(Fiber& fiber, int count) {
  lua_pushboolean(fiber.lua, 1);
  make_ready(fiber, count + 1);
}

void FiberScheduler::fail(Fiber& fiber, std::string_view code, std::string_view message,
                          CallEffect effect) {
  const lua::Memory::Unlimited unlimited(process_.runtime.state.memory());
  push_error(fiber.lua, process_.runtime.error_metatable, code, message, effect);
  lua_pushboolean(fiber.lua, 0);
  make_ready(fiber, 2);
}

void FiberScheduler::make_step_ready(std::uint32_t thread) {
  turns_.push_back({Turn::Kind::step, thread});
}

void FiberScheduler::run_ready() {
  if (is_running_) return;
  is_running_ = true;
  while (next_turn_ < turns_.size() && process_.host.state() == sim::HostState::running) {
    const Turn turn = turns_[next_turn_++];
    if (next_turn_ == turns_.size()) {
      turns_.clear();
      next_turn_ = 0;
    }
    if (turn.kind == Turn::Kind::step) {
      listener_.on_next_step(turn.index);
    } else {
      resume(*fibers_[turn.index]);
    }
  }
  is_running_ = false;
  if (next_turn_ < turns_.size() && !is_deferred_) {
    is_deferred_ = true;
    process_.host.run_or_defer(deferred_cookie);
  }
}

void FiberScheduler::on_resumed() {
  is_deferred_ = false;
  run_ready();
}

void FiberScheduler::resume(Fiber& fiber) {
  assert(fiber.state == Fiber::State::ready);
  fiber.state = Fiber::State::running;
  ++changes_;
  fiber.interaction.kind = Interaction::Kind::none;
  if (instant_ns_ != process_.now()) turns_in_instant_ = 0;
  instant_ns_ = process_.now();
  if (++turns_in_instant_ > turns_in_an_instant_max) {
    lua_sethook(fiber.lua, &stop_timeless, LUA_MASKCOUNT, 1);
  } else if (lua_gethook(fiber.lua) != nullptr) {
    lua_sethook(fiber.lua, nullptr, 0, 0);
  }
  fiber.iterations = 0;
  int count = 0;
  lua::Memory& memory = process_.runtime.state.memory();
  memory.allow_large_blocks(large_blocks_bytes_max);
  const int status = lua_resume(fiber.lua, process_.runtime.main, fiber.results, &count);
  const bool has_copied_too_much = memory.has_refused_large_block();
  memory.allow_all_large_blocks();
  if (status == LUA_ERRMEM) {
    const lua::Memory::Unlimited unlimited(memory);
    explain_memory_error(fiber.lua, has_copied_too_much);
  }
  fiber.state = Fiber::State::waiting;
  fiber.results = count;
  if (status == LUA_YIELD) {
    assert(count == 0 && fiber.interaction.kind != Interaction::Kind::none);
    listener_.on_interaction(fiber);
  } else if (status == LUA_OK) {
    listener_.on_returned(fiber);
  } else {
    listener_.on_raised(fiber);
  }
}

}  // namespace lockstep::model
