// What a reader should know of the run that is shown, besides its violations: steps that failed,
// waits beyond the bound, and what cut it off.
#pragma once

#include <string>
#include <vector>

#include "sim/time.h"

namespace lockstep::search {
struct RunRecord;
struct ScenarioOutcome;
}  // namespace lockstep::search

namespace lockstep::reports {

/// "seed 7"; of a run that a search found: "run 120 of a search with seed 1, swarm". Sanitized
/// text.
[[nodiscard]] std::string made_by(const search::RunRecord& example);

/// The first steps that failed, with when and why: "w3/1 unlock, by 24,557.7 ms: TIMEOUT …". At
/// most three and a count of the rest. Sanitized text.
[[nodiscard]] std::vector<std::string> failed_steps(const search::RunRecord& example);

/// The longest waits beyond `at_most_ns`, at most three: "c/1 for "orders" from 5,001 ms to
/// 90,000 ms: 84,999 ms". Sanitized text.
[[nodiscard]] std::vector<std::string> waits_beyond(const search::RunRecord& example,
                                                    sim::DurationNs at_most_ns);

/// How many runs a limit of the scenario ended, and which limit; empty where none.
[[nodiscard]] std::vector<std::string> cut_off_runs(const search::ScenarioOutcome& outcome);

/// "in 0 of 200 runs did the new master lack a lock that was held": of each kind of takeover that
/// happened.
[[nodiscard]] std::vector<std::string> takeovers_in_words(const search::ScenarioOutcome& outcome);

/// "no-deadlock in 60 of 60 runs, first with seed 1": what broke though the scenario says nothing
/// of it. A scenario that expects a violation, and has it, brings more of them with it: empty
/// there.
[[nodiscard]] std::string unexpected_violations(const search::ScenarioOutcome& outcome);

/// The same of any scenario, but only what the run that is shown does not show.
[[nodiscard]] std::string broken_elsewhere(const search::ScenarioOutcome& outcome);

}  // namespace lockstep::reports
