// Causes that are clocks which are wrong from the start: named, and tested by running with right
// ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "checker/property.h"
#include "model/engine/engine.h"
#include "reports/cause/cause.h"
#include "reports/formats/console.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "search/runs/seed_runs.h"
#include "tests/support/script_folder.h"

namespace lockstep::reports {
namespace {

using checker::Property;

search::ScenarioOutcome run_with_clocks(const std::string& text) {
  model::Engine engine({support::script_folder()});
  return search::run_scenario(scenario::parse_scenario("t.toml", text),
                              {.first_seed = 1,
                               .seeds = 1,
                               .interrupted = nullptr,
                               .needs = search::SeedRunOptions::Needs::found_out},
                              engine);
}

std::string told_of(const std::vector<Cause>& causes) {
  std::string all;
  for (const std::string& sentence : sentences_of(causes)) all += sentence + " ";
  return all;
}

const search::NeededFaults* clocks_needed_by(const search::ScenarioOutcome& outcome,
                                             Property property) {
  const auto found =
      std::find_if(outcome.needed.begin(), outcome.needed.end(),
                   [&](const search::NeededFaults& each) { return each.property == property; });
  return found == outcome.needed.end() ? nullptr : &*found;
}

/// n1's clock makes 8 s of a's 10; c's clock is wrong, too, and has nothing to do with it.
constexpr const char* fast_server_story = R"(
title  = "A fast server"
lock   = "plain"
expect = { violates = "lease-linearizability" }
[redis.nodes.n1]
drift = "250000ppm"
[[client]]
name = "a"
run  = ["lock lease=10s", "sleep 9s", "unlock"]
[[client]]
name        = "c"
wall_offset = "3s"
start       = "20s"
run         = ["lock lease=10s", "unlock"]
)";

TEST(WrongClockCauses, AServersThatRunsFastEndsALease) {
  const search::ScenarioOutcome outcome = run_with_clocks(fast_server_story);
  const std::vector<Cause> causes = causes_of(outcome.example, Property::lease_linearizability);
  ASSERT_FALSE(causes.empty());
  EXPECT_EQ(causes[0].kind, CauseKind::clock);
  EXPECT_EQ(causes[0].server, "n1");
  EXPECT_TRUE(causes[0].is_tested);
  EXPECT_NE(told_of(causes).find("by n1's clock, which runs 25 % too fast"), std::string::npos)
      << told_of(causes);
}

TEST(WrongClockCauses, AreFoundByRunningWithRightOnes) {
  const search::ScenarioOutcome outcome = run_with_clocks(fast_server_story);
  const search::NeededFaults* const needed =
      clocks_needed_by(outcome, Property::lease_linearizability);
  ASSERT_NE(needed, nullptr);
  ASSERT_EQ(outcome.example.wrong_clocks.size(), 2U);
  ASSERT_EQ(needed->clocks.size(), 1U);
  EXPECT_EQ(outcome.example.wrong_clocks[needed->clocks[0]].host, "n1");
  const std::string report = console_report(outcome, Style::plain, {}, 96);
  EXPECT_NE(report.find("  without  n1's wrong clock: lease-linearizability holds\n"),
            std::string::npos)
      << report;
}

TEST(WrongClockCauses, AnOwnersThatRunsSlowOutlastsItsLease) {
  const search::ScenarioOutcome outcome = run_with_clocks(R"(
title  = "A slow client"
lock   = "spin"
expect = { violates = "mutual-exclusion" }
[[client]]
name  = "a"
drift = "-300000ppm"
run   = ["lock lease=10s", "sleep 9s", "unlock"]
[[client]]
name  = "b"
start = "1s"
run   = ["lock lease=10s", "sleep 9s", "unlock"]
)");
  const std::vector<Cause> causes = causes_of(outcome.example, Property::mutual_exclusion);
  ASSERT_FALSE(causes.empty());
  EXPECT_EQ(causes[0].kind, CauseKind::clock);
  EXPECT_EQ(causes[0].culprit, "a/1");
  EXPECT_NE(told_of(causes).find("a's own clock runs 30 % too slow"), std::string::npos)
      << told_of(causes);
}

/// The control: the drift is there, but it is the pause that outlasts the lease.
TEST(WrongClockCauses, AreNotNamedWhereAPauseIsEnough) {
  const search::ScenarioOutcome outcome = run_with_clocks(R"(
title  = "An ordinary clock, and a pause"
lock   = "plain"
expect = { violates = "mutual-exclusion" }
[redis.nodes.n1]
drift = "100ppm"
[[client]]
name = "a"
run  = ["lock lease=10s", "write", "unlock"]
[[client]]
name  = "b"
start = "5ms"
run   = ["lock lease=10s", "write", "unlock"]
[[fault]]
pause = "a"
when  = "a read"
for   = "15s"
)");
  const std::vector<Cause> causes = causes_of(outcome.example, Property::mutual_exclusion);
  ASSERT_FALSE(causes.empty());
  EXPECT_EQ(causes[0].kind, CauseKind::lease_ended);
  EXPECT_EQ(told_of(causes).find("clock"), std::string::npos) << told_of(causes);
  const search::NeededFaults* const needed = clocks_needed_by(outcome, Property::mutual_exclusion);
  ASSERT_NE(needed, nullptr);
  EXPECT_EQ(needed->faults.size(), 1U);
  EXPECT_TRUE(needed->clocks.empty());
}

/// The replica has the key, so that nobody may say that the write had not reached it.
TEST(WrongClockCauses, APromotedReplicasThatIsAheadEndsALease) {
  const search::ScenarioOutcome outcome = run_with_clocks(R"(
title  = "A replica that is ahead"
lock   = "plain"
expect = { violates = "lease-linearizability" }
[redis]
replicas = 1
[redis.nodes.n1-replica-1]
wall_offset = "25s"
[[client]]
name = "a"
run  = ["lock lease=20s", "sleep 10s", "unlock"]
[[fault]]
crash = "n1"
at    = "2s"
[[fault]]
promote = "n1-replica-1"
when    = "n1 crashed"
after   = "500ms"
)");
  const std::vector<Cause> causes = causes_of(outcome.example, Property::lease_linearizability);
  ASSERT_FALSE(causes.empty());
  EXPECT_EQ(causes[0].kind, CauseKind::clock);
  EXPECT_EQ(causes[0].server, "n1-replica-1");
  EXPECT_NE(told_of(causes).find("25,000 ms ahead of n1's"), std::string::npos) << told_of(causes);
}

}  // namespace
}  // namespace lockstep::reports
