// An exhaustive search that was interrupted, as a file: the states that it has reached, the paths
// that it has still to take, and what it has counted and found.
//
// A line of text, then 64-bit words, least byte first; the last is a checksum of the others. It is
// for one version of the model, one scenario with its lock, and the same bounds; loading it with
// others is refused.
#pragma once

#include <cstdint>
#include <filesystem>
#include <iosfwd>
#include <string>

#include "search/explore/exploration.h"

namespace lockstep::search {

/// Of a scenario's text, its row, and its lock's files.
[[nodiscard]] std::uint64_t identity_of(const scenario::Scenario& scenario,
                                        std::uint64_t lock_digest);

void save_exploration(std::ostream& stream, std::uint64_t identity, const Exploration& exploration);

/// REQUIRES: the exploration is new. Throws scenario::InputError if the file is missing, damaged
/// or made for another version, scenario or bounds.
void load_exploration(const std::filesystem::path& path, std::uint64_t identity,
                      Exploration& exploration);

}  // namespace lockstep::search
