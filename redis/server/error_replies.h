// The error texts with which Redis refuses a request before it runs.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "redis/server/command_table.h"

namespace lockstep::redis {

struct VersionTraits;

inline constexpr std::string_view readonly_replica =
    "READONLY You can't write against a read only replica.";
inline constexpr std::string_view not_enough_good_replicas =
    "NOREPLICAS Not enough good replicas to write.";
inline constexpr std::string_view out_of_memory =
    "OOM command not allowed when used memory > 'maxmemory'.";
inline constexpr std::string_view busy_with_script =
    "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.";
inline constexpr std::string_view busy_with_function =
    "BUSY Redis is busy running a script. You can only call FUNCTION KILL or SHUTDOWN NOSAVE.";
inline constexpr std::string_view wrong_type_text =
    "WRONGTYPE Operation against a key holding the wrong kind of value";
inline constexpr std::string_view no_such_key = "ERR no such key";
inline constexpr std::string_view not_positive = "ERR value is out of range, must be positive";
inline constexpr std::string_view not_an_integer = "ERR value is not an integer or out of range";
inline constexpr std::string_view not_an_int =
    "ERR value is out of range, value must between -2147483648 and 2147483647";
inline constexpr std::string_view no_such_database = "ERR DB index is out of range";
inline constexpr std::string_view waits_for_no_file =
    "ERR WAITAOF cannot be used when numlocal is set but appendonly is disabled.";
inline constexpr std::string_view zero_rank =
    "ERR RANK can't be zero: use 1 to start from the first match, 2 from the second ... or use "
    "negative to start from the end of the list";

/// `parent` is the command whose subcommand was not found; nullptr if the command itself was not.
[[nodiscard]] std::string unknown_command(const CommandSpec* parent,
                                          std::span<const std::string_view> words,
                                          const VersionTraits& version);
/// A text as C's printf shows it with `%s`: up to the first zero byte.
[[nodiscard]] inline std::string_view as_c_string(std::string_view text) {
  return text.substr(0, text.find('\0'));
}

[[nodiscard]] std::string wrong_arity(const CommandSpec& spec);
/// 7.0's refusal by the code of a command, in the words of this version.
[[nodiscard]] std::string_view reworded(const VersionTraits& version, std::string_view command,
                                        std::string_view text);
/// A subcommand's own error for too many arguments.
[[nodiscard]] std::string wrong_subcommand_arity(const CommandSpec& spec,
                                                 std::span<const std::string_view> words,
                                                 const VersionTraits& version);
[[nodiscard]] std::string not_allowed_while_subscribed(const CommandSpec& spec,
                                                       const VersionTraits& version);

}  // namespace lockstep::redis
