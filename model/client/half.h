// A client's own copy of the client half: its environment, its functions, its locks' tables.
//
// The source is compiled once for each client; each run executes it anew, so that nothing a run
// leaves in a variable is there in the next. The environment is strict: a name that does not exist
// is an error, and no global can be made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/client/runtime_implementation.h"

struct lua_State;

namespace lockstep::model {

/// What the workload calls.
enum class HalfFunction : std::uint8_t { lock, try_lock, unlock, force_unlock };
inline constexpr const char* half_function_names[] = {"lock", "try_lock", "unlock", "force_unlock"};

class Half {
 public:
  /// Throws InputError where the source does not compile.
  explicit Half(ClientRuntime::Implementation& runtime);
  Half(const Half&) = delete;
  Half& operator=(const Half&) = delete;
  ~Half() = default;

  /// Executes the source with fresh tables. Throws InputError where it raises or lacks a function.
  void start_run(std::string_view uuid);

  /// Pushes one of its functions onto any coroutine of the state.
  void push_function(lua_State* lua, HalfFunction function) const;
  /// Pushes the table of a lock; made at first use in a run. Locks count from 0.
  void push_lock(lua_State* lua, std::size_t lock, std::string_view name) const;

 private:
  void make_environment();
  void compile();
  void make_client_table(std::string_view uuid);
  void require_functions(lua_State* lua) const;

  ClientRuntime::Implementation& runtime_;
  LuaReference names_;      // the table that the environment looks names up in
  LuaReference chunk_;      // the compiled source
  LuaReference functions_;  // what it returned in this run
  LuaReference locks_;      // the tables of this run's locks
};

/// The InputError that a Lua error text stands for: "plain/client.lua:12: what" names line 12.
[[nodiscard]] InputError input_error_from(const std::string& path, std::string_view chunk_name,
                                          std::string_view lua_error);

}  // namespace lockstep::model
