#include <optional>
#include <string>
#include <variant>

#include "redis/commands/commands.h"
#include "redis/protocol/integers.h"
#include "redis/protocol/letter_case.h"
#include "redis/server/server.h"

namespace lockstep::redis::commands {
namespace {

constexpr std::size_t first_key = 3;  // EVAL script numkeys key…

ScriptAccess access_of(const CommandSpec& spec) {
  return spec.is(CommandFlag::read_only) ? ScriptAccess::read_only : ScriptAccess::read_write;
}

/// How many of the words are keys; where that is impossible, replies so and returns nothing.
std::optional<std::size_t> key_count(Call& call) {
  const std::optional<std::int64_t> count = call.integer(2);
  if (!count) return std::nullopt;
  if (*count > static_cast<std::int64_t>(call.size() - first_key)) {
    call.reply().error("ERR Number of keys can't be greater than number of args");
    return std::nullopt;
  }
  if (*count < 0) {
    call.reply().error("ERR Number of keys can't be negative");
    return std::nullopt;
  }
  return static_cast<std::size_t>(*count);
}

void run(Call& call, ScriptId script, std::size_t keys) {
  call.server().run_script(script, access_of(call.spec()), call, keys,
                           call.words().subspan(first_key));
}

/// Compiles a script for this server; where it does not compile, replies so and returns nothing.
std::optional<ScriptId> load(Call& call, std::string_view body) {
  const std::variant<ScriptId, std::string> compiled = call.server().scripts().compile(body);
  if (const auto* failure = std::get_if<std::string>(&compiled)) {
    call.reply().error(*failure);
    return std::nullopt;
  }
  call.server().cache_script(std::get<ScriptId>(compiled));
  return std::get<ScriptId>(compiled);
}

}  // namespace

void eval(Call& call) {
  const std::optional<std::size_t> keys = key_count(call);
  if (!keys) return;
  if (const std::optional<ScriptId> script = load(call, call[1])) run(call, *script, *keys);
}

void evalsha(Call& call) {
  constexpr std::size_t sha1_digits = 40;
  const std::string_view no_script = call.server().version().no_such_script;
  if (call[1].size() != sha1_digits) return call.reply().error(no_script);
  const std::optional<std::size_t> keys = key_count(call);
  if (!keys) return;
  const ScriptId* const script = call.server().find_script(call[1]);
  if (script == nullptr) return call.reply().error(no_script);
  run(call, *script, *keys);
}

void script_load(Call& call) {
  const std::optional<ScriptId> script = load(call, call[2]);
  if (script) call.reply().bulk(call.server().scripts().sha1(*script));
}

void script_exists(Call& call) {
  call.reply().array(call.size() - 2);
  for (const std::string_view sha1 : call.words().subspan(2)) {
    call.reply().integer(call.server().find_script(sha1) == nullptr ? 0 : 1);
  }
}

void script_flush(Call& call) {
  const bool is_valid =
      call.size() == 2 || (call.size() == 3 && (equals_ignoring_case(call[2], "async") ||
                                                equals_ignoring_case(call[2], "sync")));
  if (!is_valid) return call.reply().error("ERR SCRIPT FLUSH only support SYNC|ASYNC option");
  call.server().flush_scripts();
  call.reply().status("OK");
}

void script_kill(Call& call) { call.reply().error("NOTBUSY No scripts in execution right now."); }

}  // namespace lockstep::redis::commands
