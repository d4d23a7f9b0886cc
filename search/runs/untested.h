// What a scenario asks about, so that it is to hold or to break, and no run put to the test: why,
// and what would change it.
//
// A run puts a property to the test where what the property forbids could have happened
// (checker/put_to_the_test.h) and, if the scenario has faults, one of them mattered
// (model/faults/strike_effects.h); if it has none but makes links or nodes slow, one of these did
// (model/faults/slow_network.h).
#pragma once

#include <cstdint>

#include "checker/property.h"

namespace lockstep::checker {
struct Verdict;
}  // namespace lockstep::checker

namespace lockstep::model {
struct RunResult;
enum class Mattered : std::uint8_t;
}  // namespace lockstep::model

namespace lockstep::scenario {
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::search {

struct ScenarioOutcome;

/// What a fault must have been at least for the property to be put to the test with it.
[[nodiscard]] model::Mattered matters_to(checker::Property property);

/// How much the faults of a run mattered at most. Where something broke that the file asks about,
/// or two had the lock, they mattered to that, and to all that takes no more; where it was to
/// break, they have done what they are there for. Without faults there is nothing that had to
/// matter.
[[nodiscard]] model::Mattered most_that_mattered(const scenario::Scenario& scenario,
                                                 const model::RunResult& result);

/// Whether a run with such faults puts it to the test; the verdict says what the checker says of
/// it.
[[nodiscard]] bool is_put_to_the_test(const checker::Verdict& verdict, model::Mattered mattered);

/// Fills in `untested` of an outcome whose runs are counted. Of a scenario that leaves its faults
/// open, only where they are a search's.
void find_untested(ScenarioOutcome& outcome);

/// The same of a scenario that leaves its faults open and that somebody asks about by itself: of
/// its few runs, too. What is unknown then makes the outcome so.
void find_untested_of_sample(ScenarioOutcome& outcome);

}  // namespace lockstep::search
