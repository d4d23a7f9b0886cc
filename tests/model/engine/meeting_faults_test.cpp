// Faults that meet: on one process, within each other's strikes, before what stays, at [heal].
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "checker/verdict.h"
#include "model/engine/run_result.h"
#include "tests/model/engine/simulated_run.h"

namespace lockstep::model::test::meeting_faults {
namespace {

constexpr sim::TimeNs s = sim::second_ns;

using Times = std::vector<sim::TimeNs>;
using Strikes = std::vector<std::uint32_t>;

/// Two clients, a master with two replicas, somebody who keeps the run going, and more lines.
std::string story(std::string_view more, std::string_view redis = "") {
  return fmt::format(R"(title = "t"
lock = "plain"
expect = {{ holds = "harm" }}
[redis]
replicas = 2
{}
[[client]]
name = "a"
run = ["lock lease=30s", "sleep 2s", "unlock", "sleep 98s"]
[[client]]
name = "b"
start = "1s"
run = ["lock lease=30s", "unlock"]
{}
)",
                     redis, more);
}

std::string heal_at(std::string_view instant, std::string_view faults) {
  return story(fmt::format("[heal]\nat = \"{}\"\n{}", instant, faults));
}

const Strikes& strikes(const SimulatedRun& run) { return run.result().fault_strikes; }

// -- on one process --

struct Meeting {
  std::string_view about;
  std::string_view faults;
  std::string_view kind;  ///< such events…
  std::string_view actor;
  Times at;  ///< …come then
};

TEST(MeetingFaults, AtTheHealOnlyWhatStaysGoesOn) {
  const Meeting cases[] = {
      {"a longer pause is healed, a shorter one stays",
       "[[fault]]\npause = \"n1\"\nat = \"1s\"\nfor = \"5s\"\nstays = true\n"
       "[[fault]]\npause = \"n1\"\nat = \"2s\"\nfor = \"60s\"\n",
       "process-resumed",
       "n1",
       {6 * s}},
      {"a shorter pause is healed, a longer one stays",
       "[[fault]]\npause = \"n1\"\nat = \"1s\"\nfor = \"5s\"\n"
       "[[fault]]\npause = \"n1\"\nat = \"2s\"\nfor = \"60s\"\nstays = true\n",
       "process-resumed",
       "n1",
       {62 * s}},
      {"a pause without end is healed, one with an end stays",
       "[[fault]]\npause = \"n1\"\nat = \"1s\"\n"
       "[[fault]]\npause = \"n1\"\nat = \"2s\"\nfor = \"5s\"\nstays = true\n",
       "process-resumed",
       "n1",
       {7 * s}},
      {"all pauses are healed",
       "[[fault]]\npause = \"n1\"\nat = \"1s\"\n"
       "[[fault]]\npause = \"n1\"\nat = \"2s\"\nfor = \"5s\"\n",
       "process-resumed",
       "n1",
       {4 * s}},
      {"a script is healed, a pause stays",
       "[[fault]]\npause = \"n1\"\nat = \"1s\"\nfor = \"20s\"\nstays = true\n"
       "[[fault]]\nbusy = \"n1\"\nat = \"2s\"\nfor = \"30s\"\n",
       "process-resumed",
       "n1",
       {21 * s}},
      {"a pause is healed, a script stays",
       "[[fault]]\npause = \"n1\"\nat = \"1s\"\nfor = \"20s\"\n"
       "[[fault]]\nbusy = \"n1\"\nat = \"2s\"\nfor = \"4s\"\nstays = true\n",
       "process-resumed",
       "n1",
       {6 * s}},
      {"a longer script is healed, a shorter one stays",
       "[[fault]]\nbusy = \"n1\"\nat = \"1s\"\nfor = \"4s\"\nstays = true\n"
       "[[fault]]\nbusy = \"n1\"\nat = \"2s\"\nfor = \"4900ms\"\n",
       "process-resumed",
       "n1",
       {5 * s}},
      {"a script is healed",
       "[[fault]]\nbusy = \"n1\"\nat = \"2s\"\nfor = \"30s\"\n",
       "process-resumed",
       "n1",
       {4 * s}},
      {"a callback that is held back goes on",
       "[[fault]]\npostpone = \"a\"\nreply = \"acquire\"\nby = \"1h\"\n"
       "[[fault]]\ncrash = \"b\"\nat = \"0s\"\n",
       "belief-began",
       "",
       {4 * s}},
      {"one that is held back in a paused client, when it goes on",
       "[[fault]]\npostpone = \"a\"\nreply = \"acquire\"\nby = \"1h\"\n"
       "[[fault]]\ncrash = \"b\"\nat = \"0s\"\n"
       "[[fault]]\npause = \"a\"\nat = \"2s\"\nfor = \"5s\"\nstays = true\n",
       "belief-began",
       "",
       {7 * s}},
      {"a delayed message goes on",
       "[[fault]]\ndelay = \"replication\"\nto = \"n1-replica-1\"\nby = \"1h\"\n"
       "[[fault]]\ncrash = \"b\"\nat = \"0s\"\n",
       "message-let-go",
       "n1",
       {4 * s}},
  };
  for (const Meeting& each : cases) {
    SCOPED_TRACE(each.about);
    const SimulatedRun run(heal_at("4s", each.faults));
    EXPECT_EQ(run.times_of(each.kind, each.actor), each.at);
    for (const std::uint32_t times : strikes(run)) EXPECT_EQ(times, 1U);
  }
}

TEST(MeetingFaults, WhatIsNotPostponedYetIsNotAfterTheHeal) {
  const std::string_view second = "[[fault]]\npostpone = \"a\"\nreply = \"release\"\nby = \"1s\"\n";
  EXPECT_EQ(strikes(SimulatedRun(heal_at("3s", second))), (Strikes{1}));
  EXPECT_EQ(strikes(SimulatedRun(heal_at("1s", second))), (Strikes{0}));
  EXPECT_EQ(strikes(SimulatedRun(heal_at("1s", std::string(second).append("stays = true\n")))),
            (Strikes{1}));
}

TEST(MeetingFaults, ATaskThatIsCancelledBeforeItsPostponedStartNeverStarts) {
  const SimulatedRun run(R"(title = "t"
lock = "readwrite"
expect = { holds = "harm" }
[heal]
at = "8s"
[[client]]
name = "a"
run = ["write_lock", "sleep 2s", "write_unlock", "sleep 20s"]
[[fault]]
postpone = "a"
task = "watchdog"
by = "300s"
)");
  EXPECT_EQ(strikes(run), (Strikes{1}));
  const auto ended = run.events("task-ended", "a/1");
  ASSERT_EQ(ended.size(), 1U);
  EXPECT_EQ(ended[0]->text("why"), "cancelled");
  EXPECT_EQ(run.result().end, RunEnd::at_rest);
}

TEST(MeetingFaults, PausesOfOneFaultThatOverlapAllEndAtTheHeal) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const SimulatedRun run(heal_at("4s",
                                   "[[fault]]\npause = \"n1\"\nfor = \"1s..9s\"\nat = \"1s\"\n"
                                   "every = \"500ms\"\ntimes = 4\n"),
                           seed);
    EXPECT_EQ(strikes(run), (Strikes{4})) << seed;
    EXPECT_LE(run.times_of("process-resumed", "n1").back(), 4 * s) << seed;
  }
}

