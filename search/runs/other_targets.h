// Other hosts for a fault that strikes what the lock does not use.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "search/runs/likely_changes.h"

namespace lockstep::scenario {
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::search {

/// What waits for the fault goes with it.
void retarget(scenario::Scenario& changed, std::size_t fault, const std::string& other);

/// The masters, in place of a replica or a sentinel, which the lock may never ask, and in a cluster
/// of the one that a client is cut off from. `of_fault` says which fault a line belongs to.
[[nodiscard]] std::vector<LikelyChange> changes_to_masters(const scenario::Scenario& scenario,
                                                           std::size_t fault,
                                                           const std::string& of_fault);

}  // namespace lockstep::search
