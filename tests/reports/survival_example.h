// Survival reports made by hand, for tests.
#pragma once

#include <cstdint>
#include <vector>

#include "reports/formats/survival_report.h"

namespace lockstep::scenario {
enum class FaultKind : std::uint8_t;
}  // namespace lockstep::scenario

namespace lockstep::reports::test {

/// Adds so many runs in which faults of all these kinds mattered and all these promises held.
void add_runs(search::Survival& survival, const std::vector<scenario::FaultKind>& kinds,
              const std::vector<checker::Property>& held, std::uint64_t count);

/// It needs faults of these kinds; a limit breaks for want of `broken`.
[[nodiscard]] CampaignFinding found(FindingKind kind, checker::Property property,
                                    const std::vector<scenario::FaultKind>& kinds,
                                    model::AssumptionSet broken = {});

/// A lock with the standard contract that promises mutual-exclusion, harm and fifo; 41,200 runs
/// in which nothing broke. fifo was never put to the test.
[[nodiscard]] SurvivalReport sound_report();

/// The same with a bug, a known flaw and two limits, which are saved.
[[nodiscard]] SurvivalReport broken_report();

/// With a promise of each property, and each text hostile: control characters, a terminal's
/// escapes, markup.
[[nodiscard]] SurvivalReport hostile_report();

}  // namespace lockstep::reports::test
