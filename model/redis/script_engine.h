// Runs Lua scripts as Redis does: EVAL's conversions, sandbox and error texts.
//
// One engine serves every simulated server of a process; a script is compiled once and kept over
// runs, known by its SHA1. *Which* scripts a server knows (NOSCRIPT) is the server's matter. The
// engine shares its Lua state with the client halves (model/lua/state.h) and keeps apart from them by
// an environment of its own. Measured behaviour: Redis 7.0.15 with Lua 5.1; where Lua 5.4 differs and
// is not bridged, docs/fidelity.md says so.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "model/lua/state.h"
#include "model/redis/reply.h"

namespace lockstep::redis {

enum class ScriptId : std::uint32_t {};

/// What a running script reaches the server by.
class ScriptHost {
 public:
  /// Executes one command for redis.call / redis.pcall; the reply (or error) goes to `reply`.
  /// Must not throw and must not raise a Lua error.
  virtual void call(std::span<const std::string_view> arguments, ReplyWriter& reply) = 0;
  /// redis.log
  virtual void log(std::int64_t level, std::string_view text) = 0;

 protected:
  ~ScriptHost() = default;
};

enum class ScriptAccess : std::uint8_t { read_write, read_only };

class ScriptEngine {
 public:
  explicit ScriptEngine(lua::State& state);
  ScriptEngine(const ScriptEngine&) = delete;
  ScriptEngine& operator=(const ScriptEngine&) = delete;
  ~ScriptEngine();

  /// Compiles a script, or finds it compiled before. On failure the error reply's text, as Redis
  /// words it ("ERR Error compiling script (new function): user_script:1: …").
  std::variant<ScriptId, std::string> compile(std::string_view body);
  /// The compiled script with this SHA1 (any case), if this process has compiled it.
  [[nodiscard]] const ScriptId* find(std::string_view sha1) const;
  /// 40 lower-case hexadecimal digits.
  [[nodiscard]] std::string_view sha1(ScriptId script) const;
  [[nodiscard]] std::string_view body(ScriptId script) const;

  /// Runs a script to its end and writes its reply, converted as EVAL does, to `reply`. An uncaught
  /// error becomes an error reply with Redis's suffix. Never throws.
  void run(ScriptId script, std::span<const std::string_view> keys,
           std::span<const std::string_view> arguments, ScriptHost& host, ReplyWriter& reply);

  /// Before each simulation run: forgets what one run could leave for the next (math.random's state).
  void reset_run();

 private:
  struct Implementation;
  Implementation* implementation_;
};

/// The SHA1 of a text as 40 lower-case hexadecimal digits.
[[nodiscard]] std::string sha1_hex(std::string_view text);

}  // namespace lockstep::redis
