// Sentinels at work in whole runs: the steps of a failover in their order and time (REDIS.md 2.3
// has what real ones took), and what must never happen.
#include <gtest/gtest.h>

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checker/property.h"
#include "checker/verdict.h"
#include "model/engine/run_result.h"
#include "model/trace_vocabulary.h"
#include "tests/model/engine/simulated_run.h"

namespace lockstep::model::test {
namespace {

using sim::millisecond_ns;
using sim::second_ns;

/// One master, two replicas, three sentinels, a client that keeps the run going for so long, and
/// more lines.
std::string story(std::string_view lasts, std::string_view more,
                  std::string_view sentinel = "down_after = \"1s\"\nfailover_timeout = \"10s\"") {
  std::string text = R"(title = "t"
lock = "plain"
expect = { holds = "mutual-exclusion" }
[redis]
topology = "sentinel"
replicas = 2
[redis.sentinel]
)";
  text.append(sentinel).append("\n[[client]]\nname = \"a\"\nrun = [\"sleep ").append(lasts);
  return text.append("\"]\n").append(more).append("\n");
}

std::string fault(std::string_view what) {
  std::string text = "[[fault]]\n";
  return text.append(what).append("\n");
}

/// When a sentinel (empty: any) first told of this; none: never.
std::optional<sim::TimeNs> first(const SimulatedRun& run, std::string_view event,
                                 std::string_view sentinel = {}) {
  for (const RecordedEvent* each : run.events(trace_kind::sentinel_event, sentinel)) {
    if (each->text("event") == event) return each->at;
  }
  return std::nullopt;
}

std::size_t count(const SimulatedRun& run, std::string_view event) {
  std::size_t found = 0;
  for (const RecordedEvent* each : run.events(trace_kind::sentinel_event)) {
    if (each->text("event") == event) ++found;
  }
  return found;
}

/// The sentinel that was elected first.
std::string leader_of(const SimulatedRun& run) {
  for (const RecordedEvent* each : run.events(trace_kind::sentinel_event)) {
    if (each->text("event") == "+elected-leader") return std::string(run.actor_name(*each));
  }
  return {};
}

// Measured (7.0.15): it answers PING until a hello comes, at most 2 s later: PUBLISH is kept back,
// and with it the PINGs behind it on the connection; +odown came 3.3 s after SIGTERM.
TEST(Sentinel, AMasterThatWaitsForItsReplicasBeforeItEndsIsDownOnceAHelloHangs) {
  const std::string more = fault("cut = [\"n1\", \"n1-replica-1\"]\nat = \"0s\"") +
                           fault("shutdown = \"n1\"\nat = \"5s\"") +
                           "[[client]]\nname = \"b\"\nrun = [\"lock lease=30s\", \"unlock\"]\n";
  const SimulatedRun run(story("30s", more));
  ASSERT_EQ(run.events(trace_kind::node_shut_down, "n1").size(), 1U);
  std::map<std::string_view, std::set<std::string_view>> replies;
  for (const RecordedEvent* each : run.events(trace_kind::command_executed, "n1")) {
    if (each->at > 5 * second_ns) replies[each->text("command")].insert(each->text("reply"));
  }
  EXPECT_EQ(replies["PING"], std::set<std::string_view>{"PONG"});
  EXPECT_EQ(replies["PUBLISH"], std::set<std::string_view>{"(nil)"});
  ASSERT_TRUE(first(run, "+odown"));
  EXPECT_GT(*first(run, "+odown"), 6 * second_ns);
  EXPECT_LT(*first(run, "+odown"), 9 * second_ns);
}

// -- the measured sequence --

struct Bound {
  std::string_view event;
  sim::DurationNs after_pause_ns_min;
  sim::DurationNs after_pause_ns_max;
};

// The master stops at 5 s. A PING is answered up to a second before that; the next goes out within
// a second, and is missed a second later. What follows takes a look around each, and the promotion
// an INFO, of which there is one in a second.
constexpr std::array<Bound, 7> bounds{{
    {"+sdown", 1000 * millisecond_ns, 2300 * millisecond_ns},
    {"+odown", 1000 * millisecond_ns, 3400 * millisecond_ns},
    {"+elected-leader", 1000 * millisecond_ns, 3600 * millisecond_ns},
    {"+selected-slave", 1000 * millisecond_ns, 3700 * millisecond_ns},
    {"+failover-state-wait-promotion", 1000 * millisecond_ns, 3800 * millisecond_ns},
    {"+promoted-slave", 1000 * millisecond_ns, 5000 * millisecond_ns},
    {"+switch-master", 1000 * millisecond_ns, 5200 * millisecond_ns},
}};

TEST(Sentinel, FailsOverInTheMeasuredOrderAndTime) {
  const std::string text = story("30s", fault("pause = \"n1\"\nat = \"5s\"\nfor = \"20s\""));
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    const SimulatedRun run(text, seed);
    const std::string leader = leader_of(run);
    sim::TimeNs before = 0;
    for (const Bound& bound : bounds) {
      SCOPED_TRACE(bound.event);
      const auto at = first(run, bound.event, bound.event == "+sdown" ? "" : leader);
      // The others hear of the switch before the leader has finished.
      const auto told = bound.event == "+switch-master" ? first(run, bound.event) : at;
      ASSERT_TRUE(at && told);
      EXPECT_LE(before, *told);
      EXPECT_GE(*told - 5 * second_ns, bound.after_pause_ns_min);
      EXPECT_LE(*told - 5 * second_ns, bound.after_pause_ns_max);
      before = *told;
    }
    EXPECT_GT(*first(run, "+switch-master", leader), *first(run, "+switch-master"));
    EXPECT_EQ(count(run, "+switch-master"), 3U);
    EXPECT_EQ(run.events(trace_kind::node_promoted).size(), 1U);
  }
}

