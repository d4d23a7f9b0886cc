// Is a small history linearizable? By trying all orders: the oracle for decide.h.
//
// It shares neither code nor ideas with the checker: nothing is just in time, nothing is combined
// or thrown away, keys stay together, a fair queue is a queue. Only what was shown to lead nowhere
// isn't tried a second time. Exponential; leased_mutex has an oracle of its own (lease_oracle.h).
#pragma once

#include "checker/recorded/history.h"
#include "checker/recorded/model.h"

namespace lockstep::checker::recorded::testing {

/// REQUIRES: at most 60 steps (an operation is one, a fair acquire up to three); tokens are small.
[[nodiscard]] bool is_linearizable_by_brute_force(const History& history, Model model,
                                                  const Settings& settings);

}  // namespace lockstep::checker::recorded::testing
