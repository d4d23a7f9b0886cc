// The cause in words of real runs: one row a story, and what must be said of it.
#include <gtest/gtest.h>

#include <filesystem>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "model/scenario/scenario_file.h"
#include "model/simulation/engine.h"
#include "reports/cause.h"
#include "search/campaign.h"
#include "tests/support/script_folder.h"

namespace lockstep::reports {
namespace {

struct CauseStory {
  std::string_view name;
  /// A file of scenarios/known-bugs, or what follows the title.
  std::string_view story;
  std::vector<std::string_view> says;
  std::vector<std::string_view> says_not = {};

  friend std::ostream& operator<<(std::ostream& out, const CauseStory& each) {
    return out << each.name;
  }
};

constexpr std::string_view permit_dies = R"(
lock   = "semaphore"
expect = { violates = "no-deadlock" }
[redis]
latency = "1ms"
[[client]]
name = "w1"
run  = ["try_set_permits permits=2", "acquire", "sleep 1s", "release"]
[[client]]
name  = "w2"
start = "10ms"
run   = ["acquire permits=2", "release permits=2"]
[[fault]]
crash = "w1"
at    = "900ms"
)";

constexpr std::string_view only_permit_dies = R"(
lock   = "semaphore"
expect = { violates = "no-leak" }
[redis]
latency = "1ms"
[[client]]
name = "w1"
run  = ["try_set_permits permits=1", "acquire", "sleep 1s", "release"]
[[client]]
name  = "w2"
start = "10ms"
run   = ["acquire", "release"]
[[fault]]
crash = "w1"
at    = "900ms"
)";

constexpr std::string_view no_permits = R"(
lock   = "semaphore"
expect = { violates = "no-deadlock" }
[[client]]
name = "w1"
run  = ["acquire", "release"]
)";

constexpr std::string_view nobody_counts_down = R"(
lock   = "latch"
expect = { violates = "no-leak" }
[redis]
latency = "1ms"
[[client]]
name = "a"
run  = ["try_set_count count=2", "sleep 1s", "count_down", "sleep 1s", "count_down"]
[[client]]
name  = "b"
start = "50ms"
run   = ["await"]
[[fault]]
crash = "a"
at    = "1500ms"
)";

constexpr std::string_view reader_dies = R"(
lock   = "readwrite"
expect = { violates = "no-deadlock" }
[redis]
latency = "1ms"
[limits]
horizon = "10m"
[[client]]
name = "r"
run  = ["read_lock lease=5m", "sleep 1s", "read_unlock"]
[[client]]
name  = "w"
start = "50ms"
run   = ["write_lock", "write_unlock"]
[[fault]]
crash = "r"
at    = "20ms"
)";

constexpr std::string_view redis_stands_still = R"(
lock   = "plain"
expect = { violates = "mutual-exclusion" }
[redis]
latency = "1ms"
[[client]]
name = "a"
run  = ["lock", "sleep 40s", "unlock"]
[[client]]
name  = "b"
start = "30s"
run   = ["lock", "sleep 40s", "unlock"]
[[fault]]
pause = "n1"
at    = "3s"
for   = "35s"
)";

const CauseStory stories[] = {
    {"APermitThatDies",
     permit_dies,
     {"1 of the 2 permits of \"lock\" died with w1 at 900 ms; nobody gives it back. w2/1 waited "
      "for 2 permits, with 1 left. "},
     {"Nobody had lock"}},
    {"TheOnlyPermitThatDies",
     only_permit_dies,
     {"The only permit of \"lock\" died with w1 at 900 ms; nobody gives it back. w2/1 waited for "
      "1 permit, with none left. "},
     {"Nobody had lock"}},
    {"NoPermits", no_permits, {"Nobody had set how many permits \"lock\" has."}},
    {"ALatchThatNobodyCountsDown",
     nobody_counts_down,
     {"Latch \"lock\" stood at 1 from 1,005 ms on, when a/1 had counted it down, and nobody "
      "counted it down any more; b/1 waited for 0. a crashed at 1,500 ms. "}},
    {"AReaderThatDies",
     reader_dies,
     {"Lock \"lock\" was r/1's from 3 ms to 300,004 ms, when its lease ended (its read_acquire, "
      "executed on n1), though r/1 crashed at 20 ms. "}},
    {"ARequestSentToANodeThatStandsStill",
     redis_stands_still,
     {"n1 was paused from 3,000 ms to 38,000 ms, so b/1 sent its acquire again, and n1 executed "
      "it ",
      "nothing had renewed it since 3 ms, as n1 was paused from 3,000 ms to 38,000 ms"}},
    {"AnOldMaster",
     "old-master-in-the-minority.toml",
     {"n1 was no longer the master from 4,412 ms on (n1-replica-1 was), but it still executed "
      "a/1's release at "}},
    {"AnUnlockThatFailed",
     "old-lost-deadlines.toml",
     {"(its unlock came to nothing: ERR user_script:9: attempt to compare number with nil",
      "Nobody had lock \"lock\" from 60,003 ms on, and no message told b of it."}},
    {"AWaiterTakenOutOfItsQueue",
     "negative-ttl.toml",
     {"a/1's release, executed on n1 at 50,003.1 ms, took b/1 out of the queue."}},
    {"ADeadHeadThatHasGoneAtLast",
     "scores-inflate.toml",
     {"but b/1 was the first in its queue since 15,532 ms, and b had crashed at 15,083.1 ms."}},
    {"ASubscriptionThatDied",
     "failover-loses-subscription.toml",
     {"no message told c of it: its subscription, made on n1 at 1,002.2 ms, ended as n1 crashed "
      "at 4,000 ms, and the next was made at 5,001.7 ms."}},
    {"ARenewalForAnother",
     "stale-owner-renewed.toml",
     {"a/1's renew_batch, executed on n1 at 10,001.4 ms, changed nothing (the reply: [0])."}},
    {"ALeaseOfNothing",
     "no-first-lease.toml",
     {"and a/1's pexpire, executed on n2 at 3.9 ms, changed nothing (the reply: 0), nor did 2 "
      "more"}},
    {"ADeletedPart", "unlock-together.toml", {"An operator deleted a/1's lock on n1 at 1,003.7 "}},
    {"AKeyWithoutATtl", "setnx-then-expire.toml", {"left the key without a TTL."}},
};

class CauseStories : public testing::TestWithParam<CauseStory> {
 protected:
  static model::Scenario scenario() {
    const std::string story(GetParam().story);
    if (story.ends_with(".toml")) {
      return model::load_scenario(std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "scenarios" /
                                  "known-bugs" / story);
    }
    return model::parse_scenario("test.toml", "title = \"t\"" + story);
  }
};

TEST_P(CauseStories, AreTold) {
  model::Engine engine({support::script_folder()});
  const search::ScenarioOutcome outcome =
      search::run_scenario(scenario(), {.first_seed = 1, .seeds = 1}, engine);
  ASSERT_EQ(outcome.complaints, std::vector<std::string>());
  std::string why;
  for (const std::string& sentence : explain(outcome.example)) why += sentence + " ";
  for (const std::string_view words : GetParam().says) {
    EXPECT_NE(why.find(words), std::string::npos) << words << "\nis not in\n" << why;
  }
  for (const std::string_view words : GetParam().says_not) {
    EXPECT_EQ(why.find(words), std::string::npos) << why;
  }
}

INSTANTIATE_TEST_SUITE_P(Cause, CauseStories, testing::ValuesIn(stories),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace lockstep::reports
