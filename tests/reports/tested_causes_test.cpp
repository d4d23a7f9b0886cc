// Causes that were tested by running without the faults that a violation does not need.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "checker/property.h"
#include "model/engine/engine.h"
#include "reports/cause/cause.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "search/runs/seed_runs.h"
#include "tests/support/script_folder.h"

namespace lockstep::reports {
namespace {

using checker::Property;

/// The lost reply makes a's acquire run twice, so that its release leaves a hold; that two believe
/// at once is of the pause alone.
constexpr const char* two_faults = R"(
title  = "A lost reply, and a pause"
lock   = "plain"
expect = { violates = ["mutual-exclusion", "hold-count"] }
[[client]]
name = "a"
run  = ["lock lease=10s", "write", "unlock"]
[[client]]
name  = "b"
start = "5ms"
run   = ["lock lease=10s", "write", "unlock"]
[[fault]]
drop = "reply to acquire"
to   = "a"
[[fault]]
pause = "a"
when  = "a read"
for   = "15s"
)";

search::ScenarioOutcome outcome_of(const std::string& text, search::SeedRunOptions::Needs needs) {
  model::Engine engine({support::script_folder()});
  return search::run_scenario(scenario::parse_scenario("t.toml", text),
                              {.first_seed = 1, .seeds = 1, .interrupted = nullptr, .needs = needs},
                              engine);
}

bool has(const std::vector<Cause>& causes, CauseKind kind) {
  return std::any_of(causes.begin(), causes.end(),
                     [kind](const Cause& cause) { return cause.kind == kind; });
}

TEST(TestedCauses, LeaveOutWhatAFaultDidThatTheViolationDoesNotNeed) {
  const search::ScenarioOutcome outcome =
      outcome_of(two_faults, search::SeedRunOptions::Needs::found_out);
  const std::vector<Cause> causes = causes_of(outcome.example, Property::mutual_exclusion);
  ASSERT_FALSE(causes.empty());
  EXPECT_EQ(causes[0].kind, CauseKind::lease_ended) << causes[0].says[0];
  EXPECT_FALSE(has(causes, CauseKind::executed_twice));
  EXPECT_EQ(causes[0].is_tested, true);
}

TEST(TestedCauses, KeepWhatAnotherViolationNeeds) {
  const search::ScenarioOutcome outcome =
      outcome_of(two_faults, search::SeedRunOptions::Needs::found_out);
  const std::vector<Cause> causes = causes_of(outcome.example, Property::hold_count);
  ASSERT_FALSE(causes.empty());
  EXPECT_EQ(causes[0].kind, CauseKind::executed_twice) << causes[0].says[0];
  EXPECT_TRUE(has(causes_of(outcome), CauseKind::executed_twice));
  EXPECT_TRUE(has(causes_of(outcome), CauseKind::lease_ended));
}

/// A request that ran twice is no reason of a lease's end, whether anybody tried or not.
TEST(TestedCauses, SayWhereNobodyTried) {
  const search::ScenarioOutcome outcome =
      outcome_of(two_faults, search::SeedRunOptions::Needs::left_open);
  const std::vector<Cause> causes = causes_of(outcome.example, Property::mutual_exclusion);
  ASSERT_FALSE(causes.empty());
  EXPECT_EQ(causes[0].kind, CauseKind::lease_ended);
  EXPECT_EQ(causes[0].is_tested, std::nullopt);
}

TEST(TestedCauses, FaultsAreNeededByEachPropertyForItself) {
  const search::ScenarioOutcome outcome =
      outcome_of(two_faults, search::SeedRunOptions::Needs::found_out);
  const auto needed_by = [&](Property property) {
    for (const search::NeededFaults& each : outcome.needed) {
      if (each.property == property) return each.faults;
    }
    return std::vector<std::size_t>{99};
  };
  EXPECT_EQ(needed_by(Property::mutual_exclusion), std::vector<std::size_t>{1});
  EXPECT_EQ(needed_by(Property::hold_count), std::vector<std::size_t>{0});
}

}  // namespace
}  // namespace lockstep::reports
