// When faults strike: leases, messages, repetition, what is left open, and when everything heals.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "checker/observations.h"
#include "checker/verdict.h"
#include "model/engine/run_result.h"
#include "tests/model/engine/simulated_run.h"

namespace lockstep::model::test::fault_moments {
namespace {

constexpr std::string_view head =
    "title = \"t\"\nlock = \"plain\"\nexpect = { holds = \"harm\" }\n";
/// a's lease of 30 s is renewed at about 10, 20 and 30 s, and released at 35 s.
constexpr std::string_view renewed =
    "[[client]]\nname = \"a\"\nrun = [\"lock\", \"sleep 35s\", \"unlock\"]\n";
/// a's lease of 2 s ends while it sleeps, and it takes the lock again.
constexpr std::string_view in_rounds =
    "[[client]]\nname = \"a\"\nrun = [\"lock lease=2s\", \"sleep 5s\", \"unlock\"]\nrounds = 3\n";
/// Keeps the run going.
constexpr std::string_view bystander = "[[client]]\nname = \"z\"\nrun = [\"sleep 100s\"]\n";

SimulatedRun run(std::string_view clients, std::string_view fault, std::uint64_t seed = 1) {
  return SimulatedRun(fmt::format("{}{}{}[[fault]]\n{}\n", head, clients, bystander, fault), seed);
}

std::vector<sim::TimeNs> struck(const SimulatedRun& run) { return run.times_of("fault-struck"); }

/// The end of the lease as the last lock-changed before an instant tells it.
sim::TimeNs lease_end_before(const SimulatedRun& run, sim::TimeNs instant) {
  sim::TimeNs ends = 0;
  for (const RecordedEvent* event : run.events("lock-changed")) {
    if (event->at < instant) ends = event->number("lease_ends_ns");
  }
  return ends;
}

TEST(FaultMoments, TheEndOfALeaseIsPutOffByRenewalsAndCalledOffByTheRelease) {
  const SimulatedRun far = run(renewed, "clock_leap = \"z\"\nwhen = \"the lease of a ends\"");
  EXPECT_TRUE(struck(far).empty());
  const SimulatedRun near = run(
      renewed, "clock_leap = \"z\"\nwhen = \"the lease of a ends\"\nbefore = \"25s\"\ntimes = 9");
  ASSERT_EQ(struck(near).size(), 3U);  // the release comes before the fourth
  for (const sim::TimeNs at : struck(near)) {
    EXPECT_EQ(at, lease_end_before(near, at) - 25 * sim::second_ns);
  }
}

TEST(FaultMoments, ALeaseEndsJustWhenTheServersKeyDoes) {
  const SimulatedRun before = run(
      in_rounds, "clock_leap = \"z\"\nwhen = \"the lease of a ends\"\nbefore = \"1ms\"\ntimes = 2");
  ASSERT_EQ(struck(before).size(), 2U);
  for (const sim::TimeNs at : struck(before)) {
    EXPECT_EQ(at, lease_end_before(before, at) - sim::millisecond_ns);
  }
  const SimulatedRun after = run(in_rounds,
                                 "clock_leap = \"z\"\nwhen = \"the lease of a on lock ends for the "
                                 "2nd time\"\nafter = \"1s\"");
  ASSERT_EQ(struck(after).size(), 1U);
  EXPECT_EQ(struck(after)[0] - struck(before)[1], sim::second_ns + sim::millisecond_ns);
}

TEST(FaultMoments, MessagesAreCountedByWhomTheyAreFromAndTo) {
  const SimulatedRun third =
      run(in_rounds, "clock_leap = \"z\"\nwhen = \"3rd message from a to n1\"");
  const SimulatedRun labelled = run(in_rounds, "clock_leap = \"z\"\nwhen = \"2nd acquire from a\"");
  std::vector<sim::TimeNs> all;
  std::vector<sim::TimeNs> acquires;
  for (const RecordedEvent* event : third.events("message-sent", "a")) {
    all.push_back(event->at);
    if (event->text("label") == "acquire") acquires.push_back(event->at);
  }
  EXPECT_EQ(struck(third), (std::vector<sim::TimeNs>{all.at(2)}));
  EXPECT_EQ(struck(labelled), (std::vector<sim::TimeNs>{acquires.at(1)}));
}

TEST(FaultMoments, RepetitionIsByTimeOrByMoment) {
  const SimulatedRun by_time =
      run(in_rounds, "clock_leap = \"z\"\nat = \"1s\"\nevery = \"5s\"\ntimes = 3");
  EXPECT_EQ(struck(by_time), (std::vector<sim::TimeNs>{1 * sim::second_ns, 6 * sim::second_ns,
                                                       11 * sim::second_ns}));
  EXPECT_EQ(by_time.result().fault_strikes.at(0), 3U);
  const auto strikes = [](std::string_view times) {
    return run(in_rounds, fmt::format("clock_leap = \"z\"\nwhen = \"a acquired\"{}", times))
        .result()
        .fault_strikes.at(0);
  };
  EXPECT_EQ(strikes(""), 1U);
  EXPECT_EQ(strikes("\ntimes = 2"), 2U);
  EXPECT_EQ(strikes("\ntimes = \"always\""), 3U);
  EXPECT_EQ(strikes("\nevery = \"1s\"\ntimes = 5"), 5U);
}

TEST(FaultMoments, WhatIsLeftOpenIsDrawnInEachRunAndSaid) {
  constexpr std::string_view open = "pause = [\"a\", \"n1\"]\nat = \"1s..9s\"\nfor = \"1s..2s\"";
  std::set<std::string> targets;
  std::set<sim::TimeNs> instants;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const SimulatedRun drawn = run(in_rounds, open, seed);
    const auto events = drawn.events("fault-struck");
    ASSERT_EQ(events.size(), 1U);
    const RecordedEvent& event = *events[0];
    EXPECT_GE(event.at, 1 * sim::second_ns);
    EXPECT_LE(event.at, 9 * sim::second_ns);
    const auto ended = drawn.events("fault-ended");
    ASSERT_EQ(ended.size(), 1U);
    EXPECT_GE(ended[0]->at - event.at, 1 * sim::second_ns);
    EXPECT_LE(ended[0]->at - event.at, 2 * sim::second_ns);
    EXPECT_EQ(event.text("what").find(" or "), std::string_view::npos) << event.text("what");
    targets.insert(std::string(event.text("target")));
    instants.insert(event.at);
    EXPECT_EQ(run(in_rounds, open, seed).result().hash, drawn.result().hash);
  }
  EXPECT_EQ(targets, (std::set<std::string>{"a", "n1"}));
  EXPECT_GT(instants.size(), 8U);
}

TEST(FaultMoments, AnyMomentIsAnotherOneInOtherRuns) {
  std::set<sim::TimeNs> instants;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    const SimulatedRun drawn = run(in_rounds, "clock_leap = \"z\"\nwhen = \"any\"", seed);
    for (const sim::TimeNs at : struck(drawn)) instants.insert(at);
  }
  EXPECT_GT(instants.size(), 5U);
}

