// What tools/fidelity compares: kinds of sequences, and how many of each.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "redis/server/server_version.h"
#include "tests/redis/comparison/command_sequences.h"

namespace lockstep::fidelity {

struct PlannedKind {
  std::string name;
  redis::test::SequenceKind sequences;
  std::size_t count = 0;                                  ///< sequences in the long run
  std::size_t count_short = 0;                            ///< sequences in the short run
  redis::VersionSet versions = redis::VersionSet::all();  ///< that have these commands
};

/// All kinds, with sequences of at least 50 commands.
[[nodiscard]] std::vector<PlannedKind> make_plan();

}  // namespace lockstep::fidelity
