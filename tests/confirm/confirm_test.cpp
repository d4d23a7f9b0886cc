// The scenarios that come with Lockstep are confirmed on real servers.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "model/engine/run_result.h"
#include "redis/server/node_event.h"
#include "scenario/scenario.h"
#include "tests/confirm/recorded_run.h"

namespace lockstep::confirm::test {
namespace {

class ShippedScenario : public ::testing::TestWithParam<std::string> {};

TEST_P(ShippedScenario, IsConfirmed) {
  RecordedRun run(load_shipped(GetParam()));
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    run.run(seed);
    const Confirmation confirmation = run.confirmed();
    expect_confirmed(confirmation);
    EXPECT_EQ(confirmation.not_compared, 0U);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Scenarios, ShippedScenario,
    ::testing::Values("fenced/contention", "known-bugs/gc-pause-fenced", "plain/contention",
                      "plain/crash-with-save-points", "plain/power-loss-always",
                      "plain/restart-with-append-only-file", "plain/restart-without-persistence",
                      "plain/shutdown-with-save-points", "known-bugs/failover-after-wait",
                      "known-bugs/failover-before-replication", "known-bugs/gc-pause",
                      "known-bugs/lost-acquire-reply", "known-bugs/lost-release-reply-latched",
                      "known-bugs/lost-release-reply", "plain/watchdog", "setnx/contention",
                      "known-bugs/delete-with-token", "known-bugs/delete-without-token",
                      "known-bugs/fixed-value", "known-bugs/get-then-del",
                      "known-bugs/setnx-then-expire", "known-bugs/timestamp"),
    [](const ::testing::TestParamInfo<std::string>& scenario) {
      std::string name = scenario.param;
      std::replace_if(
          name.begin(), name.end(), [](char each) { return each == '/' || each == '-'; }, '_');
      return name;
    });

}  // namespace

// A difference that is planted between the simulated and the real servers is found and named, with
// the event of the trace, the node and both sides; and nothing is found where none is.

namespace {

using namespace redis::node_event;

RecordedRun recorded(const std::string& name) {
  RecordedRun run(load_shipped(name));
  run.run(1);
  return run;
}

Difference difference_in(const RecordedRun& run) {
  const Confirmation confirmation = run.confirmed();
  EXPECT_FALSE(confirmation.is_confirmed());
  EXPECT_TRUE(confirmation.difference) << "nothing was found";
  return confirmation.difference.value_or(Difference{});
}

std::size_t place_of_last(RecordedRun& run, bool (*matches)(const redis::NodeEvent&)) {
  const auto& events = run.events();
  const auto last = std::find_if(events.rbegin(), events.rend(), matches);
  EXPECT_NE(last, events.rend());
  return static_cast<std::size_t>(events.rend() - last) - 1;
}

TEST(PlantedDifference, InAReplyIsNamed) {
  RecordedRun run = recorded("known-bugs/gc-pause");
  redis::Reply& reply = run.event<CommandReplied>(1).reply;
  const std::string real = redis::describe(reply);
  reply.kind = redis::Reply::Kind::integer;
  reply.integer = 4711;
  const Difference found = difference_in(run);
  EXPECT_EQ(found.node, "n1");
  EXPECT_EQ(found.simulated, "(integer) 4711");
  EXPECT_EQ(found.real, real);
  EXPECT_NE(found.what.find("the reply to b/1's acquire: EVAL"), std::string::npos) << found.what;
  EXPECT_GT(found.trace_event, 0U);
  EXPECT_GT(found.at_ns, 0);
}

TEST(PlantedDifference, OfAScriptIsSeenInItsReply) {
  RecordedRun run = recorded("known-bugs/lost-acquire-reply");
  auto& sent = run.event<CommandSent>(0);
  ASSERT_EQ(sent.words[0], "EVAL");
  sent.words[1] = "return {err = 'EDITED ' .. KEYS[1]}";
  const Difference found = difference_in(run);
  EXPECT_EQ(found.simulated, "(nil)");
  EXPECT_NE(found.real.find("EDITED lock"), std::string::npos) << found.real;
}

TEST(PlantedDifference, OfALeaseIsSeenAtTheMillisecond) {
  RecordedRun run = recorded("known-bugs/gc-pause");
  for (redis::NodeEvent& event : run.events()) {
    auto* sent = std::get_if<CommandSent>(&event.what);
    if (sent == nullptr || sent->label != "acquire") continue;
    const auto lease = std::find(sent->words.begin(), sent->words.end(), "10000");
    ASSERT_NE(lease, sent->words.end());
    *lease = "10001";
    break;
  }
  const Difference found = difference_in(run);
  EXPECT_NE(found.what.find("acquire"), std::string::npos) << found.what;
}

TEST(PlantedDifference, InTheClockIsSeen) {
  RecordedRun run = recorded("known-bugs/gc-pause");
  for (redis::NodeEvent& event : run.events()) {
    if (event.at_ns > 2'000'000) event.wall_us += 1'000;
  }
  EXPECT_NE(difference_in(run).what.find("the reply to b/1's acquire"), std::string::npos);
}

TEST(PlantedDifference, InAMessageIsNamed) {
  RecordedRun run = recorded("plain/contention");
  run.event<MessagePushed>(0).message.elements[2].text = "1";
  const Difference found = difference_in(run);
  EXPECT_NE(found.what.find("a message to the client that last sent"), std::string::npos);
  EXPECT_NE(found.simulated, found.real);
}

TEST(PlantedDifference, OfAMessageTooManyIsSeen) {
  RecordedRun run = recorded("plain/contention");
  const std::size_t place = place_of_last(run, [](const redis::NodeEvent& event) {
    return std::holds_alternative<MessagePushed>(event.what);
  });
  run.events().erase(run.events().begin() + static_cast<std::ptrdiff_t>(place));
  const Difference found = difference_in(run);
  EXPECT_EQ(found.simulated, "nothing");
  EXPECT_NE(found.real.find("message"), std::string::npos);
}

TEST(PlantedDifference, InTheStreamIsNamed) {
  RecordedRun run = recorded("known-bugs/failover-after-wait");
  auto& written = run.event<StreamWritten>(0);
  const std::size_t place = written.bytes.find("hincrby");
  ASSERT_NE(place, std::string::npos);
  written.bytes.replace(place, 7, "HINCRBY");
  const Difference found = difference_in(run);
  EXPECT_EQ(found.what, "the replication stream");
  EXPECT_EQ(found.simulated.substr(0, 7), "HINCRBY");
  EXPECT_EQ(found.real.substr(0, 7), "hincrby");
}

TEST(PlantedDifference, OfWhatAReplicaGotIsSeenAfterThePromotion) {
  RecordedRun run = recorded("known-bugs/failover-after-wait");
  // The replica that is promoted never gets the lock that its master granted.
  auto& events = run.events();
  const sim::ActorId promoted = events[place_of_last(run, [](const redis::NodeEvent& event) {
                                  return std::holds_alternative<Promoted>(event.what);
                                })].node;
  std::erase_if(events, [&](const redis::NodeEvent& event) {
    return event.node == promoted && std::holds_alternative<StreamApplied>(event.what);
  });
  const Difference found = difference_in(run);
  EXPECT_EQ(found.node, "n1-replica-1");
}

TEST(PlantedDifference, OfAnEarlyReplyIsSeen) {
  RecordedRun run = recorded("plain/contention");
  for (redis::NodeEvent& event : run.events()) {
    if (const auto* replied = std::get_if<CommandReplied>(&event.what)) {
      event.what = CommandBlocked{replied->session};
      break;
    }
  }
  EXPECT_EQ(difference_in(run).simulated, "none yet: the client is blocked");
}

TEST(PlantedDifference, OfAPromotionThatNeverWasIsSeen) {
  RecordedRun run = recorded("known-bugs/failover-before-replication");
  std::erase_if(run.events(), [](const redis::NodeEvent& event) {
    return std::holds_alternative<Promoted>(event.what);
  });
  EXPECT_NE(difference_in(run).real.find("READONLY"), std::string::npos);
}

TEST(AnInterruption, EndsItBetweenTwoEvents) {
  RecordedRun run = recorded("known-bugs/gc-pause");
  const Confirmation confirmation = run.confirmed([] { return true; });
  EXPECT_TRUE(confirmation.interrupted);
  EXPECT_FALSE(confirmation.is_confirmed());
  EXPECT_FALSE(confirmation.difference);
  EXPECT_EQ(confirmation.commands, 0U);
}

}  // namespace

// Runs in which much happens to the nodes themselves are confirmed on real servers: replicas that
// come and go, masters that change, clocks that are wrong.

namespace {

/// Two clients at work on one lock for some seconds, and what else the file says.
std::string story(int replicas, std::string_view rest, std::string_view options = {}) {
  std::string text = R"(
title  = "Story"
lock   = "plain"
expect = { holds = "valid-grant" }
[redis]
replicas = )" + std::to_string(replicas) +
                     "\n[options]\n" + std::string(options) + R"(
[[client]]
name   = "a"
rounds = 6
run    = ["lock lease=2s", "write", "sleep 300ms", "unlock"]
[[client]]
name   = "b"
start  = "5ms"
rounds = 6
run    = ["try_lock wait=3s lease=2s", "sleep 200ms", "unlock"]
)";
  return text.append(rest);
}

