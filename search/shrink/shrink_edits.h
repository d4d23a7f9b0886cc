// What shrinking does to numbers and to the clients' work, beyond the edits of model/scenario: each
// gives a scenario, or what one is made of, and tries nothing.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "scenario/edits.h"
#include "sim/network.h"
#include "sim/time.h"

namespace lockstep::scenario {
struct Step;
}  // namespace lockstep::scenario

namespace lockstep::search {

/// What a duration may be rounded to, the roundest first: with one digit that matters, then two.
[[nodiscard]] std::vector<sim::DurationNs> rounder_durations(sim::DurationNs duration_ns);

/// The others come later than that client; than no one, where there is no such client. Every hop
/// takes so long, if it is said.
[[nodiscard]] scenario::Edited with_first_client(const scenario::Scenario& scenario,
                                                 std::size_t first,
                                                 const std::optional<sim::Latency>& latency);

/// One after the other comes first, then with each hop taking the same time, too: what breaks only
/// as messages come may break always in one of them.
[[nodiscard]] std::vector<scenario::Edited> settled_variants(const scenario::Scenario& scenario);

/// The latency of each hop where all take the same time.
[[nodiscard]] sim::Latency even_latency();

/// The places where steps can be cut: those at which the client holds nothing.
[[nodiscard]] std::vector<std::size_t> hold_starts(const std::vector<scenario::Step>& steps);

/// Sleeps that follow each other are one, and one at the beginning is a later start.
[[nodiscard]] scenario::Edited with_merged_sleeps(const scenario::Scenario& scenario);

/// Starts and sleeps that are not drawn, within the scenario.
[[nodiscard]] std::vector<sim::DurationNs*> workload_durations(scenario::Scenario& scenario);

}  // namespace lockstep::search
