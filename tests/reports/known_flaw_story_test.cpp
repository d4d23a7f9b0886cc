// Defects that a lock names as known are recognized by the words of their causes: here are the runs
// that show them, so that a cause which is told otherwise does not make them new.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <string_view>

#include "checker/property.h"
#include "tests/reports/cause_story.h"

namespace lockstep::reports {
namespace {

using checker::Property;

struct FlawStory {
  std::string_view name;
  Property broken;
  std::string_view what;  ///< begins so
  std::string_view story;

  friend std::ostream& operator<<(std::ostream& out, const FlawStory& each) {
    return out << each.name;
  }
};

const FlawStory flaw_stories[] = {
    {"ReleaseWithoutAnAnswer", Property::truthful_answers, "after a release that had no answer", R"(
lock = "setnx"
expect = { violates = "truthful-answers" }
[options]
retry_attempts = 0
[[client]]
name  = "c"
start = "6ms"
  [[client.thread]]
  run = ["sleep 400ms", "lock", "unlock"]
  [[client.thread]]
  run = ["lock lease=41s", "write", "sleep 400ms", "unlock", "is_held_by_me"]
[[fault]]
cut  = ["c", "n1"]
when = "c/2 read"
for  = "4s"
)"},
    {"WaiterThatWasToldOfTheFirstLease", Property::no_lost_wakeup,
     "who waits may be told of the first lease", R"(
lock = "multi"
expect = { violates = "no-lost-wakeup" }
[[client]]
name = "a"
run  = ["lock_all lease=30s names=orders,stock", "sleep 20s", "unlock_all names=orders,stock"]
[[client]]
name  = "b"
start = "500ms"
run   = ["lock_all lease=4m names=orders,stock", "unlock_all names=orders,stock"]
[[fault]]
postpone = "a"
task     = "part"
by       = "1s"
[[fault]]
crash = "a"
at    = "2s"
)"},
    {"LastPexpireThatABusyServerAnswersLate", Property::mutual_exclusion,
     "where a server answers the last PEXPIRE late", R"(
lock = "multi"
expect = { violates = "mutual-exclusion" }
[[client]]
name = "a"
run  = ["try_lock_all wait=40ms lease=1m names=orders,stock", "sleep 5s", "unlock_all names=orders,stock"]
[[client]]
name  = "b"
start = "1s"
run   = ["lock lease=1m name=orders", "sleep 9s", "unlock name=orders"]
[[fault]]
busy = "n1"
when = "1st pexpire from a to n1"
for  = "5s"
)"},
    {"BareMajorityThatLosesANode", Property::mutual_exclusion, "each node is renewed by itself", R"(
lock = "redisson-redlock"
expect = { violates = "mutual-exclusion" }
[redis]
masters = 3
[options]
retry_attempts = 0
[heal]
at = "60s"
[[client]]
name = "a"
run  = ["lock", "sleep 80s", "write", "unlock"]
[[client]]
name  = "b"
start = "36s"
run   = ["lock", "write", "unlock"]
[[fault]]
drop  = "acquire"
from  = "a"
to    = "n1"
times = 1
[[fault]]
crash = "n2"
at    = "20s"
)"},
    {"BehindOneThatSleepsPastTheLease", Property::no_deadlock,
     "a waiter sleeps for as long as it was told", R"(
lock = "fair"
expect = { violates = "no-deadlock" }
[[client]]
name = "a"
run  = ["lock lease=4m", "sleep 100ms", "unlock"]
[[client]]
name  = "b"
start = "10ms"
run   = ["lock lease=10s", "sleep 1ms", "crash"]
[[client]]
name  = "c"
start = "20ms"
run   = ["lock lease=1m", "unlock"]
[[client]]
name  = "d"
start = "1m"
run   = ["lock lease=1m", "unlock"]
)"},
    {"AttemptThatGoesOnBesideTheNext", Property::lease_linearizability,
     "the undoing of an attempt whose thread was interrupted leaves", R"(
lock = "redisson-redlock"
expect = { violates = "lease-linearizability" }
[redis]
masters = 3
[[client]]
name = "a"
run  = ["try_lock wait=50ms lease=100s", "unlock", "lock", "sleep 500ms", "unlock"]
[[fault]]
interrupt = "a"
at        = "20ms"
[[fault]]
postpone = "a"
reply    = "pexpire"
by       = "100ms"
)"},
    {"ReaderThatComesBackAsItIsRenewed", Property::mutual_exclusion,
     "a renewal for an owner that has released, whose reply", R"(
lock = "readwrite"
expect = { violates = "mutual-exclusion" }
[redis]
latency = "200us"
[[client]]
name = "a"
[[client.thread]]
run = ["read_lock", "sleep 29999500us", "read_unlock", "read_lock", "sleep 60s", "read_unlock"]
[[client.thread]]
run = ["sleep 5s", "read_lock", "sleep 1m", "read_unlock"]
[[client]]
name  = "b"
start = "10s"
run   = ["write_lock", "write_unlock"]
[[fault]]
delay = "reply to read_release"
to    = "a"
by    = "20ms"
times = 1
[[fault]]
delay = "reply to read_renew"
to    = "a"
by    = "200ms"
when  = "n1 executed read_release"
)"},
    {"HoldInsideOneThatNobodyRenews", Property::mutual_exclusion, "a renewal for an owner", R"(
lock = "plain"
expect = { violates = "mutual-exclusion" }
[limits]
horizon = "1h"
events  = 20000

[heal]
at = "2m"

[[client]]
name  = "a"
start = "13ms"

  [[client.thread]]
  run = ["lock", "sleep 9.693s", "unlock"]

  [[client.thread]]
  run = [
    "sleep 9ms", "sleep 18ms", "lock", "sleep 12.164s", "try_lock",
    "write", "sleep 10.887s", "unlock", "write", "sleep 38.116s", "unlock",
  ]

[[client]]
name  = "b"
start = "16ms"
run   = [
  "sleep 32ms", "lock", "write", "sleep 3.833s", "unlock", "sleep 820ms", "lock", "sleep 9.228s", "try_lock", "write", "sleep 15.519s", "unlock", "write", "sleep 34.663s",
  "unlock",
]

[[fault]]
pause = "b"
at    = "39ms"
for   = "46s"

[[fault]]
pause = "a"
at    = "39ms"
for   = "46s"
)"},
    {"OneOfSeveralLocksWithItsFirstLease", Property::mutual_exclusion,
     "where the last PEXPIRE is lost", R"(
lock = "multi"
expect = { violates = "mutual-exclusion" }
[redis]
latency = "300us"
[limits]
events = 20000
[[client]]
name  = "c1"
start = "8ms"
run   = ["lock lease=1m name=stock", "unlock name=stock"]
[[client]]
name  = "c2"
start = "4ms"
run   = [
  "lock_all lease=30.202s names=orders,stock,people", "hold_count name=orders",
  "unlock_all names=orders,stock,people",
]
[[fault]]
cut_one_way = ["n1", "c2"]
when        = "n1 executed pexpire"
for         = "5m"
)"},
    {"AttemptThatGoesOn", Property::mutual_exclusion,
     "an attempt whose thread was interrupted goes on", R"(
lock = "redisson-redlock"
expect = { violates = "mutual-exclusion" }
[redis]
masters = 3
[[client]]
name = "a"
run  = ["lock lease=2s", "unlock", "lock lease=1m", "sleep 50s", "write", "unlock"]
[[client]]
name  = "b"
start = "30s"
run   = ["lock lease=1m", "write", "unlock"]
[[fault]]
postpone = "a"
reply    = "pexpire"
by       = "20s"
[[fault]]
interrupt = "a"
at        = "3s"
)"},
    // Whose renewals have ended loses the lock, takes it anew, and gives back what it counts as the
    // inner hold.
    {"LossBehindAHoldTakenAnew", Property::mutual_exclusion,
     "a renewal for an owner whose lease is over", R"(
lock = "plain"
expect = { violates = "mutual-exclusion" }
[redis]
latency = "300us"
[[client]]
name = "a"
  [[client.thread]]
  run = ["sleep 8ms", "lock", "sleep 40s", "lock", "unlock", "write", "unlock"]
  [[client.thread]]
  run = [
    "try_lock", "sleep 40s", "lock", "sleep 10s", "unlock", "unlock", "lock", "write", "unlock",
  ]
[[fault]]
pause = "a"
at    = "30s"
for   = "100s"
)"},
    {"WaiterThatWasPassedOver", Property::no_lost_wakeup,
     "a waiter sleeps for as long as it was told", R"(
lock = "plain"
expect = { violates = "no-lost-wakeup" }
[redis]
latency = "200us"
[[client]]
name = "a"
run  = ["lock lease=4m", "sleep 500ms", "unlock"]
[[client]]
name  = "b"
start = "10ms"
  [[client.thread]]
  run = ["try_lock wait=2s"]
  [[client.thread]]
  run = ["sleep 10ms", "lock", "unlock"]
[[client]]
name  = "c"
start = "500500us"
run   = ["lock lease=1m", "crash"]
)"},
    {"LastPexpireThatIsExecutedTwice", Property::lease_linearizability,
     "a last PEXPIRE that is sent again and executed twice", R"(
lock = "multi"
expect = { violates = "lease-linearizability" }
[[client]]
name  = "c"
start = "8ms"
run   = [
  "lock_all lease=1.495s names=orders,stock,people", "unlock_all names=orders,stock,people",
  "lock_all lease=2.425s names=orders,stock,people", "unlock_all names=orders,stock,people",
]
[[client]]
name  = "d"
start = "10ms"
run   = ["try_lock wait=2.766s lease=82.688s name=stock", "sleep 5s", "unlock name=stock"]
[[fault]]
reorder = "pexpire"
behind  = "acquire"
from    = "c"
to      = "n1"
at_most = "100s"
)"},
    // Its reply has come, and is looked at when the next hold has been taken.
    {"RenewalThatIsLookedAtLate", Property::mutual_exclusion,
     "a renewal for an owner that has released", R"(
lock = "plain"
expect = { violates = "mutual-exclusion" }
[[client]]
name  = "a"
start = "10ms"
run   = ["lock", "sleep 39s", "write", "unlock", "lock", "sleep 40s", "unlock"]
[[client]]
name  = "b"
start = "50s"
run   = ["lock lease=12s"]
[[fault]]
postpone = "a"
reply    = "renew_batch"
by       = "10s"
nth      = 4
[[fault]]
pause = "n1"
when  = "a wrote"
for   = "2s"
)"},
    // What the client executes from then on is for its other reader, and none of the first one's.
    {"RenewalThatEndsThoseOfTheSameReader", Property::mutual_exclusion,
     "a renewal for an owner that has released", R"(
lock = "readwrite"
expect = { violates = "mutual-exclusion" }
[redis]
latency = "100ms"
[[client]]
name = "a"
  [[client.thread]]
  run = ["read_lock", "sleep 30700ms", "read_unlock", "read_lock", "sleep 40s", "read_unlock"]
  [[client.thread]]
  run = ["sleep 20ms", "read_lock", "sleep 39s", "read_unlock"]
[[client]]
name  = "b"
start = "1s"
run   = ["write_lock", "write_unlock"]
[[fault]]
postpone = "a"
reply    = "read_renew"
by       = "400ms"
nth      = 5
)"},
    // One of its locks is over for good when the last PEXPIREs come, and says nothing of the other.
    {"LastPexpireThatCutsAnothersLease", Property::lease_linearizability,
     "a last PEXPIRE that comes late may cut another's lease short", R"(
lock = "multi"
expect = { violates = "lease-linearizability" }
[heal]
at = "2m"
[[client]]
name  = "b"
start = "1ms"
run   = ["lock name=stock", "sleep 8s", "unlock name=stock"]
[[client]]
name  = "a"
start = "300ms"
run   = ["try_lock_all wait=25s lease=505ms names=orders,stock", "unlock_all names=orders,stock"]
[[client]]
name  = "c"
start = "5s"
run   = ["lock name=orders", "unlock name=orders"]
[[fault]]
postpone = "a"
task     = "part"
by       = "200s"
[[fault]]
cut  = ["c", "n1"]
when = "n1 executed pexpire"
for  = "100s"
)"},
    {"WaiterOfAFencedLockThatWasPassedOver", Property::no_lost_wakeup,
     "a waiter sleeps for as long as it was told", R"(
lock = "fenced"
expect = { violates = "no-lost-wakeup" }
[redis]
latency = "200us"
[[client]]
name = "a"
run  = ["lock lease=4m", "sleep 500ms", "unlock"]
[[client]]
name  = "b"
start = "10ms"
  [[client.thread]]
  run = ["try_lock wait=2s"]
  [[client.thread]]
  run = ["sleep 10ms", "lock", "unlock"]
[[client]]
name  = "c"
start = "500500us"
run   = ["lock lease=1m", "crash"]
)"},
};

class KnownFlaws : public testing::TestWithParam<FlawStory> {};

TEST_P(KnownFlaws, AreRecognized) {
  const std::string what = known_flaw_in(GetParam().story, GetParam().broken);
  EXPECT_TRUE(what.starts_with(GetParam().what)) << what;
}

INSTANTIATE_TEST_SUITE_P(Cause, KnownFlaws, testing::ValuesIn(flaw_stories),
                         [](const auto& each) { return std::string(each.param.name); });

// What breaks for another reason a promise that known flaws break, too, is a bug.
TEST(KnownFlaw, IsNoOtherStoryWithTheSameEnd) {
  EXPECT_EQ(known_flaw_in(R"(
lock = "redisson-redlock/unlock-by-force"
expect = { violates = "mutual-exclusion" }
[redis]
masters = 3
[[client]]
name = "a"
run  = ["lock lease=2s", "sleep 3s", "unlock"]
[[client]]
name  = "b"
start = "10ms"
run   = ["lock lease=20s", "sleep 5s", "unlock"]
[[client]]
name  = "c"
start = "20ms"
run   = ["lock lease=20s", "sleep 5s", "unlock"]
)",
                          Property::mutual_exclusion),
            "");
}

}  // namespace
}  // namespace lockstep::reports
