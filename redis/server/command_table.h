// The commands the server knows: what they are called, what they may do, and their code.
//
// One table drives dispatch, arity errors, READONLY, what scripts and transactions may call, and
// later key checks and COMMAND. A new family of commands adds its code (commands.h) and its rows
// (command_table.cpp), nothing else. Names, arities, flags and key positions: Redis 7.0's COMMAND;
// where another version has others, a row in command_variants.cpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "redis/server/server_version.h"

namespace lockstep::redis {

class Call;

enum class CommandFlag : std::uint32_t {
  none = 0,
  write = 1U << 0U,
  read_only = 1U << 1U,
  deny_oom = 1U << 2U,
  no_script = 1U << 3U,
  fast = 1U << 4U,
  pubsub = 1U << 5U,
  admin = 1U << 6U,
  loading = 1U << 7U,
  stale = 1U << 8U,
  blocking = 1U << 9U,
  no_multi = 1U << 10U,
  may_replicate = 1U << 11U,  ///< PUBLISH, EVAL: no write, but replicas may hear; not in COMMAND
  allow_busy = 1U << 12U,
  skip_slowlog = 1U << 13U,
  skip_monitor = 1U << 14U,
  no_mandatory_keys = 1U << 15U,
  no_async_loading = 1U << 16U,
  no_auth = 1U << 17U,
  // Not Redis's: what its code asks by name.
  never_queued = 1U << 24U,        ///< runs at once inside MULTI
  allowed_subscribed = 1U << 25U,  ///< runs on a RESP2 connection with subscriptions
  runs_body = 1U << 26U,           ///< its first argument is a script
  runs_sha1 = 1U << 27U,           ///< its first argument names a script
  runs_function = 1U << 30U,       ///< its first argument names a function
  replies_with_push = 1U << 28U,   ///< its reply is a push (SUBSCRIBE)
  names_channels = 1U << 29U,  ///< its keys are channels of a shard, which have slots as keys do
};

[[nodiscard]] constexpr CommandFlag operator|(CommandFlag a, CommandFlag b) {
  return static_cast<CommandFlag>(static_cast<std::uint32_t>(a) | static_cast<std::uint32_t>(b));
}

/// Which arguments are keys: from `first` to `last` (negative: from the end), every `step`; 0:
/// none.
struct KeyPositions {
  std::int8_t first = 0;
  std::int8_t last = 0;
  std::int8_t step = 0;
};

using CommandProc = void (*)(Call&);

struct CommandSpec {
  std::string_view name;  ///< lower case; a subcommand's with its parent's: "script|load"
  std::int16_t arity;     ///< with the name; negative: at least that many
  CommandFlag flags;
  KeyPositions keys;
  CommandProc code;                          ///< nullptr if there are subcommands
  std::span<const CommandSpec> subcommands;  ///< found by the second word
  std::string_view missing;                  ///< how it differs from Redis's; empty: not at all
  VersionSet versions = VersionSet::all();   ///< that have it, in this form

  [[nodiscard]] constexpr bool is(CommandFlag flag) const {
    return (static_cast<std::uint32_t>(flags) & static_cast<std::uint32_t>(flag)) != 0;
  }
  [[nodiscard]] constexpr bool accepts(std::size_t words) const {
    const auto count = static_cast<std::int64_t>(words);
    return arity >= 0 ? count == arity : count >= -arity;
  }
};

/// All commands, by name: each in the form that 7.0 has, or, where that lacks it, the first that
/// does.
[[nodiscard]] std::span<const CommandSpec> command_table();

/// Finds a command by name, ignoring case; nullptr if no version has it. Ignores subcommands.
[[nodiscard]] const CommandSpec* find_command(std::string_view name);

/// Finds a subcommand by name, ignoring case; nullptr if no version has it.
[[nodiscard]] const CommandSpec* find_subcommand(const CommandSpec& command, std::string_view name);

/// The form that a command or subcommand has in another version than 7.0 (command_variants.cpp);
/// nullptr if that version lacks it.
[[nodiscard]] const CommandSpec* find_variant(const CommandSpec& spec, ServerVersion version);

/// The same command in this version; nullptr stays nullptr.
[[nodiscard]] inline const CommandSpec* in_version(const CommandSpec* spec, ServerVersion version) {
  if (spec == nullptr || spec->versions.contains(version)) return spec;
  return find_variant(*spec, version);
}

}  // namespace lockstep::redis