TEST(MeetingFaults, OfALimitThatStrikesAgainEachStrikeLastsAsLongAsItSays) {
  const auto refused = [](std::string_view start) {
    const SimulatedRun run(story(fmt::format(
        "[[fault]]\nmax_clients = \"n1\"\nlimit = 1\nat = \"500ms\"\nfor = \"3s\"\n"
        "every = \"1s\"\ntimes = 3\n"
        "[[client]]\nname = \"c\"\nstart = \"{}\"\nrun = [\"lock lease=1s\", \"unlock\"]\n",
        start)));
    EXPECT_EQ(strikes(run), (Strikes{3}));
    return !run.events("connection-closed", "c").empty();
  };
  EXPECT_TRUE(refused("3700ms"));  // the first has ended
  EXPECT_TRUE(refused("4700ms"));  // and the second
  EXPECT_FALSE(refused("5600ms"));
}

// -- what stays --

TEST(MeetingFaults, WhatStaysDownIsEverythingThatAFaultThatStaysHasEnded) {
  constexpr std::string_view ends =
      "[[fault]]\ncrash = [\"n1-replica-1\", \"n1-replica-2\"]\nat = \"1s\"\nevery = \"1s\"\n"
      "times = 6\nstays = true\n";
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const SimulatedRun run(heal_at("10s", ends), seed);
    EXPECT_TRUE(run.events("process-restarted").empty()) << seed;
    EXPECT_EQ(strikes(run).at(0), run.events("process-crashed").size()) << seed;
  }
  const SimulatedRun restarted(heal_at(
      "10s",
      "[[fault]]\ncrash = \"n1\"\nat = \"1s\"\nstays = true\n"
      "[[fault]]\nrestart = \"n1\"\nat = \"2s\"\n[[fault]]\ncrash = \"n1\"\nat = \"3s\"\n"));
  EXPECT_EQ(restarted.times_of("process-restarted"), (Times{2 * s, 10 * s}));
}

