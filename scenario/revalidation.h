// Checks an edited scenario by writing it and reading it again.
//
// An edit need not know the rules, and its result has the places and the text of a file.
#pragma once

#include <optional>

namespace lockstep::scenario {

struct Scenario;

/// The scenario as read from its own text; none if that is refused.
[[nodiscard]] std::optional<Scenario> revalidated(const Scenario& scenario);

/// As revalidated(), but removes refused faults, links and `sometimes` until the rest is valid: a
/// restart of a process that no longer ends, a fault whose trigger no longer comes. None if
/// something else is refused.
[[nodiscard]] std::optional<Scenario> revalidated_without_impossible(Scenario scenario);

}  // namespace lockstep::scenario
