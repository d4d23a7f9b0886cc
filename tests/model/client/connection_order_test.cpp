// Over one connection the server executes a client's requests in the order in which they were asked
// for, whatever the delays, resets, pauses, restarts and reconnections: as far as the library's
// habit says. The same drawn runs over a pool show that the test can tell.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "checker/history.h"
#include "checker/observations.h"
#include "checker/property.h"
#include "checker/verdict_kind.h"
#include "lock_folder.h"
#include "lock_run.h"
#include "scenario/milestones.h"

namespace lockstep::test::calls_in_order {
namespace {

constexpr int calls_of_a_thread = 4;

/// Each call writes its own number, drawn as it is asked for; now and then one blocks the others.
constexpr std::string_view client_model = R"(
local model = {}
local last = 0
local function ask(blocks)
  last = last + 1
  local number = last
  if blocks then return client.command(1, "BLPOP", "call " .. number, "0.05") end
  return client.command(1, "SET", "call " .. number, number)
end
local function try_asking(blocks)
  local replied, answer = pcall(ask, blocks)
  if not replied then client.log(answer.code) end
end
function model.lock(lock)
  for turn = 1, 4 do
    client.sleep(client.random(40))
    try_asking(client.random(6) == 1)
  end
  return true
end
function model.try_lock(lock) return true end
function model.unlock(lock) return true end
return model
)";

struct DrawnRun {
  std::string reconnect;
  std::int64_t latency_max_ms;
  std::uint64_t seed;
  std::size_t threads;
  std::vector<scenario::FaultSpec> faults;
};

scenario::FaultSpec message_fault(scenario::FaultKind kind, const std::string& label, int nth,
                                  int by_ms) {
  scenario::FaultSpec fault;
  fault.kind = kind;
  fault.message_label = label;
  fault.nth = static_cast<std::uint32_t>(nth);
  fault.by_ns = by_ms * sim::millisecond_ns;
  return fault;
}

scenario::FaultSpec host_fault(scenario::FaultKind kind, const std::string& host, int at_ms,
                               int for_ms) {
  scenario::FaultSpec fault;
  fault.kind = kind;
  fault.target = host;
  fault.trigger.after_ns = at_ms * sim::millisecond_ns;
  if (for_ms > 0) fault.for_ns = for_ms * sim::millisecond_ns;
  return fault;
}

void add_drawn_fault(std::vector<scenario::FaultSpec>& faults) {
  using Kind = scenario::FaultKind;
  const int nth = *rc::gen::inRange(1, 12);
  const int at_ms = *rc::gen::inRange(1, 300);
  const int long_ms = *rc::gen::inRange(1, 400);
  const auto label =
      *rc::gen::element(std::string("set"), std::string("reply to set"), std::string("blpop"));
  switch (*rc::gen::inRange(0, 6)) {
    case 0:
    case 1:
      faults.push_back(message_fault(Kind::reset, label, nth, 0));
      break;
    case 2:
      faults.push_back(message_fault(Kind::delay, label, nth, long_ms));
      break;
    case 3:
      faults.push_back(host_fault(Kind::pause, "a", at_ms, long_ms));
      break;
    case 4:
      faults.push_back(host_fault(Kind::pause, "n1", at_ms, long_ms));
      break;
    default:
      faults.push_back(host_fault(Kind::crash, "n1", at_ms, 0));
      faults.push_back(host_fault(Kind::restart, "n1", at_ms + long_ms, 0));
      break;
  }
}

DrawnRun draw_run() {
  DrawnRun drawn;
  drawn.reconnect =
      *rc::gen::element(std::string("resend"), std::string("queue"), std::string("drop"));
  drawn.latency_max_ms = *rc::gen::element(1, 5, 60);
  drawn.seed = *rc::gen::arbitrary<std::uint64_t>();
  drawn.threads = *rc::gen::inRange<std::size_t>(1, 6);
  const int faults = *rc::gen::inRange(0, 5);
  for (int i = 0; i < faults; ++i) add_drawn_fault(drawn.faults);
  return drawn;
}

struct Executed {
  std::vector<int> calls;  ///< by their numbers, in order
  std::size_t failed = 0;
  std::string text;
};

Executed execute(const LockFolder& folder, const DrawnRun& drawn, const std::string& connection) {
  LockRun run(folder.folder().string());
  run.scenario.options["connection"] = connection;
  if (connection == "one") run.scenario.options["reconnect"] = drawn.reconnect;
  run.scenario.options["timeout_ms"] = std::int64_t{100'000};
  run.scenario.options["retry_attempts"] = std::int64_t{0};
  run.scenario.options["retry_interval_ms"] = std::int64_t{30};
  run.scenario.latency = {sim::millisecond_ns, drawn.latency_max_ms * sim::millisecond_ns};
  run.client("a", std::vector<std::string>(drawn.threads, "lock; unlock"));
  run.scenario.faults = drawn.faults;
  run.run(drawn.seed);
  EXPECT_EQ(run.count("client-failed"), 0U) << run.text();
  Executed executed;
  for (const TraceLine& line : run.find("command-executed", "n1", "arguments=call ")) {
    executed.calls.push_back(std::stoi(line.fields.substr(line.fields.find("call ") + 5)));
  }
  executed.failed = run.count("client-logged");
  executed.text = run.text();
  return executed;
}

/// The order of the first executions: nothing is lost in it that comes back.
bool first_executions_are_in_order(const std::vector<int>& calls) {
  int highest = 0;
  std::vector<int> seen;
  for (const int call : calls) {
    const bool is_first = std::find(seen.begin(), seen.end(), call) == seen.end();
    if (is_first && call < highest) return false;
    highest = std::max(highest, call);
    if (is_first) seen.push_back(call);
  }
  return true;
}

/// What is executed again is executed again in order, and with all that had come behind it and was
/// not answered: so the calls go up, but for steps back to one that was executed before.
bool steps_back_are_to_known_calls(const std::vector<int>& calls) {
  for (std::size_t i = 1; i < calls.size(); ++i) {
    const auto end = calls.begin() + static_cast<std::ptrdiff_t>(i);
    if (calls[i] <= calls[i - 1] && std::find(calls.begin(), end, calls[i]) == end) return false;
  }
  return true;
}

std::string text_of(const std::vector<int>& calls) {
  std::string text;
  for (const int call : calls) text += std::to_string(call) + " ";
  return text;
}

RC_GTEST_PROP(OneConnection, KeepsTheOrderOfTheCalls, ()) {
  LockFolder folder;
  folder.write("client.lua", client_model);
  const DrawnRun drawn = draw_run();
  const Executed executed = execute(folder, drawn, "one");
  if (!first_executions_are_in_order(executed.calls) ||
      !steps_back_are_to_known_calls(executed.calls)) {
    RC_LOG(executed.text);
    RC_FAIL("executed in the order " + text_of(executed.calls));
  }
  std::vector<int> once = executed.calls;
  std::sort(once.begin(), once.end());
  const bool is_twice = std::adjacent_find(once.begin(), once.end()) != once.end();
  once.erase(std::unique(once.begin(), once.end()), once.end());
  const std::size_t asked = drawn.threads * calls_of_a_thread;
  if (drawn.reconnect == "resend") {
    RC_ASSERT(executed.failed == 0U);
    RC_ASSERT(once.size() == asked);
  } else {
    RC_ASSERT(!is_twice);
    RC_ASSERT(once.size() + executed.failed >= asked);
  }
  RC_TAG(drawn.reconnect);
}

TEST(OneConnectionsOrder, IsNotThatOfAPool) {
  LockFolder folder;
  folder.write("client.lua", client_model);
  int out_of_order = 0;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const DrawnRun drawn{"resend", 60, seed, 4, {}};
    if (!first_executions_are_in_order(execute(folder, drawn, "pool").calls)) ++out_of_order;
  }
  EXPECT_GT(out_of_order, 10);
}

}  // namespace

}  // namespace lockstep::test::calls_in_order

// Calls that get no reply, the wrong one, or one too late.

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
