#include "tests/redis/comparison/script_runner.h"

#include <cstdio>

#include "redis/protocol/reply_builder.h"
#include "redis/protocol/resp_writer.h"

namespace lockstep::redis::test {

std::string lua_literal(std::string_view text) {
  std::string literal = "'";
  for (const char letter : text) {
    const auto code = static_cast<unsigned char>(letter);
    if (code >= ' ' && code < 127 && letter != '\'' && letter != '\\') {
      literal += letter;
    } else {
      char escape[8];
      std::snprintf(escape, sizeof escape, "\\%03u", static_cast<unsigned>(code));
      literal += escape;
    }
  }
  literal += '\'';
  return literal;
}

void ScriptRunner::answer_with(const Reply& reply) {
  answer_ = [reply](std::span<const std::string_view>, ReplyWriter& writer) {
    write_reply(reply, writer);
  };
}

Reply ScriptRunner::run(std::string_view body, const std::vector<std::string>& keys,
                        const std::vector<std::string>& arguments) {
  calls_.clear();
  log_lines_.clear();
  Reply reply;
  ReplyBuilder builder(reply);
  const auto compiled = engine_.compile(body);
  if (const auto* complaint = std::get_if<std::string>(&compiled)) {
    builder.error(*complaint);
    return reply;
  }
  const std::vector<std::string_view> key_views(keys.begin(), keys.end());
  const std::vector<std::string_view> argument_views(arguments.begin(), arguments.end());
  engine_.run(std::get<ScriptId>(compiled), key_views, argument_views, *this, builder);
  return reply;
}

std::string ScriptRunner::describe_run(std::string_view body, const std::vector<std::string>& keys,
                                       const std::vector<std::string>& arguments) {
  return describe(run(body, keys, arguments));
}

void ScriptRunner::call(std::span<const std::string_view> arguments, ReplyWriter& reply) {
  std::string line;
  for (const std::string_view argument : arguments) {
    line.append(line.empty() ? "" : " ").append(argument);
  }
  calls_.push_back(line);
  if (answer_) {
    answer_(arguments, reply);
  } else {
    reply.status(arguments[0]);
  }
}

void ScriptRunner::log(std::int64_t level, std::string_view text) {
  log_lines_.push_back(std::to_string(level) + " " + std::string(text));
}

}  // namespace lockstep::redis::test
