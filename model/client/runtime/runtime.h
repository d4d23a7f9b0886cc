// Compiled client models in the engine's Lua state, and the coroutines that run them.
//
// One runtime serves every client of a simulation, and every run: a client model is compiled once
// for each lock package; each client gets an environment of its own (fresh tables each run);
// coroutines are reused. docs/locks.md describes what the client model may call.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace lockstep::redis {
class ScriptEngine;
}

namespace lockstep::scenario {
struct Scenario;
enum class StepKind : std::uint8_t;
}  // namespace lockstep::scenario

namespace lockstep::model {

class CompiledSources;
struct LockPackage;

class ClientRuntime {
 public:
  /// Compiles the client model and computes its scripts' SHA1s. Throws InputError with file and
  /// line: syntax errors, two interactions on one source line, a missing function, a script that
  /// does not compile.
  ClientRuntime(CompiledSources& sources, redis::ScriptEngine& scripts, const LockPackage& package);
  ClientRuntime(const ClientRuntime&) = delete;
  ClientRuntime& operator=(const ClientRuntime&) = delete;
  ~ClientRuntime();

  [[nodiscard]] const LockPackage& package() const { return package_; }
  /// Throws InputError at the first step that asks for a function which the lock doesn't offer.
  void require_offered(const scenario::Scenario& scenario) const;

  /// The functions of the client model, in the order of the kinds.
  [[nodiscard]] std::span<const scenario::StepKind> offered() const;

  struct Implementation;
  [[nodiscard]] Implementation& implementation() { return *implementation_; }

 private:
  const LockPackage& package_;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace lockstep::model
