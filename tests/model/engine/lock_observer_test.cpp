// What the observer says of locks of every shape: holds, availability, places, permits; and who
// waited, stood still, and when the last fault was over.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "checker/observations.h"
#include "checker/verdict.h"
#include "model/engine/run_result.h"
#include "tests/model/engine/simulated_run.h"

namespace lockstep::model::test {
namespace {

std::string scenario(const std::string& lock, const std::string& rest) {
  const bool is_semaphore = lock == "semaphore";
  return "title = \"t\"\nlock = \"" + lock + "\"\nexpect = { holds = \"" +
         (is_semaphore ? "permits" : "no-leak") + "\" }\n" + rest;
}

std::string client(const std::string& name, const std::string& start, const std::string& steps) {
  return "[[client]]\nname = \"" + name + "\"\nstart = \"" + start + "\"\nrun = [" + steps + "]\n";
}

/// "1/1 0/1 0/0": exclusive/shared, in order.
std::string availability(const SimulatedRun& run) {
  std::string text;
  for (const checker::Availability& each : run.result().observations->availability) {
    if (!text.empty()) text += ' ';
    text += std::to_string(each.exclusive) + "/" + std::to_string(each.shared);
  }
  return text;
}

/// "a/1 0-1, b/1 reads 0-1": the changes of true hold counts, in order.
std::string changes(const SimulatedRun& run) {
  std::string text;
  for (const checker::HoldChange& change : run.result().observations->hold_changes) {
    if (!text.empty()) text += ", ";
    text += run.result().names->text(change.owner);
    if (change.mode == checker::HoldMode::shared) text += " reads";
    text += " " + std::to_string(change.count_before) + "-" + std::to_string(change.count_after);
  }
  return text;
}

TEST(LockObserver, TellsReadersFromTheWriter) {
  const SimulatedRun run(scenario(
      "readwrite",
      client("a", "0ms", R"("read_lock lease=10s", "sleep 100ms", "read_unlock")") +
          client("b", "10ms", R"("read_lock lease=10s", "sleep 50ms", "read_unlock")") +
          client("c", "300ms", R"("write_lock lease=10s", "read_lock lease=10s", "write_unlock",
                                  "read_unlock")")));
  EXPECT_EQ(changes(run),
            "a/1 reads 0-1, b/1 reads 0-1, b/1 reads 1-0, a/1 reads 1-0, c/1 0-1, c/1 reads 0-1, "
            "c/1 1-0, c/1 reads 1-0");
  EXPECT_EQ(availability(run), "1/1 0/1 1/1 0/0 0/1 1/1");
}

TEST(LockObserver, CountsASemaphoresPermits) {
  const SimulatedRun run(
      scenario("semaphore", client("a", "0ms", R"("try_set_permits permits=3", "acquire permits=2",
                                                  "sleep 10ms", "release permits=2")")));
  EXPECT_EQ(availability(run), "0/1 3/1 1/1 3/1");
  const auto& observations = *run.result().observations;
  ASSERT_EQ(observations.permits_left.size(), 1U);
  EXPECT_EQ(observations.permits_left[0].permits, 3);
  ASSERT_EQ(observations.permits_set.size(), 1U);
  EXPECT_EQ(observations.permits_set[0].permits, 3);
  ASSERT_EQ(observations.beliefs.size(), 1U);
  EXPECT_EQ(observations.beliefs[0].permits, 2);
}

TEST(LockObserver, DoesNotCountPermitsThatACrashedClientHasTaken) {
  const SimulatedRun run(
      scenario("semaphore",
               client("a", "0ms", R"("try_set_permits permits=3", "acquire permits=2", "crash")")));
  EXPECT_TRUE(run.result().observations->permits_left.empty());
}

TEST(LockObserver, OpensALatchAtZero) {
  const SimulatedRun run("title = \"t\"\nlock = \"latch\"\nexpect = { holds = \"latch\" }\n" +
                         client("a", "0ms", R"("try_set_count count=2", "count_down", "count_down",
                                               "await")"));
  EXPECT_EQ(availability(run), "1/1 0/1 1/1");
  EXPECT_EQ(run.events("number-changed").size(), 3U);
}

TEST(LockObserver, TakesAQuorumOfKeysForTheLock) {
  const std::string text =
      scenario("redlock", "redis = { masters = 5 }\n" +
                              client("a", "0ms", R"("lock lease=10s", "sleep 100ms", "unlock")"));
  const SimulatedRun run(text);
  EXPECT_EQ(changes(run), "a/1 0-1, a/1 1-0");
  const auto sets = run.events("command-executed");
  const auto locks = run.events("lock-changed");
  ASSERT_FALSE(locks.empty());
  // In turn: the third node's SET makes the quorum.
  std::size_t before = 0;
  for (const RecordedEvent* event : sets) before += event->at <= locks[0]->at ? 1U : 0U;
  EXPECT_EQ(before, 3U);
}

TEST(LockObserver, LosesAQuorumWithTheNodesThatForget) {
  const auto faults = [](int count) {
    std::string text;
    for (int node = 1; node <= count; ++node) {
      const std::string name = "\"n" + std::to_string(node) + "\"";
      text += "[[fault]]\ncrash = " + name + "\nat = \"1s\"\n[[fault]]\nrestart = " + name +
              "\nat = \"2s\"\n";
    }
    return text;
  };
  const std::string text =
      scenario("redlock",
               "redis = { masters = 5 }\n" + client("a", "0ms", R"("lock lease=10s", "sleep 5s")"));
  const SimulatedRun two(text + faults(2));
  EXPECT_EQ(changes(two), "a/1 0-1, a/1 1-0") << "at the end of the lease";
  EXPECT_GT(two.result().observations->hold_changes.back().at.at_ns, 9 * sim::second_ns);
  const SimulatedRun three(text + faults(3));
  EXPECT_EQ(changes(three), "a/1 0-1, a/1 1-0");
  EXPECT_EQ(three.result().observations->hold_changes.back().at.at_ns, 2 * sim::second_ns)
      << "while they are down they count for nobody else";
}

// The inner hold has three nodes' votes so far, of which one ends where the node has crashed: what
// the owner renews next on another takes nothing off.
TEST(LockObserver, TellsAVoteThatEndsFromARelease) {
  const SimulatedRun run(scenario(
      "redisson-redlock",
      "redis = { masters = 5 }\n" + client("a", "0ms", R"("lock", "sleep 5s", "lock")") + R"(
[[fault]]
cut = ["a", "n4"]
at  = "4s"
for = "2m"
[[fault]]
crash = "n3"
at    = "10s"
)"));
  const auto& observed = run.result().observations->hold_changes;
  EXPECT_TRUE(changes(run).starts_with("a/1 0-1, a/1 1-2, a/1 2-1")) << changes(run);
  ASSERT_GE(observed.size(), 3U);
  EXPECT_EQ(observed[2].cause, checker::ChangeCause::expiry);
}

// Each client has one of the two keys: nobody holds the lock, and nobody could take it.
TEST(LockObserver, CallsALockFreeOnlyWhereAMajorityOfNodesIs) {
  const std::string text = scenario("redlock/in-turn",
                                    "redis = { masters = 2, latency = \"1ms\" }\n"
                                    "options = { order = \"own\" }\n" +
                                        client("a", "0ms", R"("try_lock lease=10s", "unlock")") +
                                        client("b", "0ms", R"("try_lock lease=10s", "unlock")"));
  const SimulatedRun run(text);
  EXPECT_EQ(changes(run), "");
  EXPECT_TRUE(availability(run).starts_with("1/1 0/1 ")) << availability(run);
}

TEST(LockObserver, SaysThatNothingIsToBeHadOfACrashedNode) {
  const SimulatedRun run(scenario("plain", client("a", "0ms", R"("sleep 3s")") +
                                               "[[fault]]\ncrash = \"n1\"\nat = \"1s\"\n"
                                               "[[fault]]\nrestart = \"n1\"\nat = \"2s\"\n"));
  EXPECT_EQ(availability(run), "1/1 0/0 1/1");
  EXPECT_EQ(run.result().observations->healed.at_ns, 2 * sim::second_ns);
}

TEST(LockObserver, TellsPlacesInAQueue) {
  const SimulatedRun run(
      scenario("fair", client("a", "0ms", R"("lock lease=10s", "sleep 100ms", "unlock")") +
                           client("b", "10ms", R"("lock lease=10s", "unlock")") +
                           client("c", "20ms", R"("try_lock wait=30ms lease=10s", "unlock")")));
  std::string text;
  for (const checker::QueueEvent& event : run.result().observations->queue_events) {
    if (event.kind == checker::QueueEventKind::seen) continue;
    text += event.kind == checker::QueueEventKind::entered ? "+" : "-";
    text += run.result().names->text(event.owner) + " ";
  }
  EXPECT_EQ(text, "+b/1 +c/1 -c/1 -b/1 ");
  EXPECT_EQ(run.events("queue-changed").size(), 4U);
}

// b asks twice while a's lease ends at 2 s, and again when it has been made to end at 11 s.
TEST(LockObserver, LetsAWaiterBeSilentForTheLeaseAndTheLocksWait) {
  const SimulatedRun run(
      scenario("fair/short-wait",
               client("a", "0ms", R"("lock lease=2s", "sleep 1s", "lock lease=10s", "sleep 4s",
                                     "unlock", "unlock")") +
                   client("b", "100ms", R"("lock lease=10s", "unlock")")));
  std::vector<std::int64_t> seconds;
  for (const checker::QueueEvent& event : run.result().observations->queue_events) {
    const bool is_contact = event.kind == checker::QueueEventKind::entered ||
                            event.kind == checker::QueueEventKind::seen;
    if (is_contact) seconds.push_back(event.deadline_ns / sim::second_ns);
  }
  // It entered, and was seen each time; at the last it got the lock, for 10 s.
  EXPECT_EQ(seconds, (std::vector<std::int64_t>{2 + 5, 2 + 5, 2 + 5, 11 + 5, 15 + 5}));
}

TEST(Waits, BeginWithAStepAndEndWithIt) {
  const SimulatedRun run(
      scenario("plain", client("a", "0ms", R"("lock lease=10s", "sleep 100ms", "unlock")") +
                            client("b", "10ms", R"("try_lock", "unlock")") +
                            client("c", "20ms", R"("lock lease=10s", "unlock")") +
                            client("d", "30ms", R"("lock lease=10s", "unlock")") +
                            "[[fault]]\ncrash = \"d\"\nat = \"50ms\"\n"));
  const std::vector<checker::Wait>& waits = run.result().observations->waits;
  ASSERT_EQ(waits.size(), 4U);
  EXPECT_EQ(waits[0].end, checker::WaitEnd::granted);
  EXPECT_EQ(waits[1].end, checker::WaitEnd::refused);
  EXPECT_EQ(waits[1].limit_ns, 0);
  EXPECT_EQ(waits[2].end, checker::WaitEnd::granted);
  EXPECT_EQ(waits[2].limit_ns, std::nullopt);
  EXPECT_EQ(waits[3].end, checker::WaitEnd::crashed);
  EXPECT_EQ(waits[3].until.at_ns, 50 * sim::millisecond_ns);
}

TEST(Stops, LastAsLongAsTheProcessIsPaused) {
  const SimulatedRun run(
      scenario("plain", client("a", "0ms", R"("sleep 1s", "sleep 1s")") +
                            "[[fault]]\npause = \"a\"\nat = \"100ms\"\nfor = \"5s\"\n"));
  const std::vector<checker::Stop>& stops = run.result().observations->stops;
  ASSERT_EQ(stops.size(), 1U);
  EXPECT_EQ(stops[0].from.at_ns, 100 * sim::millisecond_ns);
  EXPECT_EQ(stops[0].until.at_ns, 5'100 * sim::millisecond_ns);
  EXPECT_EQ(run.result().observations->healed.at_ns, 5'100 * sim::millisecond_ns);
}

TEST(Answers, AreShownInTheTrace) {
  const SimulatedRun run(
      scenario("plain", client("a", "0ms", R"("is_locked", "lock lease=10s", "lock lease=10s",
                                              "is_held_by_me", "hold_count", "unlock", "unlock")")));
  std::vector<std::string> answers;
  for (const RecordedEvent* event : run.events("step-completed")) {
    if (!event->text("detail").empty()) answers.emplace_back(event->text("detail"));
  }
  EXPECT_EQ(answers, (std::vector<std::string>{"false", "true", "2"}));
}

}  // namespace
}  // namespace lockstep::model::test
