// A client's own copy of the client model: its environment, its functions, its locks' tables.
//
// The source is compiled once for all clients of an engine (compiled_sources.h). A run begins with
// variables and tables as new; where the last one has changed a table, it executes the source anew
// (client_model_snapshot.h). The environment is strict: a name that does not exist is an error, and
// no global can be made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "lua/interpreter/value_digest.h"
#include "model/client/runtime/client_model_snapshot.h"
#include "model/client/runtime/runtime_implementation.h"
#include "model/lock/client_model_instrumentation.h"

struct lua_State;

namespace lockstep::scenario {
class InputError;
enum class StepKind : std::uint8_t;
struct Options;
}  // namespace lockstep::scenario

namespace lockstep::model {

class ClientModel {
 public:
  /// The options are one client's (runtime_implementation.h). Throws InputError where the source
  /// does not compile.
  ClientModel(ClientRuntime::Implementation& runtime, const scenario::Options& options);
  ClientModel(const ClientModel&) = delete;
  ClientModel& operator=(const ClientModel&) = delete;
  ~ClientModel() = default;

  /// Gives the functions what a run begins with: no locks, no state, nothing of an earlier run.
  /// Throws InputError where the source raises, or returns no table.
  void start_run(std::string_view uuid);
  /// What the lock offers: the functions that the source returned in this run, by step kind. Throws
  /// InputError for one that no step calls, that the lock's shape has no use for, or whose
  /// counterpart is missing.
  [[nodiscard]] std::vector<scenario::StepKind> offered() const;

  /// Pushes one of its functions onto any coroutine of the state.
  /// REQUIRES: the lock offers it.
  void push_function(lua_State* lua, scenario::StepKind function) const;
  /// Pushes the table of a lock; made at first use in a run. Locks count from 0.
  void push_lock(lua_State* lua, std::size_t lock, std::string_view name) const;
  /// Writes all that its variables and tables hold; the coroutines are the scheduler's.
  void digest_into(lua::ValueDigest& values) const;
  /// The compiled code that these functions of it can reach, with the names that it looks up
  /// (reachable_code.cpp). REQUIRES: a run has begun.
  [[nodiscard]] std::string reachable_code(std::span<const scenario::StepKind> functions) const;
  /// Makes known what of it never changes.
  void register_constants(lua::ValueDigest& values) const;

 private:
  void make_environment();
  /// Pushes the text as a function. Throws InputError where it does not compile.
  /// `source`: the file's, where the text is another.
  void load(const std::string& path, const std::string& source, const std::string& text) const;
  [[nodiscard]] LuaReference compile(const std::string& path, const std::string& source) const;
  [[nodiscard]] ClientModelNames names_in_scope() const;
  void make_client_table();
  void renew_client_table(std::string_view uuid);
  void renew_require();
  [[nodiscard]] int execute();
  void take_functions(int status);
  void take_snapshot();
  [[nodiscard]] scenario::InputError error_in_source(std::string_view lua_error) const;

  ClientRuntime::Implementation& runtime_;
  const LuaReference& options_;
  LuaReference names_;          // the table that the environment looks names up in
  LuaReference client_;         // `client`
  LuaReference chunk_;          // the source as a function
  LuaReference libraries_;      // the libraries likewise, by name; none where there are none
  LuaReference returned_;       // what they returned, by name, where they were executed
  LuaReference functions_;      // what it returned when it was executed
  LuaReference locks_;          // the tables of this run's locks
  int loading_iterations_ = 0;  // while the source is executed (client_model_instrumentation.h)
  ClientModelTraits traits_;
  ClientModelSnapshot image_;
  std::uint32_t snapshots_taken_ = 0;     // how often it was…
  std::uint32_t snapshots_restored_ = 0;  // …and how often that was of use
};

/// What errors of a client model's file begin with: its folder and name, "plain/client.lua".
[[nodiscard]] std::string chunk_name_of(const std::string& path);

}  // namespace lockstep::model