TEST(Sentinel, LeavesAnOldMasterToServeForTenSecondsAndThenConvertsIt) {
  const std::string text = story("40s", fault("pause = \"n1\"\nat = \"5s\"\nfor = \"10s\""));
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    const SimulatedRun run(text, seed);
    const auto converted = first(run, "+convert-to-slave");
    ASSERT_TRUE(converted);
    EXPECT_GE(*converted - 15 * second_ns, 10 * second_ns);
    EXPECT_LE(*converted - 15 * second_ns, 10'300 * millisecond_ns);
    ASSERT_EQ(run.events(trace_kind::dataset_loaded, "n1").size(), 1U);  // a full synchronisation
  }
}

// -- when nothing, or not much, may happen --

TEST(Sentinel, DoesNothingWithoutAQuorum) {
  const std::string more = fault("crash = \"s2\"\nat = \"1s\"") +
                           fault("crash = \"s3\"\nat = \"1s\"") +
                           fault("crash = \"n1\"\nat = \"5s\"");
  const SimulatedRun run(story("60s", more));
  EXPECT_TRUE(first(run, "+sdown", "s1"));
  EXPECT_FALSE(first(run, "+odown"));
  EXPECT_FALSE(first(run, "+try-failover"));
}

TEST(Sentinel, IsNotElectedByAMinorityWhateverTheQuorumIs) {
  const std::string more = fault("crash = \"s2\"\nat = \"1s\"") +
                           fault("crash = \"s3\"\nat = \"1s\"") +
                           fault("crash = \"n1\"\nat = \"5s\"");
  const SimulatedRun run(
      story("60s", more, "quorum = 1\ndown_after = \"1s\"\nfailover_timeout = \"10s\""));
  EXPECT_TRUE(first(run, "+odown", "s1"));
  EXPECT_TRUE(first(run, "+try-failover", "s1"));
  EXPECT_TRUE(first(run, "-failover-abort-not-elected", "s1"));
  EXPECT_FALSE(first(run, "+elected-leader"));
}

TEST(Sentinel, WithoutAGoodReplicaGivesUpAndTriesAgain) {
  const std::string more = fault("crash = \"n1-replica-1\"\nat = \"5s\"") +
                           fault("crash = \"n1-replica-2\"\nat = \"5s\"") +
                           fault("crash = \"n1\"\nat = \"5s\"");
  const SimulatedRun run(story("60s", more));
  EXPECT_GE(count(run, "-failover-abort-no-good-slave"), 2U);
  EXPECT_FALSE(first(run, "+selected-slave"));
}

TEST(Sentinel, ChoosesTheReplicaThatHasMore) {
  std::string more = "[[client]]\nname = \"b\"\nstart = \"3s\"\n";
  more += "run = [\"lock lease=60s\", \"sleep 10s\", \"unlock\"]\n";
  more += fault("cut = [\"n1\", \"n1-replica-2\"]\nat = \"2s\"");
  more += fault("crash = \"n1\"\nat = \"5s\"");
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const SimulatedRun run(story("20s", more), seed);
    const auto promoted = run.events(trace_kind::node_promoted);
    ASSERT_EQ(promoted.size(), 1U);
    EXPECT_EQ(run.actor_name(*promoted[0]), "n1-replica-1");
  }
}

TEST(Sentinel, GoesIntoTiltWhenItsClockJumps) {
  const std::string more = fault("clock_step = \"s1\"\nby = \"-5s\"\nat = \"4s\"") +
                           fault("crash = \"n1\"\nat = \"5s\"");
  const SimulatedRun run(story("45s", more));
  const auto tilted = first(run, "+tilt", "s1");
  const auto calm = first(run, "-tilt", "s1");
  ASSERT_TRUE(tilted && calm);
  EXPECT_GE(*calm - *tilted, 30 * second_ns);
  EXPECT_FALSE(first(run, "+odown", "s1"));
  EXPECT_NE(leader_of(run), "s1");  // it votes, but begins nothing
}

// -- agreement --

