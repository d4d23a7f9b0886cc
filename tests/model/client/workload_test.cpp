// A client's threads and their steps: what a pause, a crash or a refusal does between them.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <string>
#include <vector>

#include "checker/history.h"
#include "checker/property.h"
#include "checker/verdict_kind.h"
#include "lock_run.h"
#include "model/client/generated_steps.h"
#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "scenario/file/scenario_file.h"
#include "scenario/milestones.h"
#include "scenario/scenario.h"
#include "scenario/step_forms.h"
#include "scenario/steps.h"
#include "sim/seeded_choices.h"
#include "tests/model/client/lock_folder.h"

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

// What the reentrant locks and the textbook lock answer when they are asked, and leases that their
// holder begins anew.

namespace {

/// The answers of one thread, in order: "is_locked true".
std::vector<std::string> answers_of(const LockRun& run, std::string_view thread) {
  std::vector<std::string> answers;
  for (const TraceLine& line : run.find("step-completed", thread, "outcome=ok detail=")) {
    const std::size_t step = line.fields.find("step=") + 5;
    answers.push_back(line.fields.substr(step, line.fields.find(' ', step) - step) + ' ' +
                      line.fields.substr(line.fields.find("detail=") + 7));
  }
  return answers;
}

using Answers = std::vector<std::string>;

class Questions : public ::testing::TestWithParam<const char*> {
 protected:
  LockRun run_{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Locks, Questions, ::testing::Values("plain", "fenced", "spin", "setnx"),
                         [](const auto& parameter) { return std::string(parameter.param); });

TEST_P(Questions, AreAnsweredForWhoHasTheLockAndForOthers) {
  run_.client("a", {"is_locked; lock lease=10s; is_locked; is_held_by_me; sleep 1s; unlock; "
                    "is_locked; is_held_by_me"});
  run_.client("b", {"is_locked; is_held_by_me"}).start_ns = 500 * sim::millisecond_ns;
  run_.run();
  EXPECT_EQ(answers_of(run_, "a/1"),
            (Answers{"is_locked false", "is_locked true", "is_held_by_me true", "is_locked false",
                     "is_held_by_me false"}))
      << run_.text();
  EXPECT_EQ(answers_of(run_, "b/1"), (Answers{"is_locked true", "is_held_by_me false"}));
}

TEST_P(Questions, TellWhenTheLeaseIsOver) {
  run_.client("a", {"remaining_lease; lock lease=10s; remaining_lease; sleep 11s; is_locked; "
                    "is_held_by_me; remaining_lease"});
  run_.run();
  EXPECT_EQ(answers_of(run_, "a/1"),
            (Answers{"remaining_lease -2", "remaining_lease 9998", "is_locked false",
                     "is_held_by_me false", "remaining_lease -2"}))
      << run_.text();
}

TEST(QuestionsToAReentrantLock, CountTheHoldsOfWhoAsks) {
  LockRun run("plain");
  run.client("a", {"hold_count; lock lease=10s; lock lease=10s; hold_count; sleep 1s; unlock; "
                   "hold_count; unlock; hold_count"});
  run.client("b", {"hold_count"}).start_ns = 500 * sim::millisecond_ns;
  run.run();
  EXPECT_EQ(answers_of(run, "a/1"),
            (Answers{"hold_count 0", "hold_count 2", "hold_count 1", "hold_count 0"}))
      << run.text();
  EXPECT_EQ(answers_of(run, "b/1"), (Answers{"hold_count 0"}));
}

// -- extend --

using Steps = std::vector<std::string>;

class Extend : public ::testing::TestWithParam<const char*> {
 protected:
  LockRun run_{GetParam()};
};

INSTANTIATE_TEST_SUITE_P(Locks, Extend, ::testing::Values("plain", "fenced", "spin", "setnx"),
                         [](const auto& parameter) { return std::string(parameter.param); });

TEST_P(Extend, BeginsTheLeaseAnew) {
  run_.client("a", {"lock lease=10s; sleep 8s; extend lease=20s; sleep 15s; unlock"});
  run_.run();
  EXPECT_EQ(run_.steps_of("a/1"), (Steps{"lock lease=10s: ok", "sleep 8s: ok",
                                         "extend lease=20s: ok", "sleep 15s: ok", "unlock: ok"}))
      << run_.text();
  EXPECT_EQ(run_.count("lock-changed", "n1", "cause=expiry"), 0U);
  EXPECT_EQ(run_.count("service-invoked", "a/1", "kind=renew lock=lock lease_ms=20000"), 1U);
}

TEST_P(Extend, OfALockThatIsLostIsRefusedAndChangesNothing) {
  run_.client("a", {"lock lease=1s; sleep 2s; extend lease=20s"});
  run_.run();
  EXPECT_EQ(run_.steps_of("a/1").back(), "extend lease=20s: fail") << run_.text();
  EXPECT_EQ(run_.count("lock-changed"), 2U) << "taken, and gone with its lease";
}

TEST_P(Extend, ChangesWhatIsLeftOfTheLease) {
  run_.client("a", {"lock lease=10s; extend lease=30s; remaining_lease; unlock; is_locked"});
  run_.run();
  // The reply is 1 ms on the way, and 1 ms has gone by since the lease began.
  EXPECT_EQ(run_.count("step-completed", "a/1", "step=remaining_lease outcome=ok detail=29998"), 1U)
      << run_.text();
  EXPECT_EQ(run_.count("step-completed", "a/1", "step=is_locked outcome=ok detail=false"), 1U)
      << run_.text();
}

TEST(ExtendOfAPlainLock, IsTheLeaseOfTheHoldsThatStay) {
  LockRun run("plain");
  run.client("a", {"lock lease=10s; lock lease=10s; extend lease=60s; unlock; remaining_lease"});
  run.run();
  EXPECT_EQ(run.count("command-executed", "n1", "label=release"), 1U);
  const auto asked = run.find("step-completed", "a/1", "step=remaining_lease");
  ASSERT_EQ(asked.size(), 1U);
  EXPECT_TRUE(asked[0].has("detail=5999")) << run.text();
}

TEST(ExtendOfATextbookLock, NeedsALock) {
  LockRun run("setnx");
  run.client("a", {"lock lease=10s; unlock; extend lease=60s"});
  run.run();
  EXPECT_EQ(run.steps_of("a/1").back(), "extend lease=1m: fail") << run.text();
}

}  // namespace

// Steps that are drawn: holds inside one another, leases that differ, times of all magnitudes.

namespace {

constexpr std::uint64_t draws = 300;
constexpr sim::Stream stream{sim::Purpose::workload, 1};

/// What a thread draws with several seeds.
std::vector<std::vector<scenario::Step>> drawn(const std::string& lock,
                                               const std::string& generate) {
  const scenario::Scenario scenario = scenario::parse_scenario(
      "s.toml", "title = \"t\"\nlock = \"" + lock +
                    "\"\nexpect = { holds = \"harm\" }\n[[client]]\nname = \"a\"\n"
                    "[client.generate]\n" +
                    generate);
  std::vector<std::vector<scenario::Step>> all(draws);
  for (std::uint64_t seed = 0; seed < draws; ++seed) {
    sim::SeededChoices choices(seed + 1);
    model::draw_steps(scenario.clients.front().threads.front(), choices, stream, all[seed]);
  }
  return all;
}

std::string text_of(const std::vector<scenario::Step>& steps) {
  std::string text;
  for (const scenario::Step& step : steps) text += scenario::write_step(step, "lock") + "; ";
  return text;
}

TEST(GeneratedSteps, AWordMayHaveALeaseOfItsOwn) {
  std::map<bool, int> leased;
  for (const auto& steps :
       drawn("plain", "steps = 1\nmix = { lock = 1, \"lock lease=5s..6s\" = 1 }\n")) {
    ASSERT_EQ(steps.size(), 2U);
    ++leased[steps[0].lease_ns.has_value()];
    if (steps[0].lease_ns) {
      EXPECT_GE(*steps[0].lease_ns, 5 * sim::second_ns);
      EXPECT_LE(*steps[0].lease_ns, 6 * sim::second_ns);
    }
  }
  EXPECT_GT(leased[true], 100);
  EXPECT_GT(leased[false], 100);
}

TEST(GeneratedSteps, HoldsInsideOneAnotherAreUsedBetweenTakingAndGivingBack) {
  std::map<std::string, int> seen;
  for (const auto& steps :
       drawn("plain", "steps = 1\nmix = { lock = 1, write = 1 }\nhold = \"1s\"\nnesting = 2\n")) {
    ++seen[text_of(steps)];
  }
  EXPECT_EQ(seen.size(), 2U);
  EXPECT_GT(seen["lock; write; sleep 1s; unlock; "], 100);
  EXPECT_GT(seen["lock; write; sleep 1s; lock; write; sleep 1s; unlock; write; sleep 1s; unlock; "],
            100);
}

TEST(GeneratedSteps, NobodyAsksForAShorterLeaseInsideAHold) {
  for (const auto& steps :
       drawn("plain",
             "steps = 1\nnesting = 4\n"
             "mix = { \"lock lease=1s..50s\" = 3, \"extend lease=1s..90s\" = 1 }\n")) {
    sim::DurationNs longest = 0;
    for (const scenario::Step& step : steps) {
      if (!step.lease_ns) continue;
      EXPECT_GE(*step.lease_ns, longest) << text_of(steps);
      longest = *step.lease_ns;
    }
  }
}

TEST(GeneratedSteps, WhoReadsNeverAsksToWriteAndWhoWritesMayGoOnAsAReader) {
  std::map<std::string, int> seen;
  for (const auto& steps :
       drawn("readwrite", "steps = 1\nmix = { read_lock = 1, write_lock = 1 }\nnesting = 3\n")) {
    ++seen[text_of(steps)];
    int reads = 0;
    for (const scenario::Step& step : steps) {
      if (step.kind == scenario::StepKind::read_lock) ++reads;
      if (step.kind == scenario::StepKind::read_unlock) --reads;
      if (step.kind == scenario::StepKind::write_lock) {
        EXPECT_EQ(reads, 0) << text_of(steps);
      }
    }
    EXPECT_EQ(reads, 0);
  }
  EXPECT_GT(seen["write_lock; read_lock; read_unlock; write_unlock; "], 0);
  EXPECT_GT(seen["write_lock; read_lock; write_unlock; read_unlock; "], 0);
}

TEST(GeneratedSteps, LocksInsideOneAnotherAreTakenInOneOrder) {
  bool has_both = false;
  for (const auto& steps : drawn("plain",
                                 "steps = 1\nmix = { lock = 1, write = 1 }\nnesting = 3\nlocks = "
                                 "[\"x\", \"y\", \"z\"]\n")) {
    std::map<std::string, int> held;
    std::string last;
    for (const scenario::Step& step : steps) {
      const std::string name = step.lock_names.empty() ? "" : step.lock_names.front();
      if (step.kind == scenario::StepKind::lock) {
        for (const auto& [other, count] : held) {
          if (count > 0 && held[name] == 0) {
            EXPECT_LT(other, name) << text_of(steps);
          }
          has_both |= count > 0 && other != name;
        }
        ++held[name];
        last = name;
      }
      if (step.kind == scenario::StepKind::unlock) --held[name];
      // With the token of the lock that protects what is written.
      if (step.kind == scenario::StepKind::write) {
        EXPECT_EQ(last, "x") << text_of(steps);
      }
    }
  }
  EXPECT_TRUE(has_both);
}

TEST(GeneratedSteps, ALogarithmicSpreadHasAsManyShortTimesAsLong) {
  std::array<int, 3> found{};
  for (const auto& steps :
       drawn("plain", "steps = 1\nmix = { lock = 1 }\nhold = \"1ms..1000s\"\nspread = \"log\"\n")) {
    ASSERT_EQ(steps.size(), 3U);
    const sim::DurationNs hold_ns = steps[1].duration_ns;
    EXPECT_GE(hold_ns, sim::millisecond_ns);
    EXPECT_LE(hold_ns, 1000 * sim::second_ns);
    ++found[hold_ns < 100 * sim::millisecond_ns ? 0 : hold_ns < 10 * sim::second_ns ? 1 : 2];
  }
  for (const int count : found) EXPECT_GT(count, 60);
}

TEST(GeneratedSteps, ALogarithmicSpreadReachesBothEnds) {
  std::map<sim::DurationNs, int> found;
  sim::SeededChoices choices(7);
  for (int i = 0; i < 1000; ++i) {
    ++found[model::draw_duration(choices, stream, {0, 5 * sim::millisecond_ns},
                                 scenario::Spread::log) /
            sim::millisecond_ns];
  }
  EXPECT_EQ(found.size(), 6U);
  EXPECT_EQ(found.begin()->first, 0);
  EXPECT_EQ(found.rbegin()->first, 5);
}

// What its client does leaves no event.
TEST(RunLimits, EndARunInWhichAClientOnlySleeps) {
  const LockFolder folder;
  folder.write("client.lua", LockFolder::client_model(R"(
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
  model::Engine engine({folder.folders()});
  const auto simulation = engine.prepare(scenario);
  sim::SeededChoices choices(1);
  const model::RunResult& run = simulation->run(choices);
  EXPECT_EQ(run.end, model::RunEnd::event_limit);
  EXPECT_LT(run.event_count, 100U);
  EXPECT_LT(run.ended_at_ns, 60 * sim::second_ns);
}

}  // namespace

}  // namespace lockstep::test
