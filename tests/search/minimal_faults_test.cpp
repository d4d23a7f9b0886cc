// Which faults a violation needs, on stories of which it is known.
#include "search/runs/minimal_faults.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "model/engine/engine.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "search/runs/seed_runs.h"
#include "tests/support/script_folder.h"

namespace lockstep::search::minimal_faults_test {
namespace {

constexpr std::string_view two_clients = R"(
title  = "t"
lock   = "plain"
expect = { violates = "mutual-exclusion" }
[redis]
replicas = 1
[[client]]
name = "a"
run  = ["lock lease=10s", "sleep 1s", "write", "unlock"]
[[client]]
name  = "b"
start = "5ms"
run   = ["lock lease=10s", "write", "sleep 3s", "unlock"]
)";

constexpr std::string_view pause = R"(
[[fault]]
pause = "a"
when  = "a read"
for   = "15s"
)";

constexpr std::string_view pause_at_some_time = R"(
[[fault]]
pause = "a"
when  = "a acquired"
after = "100ms..900ms"
for   = "15s"
)";

constexpr std::string_view failover = R"(
[[fault]]
cut = ["n1", "n1-replica-1"]
[[fault]]
crash = "n1"
when  = "a acquired"
[[fault]]
promote = "n1-replica-1"
when    = "n1 crashed"
)";

constexpr std::string_view harmless = R"(
[[fault]]
delay = "release"
by    = "10ms"
)";

struct Row {
  std::string_view about;
  std::vector<std::string_view> faults;
  std::vector<std::size_t> needed;
};

TEST(MinimalFaults, AreThoseWithoutWhichItDoesNotBreak) {
  const Row rows[] = {
      {"one that matters", {pause}, {0}},
      {"one whose moment is drawn", {harmless, pause_at_some_time}, {1}},
      {"one that does not matter after it", {pause, harmless}, {0}},
      {"one that does not matter before it", {harmless, pause}, {1}},
      {"each of three", {failover}, {0, 1, 2}},
      {"three, or the pause: the later one is tried last", {failover, pause}, {3}},
      {"both ends of a story", {harmless, failover}, {1, 2, 3}},
  };
  model::Engine engine({support::script_folder()});
  for (const Row& row : rows) {
    std::string text(two_clients);
    for (const std::string_view fault : row.faults) text += fault;
    const scenario::Scenario scenario = scenario::parse_scenario("t.toml", text);
    Rerun rerun(engine, 1);
    EXPECT_EQ(minimal_faults(scenario, checker::Property::mutual_exclusion, rerun), row.needed)
        << row.about;
  }
}

TEST(MinimalFaults, AreToldOfAnExample) {
  model::Engine engine({support::script_folder()});
  std::string text(two_clients);
  text.append(harmless).append(pause);
  const ScenarioOutcome outcome =
      run_scenario(scenario::parse_scenario("t.toml", text), {1, 2}, engine);
  ASSERT_FALSE(outcome.needed.empty());
  EXPECT_EQ(outcome.needed[0].property, checker::Property::mutual_exclusion);
  EXPECT_EQ(outcome.needed[0].faults, (std::vector<std::size_t>{1}));
}

}  // namespace
}  // namespace lockstep::search::minimal_faults_test
