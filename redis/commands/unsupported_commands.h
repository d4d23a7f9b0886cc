// The commands of Redis 7.0 that are not in the command table, and why. A client gets Redis's error
// for an unknown command or subcommand.
//
// A row may stay when a command is added to the table: readers of both ignore it.
#pragma once

#include <span>
#include <string_view>

namespace lockstep::redis {

struct UnsupportedCommands {
  std::string_view reason;
  std::string_view names;  ///< parted by blanks; a name stands for its subcommands too
};

[[nodiscard]] std::span<const UnsupportedCommands> unsupported_commands();

/// Why a command ("xadd", "client|pause") is refused; empty where nothing is said of it.
[[nodiscard]] std::string_view reason_unsupported(std::string_view name);

}  // namespace lockstep::redis
