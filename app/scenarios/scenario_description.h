// Describes a scenario in words, with every default, for lockstep run --dry-run.
#pragma once

#include <string>

namespace lockstep::scenario {
struct Scenario;
}

namespace lockstep::app {

struct Context;

/// Several lines, each with a line feed. Throws scenario::InputError if the lock is missing or the
/// scenario can't use it.
[[nodiscard]] std::string describe_scenario(const scenario::Scenario& scenario,
                                            const Context& context);

}  // namespace lockstep::app
