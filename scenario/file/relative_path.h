// Paths in a scenario file are relative to its folder; in a Scenario, to the working directory.
#pragma once

#include <filesystem>

namespace lockstep::scenario {

/// A path that is relative to the working directory, as seen from the folder that the file `seat`
/// stands in; absolute where the two have no folder in common but the root.
[[nodiscard]] std::filesystem::path seen_from(const std::filesystem::path& path,
                                              const std::filesystem::path& seat);

}  // namespace lockstep::scenario