TEST(MeetingFaults, ADriftThatStaysKeepsNoOtherOne) {
  const SimulatedRun run(
      heal_at("10s",
              "[[fault]]\nclock_drift = \"a\"\nrate = \"500ppm\"\nat = \"1s\"\n"
              "[[fault]]\nclock_drift = \"b\"\nrate = \"600ppm\"\nat = \"1s\"\nstays = true\n"
              "[[fault]]\nclock_drift = \"n1\"\nrate = \"700ppm\"\nat = \"1s\"\nstays = true\n"
              "[[fault]]\nclock_drift = \"n1\"\nrate = \"800ppm\"\nat = \"2s\"\n"));
  const auto last = [&](std::string_view host) {
    return run.events("clock-changed", host).back()->number("drift_ppm");
  };
  EXPECT_EQ(last("a"), 0);
  EXPECT_EQ(last("b"), 600);
  EXPECT_EQ(last("n1"), 700);
}

// -- nothing to strike --

struct Vain {
  std::string_view before;  ///< at 1 s
  std::string_view fault;   ///< at 2 s
};

TEST(MeetingFaults, WhatIsDownAlreadyIsNotStruck) {
  constexpr Vain cases[] = {
      {"crash = \"n1\"", "pause = \"n1\"\nfor = \"1s\""},
      {"crash = \"n1\"", "crash = \"n1\""},
      {"crash = \"n1\"", "power_loss = \"n1\""},
      {"power_loss = \"n1\"", "shutdown = \"n1\""},
      {"crash = \"a\"", "pause = \"a\""},
      {"crash = \"n1\"", "flush_all = \"n1\""},
      {"crash = \"n1\"", "script_flush = \"n1\""},
      {"crash = \"n1\"", "delete = \"lock\"\non = \"n1\""},
      {"crash = \"n1\"", "evict = \"lock\"\non = \"n1\""},
      {"crash = \"n1\"", "busy = \"n1\"\nfor = \"1s\""},
      {"crash = \"n1-replica-1\"", "promote = \"n1-replica-1\""},
      {"promote = \"n1-replica-1\"", "promote = \"n1-replica-1\""},
      {"crash = \"a\"", "interrupt = \"a\""},
  };
  for (const Vain& each : cases) {
    SCOPED_TRACE(fmt::format("{} after {}", each.fault, each.before));
    const SimulatedRun run(story(fmt::format(
        "[[fault]]\n{}\nat = \"1s\"\n[[fault]]\n{}\nat = \"2s\"\n", each.before, each.fault)));
    EXPECT_EQ(strikes(run), (Strikes{1, 0}));
    EXPECT_EQ(run.events("fault-struck").size(), 1U);
    EXPECT_TRUE(run.events("process-paused").empty());
    EXPECT_TRUE(run.events("process-restarted").empty());
  }
}

TEST(MeetingFaults, WhatRunsIsNotRestarted) {
  const SimulatedRun run(
      story("[[fault]]\ncrash = \"n1\"\nat = \"1s\"\n[[fault]]\nrestart = \"n1\"\nat = \"2s\"\n"
            "[[fault]]\nrestart = \"n1\"\nat = \"3s\"\n"));
  EXPECT_EQ(strikes(run), (Strikes{1, 1, 0}));
  EXPECT_EQ(run.times_of("process-restarted"), (Times{2 * s}));
}

// -- promotions --

