// How fast histories are read: the same operations written in each format, and read again.
#pragma once

#include <cstdint>
#include <string>

namespace lockstep::bench {

/// A line for each format: its megabytes, and how many of them are read in a second of the
/// processor's time, the best of three. Throws ReadError where what was written isn't read again.
[[nodiscard]] std::string reading_figures(std::uint64_t seed);

}  // namespace lockstep::bench