/// Who was elected, by epoch: of one sentinel the epoch is its last +new-epoch.
std::map<std::string, std::set<std::string>> leaders_by_epoch(const SimulatedRun& run) {
  std::map<std::string, std::set<std::string>> leaders;
  std::map<std::string, std::string, std::less<>> epochs;
  for (const RecordedEvent* each : run.events(trace_kind::sentinel_event)) {
    const std::string who(run.actor_name(*each));
    if (each->text("event") == "+new-epoch") epochs[who] = each->text("more");
    if (each->text("event") == "+elected-leader") leaders[epochs[who]].insert(who);
  }
  return leaders;
}

/// Five sentinels fall apart into up to three groups just before they elect somebody, and one of
/// them stands still for a while: a different mixture for each number.
std::string trouble(std::uint64_t number) {
  const auto mixed = [number](std::uint64_t place) {
    std::uint64_t bits = (number * 31 + place) * 0x9e3779b97f4a7c15U;
    bits ^= bits >> 29U;
    return bits * 0xbf58476d1ce4e5b9U >> 33U;
  };
  const auto name = [](std::uint64_t place) {
    std::string sentinel = "s";
    return sentinel += std::to_string(place % 5 + 1);
  };
  const auto lasts = [&](std::uint64_t place) {
    std::string length = std::to_string(2000 + mixed(place) % 12'000);
    return "for = \"" + length.append("ms\"");
  };
  std::string text;
  for (std::uint64_t one = 0; one < 5; ++one) {
    for (std::uint64_t other = one + 1; other < 5; ++other) {
      if (mixed(one) % 3 == mixed(other) % 3) continue;
      const std::string ends = "\"" + name(one) + "\", \"" + name(other) + "\"";
      text += fault("cut = [" + ends + "]\nat = \"5200ms\"\n" + lasts(5));
    }
  }
  text += fault("pause = \"" + name(mixed(6)) + "\"\nat = \"5500ms\"\n" + lasts(7));
  return text + fault("crash = \"n1\"\nat = \"5s\"");
}

TEST(Sentinel, ElectsOneLeaderAnEpochAndEndsUpWithOneMaster) {
  std::size_t failed_elections = 0;
  for (std::uint64_t number = 1; number <= 12; ++number) {
    SCOPED_TRACE(number);
    const SimulatedRun run(
        story("100s", trouble(number),
              "count = 5\nquorum = 2\ndown_after = \"1s\"\nfailover_timeout = \"5s\""),
        number);
    std::size_t elections = 0;
    for (const auto& [epoch, leaders] : leaders_by_epoch(run)) {
      EXPECT_EQ(leaders.size(), 1U) << "in epoch " << epoch;
      ++elections;
    }
    EXPECT_GE(elections, 1U);
    failed_elections += count(run, "-failover-abort-not-elected");
    // All have healed long before the end: everybody takes the same node for the master.
    std::map<std::string, std::string> masters;
    for (const RecordedEvent* each : run.events(trace_kind::sentinel_event)) {
      if (each->text("event") != "+switch-master") continue;
      masters[std::string(run.actor_name(*each))] = each->text("more");
    }
    EXPECT_EQ(masters.size(), 5U);
    for (const auto& [who, master] : masters) EXPECT_EQ(master, masters.begin()->second) << who;
  }
  EXPECT_GE(failed_elections, 1U);  // votes were really split, or did not arrive
}

TEST(Sentinel, ThatWasAwayLearnsTheNewestConfiguration) {
  const std::string more = fault("crash = \"s3\"\nat = \"4s\"") +
                           fault("restart = \"s3\"\nat = \"20s\"") +
                           fault("crash = \"n1\"\nat = \"5s\"");
  const SimulatedRun run(story("40s", more));
  const auto learnt = first(run, "+config-update-from", "s3");
  ASSERT_TRUE(learnt);
  EXPECT_GT(*learnt, 20 * second_ns);
  EXPECT_LT(*learnt, 23 * second_ns);
  EXPECT_TRUE(first(run, "+switch-master", "s3"));
}

TEST(Sentinel, TellsClientsWhoLeaveTheOldMaster) {
  std::string more = "[[client]]\nname = \"b\"\nstart = \"3s\"\nrounds = 8\n";
  more += "run = [\"lock lease=20s\", \"sleep 2s\", \"unlock\"]\n";
  more += fault("pause = \"n1\"\nat = \"5s\"\nfor = \"30s\"");
  const SimulatedRun run(story("30s", more));
  const auto learnt = run.events(trace_kind::master_learnt, "b");
  ASSERT_EQ(learnt.size(), 1U);
  EXPECT_LT(learnt[0]->at, 11 * second_ns);
  EXPECT_FALSE(run.violates(checker::Property::mutual_exclusion));
  EXPECT_TRUE(run.result().client_failures.empty());
}

TEST(Sentinel, KeepsNoRunAlive) {
  const SimulatedRun run(story("1s", ""));
  EXPECT_LT(run.result().ended_at_ns, 2 * second_ns);
  EXPECT_EQ(run.result().end, RunEnd::at_rest);
}

}  // namespace
}  // namespace lockstep::model::test
