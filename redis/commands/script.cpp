#include <array>
#include <optional>
#include <string>
#include <variant>

#include "redis/commands/commands.h"
#include "redis/protocol/integers.h"
#include "redis/protocol/letter_case.h"
#include "redis/server/server.h"
#include "redis/server/version_traits.h"

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
  if (body.starts_with("#!") && !call.server().version().has_script_flags) {
    call.reply().error(
        "ERR Error compiling script (new function): user_script:1: unexpected symbol near '#'");
    return std::nullopt;
  }
  const std::variant<ScriptId, std::string> compiled = call.server().scripts().compile(body);
  if (const auto* failure = std::get_if<std::string>(&compiled)) {
    call.reply().error(*failure);
    return std::nullopt;
  }
  call.server().cache_script(std::get<ScriptId>(compiled));
  return std::get<ScriptId>(compiled);
}

void replicate_cache(Call& call) {
  if (call.server().version().replicates_script_cache) call.force_propagation();
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
  if (!script) return;
  replicate_cache(call);
  call.reply().bulk(call.server().scripts().sha1(*script));
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
  replicate_cache(call);
  call.reply().status("OK");
}

void script_help(Call& call) {
  static constexpr std::array<std::string_view, 14> lines{
      "DEBUG (YES|SYNC|NO)",
      "    Set the debug mode for subsequent scripts executed.",
      "EXISTS <sha1> [<sha1> ...]",
      "    Return information about the existence of the scripts in the script cache.",
      "FLUSH [ASYNC|SYNC]",
      "    Flush the Lua scripts cache. Very dangerous on replicas.",
      "    When called without the optional mode argument, the behavior is determined by the",
      "    lazyfree-lazy-user-flush configuration directive. Valid modes are:",
      "    * ASYNC: Asynchronously flush the scripts cache.",
      "    * SYNC: Synchronously flush the scripts cache.",
      "KILL",
      "    Kill the currently executing Lua script.",
      "LOAD <script>",
      "    Load a script into the scripts cache without executing it."};
  call.reply_help(lines);
}

namespace {

void kill_running(Call& call, bool is_function) {
  const RunningScript& script = call.server().running_script();
  if (!script.is_running) {
    return call.reply().error("NOTBUSY No scripts in execution right now.");
  }
  if (script.is_from_master) {
    return call.reply().error(
        "UNKILLABLE The busy script was sent by a master instance in the context of replication "
        "and cannot be killed.");
  }
  if (script.has_written) {
    return call.reply().error(
        "UNKILLABLE Sorry the script already executed write commands against the dataset. You can "
        "either wait the script termination or kill the server in a hard way using the SHUTDOWN "
        "NOSAVE command.");
  }
  if (script.is_function != is_function) return call.reply().error(call.server().busy_error());
  call.server().kill_script();
  call.reply().status("OK");
}

}  // namespace

void script_kill(Call& call) { kill_running(call, false); }
void function_kill(Call& call) { kill_running(call, true); }

}  // namespace lockstep::redis::commands
