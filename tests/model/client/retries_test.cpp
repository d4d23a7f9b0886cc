// Calls that get no reply, the wrong one, or one too late.
#include <gtest/gtest.h>

#include "checker/history.h"
#include "checker/observations.h"
#include "checker/property.h"
#include "checker/verdict_kind.h"
#include "lock_run.h"
#include "scenario/milestones.h"

namespace lockstep::test {
namespace {

using Steps = std::vector<std::string>;

std::vector<sim::TimeNs> sent_at_ms(const LockRun& run, const std::string& label) {
  std::vector<sim::TimeNs> times;
  for (const TraceLine& line : run.find("message-sent", "a", "label=" + label + " ")) {
    times.push_back(line.at_ns / sim::millisecond_ns);
  }
  return times;
}

TEST(Retry, ARequestWithoutAReplyIsSentAgainOnAnotherConnection) {
  LockRun run("plain/unlatched");
  run.client("a", {"lock lease=10s; unlock"});
  run.message_fault(scenario::FaultKind::drop, "acquire");
  run.run();
  // Sent at 2 ms; the attempt began at 0 and times out at 3000; the next begins 1500 ms later.
  EXPECT_EQ(sent_at_ms(run, "acquire"), (std::vector<sim::TimeNs>{2, 4'502})) << run.text();
  EXPECT_EQ(run.count("call-timed-out", "a/1", "label=acquire attempt=1"), 1U);
  EXPECT_EQ(run.count("call-retried", "a/1", "label=acquire attempt=2"), 1U);
  EXPECT_EQ(run.count("connection-closed", "a", "connection=1 why=closed"), 1U);
  EXPECT_EQ(run.steps_of("a/1"), (Steps{"lock lease=10s: ok", "unlock: ok"}));
}

TEST(Retry, AnAcquireWhoseReplyWasLostRunsTwice) {
  LockRun run("plain");
  run.client("a", {"lock lease=30s; unlock"});
  run.message_fault(scenario::FaultKind::drop, "reply to acquire");
  run.run();
  EXPECT_EQ(run.count("lock-changed", "n1", "holders=a/1:2"), 1U) << run.text();
  EXPECT_EQ(run.verdict(checker::Property::hold_count), checker::VerdictKind::violated);
}

TEST(Retry, AReplyThatComesTooLateIsLost) {
  LockRun run("plain");
  run.client("a", {"lock lease=30s; unlock; unlock"});
  scenario::FaultSpec& delay = run.message_fault(scenario::FaultKind::delay, "reply to acquire");
  delay.by_ns = 3'500 * sim::millisecond_ns;
  run.run();
  EXPECT_EQ(run.count("message-lost", "n1", "why=connection-closed"), 1U) << run.text();
  EXPECT_EQ(run.count("command-executed", "n1", "label=acquire"), 2U);
}

TEST(Retry, EndsAfterAllAttemptsWithAnUnknownOutcome) {
  LockRun run("plain/unlatched");
  run.client("a", {"lock lease=60s; write; unlock; lock lease=10s; unlock"});
  for (int i = 0; i < 4; ++i) run.message_fault(scenario::FaultKind::drop, "reply to acquire");
  const model::RunResult& result = run.run();
  EXPECT_EQ(sent_at_ms(run, "acquire").size(), 5U) << run.text();
  EXPECT_EQ(run.steps_of("a/1"),
            (Steps{"lock lease=1m: info", "lock lease=10s: ok", "unlock: ok"}));
  EXPECT_EQ(run.count("step-completed", "a/1", "TIMEOUT no reply to acquire in 4 attempts"), 1U);
  EXPECT_EQ(run.count("resource-written"), 0U) << "skipped to the matching unlock";
  ASSERT_EQ(result.history->operations.size(), 3U);
  const checker::Operation& first = result.history->operations[0];
  const checker::Operation& second = result.history->operations[1];
  EXPECT_EQ(first.outcome, checker::Outcome::info);
  EXPECT_EQ(first.owner, second.owner);
  EXPECT_NE(first.process, second.process) << "the thread goes on under another process";
  EXPECT_TRUE(result.observations->hold_checks.empty()) << "it can't count any more";
}

TEST(Retry, HasTheTimesAndAttemptsThatTheScenarioSays) {
  LockRun run("plain");
  run.scenario.options["timeout_ms"] = std::int64_t{100};
  run.scenario.options["retry_attempts"] = std::int64_t{1};
  run.scenario.options["retry_interval_ms"] = std::int64_t{50};
  run.scenario.options["retry_jitter_ms"] = std::int64_t{0};
  run.client("a", {"lock lease=10s; unlock"});
  run.message_fault(scenario::FaultKind::drop, "acquire");
  run.message_fault(scenario::FaultKind::drop, "acquire");
  run.run();
  EXPECT_EQ(sent_at_ms(run, "acquire"), (std::vector<sim::TimeNs>{2, 152})) << run.text();
  EXPECT_EQ(run.steps_of("a/1"), (Steps{"lock lease=10s: info"}));
}

TEST(Retry, IsSpreadByAJitter) {
  std::vector<sim::TimeNs> second;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    LockRun run("plain");
    run.scenario.options["retry_interval_ms"] = std::int64_t{1'000};
    run.scenario.options["retry_jitter_ms"] = std::int64_t{1'000};
    run.client("a", {"lock lease=10s; unlock"});
    run.message_fault(scenario::FaultKind::drop, "acquire");
    run.run(seed);
    const auto sent = run.find("call-retried", "a/1");
    ASSERT_EQ(sent.size(), 1U);
    EXPECT_GE(sent[0].at_ns, 4'000 * sim::millisecond_ns);
    EXPECT_LE(sent[0].at_ns, 5'000 * sim::millisecond_ns);
    second.push_back(sent[0].at_ns);
  }
  std::sort(second.begin(), second.end());
  EXPECT_NE(second.front(), second.back());
}

TEST(Retry, ABrokenConnectionIsFollowedByTheNextAttemptAtOnce) {
  LockRun run("plain");
  run.client("a", {"lock lease=10s; unlock"});
  run.message_fault(scenario::FaultKind::reset, "reply to acquire");
  run.run();
  EXPECT_EQ(sent_at_ms(run, "acquire"), (std::vector<sim::TimeNs>{2, 5})) << run.text();
  EXPECT_EQ(run.count("lock-changed", "n1", "holders=a/1:2"), 1U) << "it ran twice";
}

TEST(Retry, ANodeThatIsDownIsAskedAgainAndAgain) {
  LockRun run("plain");
  run.client("a", {"lock lease=10s; unlock"});
  run.fault(scenario::FaultKind::crash, "n1");
  scenario::FaultSpec& restart = run.fault(scenario::FaultKind::restart, "n1");
  restart.trigger.after_ns = 2 * sim::second_ns;
  run.run();
  EXPECT_EQ(run.count("connection-refused", "a"), 2U) << run.text();
  EXPECT_EQ(run.steps_of("a/1"), (Steps{"lock lease=10s: ok", "unlock: ok"}));
}

TEST(Retry, ACallThatNeverReachedANodeIsKnownToHaveDoneNothing) {
  LockRun run("plain");
  run.client("a", {"lock lease=10s; write; unlock; sleep 1ms"});
  run.fault(scenario::FaultKind::crash, "n1");
  const model::RunResult& result = run.run();
  EXPECT_EQ(run.steps_of("a/1"), (Steps{"lock lease=10s: fail", "sleep 1ms: ok"})) << run.text();
  EXPECT_EQ(result.history->operations.at(0).outcome, checker::Outcome::info)
      << "nobody said that somebody else has it";
}

struct Refusal {
  std::string_view name;
  std::int64_t min_replicas_to_write;
  std::uint64_t max_memory_bytes;
  std::string_view code;
};

class ServersRefusal : public testing::TestWithParam<Refusal> {};

TEST_P(ServersRefusal, SaysNothingOfTheLock) {
  LockRun run("plain");
  run.scenario.redis.settings = {
      {"min-replicas-to-write", std::to_string(GetParam().min_replicas_to_write)},
      {"maxmemory", std::to_string(GetParam().max_memory_bytes)}};
  run.client("a", {"lock lease=10s; write; unlock; lock lease=10s; unlock"});
  const model::RunResult& result = run.run();
  EXPECT_EQ(run.steps_of("a/1"), (Steps{"lock lease=10s: fail", "lock lease=10s: fail"}));
  EXPECT_EQ(run.count("step-completed", "a/1", std::string(GetParam().code)), 2U) << run.text();
  ASSERT_EQ(result.history->operations.size(), 2U);
  const checker::Operation& first = result.history->operations[0];
  EXPECT_EQ(first.outcome, checker::Outcome::info);
  EXPECT_NE(first.process, result.history->operations[1].process);
  EXPECT_EQ(run.verdict(checker::Property::lease_linearizability), checker::VerdictKind::holds);
}

INSTANTIATE_TEST_SUITE_P(Codes, ServersRefusal,
                         testing::Values(Refusal{"no_replicas", 1, 0, "NOREPLICAS"},
                                         Refusal{"out_of_memory", 0, 1, "OOM"}),
                         [](const testing::TestParamInfo<Refusal>& parameter) {
                           return std::string(parameter.param.name);
                         });

TEST(Retry, AnOwnerWhoseCallDidNothingStillCountsItsHolds) {
  LockRun run("plain");
  run.client("a", {"lock lease=10s; unlock; sleep 1m; lock lease=10s; unlock"});
  run.fault(scenario::FaultKind::crash, "n1");
  run.fault(scenario::FaultKind::restart, "n1").trigger.after_ns = 30 * sim::second_ns;
  const model::RunResult& result = run.run();
  EXPECT_EQ(run.steps_of("a/1"),
            (Steps{"lock lease=10s: fail", "sleep 1m: ok", "lock lease=10s: ok", "unlock: ok"}))
      << run.text();
  EXPECT_EQ(result.history->operations.at(0).outcome, checker::Outcome::info);
  EXPECT_EQ(result.observations->hold_checks.size(), 2U);
}

TEST(Retry, AScriptThatANodeHasForgottenIsSentWhole) {
  LockRun run("plain");
  run.client("a", {"lock lease=1s; unlock; sleep 2s; lock lease=1s; unlock"});
  scenario::FaultSpec& crash = run.fault(scenario::FaultKind::crash, "n1");
  crash.trigger.after_ns = 500 * sim::millisecond_ns;
  scenario::FaultSpec& restart = run.fault(scenario::FaultKind::restart, "n1");
  restart.trigger.after_ns = sim::second_ns;
  run.run();
  EXPECT_EQ(run.count("command-executed", "n1", "label=acquire command=EVAL "), 2U) << run.text();
  EXPECT_EQ(run.count("command-executed", "n1", "label=acquire command=EVALSHA"), 1U)
      << "the node that came back answers NOSCRIPT";
  EXPECT_EQ(run.steps_of("a/1").back(), "unlock: ok");
}

TEST(Retry, AScriptThatTheNodeKnowsIsSentByItsDigest) {
  LockRun run("plain");
  run.client("a", {"lock lease=1s; unlock"}, 3);
  run.run();
  EXPECT_EQ(run.count("command-executed", "n1", "label=acquire command=EVAL "), 1U) << run.text();
  EXPECT_EQ(run.count("command-executed", "n1", "label=acquire command=EVALSHA"), 2U);
}

TEST(Retry, AReplicaThatRefusesWritesSendsTheClientToTheMaster) {
  LockRun run("plain");
  run.scenario.redis.replicas = 2;
  run.client("a", {"lock lease=1s; unlock; sleep 2s; lock lease=1s; unlock"});
  run.fault(scenario::FaultKind::promote, "n1-replica-1").trigger.after_ns = sim::second_ns;
  run.run();
  EXPECT_EQ(run.steps_of("a/1").back(), "unlock: ok") << run.text();
}

TEST(Retry, APausedClientReadsWhatWaitsAndTimesOutLate) {
  LockRun run("plain");
  run.client("a", {"lock lease=30s; unlock"});
  scenario::FaultSpec& pause = run.fault(scenario::FaultKind::pause, "a");
  pause.for_ns = 10 * sim::second_ns;
  pause.trigger.when = scenario::Trigger::When{"n1", scenario::Milestone::executed, "acquire", 1};
  run.run();
  EXPECT_EQ(run.count("call-timed-out"), 0U) << "the reply lay there before the timer was due\n"
                                             << run.text();
  EXPECT_EQ(run.find("belief-began", "a/1").at(0).at_ns, 10'003 * sim::millisecond_ns);
}

}  // namespace
}  // namespace lockstep::test
