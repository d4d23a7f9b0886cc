// Where a run ends that would go on.
#include <gtest/gtest.h>

#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "sim/seeded_choices.h"
#include "sim/time.h"
#include "tests/model/client/lock_folder.h"

namespace lockstep::model {
namespace {

// What its client does leaves no event.
TEST(RunLimits, EndARunInWhichAClientOnlySleeps) {
  const lockstep::test::LockFolder folder;
  folder.write("client.lua", lockstep::test::LockFolder::client_model(R"(
function model.lock(lock)
  while true do client.sleep(1) end
end)"));
  const scenario::Scenario scenario = scenario::parse_scenario("s.toml", R"(
title = "t"
lock = "own"
expect = { sometimes = [] }
[limits]
horizon = "1h"
events = 100
[[client]]
name = "a"
run = ["lock"]
)");
  Engine engine({folder.folders()});
  const auto simulation = engine.prepare(scenario);
  sim::SeededChoices choices(1);
  const RunResult& run = simulation->run(choices);
  EXPECT_EQ(run.end, RunEnd::event_limit);
  EXPECT_LT(run.event_count, 100U);
  EXPECT_LT(run.ended_at_ns, 60 * sim::second_ns);
}

}  // namespace
}  // namespace lockstep::model
