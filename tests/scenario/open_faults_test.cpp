// Faults that a scenario leaves open: what a file may say, and what is refused.
#include "scenario/faults/open_faults.h"

#include <gtest/gtest.h>

#include "scenario/file/scenario_file.h"
#include "scenario/file/write_scenario.h"
#include "scenario/scenario.h"
#include "scenario/text/input_error.h"
#include "tests/scenario/invalid_scenarios.h"

namespace lockstep::model::open_faults {
namespace {

constexpr std::string_view client =
    "[[client]]\nname = \"a\"\nrun = [\"lock lease=10s\", \"unlock\"]\n";

scenario::Scenario read(std::string_view text) {
  std::string whole(head);
  whole += text;
  whole += client;
  return scenario::parse_scenario("test.toml", whole);
}

TEST(OpenFaults, AreNoneWhereTheFileSaysNothing) {
  EXPECT_FALSE(read("").open_faults.has_value());
  EXPECT_FALSE(read("").heal_at_ns.has_value());
}

TEST(OpenFaults, OfAnyKindAreThreeAtMostAndHealAfterTwoMinutes) {
  const scenario::Scenario scenario = read("faults = \"any\"\n");
  ASSERT_TRUE(scenario.open_faults.has_value());
  EXPECT_TRUE(scenario.open_faults->any);
  EXPECT_EQ(scenario.open_faults->kinds.size(), scenario::fault_kind_count - 3);
  EXPECT_EQ(scenario.open_faults->at_most, 3U);
  EXPECT_EQ(scenario.heal_at_ns, 120 * sim::second_ns);
}

// No lock survives that its key is taken away.
TEST(OpenFaults, TakeNoKeysAwayUnlessThatIsNamed) {
  const auto kinds = {scenario::FaultKind::delete_key, scenario::FaultKind::evict,
                      scenario::FaultKind::flush_all};
  const scenario::Scenario any = read("faults = \"any\"\n[budget]\nevict = 0\n");
  for (const scenario::FaultKind kind : kinds) EXPECT_FALSE(any.open_faults->allows(kind));
  const scenario::Scenario named = read("faults = [\"any\", \"evict\"]\n[budget]\nevict = 1\n");
  EXPECT_TRUE(named.open_faults->any);
  EXPECT_TRUE(named.open_faults->allows(scenario::FaultKind::evict));
  EXPECT_TRUE(named.open_faults->allows(scenario::FaultKind::pause));
  EXPECT_FALSE(named.open_faults->allows(scenario::FaultKind::flush_all));
  EXPECT_EQ(scenario::parse_scenario("test.toml", scenario::write_scenario(named, "test.toml"))
                .open_faults,
            named.open_faults);
}

TEST(OpenFaults, AreOfTheKindsThatAreNamedWithinTheirBudget) {
  const scenario::Scenario scenario = read(
      "faults = [\"drop\", \"pause\"]\n[heal]\nat = \"30s\"\n[budget]\nfaults = 5\npause = 0\n");
  const scenario::OpenFaults& open = *scenario.open_faults;
  EXPECT_EQ(open.kinds, (std::vector<scenario::FaultKind>{scenario::FaultKind::pause,
                                                          scenario::FaultKind::drop}));
  EXPECT_EQ(open.at_most, 5U);
  EXPECT_FALSE(open.allows(scenario::FaultKind::pause));
  EXPECT_TRUE(open.allows(scenario::FaultKind::drop));
  EXPECT_FALSE(open.allows(scenario::FaultKind::crash));
  EXPECT_EQ(scenario.heal_at_ns, 30 * sim::second_ns);
}

TEST(OpenFaults, HealOnlyWithinTheHorizon) {
  EXPECT_FALSE(read("faults = \"any\"\n[limits]\nhorizon = \"2m\"\n").heal_at_ns.has_value());
}

TEST(OpenFaults, RefuseWhatTheyAreNot) {
  const auto complaint = [](std::string_view text) -> std::string {
    try {
      (void)read(text);
    } catch (const scenario::InputError& error) {
      return error.message();
    }
    return "none";
  };
  EXPECT_EQ(complaint("faults = \"paus\"\n").substr(0, 80),
            "'paus' is no kind of fault; did you mean 'pause'? (expected \"any\", or some of pa");
  EXPECT_EQ(complaint("faults = []\n"),
            "no kind of fault is named; expected \"any\", or a list as in [\"pause\"]");
  EXPECT_EQ(complaint("faults = [\"pause\", \"any\"]\n"),
            "\"any\" has 'pause' already; expected beside it only delete, evict and flush_all");
  EXPECT_EQ(complaint("faults = [\"pause\", \"pause\"]\n"), "'pause' is named twice");
  EXPECT_EQ(complaint("[budget]\nfaults = 2\n"),
            "[budget] is for faults that are left open; expected faults = \"any\" too");
  EXPECT_EQ(complaint("faults = [\"pause\"]\n[budget]\ncrash = 2\n"),
            "unknown key 'crash' in [budget] (its keys are faults and pause)");
  EXPECT_EQ(complaint("faults = \"any\"\n[budget]\nfaults = 0\n"),
            "a budget of no faults leaves nothing open; expected 1 or more");
  EXPECT_NE(complaint("faults = \"any\"\n[budget]\npause = -1\n"), "none");
  EXPECT_NE(complaint("faults = 3\n"), "none");
}

}  // namespace
}  // namespace lockstep::model::open_faults
