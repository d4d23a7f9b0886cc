// How much of scenarios/ the tests go through: all of it, or less where each run is slow or tests
// run thousands of times.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

namespace lockstep::support {

/// LOCKSTEP_SCENARIO_SEEDS=N: with so many seeds, where it matters whether all are as expected.
inline std::uint64_t scenario_seeds() {
  const char* seeds = std::getenv("LOCKSTEP_SCENARIO_SEEDS");
  return seeds != nullptr ? std::stoull(seeds) : 20;
}

/// LOCKSTEP_SCENARIO_STEP=N: every Nth file, where one tells about what the others do.
inline std::size_t scenario_step() {
  const char* step = std::getenv("LOCKSTEP_SCENARIO_STEP");
  return step != nullptr ? std::stoull(step) : 1;
}

}  // namespace lockstep::support
