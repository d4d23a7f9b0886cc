// The nearest passing scenario of a small failing scenario: what changes the least, and passes.
//
// That is the scenario with one number of a fault a little smaller, or without one fault; of
// several that pass, the one whose run begins most like the failing run. Where nothing goes wrong
// but the work itself, a shorter step, or one client fewer; where it depends on messages' delays,
// the same scenario with others. It shows beside the failing run what makes the difference.
//
// Not covered: numbers between the round ones, changes of two things at once.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "checker/property.h"
#include "search/runs/run_record.h"
#include "search/shrink/shrink.h"

namespace lockstep::search {

struct PassingScenario {
  scenario::Scenario scenario;  ///< expects that the property holds
  std::string change;           ///< "without pause a for 15s when a acquired"
  RunRecord example;  ///< its run: with the failing run's choices, as far as it asks for them
  std::size_t events_alike = 0;  ///< how many events the two runs have in common at their beginning
};

struct PassingScenarioRequest {
  /// Of shrinking, as it stands in its file.
  scenario::Scenario scenario;
  checker::Property property{};
  std::vector<Need> needs;
  bool breaks_always = true;
  /// The failing run, trace recorded.
  const RunRecord* failing = nullptr;
  /// Asked between runs; true ends it. Empty: never.
  std::function<bool()> interrupted = {};
};

struct PassingScenarioResult {
  /// None: there is none among those that were tried.
  std::optional<PassingScenario> passing_scenario;
  std::uint64_t runs = 0;  ///< that it took
};

[[nodiscard]] PassingScenarioResult nearest_passing_scenario(const PassingScenarioRequest& request,
                                                             model::Engine& engine);

}  // namespace lockstep::search
