// A script engine over a host that the test speaks for.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "lua/interpreter/state.h"
#include "redis/protocol/reply.h"
#include "redis/protocol/reply_writer.h"
#include "redis/protocol/resp.h"
#include "redis/scripting/script_engine.h"
#include "redis/scripting/script_process_state.h"

namespace lockstep::redis::test {

class ScriptRunner final : private ScriptHost {
 public:
  using Answer = std::function<void(std::span<const std::string_view>, ReplyWriter&)>;

  ScriptRunner() = default;
  explicit ScriptRunner(const lua::StateOptions& options) : state_(options) {}

  [[nodiscard]] ScriptEngine& engine() { return engine_; }
  [[nodiscard]] lua::State& state() { return state_; }
  /// As after a restart of the server.
  void restart() { process_ = ScriptProcessState(); }

  /// What redis.call gets; without it, the command's name as a status.
  void answer_with(Answer answer) { answer_ = std::move(answer); }
  void answer_with(const Reply& reply);

  /// EVAL: the script's reply, or the compiler's error.
  Reply run(std::string_view body, const std::vector<std::string>& keys = {},
            const std::vector<std::string>& arguments = {});
  /// The same, described on one line.
  std::string describe_run(std::string_view body, const std::vector<std::string>& keys = {},
                           const std::vector<std::string>& arguments = {});

  /// Every call of the last run, as one line of words.
  [[nodiscard]] const std::vector<std::string>& calls() const { return calls_; }
  [[nodiscard]] const std::vector<std::string>& log_lines() const { return log_lines_; }

 private:
  void call(std::span<const std::string_view> arguments, ReplyWriter& reply) override;
  void log(std::int64_t level, std::string_view text) override;
  ScriptProcessState& process() override { return process_; }

  lua::State state_;
  ScriptEngine engine_{state_};
  Answer answer_;
  std::vector<std::string> calls_;
  std::vector<std::string> log_lines_;
  ScriptProcessState process_;
};

/// A text as a Lua string literal.
std::string lua_literal(std::string_view text);

}  // namespace lockstep::redis::test
