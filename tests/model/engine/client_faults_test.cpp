// What befalls a client's threads and its servers: interrupts, abandoned calls, postponed
// callbacks, servers that are busy or full.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "checker/property.h"
#include "checker/verdict.h"
#include "checker/verdict_kind.h"
#include "model/engine/run_result.h"
#include "tests/model/engine/simulated_run.h"

namespace lockstep::model::test {
namespace {

constexpr std::string_view head =
    "title = \"t\"\nlock = \"plain\"\nexpect = { holds = \"harm\" }\n";
constexpr std::string_view a_and_b =
    "[[client]]\nname = \"a\"\nrun = [\"lock lease=20s\", \"sleep 5s\", \"unlock\"]\n"
    "[[client]]\nname = \"b\"\nstart = \"1s\"\nrun = [\"lock lease=20s\", \"sleep 2s\", "
    "\"unlock\", "
    "\"sleep 1s\"]\n";

SimulatedRun run(std::string_view rest) {
  return SimulatedRun(fmt::format("{}{}{}\n", head, a_and_b, rest));
}

/// "lock lease=20s: ok", …: what became of the steps of a thread.
std::vector<std::string> steps_of(const SimulatedRun& run, std::string_view thread) {
  std::vector<std::string> steps;
  for (const RecordedEvent* event : run.events("step-completed", thread)) {
    steps.push_back(fmt::format("{}: {}", event->text("step"), event->text("outcome")));
  }
  return steps;
}

using Steps = std::vector<std::string>;

struct Interrupted {
  std::string_view name;
  std::string_view when;  ///< b/1 is interrupted
  Steps steps;            ///< of b/1
};

std::ostream& operator<<(std::ostream& out, const Interrupted& each) { return out << each.name; }

class Interrupts : public testing::TestWithParam<Interrupted> {};

TEST_P(Interrupts, EndWhatTheThreadWaitsFor) {
  const SimulatedRun interrupted =
      run(fmt::format("[[fault]]\ninterrupt = \"b\"\n{}\n", GetParam().when));
  EXPECT_EQ(steps_of(interrupted, "b/1"), GetParam().steps);
  EXPECT_EQ(interrupted.result().fault_strikes.at(0), 1U);
  EXPECT_TRUE(interrupted.result().client_failures.empty());
  EXPECT_EQ(interrupted.result().end, RunEnd::at_rest);
  EXPECT_FALSE(interrupted.violates(checker::Property::mutual_exclusion));
  EXPECT_FALSE(interrupted.violates(checker::Property::no_leak));
}

const Steps nothing_done = {"lock lease=20s: fail", "sleep 1s: ok"};
const Interrupted interrupted_cases[] = {
    {"in_a_call", "when = \"b sent acquire\"", {"lock lease=20s: info", "sleep 1s: ok"}},
    {"while_it_connects", "at = \"1000100us\"", nothing_done},
    {"while_it_subscribes", "when = \"b sent subscribe\"", nothing_done},
    {"while_it_waits_for_a_message", "at = \"3s\"", nothing_done},
    {"before_its_first_step", "at = \"500ms\"", nothing_done},
    {"as_it_sleeps",
     "when = \"b acquired\"\nafter = \"1s\"",
     {"lock lease=20s: ok", "sleep 2s: fail", "unlock: ok", "sleep 1s: ok"}},
    {"as_it_releases",
     "when = \"b sent release\"",
     {"lock lease=20s: ok", "sleep 2s: ok", "unlock: info", "sleep 1s: ok"}},
};

INSTANTIATE_TEST_SUITE_P(Cases, Interrupts, testing::ValuesIn(interrupted_cases),
                         [](const auto& test) { return std::string(test.param.name); });

// The requests are under way in tasks of their own as the thread is about to wait for them.
TEST(Interrupt, OfWhoWaitsForItsTasksLeavesUnknownWhatTheyDo) {
  const SimulatedRun run(
      "title = \"t\"\nlock = \"redlock\"\nexpect = { holds = \"truthful-answers\" }\n"
      "[[client]]\nname = \"a\"\nstart = \"10ms\"\n"
      "run = [\"lock lease=10s\", \"unlock\", \"sleep 500us\", \"try_lock lease=10s\"]\n"
      "[[fault]]\ninterrupt = \"a/1\"\nat = \"5ms\"\n");
  EXPECT_EQ(steps_of(run, "a/1"),
            (Steps{"lock lease=10s: info", "sleep 500us: ok", "try_lock lease=10s: fail"}));
  EXPECT_EQ(run.events("command-executed", "n1").front()->text("reply"), "OK");  // too late
  EXPECT_FALSE(run.violates(checker::Property::truthful_answers));
}

TEST(ClientFaults, AnAbandonedCallGoesOnByItself) {
  const SimulatedRun abandoned = run("[[fault]]\nabandon = \"b/1\"\nat = \"2s\"\n");
  EXPECT_EQ(steps_of(abandoned, "b/1"), (Steps{"lock lease=20s: info", "sleep 1s: ok"}));
  const auto ended = abandoned.events("task-ended", "b/1");
  ASSERT_EQ(ended.size(), 1U);
  EXPECT_EQ(ended[0]->text("task"), "abandoned call");
  EXPECT_GT(ended[0]->at, 5 * sim::second_ns);  // when a has released it
  std::string holders;
  for (const RecordedEvent* event : abandoned.events("lock-changed")) {
    if (event->at > 5 * sim::second_ns) holders += fmt::format("[{}]", event->text("holders"));
  }
  EXPECT_EQ(holders, "[][b/1:1][]");
}

TEST(ClientFaults, WhereThereIsNoCallNoneIsAbandoned) {
  const SimulatedRun idle = run("[[fault]]\nabandon = \"a\"\nat = \"2s\"\n");
  EXPECT_EQ(idle.result().fault_strikes.at(0), 0U);
}

TEST(ClientFaults, APostponedReplyIsReadLater) {
  const SimulatedRun late = run("[[fault]]\npostpone = \"a\"\nreply = \"acquire\"\nby = \"3s\"\n");
  const auto steps = late.events("step-completed", "a/1");
  ASSERT_FALSE(steps.empty());
  EXPECT_GT(steps[0]->at, 3 * sim::second_ns);
  EXPECT_LT(steps[0]->at, 3'010 * sim::millisecond_ns);
  EXPECT_EQ(late.result().fault_strikes.at(0), 1U);
}

TEST(ClientFaults, ABusyServerKeepsWaitingThenRefusesThenAnswers) {
  const SimulatedRun busy = run("[[fault]]\nbusy = \"n1\"\nfor = \"9s\"\nat = \"500ms\"\n");
  std::vector<const RecordedEvent*> refused;
  for (const RecordedEvent* event : busy.events("command-executed", "n1")) {
    if (event->text("reply").starts_with("error: BUSY")) refused.push_back(event);
    const bool is_within =
        event->at > 500 * sim::millisecond_ns && event->at < 9'500 * sim::millisecond_ns;
    EXPECT_EQ(is_within, event->text("reply").starts_with("error: BUSY")) << event->at;
  }
  ASSERT_FALSE(refused.empty());
  EXPECT_EQ(refused.front()->at, 5'500 * sim::millisecond_ns);
  EXPECT_EQ(steps_of(busy, "a/1").back(), "unlock: ok");
}

TEST(ClientFaults, AFullServerTellsThoseWhoComeAndTheyTryAgain) {
  const SimulatedRun full = run("[[fault]]\nmax_clients = \"n1\"\nat = \"500ms\"\nfor = \"4s\"\n");
  EXPECT_EQ(steps_of(full, "b/1").front(), "lock lease=20s: ok");
  EXPECT_GT(full.events("connection-closed", "b").size(), 1U);
  const SimulatedRun for_ever = run("[[fault]]\nmax_clients = \"n1\"\nlimit = 1\nat = \"500ms\"\n");
  EXPECT_EQ(steps_of(for_ever, "b/1").front(), "lock lease=20s: fail");
  const auto completed = for_ever.events("step-completed", "b/1");
  EXPECT_EQ(completed.front()->text("detail"), "ERR max number of clients reached");
}

TEST(ClientFaults, EvictionAndFlushesReachTheReplica) {
  for (const std::string_view fault :
       {"evict = \"lock\"\non = \"n1\"", "flush_all = \"n1\"", "delete = \"lock\"\non = \"n1\""}) {
    const SimulatedRun gone =
        run(fmt::format("[redis]\nreplicas = 1\n[[fault]]\n{}\nat = \"2s\"\n", fault));
    bool is_applied = false;
    for (const RecordedEvent* event : gone.events("stream-applied", "n1-replica-1")) {
      is_applied |= event->at > 2 * sim::second_ns && event->at < 2'010 * sim::millisecond_ns;
    }
    EXPECT_TRUE(is_applied) << fault;
    EXPECT_EQ(steps_of(gone, "a/1").back(), "unlock: fail") << fault;
  }
}

// -- a client dies between any two steps --

struct Dying {
  std::string_view lock;
  std::string_view redis;
};

/// The place in the order of its messages, as a scenario says it.
std::string ordinal(std::size_t number) {
  const std::size_t last_two = number % 100;
  const std::size_t last = last_two / 10 == 1 ? 0 : number % 10;
  return fmt::format("{}{}", number, last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th");
}

// Those who wait behind a dead waiter of a fair lock ask on and on until its wait is over: it is
// short here.
TEST(ClientFaults, AClientThatDiesAfterAnyOfItsMessagesTakesTheLockWithItForItsLeaseOnly) {
  constexpr Dying cases[] = {{"plain", ""},
                             {"plain", "replicas = 1"},
                             {"fair", "[options]\nwait_ms = 2000"},
                             {"redlock", "masters = 3"}};
  constexpr std::size_t messages_max = 200;
  for (const Dying& each : cases) {
    std::size_t nth = 1;
    for (; nth <= messages_max; ++nth) {
      SCOPED_TRACE(fmt::format("{} {}, message {}", each.lock, each.redis, nth));
      const SimulatedRun run(fmt::format(
          R"(title = "t"
lock = "{}"
expect = {{ holds = "mutual-exclusion" }}
[redis]
latency = "5ms..10ms"
{}
[[client]]
name = "a"
rounds = 2
run = ["lock lease=10s", "write", "sleep 1s", "unlock"]
[[client]]
name = "b"
start = "5ms"
rounds = 2
run = ["lock lease=10s", "write", "sleep 1s", "unlock"]
[[fault]]
crash = "a"
when = "{} message from a"
)",
          each.lock, each.redis, ordinal(nth)));
      EXPECT_EQ(run.result().end, RunEnd::at_rest);
      EXPECT_TRUE(run.result().client_failures.empty());
      EXPECT_EQ(run.verdict(checker::Property::mutual_exclusion).kind, checker::VerdictKind::holds);
      EXPECT_EQ(run.verdict(checker::Property::harm).kind, checker::VerdictKind::holds);
      const Steps steps = steps_of(run, "b/1");
      ASSERT_EQ(steps.size(), 8U);
      EXPECT_EQ(steps.back(), "unlock: ok");
      if (run.result().fault_strikes.at(0) == 0) break;  // a has sent all that it had to
      EXPECT_EQ(run.events("process-crashed", "a").size(), 1U);
    }
    EXPECT_GT(nth, 8U) << each.lock;
    EXPECT_LT(nth, messages_max) << each.lock;
  }
}

}  // namespace
}  // namespace lockstep::model::test
