// Runs in which much happens to the nodes themselves are confirmed on real servers: replicas that
// come and go, masters that change, clocks that are wrong.
#include <string>
#include <string_view>

#include "model/engine/run_result.h"
#include "scenario/scenario.h"
#include "tests/confirm/recorded_run.h"

namespace lockstep::confirm::test {
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