Confirmation confirmed(const std::string& text, std::uint64_t seed) {
  RecordedRun run(scenario::parse_scenario("story.toml", text));
  run.run(seed);
  return run.confirmed();
}

class Seeds : public ::testing::TestWithParam<std::uint64_t> {
 protected:
  static Confirmation confirm_story(const std::string& text) {
    const Confirmation confirmation = confirmed(text, GetParam());
    expect_confirmed(confirmation);
    return confirmation;
  }
};
INSTANTIATE_TEST_SUITE_P(Of, Seeds, ::testing::Values(1, 2));

TEST_P(Seeds, AReplicaThatStartsAgainIsSynchronisedAnew) {
  const Confirmation found = confirm_story(story(1, R"(
[[fault]]
crash = "n1-replica-1"
at    = "400ms"
[[fault]]
restart = "n1-replica-1"
at      = "900ms"
)"));
  EXPECT_EQ(found.restarts, 1U);
  EXPECT_EQ(found.synchronisations, 2U);
}

TEST_P(Seeds, AMasterThatStartsEmptyWipesItsReplicas) {
  const Confirmation found = confirm_story(story(1, R"(
[[fault]]
crash = "n1"
when  = "a acquired for the 2nd time"
[[fault]]
restart = "n1"
when    = "n1 crashed"
after   = "200ms"
)"));
  EXPECT_EQ(found.restarts, 1U);
}

TEST_P(Seeds, AReplicaWhoseLinkBreaksGoesOnWhereItWas) {
  const Confirmation found = confirm_story(story(1, R"(
[[fault]]
reset = "replication"
when  = "a acquired for the 2nd time"
)"));
  EXPECT_EQ(found.synchronisations, 2U);
  EXPECT_GT(found.stream_requests, 20U);
}

TEST_P(Seeds, ASiblingFollowsThePromotedReplica) {
  const Confirmation found = confirm_story(story(2, R"(
[[fault]]
crash = "n1"
when  = "a acquired for the 2nd time"
[[fault]]
promote = "n1-replica-2"
when    = "n1 crashed"
after   = "300ms"
)"));
  EXPECT_EQ(found.promotions, 1U);
  EXPECT_EQ(found.synchronisations, 3U);
}

TEST_P(Seeds, AMasterThatIsReplacedAliveGoesOnForWhomItKnows) {
  confirm_story(story(2, R"(
[[fault]]
cut  = ["n1", "n1-replica-1"]
at   = "300ms"
for  = "2s"
[[fault]]
promote = "n1-replica-1"
at      = "1s"
)"));
}

TEST_P(Seeds, AWaitWithoutReplicasTimesOut) {
  const Confirmation found = confirm_story(story(1, R"(
[[fault]]
cut = ["n1", "n1-replica-1"]
at  = "0s"
for = "3s"
)",
                                                 "wait_replicas = 1\nwait_timeout = \"200ms\""));
  EXPECT_GT(found.stream_requests, 0U);
}

TEST_P(Seeds, ClocksThatJumpAndDriftEndLeasesWhereTheyDo) {
  confirm_story(story(1, R"(
[[fault]]
clock_drift = "n1"
rate        = "50000ppm"
[[fault]]
clock_step = "n1"
by         = "20s"
when       = "a acquired for the 2nd time"
[[fault]]
clock_step = "n1-replica-1"
by         = "-7s"
at         = "100ms"
[[fault]]
crash = "n1"
when  = "a acquired for the 4th time"
[[fault]]
promote = "n1-replica-1"
when    = "n1 crashed"
)"));
}

TEST_P(Seeds, AnOperatorsDeletionIsOneCommandMore) {
  confirm_story(story(1, R"(
[[fault]]
delete = "lock"
on     = "n1"
when   = "a acquired for the 2nd time"
)"));
}

TEST_P(Seeds, AMasterThatStandsStillAnswersWhenItGoesOn) {
  confirm_story(story(1, R"(
[[fault]]
pause = "n1"
when  = "a acquired for the 2nd time"
for   = "1s"
)"));
}

}  // namespace

}  // namespace lockstep::confirm::test
