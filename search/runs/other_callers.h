// What a person would change of the clients of a scenario in which a property was not put to the
// test: somebody holds the lock for longer, somebody else asks for it, somebody makes what is asked
// for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "scenario/steps.h"
#include "search/runs/likely_changes.h"
#include "sim/time.h"

namespace lockstep::scenario {
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::search {

/// The likeliest first. `within_lease_ns`: a good part of a lease, which no hold oversleeps.
[[nodiscard]] std::vector<LikelyChange> changes_to_callers(const scenario::Scenario& scenario,
                                                           sim::DurationNs within_lease_ns);

/// The first thread's steps, and a sleep in them so that all take so long; none: they do.
[[nodiscard]] std::optional<std::vector<scenario::Step>> with_longer_hold(
    const scenario::Scenario& scenario, sim::DurationNs longer_ns);

/// "lock", "unlock": as a file lists them, each in its quotes.
[[nodiscard]] std::string written(const scenario::Scenario& scenario,
                                  const std::vector<scenario::Step>& steps);

/// One at least.
[[nodiscard]] sim::DurationNs in_whole_seconds(sim::DurationNs duration_ns);

}  // namespace lockstep::search