TEST(MeetingFaults, APromotionThatNeverHappenedMeansNothingForALaterOne) {
  bool was_promoted = false;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    // The operator's order is lost with the process; the sentinels promote it, or its sibling.
    const SimulatedRun run(story("[[fault]]\npause = \"n1-replica-1\"\nat = \"2s\"\nfor = \"2s\"\n"
                                 "[[fault]]\npromote = \"n1-replica-1\"\nat = \"2500ms\"\n"
                                 "[[fault]]\ncrash = \"n1-replica-1\"\nat = \"3s\"\n"
                                 "[[fault]]\nrestart = \"n1-replica-1\"\nat = \"4s\"\n"
                                 "[[fault]]\ncrash = \"n1\"\nat = \"12s\"\n",
                                 "topology = \"sentinel\"\nsentinel = { down_after = \"1s\" }\n"),
                           seed);
    const Times promoted = run.times_of("node-promoted", "n1-replica-1");
    was_promoted = was_promoted || !promoted.empty();
    for (const RecordedEvent* event : run.events("connection-opening", "n1-replica-2")) {
      if (event->text("to") != "n1-replica-1") continue;
      for (const sim::TimeNs at : promoted) EXPECT_NE(event->at, at) << seed;
    }
  }
  EXPECT_TRUE(was_promoted);
}

TEST(MeetingFaults, AReplicaThatDiesBeforeItObeysFollowsTheNewMasterAsItStarts) {
  const SimulatedRun run(
      story("[[fault]]\npause = \"n1-replica-2\"\nat = \"1s\"\nfor = \"60s\"\n"
            "[[fault]]\npromote = \"n1-replica-1\"\nat = \"2s\"\n"
            "[[fault]]\ncrash = \"n1-replica-2\"\nat = \"3s\"\n"
            "[[fault]]\nrestart = \"n1-replica-2\"\nat = \"4s\"\n"));
  const auto opened = run.events("connection-opening", "n1-replica-2");
  ASSERT_EQ(opened.size(), 1U);
  EXPECT_EQ(opened[0]->at, 4 * s);
  EXPECT_EQ(opened[0]->text("to"), "n1-replica-1");
}

TEST(MeetingFaults, ALinkIsSilentForAMinuteSinceItWasForgotten) {
  const SimulatedRun run(
      story("[[fault]]\nhalf_open = [\"n1-replica-1\", \"n1\"]\nat = \"1s\"\n"
            "[[fault]]\ndisconnect = \"n1-replica-1\"\nat = \"10s\"\nfor = \"1s\"\n"
            "[[fault]]\nhalf_open = [\"n1-replica-1\", \"n1\"]\nat = \"20s\"\n"
            "[[fault]]\nhalf_open = [\"n1-replica-1\", \"n1\"]\nat = \"30s\"\n"));
  EXPECT_EQ(run.times_of("connection-opening", "n1-replica-1"), (Times{11 * s, 80 * s}));
}

TEST(MeetingFaults, ASentinelThatDiesOfWhatItFindsOutDoesNothingMore) {
  const SimulatedRun run(
      story("[[fault]]\ncrash = \"n1\"\nat = \"2s\"\n"
            "[[fault]]\ncrash = \"s1\"\nwhen = \"s1 subjectively-down\"\n"
            "[[fault]]\nclock_leap = \"a\"\nwhen = \"s1 objectively-down\"\n"
            "[[fault]]\ncrash = \"s2\"\nwhen = \"s2 objectively-down\"\n"
            "[[fault]]\ncrash = \"s3\"\nwhen = \"s3 elected\"\n",
            "topology = \"sentinel\"\n"
            "sentinel = { count = 3, quorum = 1, down_after = \"1s\" }\n"));
  EXPECT_EQ(strikes(run).at(1), 1U);
  EXPECT_EQ(strikes(run).at(2), 0U);
  for (const std::string_view sentinel : {"s1", "s2", "s3"}) {
    const Times crashed = run.times_of("process-crashed", sentinel);
    if (crashed.empty()) continue;
    const std::int64_t crash = static_cast<std::int64_t>(
        run.events("process-crashed", sentinel)[0] - run.trace().events.data());
    for (const std::string_view kind : {"sentinel-event", "message-sent"}) {
      for (const RecordedEvent* event : run.events(kind, sentinel)) {
        EXPECT_LT(event - run.trace().events.data(), crash) << sentinel << ' ' << kind;
      }
    }
  }
}

// -- strikes within strikes --

