// What the functions that scripts can call share with the engine that runs them.
//
// Each C function of the scripts' environments that needs it has it as its first upvalue.
// Everything whose destructor matters lives here and not in those functions, since a Lua error is a
// longjmp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <lua.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "lua/interpreter/memory.h"
#include "redis/scripting/script_engine.h"
#include "redis/scripting/script_instruction_limiter.h"

namespace lockstep::redis {

struct LibraryLoading;

/// An array, map or set in a reply that still lacks elements.
struct OpenReply {
  enum class Kind : std::uint8_t { array, map, set };
  Kind kind;
  lua_Integer wanted;
  lua_Integer written;
};

struct ScriptContext {
  lua::Memory* memory = nullptr;
  InstructionLimiter* watch = nullptr;
  lua_State* thread = nullptr;        ///< where scripts run; their coroutines are other threads
  ScriptHost* host = nullptr;         ///< of the run under way
  LibraryLoading* loading = nullptr;  ///< the library whose code runs, if one is loaded
  ScriptProtocol protocol = ScriptProtocol::resp2;
  bool ran_out_of_memory = false;           ///< then no pcall of the script continues
  std::vector<OpenReply> open_replies;      ///< of the reply being written
  std::vector<std::string_view> arguments;  ///< of a call with many arguments
  std::string argument_numbers;             ///< their numbers as text
  std::string library_text;                 ///< what cjson and cmsgpack are writing or reading
};

/// A buffer that outlives Lua errors, emptied; one that became large is given back.
inline std::string& cleared_library_text(ScriptContext& context) {
  constexpr std::size_t bytes_kept = std::size_t{64} * 1024;
  if (context.library_text.capacity() > bytes_kept) std::string().swap(context.library_text);
  context.library_text.clear();
  return context.library_text;
}

/// Ends a script that ran out of memory: after catching the error it would only spend time in one
/// full garbage collection after the other. Raises the message on top of the stack in that case.
inline void end_if_out_of_memory(lua_State* state, ScriptContext& context, bool is_memory_error) {
  context.ran_out_of_memory = context.ran_out_of_memory || is_memory_error;
  if (context.ran_out_of_memory) lua_error(state);
}

/// The context of the C function that is running.
inline ScriptContext& context_of(lua_State* state) {
  return *static_cast<ScriptContext*>(lua_touserdata(state, lua_upvalueindex(1)));
}

/// Puts a C function that uses the context into the table on top of the stack.
inline void set_context_function(lua_State* state, ScriptContext& context, const char* name,
                                 lua_CFunction function) {
  lua_pushlightuserdata(state, &context);
  lua_pushcclosure(state, function, 1);
  lua_setfield(state, -2, name);
}

}  // namespace lockstep::redis
