// Random queues, and how many grants overtake somebody, by asking anew for every two owners at
// every grant: where did the other's place begin, and does it still count?
//
// Each owner's story is read by itself, from the start of the run to the grant; there is no queue.
#pragma once

#include "run_builder.h"

namespace lockstep::checker::testing {

/// Queue events, waits and grants of a few owners at two locks, without much sense; no two of them
/// at the same moment.
[[nodiscard]] RunBuilder random_queue();

[[nodiscard]] std::size_t overtakings_by_brute_force(const RunBuilder& run);

}  // namespace lockstep::checker::testing
