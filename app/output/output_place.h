// Where a command is told to write: folders that are missing are made when something is written,
// and what can't be written is refused before any work.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace CLI {
class Option;
}

namespace lockstep::app {

enum class OutputPlace : std::uint8_t { file, folder };

/// Why nothing can be written there; empty if it can. Makes nothing.
[[nodiscard]] std::string why_not_writable(const std::filesystem::path& path, OutputPlace place);

/// Refuses the option's word while the command line is read.
CLI::Option* writes_to(CLI::Option* option, OutputPlace place);

/// Throws scenario::InputError where nothing can be written into the folder.
void require_writable_folder(const std::filesystem::path& folder);

}  // namespace lockstep::app
