// Whether a scenario that was changed is still one.
//
// There is one judge of that: what is written of it is read again. So an edit need not know the
// rules, and its result has places and text as if a person had written it.
#pragma once

#include <optional>

#include "scenario/scenario.h"

namespace lockstep::scenario {

/// The scenario as its own text is read; nothing where that is refused.
[[nodiscard]] std::optional<Scenario> revalidated(const Scenario& scenario);

/// As accepted(), but faults, links and moments of `sometimes` that are refused go, until the rest
/// is a scenario: a restart of what no longer ends, a fault that waits for what no longer comes.
/// Nothing where something else is refused.
[[nodiscard]] std::optional<Scenario> revalidated_without_impossible(Scenario scenario);

}  // namespace lockstep::scenario