TEST(MeetingFaults, AStrikeThatBringsAboutItsOwnMomentGoesOnAsOftenAsItSays) {
  const SimulatedRun run(
      story("[[fault]]\npause = \"a\"\nat = \"1s\"\nfor = \"1s\"\n"
            "[[fault]]\npause = \"a\"\nwhen = \"a paused\"\nfor = \"1s\"\ntimes = 20000\n"));
  EXPECT_EQ(strikes(run), (Strikes{1, 20'000}));
  EXPECT_EQ(run.times_of("process-resumed", "a"), (Times{2 * s}));
}

TEST(MeetingFaults, AStrikeEndsForWhomItBeganThoughItWasDrawnAnewMeanwhile) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const SimulatedRun run(
        story("[[fault]]\npause = \"b\"\nat = \"1s\"\nfor = \"1s\"\n"
              "[[fault]]\npause = [\"a\", \"b\"]\nwhen = \"b paused\"\nfor = \"1s..3s\"\n"
              "times = 3\n"),
        seed);
    std::multiset<std::string> struck;
    std::multiset<std::string> ended;
    for (const RecordedEvent* event : run.events("fault-struck")) {
      struck.insert(std::string(event->text("target")));
    }
    for (const RecordedEvent* event : run.events("fault-ended")) {
      ended.insert(std::string(event->text("target")));
    }
    EXPECT_EQ(struck, ended) << seed;
  }
}

TEST(MeetingFaults, WithEveryTheFirstMomentBeginsItAndLaterOnesDoNot) {
  const SimulatedRun run(
      story("[[client]]\nname = \"c\"\nstart = \"5s\"\nrounds = 9\n"
            "run = [\"lock lease=1s\", \"sleep 2700ms\", \"unlock\"]\n"
            "[[fault]]\nclock_leap = \"b\"\nwhen = \"the lease of c ends\"\nevery = \"1s\"\n"));
  const Times struck = run.times_of("fault-struck");
  ASSERT_GT(struck.size(), 20U);
  for (std::size_t i = 1; i < struck.size(); ++i) EXPECT_EQ(struck[i] - struck[i - 1], 1 * s);
}

// -- the moment before a lease ends --

TEST(MeetingFaults, BeforeTheSecondEndOfALeaseIsNotAfterARenewal) {
  // The lease of 30 s is renewed at about 10, 20 and 30 s: none of those is an end.
  const SimulatedRun run(story(
      "[[client]]\nname = \"c\"\nstart = \"3s\"\n"
      "run = [\"lock\", \"sleep 35s\", \"unlock\", \"lock lease=5s\", \"sleep 8s\", \"unlock\", "
      "\"lock lease=5s\", \"sleep 8s\", \"unlock\"]\n"
      "[[fault]]\nclock_leap = \"b\"\nwhen = \"the lease of c ends for the 2nd time\"\n"
      "before = \"25s\"\n"
      "[[fault]]\nclock_leap = \"b\"\nwhen = \"the lease of c ends for the 2nd time\"\n"
      "before = \"1s\"\n"));
  EXPECT_EQ(strikes(run), (Strikes{1, 1}));
  const Times struck = run.times_of("fault-struck");
  ASSERT_EQ(struck.size(), 2U);
  EXPECT_GT(struck[0], 45 * s);  // as the last hold begins
  EXPECT_NEAR(static_cast<double>(struck[1] - struck[0]), 4e9, 1e7);
}

// -- more than there is --

TEST(MeetingFaults, WhatAddsUpWithoutEndCountsAsMoreThanAnyRunLasts) {
  for (const std::string_view fault :
       {"clog = [\"b\", \"n1\"]", "slow = \"n1\"", "slow = \"b\"", "lag = \"n1-replica-1\"",
        "clock_step = \"b\"\nclock = \"both\"", "clock_step = \"n1\""}) {
    for (const std::string_view by : {"8760h", "-8760h"}) {
      if (by[0] == '-' && fault != "clock_step = \"n1\"") continue;
      SCOPED_TRACE(fmt::format("{} by {}", fault, by));
      const SimulatedRun run(story(
          fmt::format("[[fault]]\n{}\nby = \"{}\"\nevery = \"1ms\"\ntimes = 700\n", fault, by)));
      EXPECT_EQ(strikes(run), (Strikes{700}));
    }
  }
  const SimulatedRun healed(
      story("[[fault]]\nslow = \"n1\"\nby = \"8760h\"\nevery = \"1ms\"\n"
            "times = 400\nfor = \"1s\"\n"));
  EXPECT_EQ(healed.events("process-slowed", "n1").back()->number("by_ns"), 0);
  EXPECT_FALSE(healed.events("command-executed", "n1").empty());
}

}  // namespace
}  // namespace lockstep::model::test::meeting_faults
