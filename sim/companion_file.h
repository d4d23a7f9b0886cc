// Files that come with the program: libraries that are loaded into other processes.
//
// No part of a simulation; it lies here because the rooms that start processes share nothing lower.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>

namespace lockstep::sim {

/// Where the file of this name is: beside the running program, in app/ of the build that has made
/// it (where the program is a test), or in the library folder of an installation.
[[nodiscard]] std::optional<std::filesystem::path> companion_file(std::string_view name);

}  // namespace lockstep::sim
