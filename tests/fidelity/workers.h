// Worker processes, each with real servers of its own, whose tallies are added up.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "confirm/real_program.h"
#include "tests/fidelity/plan.h"
#include "tests/fidelity/tally.h"

namespace lockstep::fidelity {

struct RunOptions {
  confirm::RealProgram program{};  ///< of the real servers
  bool is_brief = false;           ///< each difference on one line
  std::uint64_t seed = 1;
  std::size_t workers = 2;
  std::optional<std::size_t> sequence;  ///< only this one of each kind
};

/// One tally for each kind of the plan. Throws std::runtime_error where a worker fails.
[[nodiscard]] std::vector<Tally> run_plan(const std::vector<PlannedKind>& plan,
                                          const RunOptions& options);

}  // namespace lockstep::fidelity
