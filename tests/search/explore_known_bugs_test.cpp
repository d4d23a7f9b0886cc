// Known bugs that fit the bounds of exploring: each is found at its least number of interventions.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "checker/property.h"
#include "scenario/file/scenario_file.h"
#include "search/explore/exploration.h"
#include "search/explore/path_runner.h"
#include "tests/search/explore_all.h"
#include "tests/support/script_folder.h"
#include "tests/support/source_folder.h"

namespace lockstep::search::explore_known_bugs_test {
namespace {

using checker::Property;

struct KnownBug {
  const char* file;  ///< of scenarios/explore
  Property property;
  std::uint32_t faults;
  Merging merging = Merging::states;
};

class KnownBugExplored : public testing::TestWithParam<KnownBug> {};

TEST_P(KnownBugExplored, IsFoundWithItsLeastFaultsAndNothingLate) {
  const KnownBug& bug = GetParam();
  const scenario::Scenario scenario =
      scenario::load_scenario(source_folder() + "/scenarios/explore/" + bug.file + ".toml");
  EXPECT_EQ(scenario.expect.violates, std::vector<Property>{bug.property});
  Exploration::Plan plan;
  plan.bounds.merging = bug.merging;
  model::Engine engine({support::script_folder()});
  PathRunner runner(scenario, plan.bounds, engine);
  Exploration exploration(scenario, plan, runner.judged());
  explore_all(exploration, runner);
  const auto found =
      std::find_if(exploration.found().begin(), exploration.found().end(),
                   [&](const Counterexample& each) { return each.property == bug.property; });
  ASSERT_NE(found, exploration.found().end());
  EXPECT_EQ(found->faults, bug.faults);
  EXPECT_EQ(found->deviations, 0U);
  EXPECT_LE(found->run, 100U);
}

INSTANTIATE_TEST_SUITE_P(
    Files, KnownBugExplored,
    testing::Values(KnownBug{"failover", Property::mutual_exclusion, 1},              // K1
                    KnownBug{"pause", Property::mutual_exclusion, 1},                 // K2
                    KnownBug{"late-write", Property::harm, 1},                        // K2
                    KnownBug{"delete-without-token", Property::mutual_exclusion, 1},  // K11
                    KnownBug{"late-reply", Property::mutual_exclusion, 1},            // K16
                    KnownBug{"fixed-value", Property::mutual_exclusion, 1},           // N0
                    KnownBug{"get-then-del", Property::mutual_exclusion, 1},
                    KnownBug{"timestamp", Property::mutual_exclusion, 1},
                    KnownBug{"setnx-then-expire", Property::no_leak, 0, Merging::none},
                    KnownBug{"lost-acquire-reply", Property::hold_count, 1, Merging::none}),  // R1
    [](const auto& each) {
      std::string name = each.param.file;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

}  // namespace
}  // namespace lockstep::search::explore_known_bugs_test
