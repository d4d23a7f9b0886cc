// The forms that commands have in other versions than 7.0: measured, by COMMAND of each version.
#include <array>

#include "redis/commands/commands.h"
#include "redis/server/command_table.h"

namespace lockstep::redis {
namespace variant_rows {
namespace {

using enum CommandFlag;
using enum ServerVersion;

constexpr VersionSet only_6_0{redis_6_0};
constexpr VersionSet from_8_0{redis_8_0, valkey_8_0, valkey_8_1, valkey_9_1};
constexpr VersionSet valkey{valkey_8_0, valkey_8_1, valkey_9_1};

constexpr KeyPositions no_keys{};
constexpr KeyPositions one_key{1, 1, 1};
constexpr KeyPositions two_keys{1, 2, 1};
constexpr KeyPositions all_keys{1, -1, 1};
constexpr KeyPositions all_but_last{1, -2, 1};

constexpr CommandFlag fast_write = write | fast;
constexpr CommandFlag transaction = no_script | loading | stale | fast | allow_busy | never_queued;

constexpr CommandSpec in(VersionSet versions, std::string_view name, std::int16_t arity,
                         CommandFlag flags, KeyPositions keys, CommandProc code) {
  return {name, arity, flags, keys, code, {}, {}, versions};
}

constexpr CommandFlag loaded = loading | stale;
constexpr CommandFlag connection = no_script | loaded;
constexpr KeyPositions second_word{2, 2, 1};

constexpr CommandSpec subcommand(std::string_view name, std::int16_t arity, CommandFlag flags,
                                 CommandProc code) {
  return in(only_6_0, name, arity, flags, no_keys, code);
}
/// What 6.0 runs where it knows no such subcommand, or not with so many words.
constexpr CommandSpec refusing(std::string_view name, CommandFlag flags, KeyPositions keys = {}) {
  return in(only_6_0, name, -2, flags, keys, commands::refuse_subcommand);
}

constexpr std::array variants{
    refusing("client", admin | connection),
    refusing("cluster", admin | stale),
    refusing("command", loaded),
    refusing("config", admin | connection),
    refusing("object", read_only, second_word),
    refusing("pubsub", pubsub | loaded),
    refusing("script", no_script),
    subcommand("client|kill", -2, admin | connection, commands::client_kill),
    subcommand("command|getkeys", -3, loaded, commands::command_getkeys),
    subcommand("config|get", 3, admin | connection, commands::config_get),
    subcommand("config|set", 4, admin | connection, commands::config_set),
    subcommand("script|exists", -2, no_script, commands::script_exists),
    subcommand("script|flush", 2, no_script, commands::script_flush),
    // Without options.
    in(only_6_0, "expire", 3, fast_write, one_key, commands::expire),
    in(only_6_0, "expireat", 3, fast_write, one_key, commands::expireat),
    in(only_6_0, "pexpire", 3, fast_write, one_key, commands::pexpire),
    in(only_6_0, "pexpireat", 3, fast_write, one_key, commands::pexpireat),
    in(only_6_0, "lpop", 2, fast_write, one_key, commands::lpop),
    in(only_6_0, "rpop", 2, fast_write, one_key, commands::rpop),
    in(only_6_0, "hello", -2, no_script | loading | stale | fast | no_auth | allow_busy, no_keys,
       commands::hello),
    in(from_8_0, "zrank", -3, read_only | fast, one_key, commands::zrank),
    in(from_8_0, "zrevrank", -3, read_only | fast, one_key, commands::zrevrank),
    in(from_8_0, "command|getkeys", -3, loading | stale, no_keys, commands::command_getkeys),
    // Scripts may call them, where they do not wait.
    in(from_8_0, "blmove", 6, write | deny_oom | blocking, two_keys, commands::blmove),
    in(from_8_0, "blpop", -3, write | blocking, all_but_last, commands::blpop),
    in(from_8_0, "brpop", -3, write | blocking, all_but_last, commands::brpop),
    in(from_8_0, "brpoplpush", 4, write | deny_oom | blocking, two_keys, commands::brpoplpush),
    in(from_8_0, "bzpopmax", -3, write | blocking | fast, all_but_last, commands::bzpopmax),
    in(from_8_0, "bzpopmin", -3, write | blocking | fast, all_but_last, commands::bzpopmin),
    in(from_8_0, "wait", 3, blocking, no_keys, commands::wait),
    // Refused inside a transaction, which ends it.
    in(valkey, "multi", 1, transaction | no_multi, no_keys, commands::multi),
    in(valkey, "watch", -2, transaction | no_multi, all_keys, commands::watch),
};

}  // namespace
}  // namespace variant_rows

const CommandSpec* find_variant(const CommandSpec& spec, ServerVersion version) {
  for (const CommandSpec& each : variant_rows::variants) {
    if (each.versions.contains(version) && each.name == spec.name) return &each;
  }
  return nullptr;
}

}  // namespace lockstep::redis
