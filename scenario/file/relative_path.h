// Paths in a scenario file are relative to its folder; in a Scenario, to the working directory.
#pragma once

#include <filesystem>

namespace lockstep::scenario {

/// A path that is relative to the working directory, as seen from the folder that the file `seat`
/// stands in; absolute where there is no such way.
[[nodiscard]] std::filesystem::path seen_from(const std::filesystem::path& path,
                                              const std::filesystem::path& seat);

}  // namespace lockstep::scenario
