// Counting runs as they come, against what their scenario expects.
//
// A run is named by a number of its own: its seed, or its place in a search. Tallies of one
// scenario can be added up: what comes out is that of all their runs, in this order.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace lockstep::checker {
enum class Property : std::uint8_t;
}  // namespace lockstep::checker

namespace lockstep::model {
struct RunResult;
}  // namespace lockstep::model

namespace lockstep::scenario {
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::search {

struct ScenarioOutcome;

/// What a run has against the expectations.
struct Judgement {
  bool not_as_expected = false;
  bool unknown = false;
  bool violated_as_expected = false;
  bool violated = false;  ///< whatever was asked for
};

/// How much a run is worth showing. Of two runs alike, one in which something broke tells more than
/// one in which nothing did: an expected violation that never came shows what came instead.
[[nodiscard]] int rank_of(const Judgement& judgement);

/// An outcome without runs, with all that the scenario asks for.
[[nodiscard]] ScenarioOutcome empty_outcome(const scenario::Scenario& scenario,
                                            std::span<const checker::Property> judged);
/// Adds a run. REQUIRES: the outcome is of the scenario that ran.
Judgement add_run(ScenarioOutcome& outcome, std::uint64_t number, const model::RunResult& result);
/// Adds the runs of another outcome of the same scenario, which come after those there are.
void add_runs(ScenarioOutcome& outcome, const ScenarioOutcome& later);

/// "with seed 12", "in run 12": which of the outcome's runs has this number.
[[nodiscard]] std::string which_run(const ScenarioOutcome& outcome, std::uint64_t number);

/// "the client model failed", "the program failed", or "a client failed" where there are both: how
/// what is said of client failures begins.
[[nodiscard]] std::string_view client_failed_words(const scenario::Scenario& scenario);

/// "a request of the lock failed in 3 of 20 runs (first with seed 2): a/1: plain/take.lua:2: …";
/// empty where none did, and where something is expected to break, which may be how.
[[nodiscard]] std::string script_failures_in_words(const ScenarioOutcome& outcome);

/// Says what happened instead of what was expected, and what that makes of the outcome. REQUIRES:
/// its example, if any, is there.
void conclude(ScenarioOutcome& outcome);

}  // namespace lockstep::search