constexpr std::string_view ill =
    "[heal]\nat = \"20s\"\n"
    "[[fault]]\ncrash = \"n1\"\nat = \"1s\"\n"
    "[[fault]]\npause = \"y\"\nat = \"1s\"\n"
    "[[fault]]\nclock_drift = \"z\"\nrate = \"500ppm\"\nat = \"1s\"\n"
    "[[fault]]\nclock_leap = \"z\"\nevery = \"3s\"\n"
    "[[fault]]\ncut = [\"y\", \"n1\"]\nat = \"2s\"\n";
constexpr std::string_view two_sleepers =
    "[[client]]\nname = \"y\"\nrun = [\"sleep 5s\"]\n[[client]]\nname = \"z\"\nrun = [\"sleep "
    "100s\"]\n";

TEST(Healing, EndsWhatLastsRestartsServersAndLetsNothingStrikeAnyMore) {
  const SimulatedRun healed(fmt::format("{}{}{}", head, two_sleepers, ill));
  constexpr sim::TimeNs heal = 20 * sim::second_ns;
  ASSERT_EQ(healed.events("faults-healed").size(), 1U);
  EXPECT_EQ(healed.events("fault-ended").size(), 2U);
  ASSERT_EQ(healed.events("process-restarted", "n1").size(), 1U);
  EXPECT_EQ(healed.events("process-restarted", "n1")[0]->at, heal);
  ASSERT_EQ(healed.events("process-resumed", "y").size(), 1U);
  EXPECT_EQ(healed.events("process-resumed", "y")[0]->at, heal);
  EXPECT_EQ(healed.events("network-healed").size(), 1U);
  EXPECT_EQ(healed.events("clock-changed", "z").back()->number("drift_ppm", 1), 0);
  for (const sim::TimeNs at : struck(healed)) EXPECT_LT(at, heal);
  EXPECT_EQ(healed.result().observations->healed.at_ns, heal);
}

TEST(Healing, LeavesWhatStays) {
  std::string text(ill);
  for (std::size_t at = text.find("at = \"1s\"\n"); at != std::string::npos;
       at = text.find("at = \"1s\"\n", at + 1)) {
    text.insert(at, "stays = true\n");
    at += 14;
  }
  const SimulatedRun healed(fmt::format("{}{}{}", head, two_sleepers, text));
  EXPECT_EQ(healed.events("fault-ended").size(), 1U);  // the cut
  EXPECT_TRUE(healed.events("process-restarted").empty());
  EXPECT_TRUE(healed.events("process-resumed").empty());
  EXPECT_EQ(healed.result().observations->healed.at_ns, 20 * sim::second_ns);
}

}  // namespace
}  // namespace lockstep::model::test::fault_moments
