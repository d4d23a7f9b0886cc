// What a ClientRuntime keeps for all clients of a simulation: the scripts as calls need them, and
// the Lua values that every client's copy of the client model shares.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lua/interpreter/state.h"
#include "lua/interpreter/value_digest.h"
#include "model/client/runtime/lua_reference.h"
#include "model/client/runtime/runtime.h"

struct lua_State;

namespace lockstep::scenario {
enum class StepKind : std::uint8_t;
struct Options;
}  // namespace lockstep::scenario

namespace lockstep::model {

struct ClientRuntime::Implementation {
  struct Script {
    std::string_view name;
    std::string_view body;
    std::string sha1;
  };

  Implementation(CompiledSources& compiled, redis::ScriptEngine& engine, const LockPackage& lock);
  Implementation(const Implementation&) = delete;
  Implementation& operator=(const Implementation&) = delete;
  ~Implementation() = default;

  /// lock.options of clients with these options. REQUIRES: they are those of one of the clients.
  [[nodiscard]] const LuaReference& option_table(const scenario::Options& options) const;
  /// The script's place in `scripts`; -1 where none has that name.
  [[nodiscard]] int find_script(std::string_view name) const;
  /// The command's name in lower case, as a view that stays.
  [[nodiscard]] std::string_view label_of_command(std::string_view name);

  CompiledSources& sources;
  lua::State& state;
  lua_State* const main;  ///< the state's main thread
  const LockPackage& package;
  std::vector<Script> scripts;
  std::vector<scenario::StepKind> offered;  ///< what the client model can do

  LuaReference base;                 ///< the names that the client model sees, without `client`
  LuaReference functions_metatable;  ///< of `client`: its functions
  /// lock.options, read-only, for each of the options that clients have.
  struct OptionTable {
    const scenario::Options& options;
    LuaReference table;
  };
  std::vector<OptionTable> option_tables;
  LuaReference error_metatable;            ///< of the errors that interactions raise
  std::optional<lua::ValueDigest> values;  ///< where somebody wants digests

 private:
  void compile_scripts(redis::ScriptEngine& engine);

  std::set<std::string, std::less<>> labels_;
};

}  // namespace lockstep::model
