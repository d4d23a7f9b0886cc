// A client's threads and their steps: what a pause, a crash or a refusal does between them.
#include <gtest/gtest.h>

#include "checker/history.h"
#include "checker/property.h"
#include "checker/verdict_kind.h"
#include "lock_run.h"
#include "scenario/milestones.h"

namespace lockstep::test {
namespace {

using Steps = std::vector<std::string>;

scenario::Trigger::When at(const std::string& actor, scenario::Milestone milestone) {
  return {actor, milestone, "", 1};
}

TEST(Workload, RunsItsStepsAsOftenAsItHasRounds) {
  LockRun run("plain");
  run.client("a", {"lock lease=1s; write; unlock"}, 3);
  run.run();
  EXPECT_EQ(run.steps_of("a/1").size(), 9U);
  EXPECT_EQ(run.count("resource-written", "", "based_on=2 version=3"), 1U) << run.text();
}

TEST(Workload, ARefusedLockSkipsToTheUnlockThatMatchesIt) {
  LockRun run("plain");
  run.client("a", {"lock lease=60s; sleep 10s"});
  run.client("b", {"sleep 1s; try_lock; lock name=other; try_lock; unlock; unlock name=other; "
                   "unlock; sleep 1ms"});
  run.run();
  EXPECT_EQ(run.steps_of("b/1"), (Steps{"sleep 1s: ok", "try_lock: fail", "sleep 1ms: ok"}))
      << run.text();
}

TEST(Workload, ARefusedLockWithoutAnUnlockEndsTheRound) {
  LockRun run("plain");
  run.client("a", {"lock lease=60s; sleep 10s"});
  run.client("b", {"sleep 1s; try_lock; write"}, 2);
  run.run();
  EXPECT_EQ(run.steps_of("b/1"),
            (Steps{"sleep 1s: ok", "try_lock: fail", "sleep 1s: ok", "try_lock: fail"}));
}

TEST(Workload, AWriteIsAReadAndAWriteBasedOnIt) {
  LockRun run("plain");
  run.client("a", {"write; write", "write"});
  run.run();
  EXPECT_EQ(run.count("resource-read"), 3U);
  EXPECT_EQ(run.count("resource-written"), 3U);
  EXPECT_EQ(run.count("connection-opening", "a", "to=resource"), 2U) << "one for each thread";
}

TEST(Workload, APauseStrikesBetweenTwoSteps) {
  LockRun run("plain");
  run.client("a", {"lock lease=60s; write; unlock"});
  scenario::FaultSpec& pause = run.fault(scenario::FaultKind::pause, "a");
  pause.for_ns = 5 * sim::second_ns;
  pause.trigger.when = at("a", scenario::Milestone::acquired);
  run.run();
  const auto write = run.find("step-invoked", "a/1", "step=write");
  ASSERT_EQ(write.size(), 1U) << run.text();
  EXPECT_EQ(write[0].at_ns, 5'004 * sim::millisecond_ns);
}

TEST(Workload, APauseStrikesBetweenTheReadAndTheWrite) {
  LockRun run("plain");
  run.client("a", {"write"});
  scenario::FaultSpec& pause = run.fault(scenario::FaultKind::pause, "a");
  pause.for_ns = 5 * sim::second_ns;
  pause.trigger.when = at("a", scenario::Milestone::read);
  run.run();
  EXPECT_EQ(run.find("message-sent", "a", "label=write").at(0).at_ns, 5'004 * sim::millisecond_ns)
      << run.text();
}

TEST(Workload, APauseStrikesBetweenAReleasesInvocationAndItsRequest) {
  LockRun run("plain");
  run.client("a", {"lock lease=60s; unlock"});
  scenario::FaultSpec& pause = run.fault(scenario::FaultKind::pause, "a");
  pause.for_ns = 5 * sim::second_ns;
  pause.trigger.when = at("a", scenario::Milestone::releasing);
  run.run();
  EXPECT_EQ(run.find("belief-ended", "a/1").at(0).at_ns, 4 * sim::millisecond_ns);
  EXPECT_EQ(run.find("message-sent", "a", "label=release").at(0).at_ns,
            5'004 * sim::millisecond_ns);
}

struct CrashPoint {
  scenario::Milestone milestone;
  const char* never;  ///< the label of what is not sent any more
};

class CrashAt : public ::testing::TestWithParam<CrashPoint> {};

TEST_P(CrashAt, AMilestoneEndsTheProcessThere) {
  LockRun run("plain");
  run.client("a", {"lock; write; unlock"});
  run.client("b", {"sleep 1s; write"});
  run.fault(scenario::FaultKind::crash, "a").trigger.when = at("a", GetParam().milestone);
  scenario::FaultSpec& restart = run.fault(scenario::FaultKind::restart, "a");
  restart.trigger.after_ns = 500 * sim::millisecond_ns;
  run.run();
  EXPECT_EQ(run.count("process-crashed", "a"), 1U) << run.text();
  EXPECT_EQ(run.count("process-restarted", "a"), 1U);
  EXPECT_EQ(run.count("message-sent", "a", std::string("label=") + GetParam().never), 0U);
  EXPECT_EQ(run.count("step-invoked", "a/1", "step=lock"), 1U) << "nothing is run again";
  EXPECT_EQ(run.steps_of("b/1").back(), "write: ok") << "the others go on";
  EXPECT_EQ(run.count("task-started"), run.count("task-ended"));
}

INSTANTIATE_TEST_SUITE_P(Workload, CrashAt,
                         ::testing::Values(CrashPoint{scenario::Milestone::acquired, "read"},
                                           CrashPoint{scenario::Milestone::read, "write"},
                                           CrashPoint{scenario::Milestone::wrote, "release"},
                                           CrashPoint{scenario::Milestone::releasing, "release"}),
                         [](const auto& parameter) {
                           return std::string(scenario::to_string(parameter.param.milestone));
                         });

TEST(Workload, ACrashEndsBeliefs) {
  LockRun run("plain");
  run.client("a", {"lock lease=2s; crash; write", "sleep 1ms; lock lease=1s name=other; sleep 1s"});
  run.run();
  EXPECT_EQ(run.count("belief-ended", "a/1", "why=crashed"), 1U) << run.text();
  EXPECT_EQ(run.count("step-invoked", "a/1", "step=write"), 0U);
  EXPECT_EQ(run.count("process-crashed", "a"), 1U);
}

TEST(Workload, ACrashWhileACallIsUnderWayLeavesItsOutcomeOpen) {
  LockRun run("plain");
  run.client("a", {"lock lease=1s; unlock"});
  run.fault(scenario::FaultKind::crash, "a").trigger.when =
      scenario::Trigger::When{"n1", scenario::Milestone::executed, "acquire", 1};
  const model::RunResult& result = run.run();
  ASSERT_EQ(result.history->operations.size(), 1U);
  EXPECT_FALSE(result.history->operations[0].completed) << run.text();
  EXPECT_EQ(run.verdict(checker::Property::lease_linearizability), checker::VerdictKind::holds);
}

TEST(Workload, AConnectionToTheResourceThatBreaksLeavesTheWriteOpen) {
  LockRun run("plain");
  run.client("a", {"write; write"});
  run.message_fault(scenario::FaultKind::reset, "reply to write");
  run.run();
  EXPECT_EQ(run.steps_of("a/1"), (Steps{"write: info", "write: ok"})) << run.text();
}

TEST(Workload, ThreadsBeginWhenTheScenarioSays) {
  LockRun run("plain");
  run.client("a", {"sleep 1ms", "sleep 2ms"}).start_ns = 3 * sim::second_ns;
  run.run();
  for (const TraceLine& line : run.find("step-invoked")) EXPECT_EQ(line.at_ns, 3 * sim::second_ns);
  EXPECT_EQ(run.count("step-invoked"), 2U);
}

TEST(Workload, RunsAreEqualWhateverRanBefore) {
  LockRun run("plain");
  run.scenario.latency = {};
  run.scenario.redis.replicas = 1;
  run.client("a", {"lock; write; unlock", "try_lock wait=10ms lease=1s; write; unlock"}, 2);
  run.client("b", {"lock lease=1s; write; unlock; crash"});
  run.message_fault(scenario::FaultKind::drop, "reply to acquire", 2);
  const std::uint64_t hash = run.run(7).hash;
  EXPECT_EQ(run.run(7).hash, hash) << "in a cluster made anew";

  model::Engine engine({scripts_folder()});
  const auto simulation = engine.prepare(run.scenario);
  std::uint64_t other = 0;
  for (std::uint64_t seed = 1; seed < 60; ++seed) {
    sim::SeededChoices choices(seed);
    other ^= simulation->run(choices).hash;
  }
  sim::SeededChoices choices(7);
  EXPECT_EQ(simulation->run(choices).hash, hash) << "in a cluster that has run before";
  EXPECT_NE(other, hash);
}

}  // namespace
}  // namespace lockstep::test
