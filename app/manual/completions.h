// Completion scripts for bash, zsh and fish: commands, options, and what follows an option.
//
// Words of values are known for --format only; for the rest a shell offers files or folders.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "app/manual/command_pages.h"

namespace lockstep::app {

enum class Shell : std::uint8_t { bash, zsh, fish };

/// The script, for the shell's own folder of completions or to be read by it.
[[nodiscard]] std::string completions(Shell shell, std::span<const CommandPage> commands);

}  // namespace lockstep::app
