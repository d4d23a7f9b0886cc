// Compiled client halves in the engine's Lua state, and the coroutines that run them.
//
// One runtime serves every client of a simulation, and every run: a client half is compiled once
// for each lock package; each client gets an environment of its own (fresh tables each run);
// coroutines are reused. docs/locks.md describes what the client half may call.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "model/client/lock_package.h"
#include "model/lua/state.h"
#include "model/redis/script_engine.h"

namespace lockstep::model {

class ClientRuntime {
 public:
  /// Compiles the client half and computes its scripts' SHA1s. Throws InputError with file and
  /// line: syntax errors, two interactions on one source line, a missing function, a script that
  /// does not compile.
  ClientRuntime(lua::State& state, redis::ScriptEngine& scripts, const LockPackage& package);
  ClientRuntime(const ClientRuntime&) = delete;
  ClientRuntime& operator=(const ClientRuntime&) = delete;
  ~ClientRuntime();

  [[nodiscard]] const LockPackage& package() const { return package_; }
  /// Throws InputError at the first step that asks for a function which the lock doesn't offer.
  void require_offered(const Scenario& scenario) const;

  struct Implementation;
  [[nodiscard]] Implementation& implementation() { return *implementation_; }

 private:
  const LockPackage& package_;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace lockstep::model
