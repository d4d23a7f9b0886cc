// Runs Lua scripts as Redis does: EVAL's conversions, sandbox and error texts.
//
// One engine serves every simulated server of a process; a script is compiled once and kept over
// runs, known by its SHA1. *Which* scripts a server knows (NOSCRIPT) is up to the server
// (script_cache.h). The engine shares its Lua state with the client models
// (lua/interpreter/state.h) but has its own environment. Measured behaviour: Redis 7.0.15 with Lua
// 5.1; where Lua 5.4 differs and is not bridged, docs/fidelity.md says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace lockstep::lua {
class State;
struct ScriptWarning;
}  // namespace lockstep::lua

namespace lockstep::redis {

class ReplyWriter;
class ScriptWatchdog;
struct LibraryFunction;
struct ScriptProcessState;
struct VersionTraits;

enum class ScriptId : std::uint32_t {};

/// redis.setresp: how replies become Lua values.
enum class ScriptProtocol : std::uint8_t { resp2, resp3 };

/// A running script's interface to the server.
class ScriptHost {
 public:
  /// Executes one command for redis.call / redis.pcall; exactly one reply (or error) goes to
  /// `reply`. An error's text begins with its code; the engine adds the script's name and line
  /// where it leaves the script. Must not throw, raise a Lua error or run a script.
  virtual void call(std::span<const std::string_view> arguments, ReplyWriter& reply) = 0;
  /// redis.log; the level is 0 (debug) to 3 (warning).
  virtual void log(std::int64_t level, std::string_view text) = 0;
  [[nodiscard]] virtual ScriptProcessState& process() = 0;
  /// Whose words the errors have.
  [[nodiscard]] virtual const VersionTraits& script_version() const;
  /// redis.setresp: the protocol of the replies to the calls that follow. A script begins with
  /// RESP2.
  virtual void set_protocol(ScriptProtocol /*protocol*/) {}
  /// redis.set_repl: whether the writes that follow reach the replicas. True when a script begins.
  virtual void set_replicated(bool /*is_replicated*/) {}

 protected:
  ~ScriptHost() = default;
};

enum class ScriptAccess : std::uint8_t { read_write, read_only };

/// What a script's first line, `#!lua flags=…`, declares. The server acts on it.
struct ScriptFlags {
  bool has_shebang = false;
  bool no_writes = false;
  bool allow_oom = false;
  bool allow_stale = false;
  bool no_cluster = false;
  bool allow_cross_slot_keys = false;
};

class ScriptEngine {
 public:
  explicit ScriptEngine(lua::State& state);
  ScriptEngine(const ScriptEngine&) = delete;
  ScriptEngine& operator=(const ScriptEngine&) = delete;
  ~ScriptEngine();

  /// Compiles a script, or finds it compiled before (by its text, without hashing it). On failure
  /// the error reply's text, as Redis words it ("ERR Error compiling script (new function):
  /// user_script:1: …").
  std::variant<ScriptId, std::string> compile(std::string_view body);
  /// The compiled script with this SHA1 (any case), if this process has compiled it.
  [[nodiscard]] const ScriptId* find(std::string_view sha1) const;
  /// 40 lower-case hexadecimal digits.
  [[nodiscard]] std::string_view sha1(ScriptId script) const;
  [[nodiscard]] std::string_view body(ScriptId script) const;
  [[nodiscard]] const ScriptFlags& declaration(ScriptId script) const;
  /// Possible differences from Redis, by line.
  [[nodiscard]] std::span<const lua::ScriptWarning> warnings(ScriptId script) const;
  /// The script as Lua 5.4 runs it, without its `#!` line; lines are where they were.
  [[nodiscard]] std::string_view rewritten(ScriptId script) const;

  /// Runs a script to its end and writes its reply, converted as EVAL does, to `reply`. An uncaught
  /// error becomes an error reply with Redis's suffix. Never throws. The views need to stay valid
  /// only until the script starts.
  void run(ScriptId script, std::span<const std::string_view> keys,
           std::span<const std::string_view> arguments, ScriptHost& host, ReplyWriter& reply);

  /// Loads a library (its code without the `#!` line): runs it, and gives what it registered, to be
  /// released. On failure the error, as Redis words it, without "ERR ". REQUIRES: no script runs.
  std::variant<std::vector<LibraryFunction>, std::string> load_library(
      std::string_view code, const VersionTraits& version);
  void release(std::span<const LibraryFunction> functions);
  /// Runs a function as run() does a script.
  void run_function(const LibraryFunction& function, std::span<const std::string_view> keys,
                    std::span<const std::string_view> arguments, ScriptHost& host,
                    ReplyWriter& reply);

  /// A script that executes more Lua instructions than this ends with the error of SCRIPT KILL,
  /// which it can't catch. Counted in steps of up to 10,000, and only for scripts with loops or
  /// functions of their own; others can't go on for long. 0: no limit. Default 100,000,000 (about a
  /// second).
  void set_instruction_limit(std::uint64_t instructions_max);
  /// Who ends scripts by real time, besides; nullptr: nobody. Not owned.
  void set_watchdog(ScriptWatchdog* watchdog);

  /// Gives up all compiled scripts: their ids mean nothing any more. REQUIRES: none runs.
  void forget_all();
  [[nodiscard]] std::size_t script_count() const;

 private:
  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// The SHA1 of a text as 40 lower-case hexadecimal digits.
[[nodiscard]] std::string sha1_hex(std::string_view text);

}  // namespace lockstep::redis
