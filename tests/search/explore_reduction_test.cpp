// What spares an exhaustive search runs leaves none out: the same verdicts and the same least
// counterexamples with and without, and the same states in either order.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "checker/history.h"
#include "scenario/file/scenario_file.h"
#include "search/explore/certificate.h"
#include "search/explore/exploration.h"
#include "search/explore/path_runner.h"
#include "tests/search/explore_all.h"
#include "tests/support/script_folder.h"
#include "tests/support/source_folder.h"

namespace lockstep::search::explore_reduction_test {
namespace {

using AfterFinding = Exploration::Plan::AfterFinding;

struct Outcome {
  ExploreEnd end{};
  ExploreCounts counts;
  model::StateDigest hash;
  std::set<std::pair<checker::Property, std::pair<std::uint32_t, std::uint32_t>>> found;
};

Outcome explored(const scenario::Scenario& scenario, const Exploration::Plan& plan,
                 std::size_t wave = 1) {
  model::Engine engine({support::script_folder()});
  PathRunner runner(scenario, plan.bounds, engine);
  Exploration exploration(scenario, plan, runner.judged());
  explore_all(exploration, runner, wave);
  Outcome outcome;
  outcome.end = exploration.is_exhausted() ? ExploreEnd::exhausted : ExploreEnd::found;
  outcome.counts = exploration.counts();
  outcome.hash = exploration.visited().hash();
  for (const Counterexample& each : exploration.found()) {
    outcome.found.insert({each.property, {each.faults, each.deviations}});
  }
  return outcome;
}

Outcome explored_without_reduction(const scenario::Scenario& scenario, Exploration::Plan plan) {
  plan.bounds.reduction = Reduction::none;
  return explored(scenario, plan);
}

std::string beginning(const std::string& lock, const std::string& expect,
                      const std::string& faults) {
  return "title = \"t\"\nlock = \"" + lock + "\"\nexpect = { " + expect + " }\n" + faults;
}

std::string all_at_once(const std::string& lock, const std::string& expect,
                        const std::string& faults) {
  return beginning(lock, expect, faults) +
         "[[client]]\nname = \"w\"\ncount = 2\nrun = [\"try_lock lease=2s\", \"unlock\"]\n";
}

std::string one_by_one(const std::string& lock, const std::string& expect,
                       const std::string& faults) {
  return beginning(lock, expect, faults) +
         "[[client]]\nname = \"a\"\nrun = [\"try_lock lease=2s\", \"unlock\"]\n"
         "[[client]]\nname = \"b\"\nstart = \"300us\"\n"
         "run = [\"try_lock lease=2s\", \"unlock\"]\n";
}

/// Everything within no other bounds: runs go far, until something breaks that was to hold.
struct Whole {
  const char* name;
  const char* lock;
  const char* expect;
  const char* faults;
  std::string (*text)(const std::string&, const std::string&, const std::string&) = &one_by_one;
};

class ExploredWhole : public testing::TestWithParam<Whole> {};

TEST_P(ExploredWhole, ComesToTheSameWithAndWithoutReduction) {
  const Whole& whole = GetParam();
  const scenario::Scenario scenario =
      scenario::parse_scenario("t.toml", whole.text(whole.lock, whole.expect, whole.faults));
  const Outcome with = explored(scenario, {});
  const Outcome without = explored_without_reduction(scenario, {});
  EXPECT_EQ(with.end, without.end);
  EXPECT_EQ(with.found, without.found);
  EXPECT_LE(with.counts.runs, without.counts.runs);
  if (with.end == ExploreEnd::exhausted) {
    EXPECT_GT(with.counts.foreseen, 0U);
    EXPECT_LT(with.counts.runs, without.counts.runs);
  }
  EXPECT_EQ(explored(scenario, {}, 16).found, with.found);
}

INSTANTIATE_TEST_SUITE_P(
    Scenarios, ExploredWhole,
    testing::Values(Whole{"Holds", "plain", "holds = \"mutual-exclusion\"", ""},
                    Whole{"HoldsWithoutComparing", "setnx/delete-without-token",
                          "holds = \"mutual-exclusion\"", ""},
                    Whole{"BreaksThoughItWasToHold", "plain", "holds = \"valid-grant\"",
                          "faults = [\"pause\"]\n[budget]\nfaults = 1\n"},
                    Whole{"HoldsAmongTheAlike", "plain", "holds = \"mutual-exclusion\"", "",
                          &all_at_once},
                    Whole{"BreaksAmongTheAlike", "plain", "holds = \"valid-grant\"",
                          "faults = [\"pause\"]\n[budget]\nfaults = 1\n", &all_at_once}),
    [](const auto& each) { return std::string(each.param.name); });

/// The order changes neither what is reached nor the ways to it.
TEST(ExploreOrders, ReachTheSameStates) {
  const scenario::Scenario scenario =
      scenario::parse_scenario("t.toml", one_by_one("plain", "holds = \"mutual-exclusion\"", ""));
  Exploration::Plan cheapest_first;
  cheapest_first.after_finding = AfterFinding::go_on;
  const Outcome least = explored(scenario, cheapest_first);
  for (const std::size_t wave : {1U, 16U}) {
    const Outcome far = explored(scenario, {}, wave);
    EXPECT_EQ(far.hash, least.hash);
    EXPECT_EQ(far.counts.transitions, least.counts.transitions);
    EXPECT_LT(far.counts.runs, least.counts.runs);
  }
}

class ExploredFile : public testing::TestWithParam<const char*> {};

TEST_P(ExploredFile, ComesToTheSameWithAndWithoutReduction) {
  const scenario::Scenario scenario =
      scenario::load_scenario(source_folder() + "/scenarios/explore/" + GetParam() + ".toml");
  Exploration::Plan plan;
  plan.bounds.deviations_max = 1;
  plan.after_finding = AfterFinding::go_on;
  const Outcome with = explored(scenario, plan);
  const Outcome without = explored_without_reduction(scenario, plan);
  EXPECT_EQ(with.end, without.end);
  EXPECT_EQ(with.found, without.found);
  EXPECT_LE(with.counts.runs, without.counts.runs);
}

INSTANTIATE_TEST_SUITE_P(Files, ExploredFile,
                         testing::Values("delete-without-token", "failover", "fair-no-fault",
                                         "pause", "plain-no-fault", "plain-one-fault",
                                         "redlock-one-fault"),
                         [](const auto& each) {
                           std::string name;
                           for (const char letter : std::string(each.param)) {
                             name += letter == '-' ? '_' : letter;
                           }
                           return name;
                         });

}  // namespace
}  // namespace lockstep::search::explore_reduction_test
