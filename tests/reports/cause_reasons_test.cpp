// What a reader would ask next of a cause that names the fact alone.
#include <gtest/gtest.h>

#include <string>

#include "tests/reports/cause_story.h"

namespace lockstep::reports {
namespace {

constexpr std::string_view lease_that_another_had_stretched = R"(
lock   = "readwrite"
expect = { violates = "mutual-exclusion" }
[[client]]
name = "r"
threads = 3
run  = ["read_lock", "sleep 5s", "read_unlock"]
[[client]]
name = "r2"
run  = ["read_lock lease=40s", "sleep 20s", "read_unlock"]
[[client]]
name  = "w"
start = "1s"
run   = ["try_write_lock wait=90s", "write", "write_unlock"]
[[fault]]
pause = "r"
at = "2s"
for   = "45s"
)";

constexpr std::string_view lock_given_back_to_the_old_master = R"(
lock   = "fenced"
expect = { violates = "truthful-answers" }
[redis]
topology = "sentinel"
replicas = 1
sentinel = { down_after = "1s", failover_timeout = "10s" }
[resource]
fencing = true
[[client]]
name = "a"
run  = ["lock", "write", "sleep 10s", "write", "unlock"]
[[client]]
name  = "b"
start = "3s"
run   = ["lock lease=20s", "write", "sleep 3s", "write", "unlock"]
[[fault]]
partition = [["a", "n1"], ["b", "n1-replica-1", "s1", "s2", "s3"]]
at  = "500ms"
for = "15s"
)";

constexpr std::string_view read_lock_given_back_to_the_old_master = R"(
lock   = "readwrite"
expect = { violates = "mutual-exclusion" }
[redis]
replicas = 1
[[client]]
name = "r"
count = 2
threads = 2
start = "100ms"
run  = ["read_lock", "sleep 10s", "read_unlock"]
[[client]]
name  = "w"
start = "2s"
run   = ["try_write_lock wait=15s lease=30s", "write", "sleep 5s", "write_unlock"]
[[fault]]
stall = "n1-replica-1"
at    = "50ms"
for   = "10s"
[[fault]]
promote = "n1-replica-1"
at      = "1s"
)";

constexpr std::string_view blocked_after_the_wake_up_had_gone = R"(
lock   = "setnx/blocking-list-unbounded"
expect = { violates = "no-deadlock" }
[options]
lease        = "1s"
longest_wait = "100s"
[redis]
latency = "1ms"
[[client]]
name = "a"
run  = ["lock lease=30s", "sleep 200ms", "unlock"]
[[client]]
name  = "b"
start = "10ms"
run   = ["lock lease=30s", "unlock"]
[[fault]]
pause = "b"
at    = "13500us"
for   = "28s"
)";

constexpr std::string_view one_permit_too_many = R"(
lock   = "../../tests/search/locks/ending-permits/one-too-many"
expect = { violates = "permits" }
[redis]
latency = "1ms"
[[client]]
name = "a"
run  = ["acquire", "sleep 5s", "release"]
[[client]]
name  = "b"
start = "1s"
run   = ["acquire permits=2", "sleep 5s", "release permits=2"]
[[client]]
name  = "c"
start = "2s"
run   = ["acquire", "sleep 1s", "release"]
)";

constexpr std::string_view permits_that_end_as_they_are_taken = R"(
lock   = "../../tests/search/locks/ending-permits/ended-for-two"
expect = { violates = "permits" }
[redis]
latency = "1ms"
[[client]]
name = "a"
run  = ["acquire permits=2", "sleep 5s", "release permits=2"]
wall_offset = "-1m"
[[client]]
name  = "b"
count = 2
start = "1s"
run   = ["acquire", "sleep 1s", "release"]
)";

constexpr std::string_view permits_of_a_dead_client = R"(
lock   = "../../tests/search/locks/fair-permits"
expect = { violates = "no-deadlock" }
[redis]
latency = "1ms"
[[client]]
name = "a"
run  = ["acquire permits=3", "sleep 1s", "release permits=3"]
[[client]]
name  = "b"
start = "10ms"
run   = ["acquire", "release"]
[[fault]]
crash = "a"
at    = "500ms"
)";

constexpr std::string_view renewal_over_a_forgotten_connection = R"(
lock   = "fenced"
expect = { violates = "mutual-exclusion" }
[[client]]
name = "a"
run  = ["lock", "write", "sleep 50s", "write", "unlock"]
[[client]]
name  = "b"
start = "1s"
run   = ["try_lock wait=100s lease=10s", "write", "unlock"]
[[fault]]
half_open = ["a", "n1"]
when = "a wrote"
[[fault]]
cut_one_way = ["n1", "a"]
at = "5s"
for = "40s"
)";

constexpr std::string_view interrupted_unlock = R"(
lock   = "setnx"
expect = { violates = "truthful-answers" }

[[client]]
name = "a"
run  = ["lock", "write", "unlock", "sleep 1ms", "is_held_by_me"]

[[fault]]
interrupt = "a/1"
when      = "a acquired"
)";

constexpr std::string_view queue_that_its_replica_has = R"(
lock   = "fair"
expect = { violates = "no-lost-wakeup" }
[redis]
topology = "cluster"
masters  = 3
replicas = 1
cluster  = { node_timeout = "2s" }
[[client]]
name   = "w"
count  = 3
start  = "0ms..500ms"
rounds = 2
run    = ["lock", "sleep 4s", "unlock"]
[[fault]]
crash = "n2"
when  = "w1 acquired"
after = "1s"
)";

constexpr std::string_view majority_whose_lease_is_over = R"(
lock   = "redisson-redlock"
expect = { violates = "no-lost-wakeup" }
[redis]
masters = 3
[[client]]
name = "a"
run  = ["try_lock wait=5s lease=10s", "write", "sleep 1s", "unlock"]
[[client]]
name  = "b"
start = "300ms"
run   = ["try_lock wait=5s lease=10s", "write", "unlock"]
[[fault]]
clog = ["a", "n3"]
by   = "1500ms"
)";

constexpr std::string_view renewal_under_way_at_the_release = R"(
lock   = "../../tests/search/locks/renews-in-flight"
expect = { violates = "lease-linearizability" }
[[client]]
name = "a"
run  = ["lock", "sleep 10s", "unlock", "lock", "sleep 40s", "unlock"]
)";

constexpr std::string_view script_that_is_gone_with_the_crash = R"(
lock   = "plain"
expect = { violates = "no-lost-wakeup" }
[[client]]
name = "a"
run  = ["lock", "sleep 2m", "write", "unlock"]
[[client]]
name  = "b"
start = "29s"
run   = ["lock", "write", "unlock"]
[[fault]]
crash = "n1"
at    = "30s"
[[fault]]
restart = "n1"
when    = "n1 crashed"
after   = "100ms"
)";

constexpr std::string_view refused_by_the_old_master = R"(
lock   = "setnx"
expect = { violates = "truthful-answers" }
[redis]
topology = "sentinel"
replicas = 2
sentinel = { quorum = 2, down_after = "2s" }
[[client]]
name = "a"
run  = ["lock lease=60s", "sleep 5s", "unlock"]
[[client]]
name = "b"
run  = ["sleep 8s", "try_lock"]
[[fault]]
partition = [["a", "n1-replica-1", "n1-replica-2", "s1", "s2", "s3"], ["n1", "b"]]
at  = "500ms"
for = "24s"
)";

constexpr std::string_view message_late_for_a_short_lease = R"(
lock   = "redisson-redlock"
expect = { violates = "valid-grant" }
[redis]
masters = 1
[[client]]
name = "a"
run  = ["try_lock wait=5ms lease=96s", "unlock"]
[[fault]]
delay = "pexpire"
by    = "50ms"
)";

constexpr std::string_view release_that_cuts_the_next_lease = R"(
lock    = "fenced"
expect  = { violates = "mutual-exclusion" }
options = { retry_attempts = 0 }
[[client]]
name  = "c1"
start = "20ms"
run   = ["lock", "unlock"]
[[client]]
name  = "c2"
start = "10ms"
run   = ["lock lease=31s", "remaining_lease", "unlock", "lock lease=52s", "remaining_lease", "unlock"]
[[fault]]
postpone = "c2"
reply    = "pttl"
by       = "200s"
nth      = 2
[[fault]]
reorder = "release"
behind  = "pttl"
from    = "c2"
to      = "n1"
at_most = "50s"
)";

constexpr std::string_view attempt_that_came_to_nothing = R"(
lock = "redisson-redlock"
expect = { violates = "mutual-exclusion" }
[redis]
masters = 3
[[client]]
name = "a"
run  = ["lock", "sleep 1s", "try_lock wait=60s", "unlock", "sleep 3m", "write", "unlock"]
[[client]]
name  = "b"
start = "70s"
run   = ["lock", "write", "unlock"]
[[fault]]
drop = "acquire"
from = "a"
to   = "n2"
nth  = 2
times = 10
[[fault]]
drop = "acquire"
from = "a"
to   = "n3"
nth  = 2
times = 10
)";

constexpr std::string_view attempt_that_goes_on = R"(
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
)";

// The attempt that was given up is undone as the thread takes the lock anew.
constexpr std::string_view attempt_that_goes_on_inside_the_next = R"(
lock = "redisson-redlock"
expect = { violates = "lease-linearizability" }
[redis]
masters = 3
latency = "200us"
[[client]]
name = "a"
run  = ["try_lock wait=50ms lease=100s", "unlock", "lock", "sleep 500ms", "unlock"]
[[fault]]
interrupt = "a"
at        = "2100us"
)";

// c1's renewal is executed at the instant at which its other thread is given the lock.
constexpr std::string_view renewal_between_two_holds = R"(
lock = "plain"
expect = { violates = "mutual-exclusion" }
[redis]
latency = "300us"
[[client]]
name    = "c1"
threads = 2
run     = ["lock", "sleep 50s", "unlock"]
[[client]]
name  = "c2"
start = "10ms"
run   = ["lock", "unlock"]
[[fault]]
pause = "c1"
when  = "n1 executed subscribe"
for   = "50s"
[[fault]]
pause = "c2"
when  = "n1 executed subscribe"
for   = "50s"
)";

// The server is killed over a script that runs away, and comes back without the lock's scripts.
constexpr std::string_view renewal_sent_whole_again = R"(
lock = "plain"
expect = { violates = "mutual-exclusion" }
[[client]]
name = "a"
  [[client.thread]]
  run = ["lock", "sleep 30s", "lock", "unlock", "unlock"]
  [[client.thread]]
  run = ["lock", "sleep 40s", "unlock"]
[[client]]
name  = "b"
start = "10ms"
run   = ["lock", "unlock"]
[[fault]]
busy  = "n1"
when  = "n1 executed acquire"
after = "900ms"
for   = "33s"
)";

const CauseStory answered_stories[] = {
    {"WhichRenewalEndedTheOthersWhereAServerLackedItsScript",
     renewal_sent_whole_again,
     {"it was never renewed, and meanwhile a/1's renew_batch, executed on n1 at 41,048.6 ms, "
      "changed "
      "nothing (the reply: [0]), as a/1 had lost the lock at 30,001 ms."}},
    {"WhyAWaiterBlockedThatNothingWoke",
     blocked_after_the_wake_up_had_gone,
     {"Nobody had lock \"lock\" from 205 ms on, but b/1's blpop, executed on n1 only at 28,0",
      "found nothing to wake it, and was blocked until 128,0"},
     {"refused"}},
    {"WhoTookThePermitThatWasOneTooMany",
     one_permit_too_many,
     {"c/1's take, executed on n1 at 2,003 ms, took 1 permit of \"lock\", though 3 of the 3 that "
      "there are were out."},
     {"none had been", "a/1 took"}},
    {"WhosePermitsEndedAsTheyWereTaken",
     permits_that_end_as_they_are_taken,
     {"a/1 took 2 permits of \"lock\" for its own at 4 ms, but none of those that were out was "
      "added "
      "for it. a's wall clock was 60,000 ms behind then."}},
    {"WhoDiedWithPermitsThatAreInUse",
     permits_of_a_dead_client,
     {"3 of the 3 permits of \"lock\" died with a at 500 ms; nobody gives them back. b/1 waited "
      "for 1 permit, with none left."},
     {"none had been"}},
    {"WhoseRenewalCameToNothingAsTheLeaseWasSet",
     renewal_between_two_holds,
     {"it was never renewed, and meanwhile c1/1's renew_batch, executed on n1 at 50,002.4 ms, "
      "changed nothing (the reply: [0]), while c1/1 was giving the lock back"}},
    {"WhatTheUndoingOfAnAttemptTookThatWentOn",
     attempt_that_goes_on,
     {"gave up its last hold while it still believed that it had the lock, and undid by that what "
      "its lock, begun at 0 ms and given up at 3,000 ms, had asked for"}},
    {"WhoseLeaseTheUndoingOfAnAttemptCutAsItWasTaken",
     attempt_that_goes_on_inside_the_next,
     {"a/1's own release, executed on n1 at 3.4 ms, cut what was left of a/1's lease from 30,000.6 "
      "ms to 100.6 ms, "
      "and undid by that what its try_lock, begun at 0 ms and given up at 2.1 ms, had asked for."}},
    {"WhatTheUndoingOfAnAttemptTook",
     attempt_that_came_to_nothing,
     {"gave up its last hold while it still believed that it had the lock, and undid by that what "
      "its try_lock, begun at 1,003.7 ms, had asked for"}},
    {"WhoseLateReleaseCutALease",
     release_that_cuts_the_next_lease,
     {"c2/1's own release, executed on n1 at ", " though c2/1 had stopped waiting for it at ",
      ", cut what was left of c2/1's lease from "}},
    {"WhoWasRefusedByAnOldMaster",
     refused_by_the_old_master,
     {"n1 was no longer the master from ",
      "it still executed b/1's set at 8,001 ms and answered it (the reply: (nil)) by what it had "
      "itself."}},
    {"WhatIsLateForAShortLease",
     message_late_for_a_short_lease,
     {"its pexpire was under way from "}},
    {"WhyTheReplicaLackedALatch",
     "../latch/failover-before-replication.toml",
     {"n1-replica-1 became master at 2,000 ms without the last changes of \"lock\", which had "
      "stood at 1 (n1 was cut off from it from 0 ms on)."}},
    {"WhyTheReplicaLackedAPermit",
     "../semaphore/failover-before-replication.toml",
     {"which had stood at 0 (n1 was cut off from it from 500 ms on)."}},
    {"WhyAServedHeadStaysInItsQueue",
     "lost-deadlines.toml",
     {"b/1 was the first in its queue since 187.9 ms, stood there twice from 3,150.3 ms on, "
      "and "
      "stayed as it got the lock at 8,409.1 ms"}},
    {"WhyALeaseOfAnotherThanTheVictimWasOver",
     "short-first-lease.toml",
     {"a/1's pexpire, executed on n", " cut what was left of b/1's lease from "}},
    {"WhyAReleaseRanTwiceUnderTwoNames",
     "retried-release-new-request.toml",
     {"before that the reply to its release, sent at 2 ms, was lost (dropped), and it asked "
      "again."}},
    {"WhyALeaseWasOverAsItBegan",
     "no-first-lease.toml",
     {"(what it wrote: acquire with the argument -2 on n1 at 0.8 ms, n2 at 2.1 ms, n3 at 3.3 "
      "ms)."}},
    {"FromWhenOnEachServerWasCutOff",
     "extension-by-any-node.toml",
     {"a was cut off from n4 and n5 from 0 ms on, and a was cut off from n1 and n2 from 50 ms "
      "on"}},
    {"WhatAReleaseOfNothingWasAnswered",
     "../fair/release-says-yes.toml",
     {"It went by a/1's release, executed on n1 at 15,003.1 ms (the reply: 1), which had nothing "
      "to give back."}},
    {"WhichLeaseWasAReadersOwn",
     lease_that_another_had_stretched,
     {"The lease of r/2 ended at 30,001 ms on n1, while r was paused from 2,000 ms to 47,000 ms"},
     {"cut what was left"}},
    {"WhichAnswerOfAnOldMasterIsUntrue",
     lock_given_back_to_the_old_master,
     {"it still executed a/1's release at 10,004.3 ms and answered it (the reply: 1): on "
      "n1-replica-1 that changed nothing."},
     {"renew"}},
    {"WhichAnswersOfAnOldMasterAreUntrue",
     read_lock_given_back_to_the_old_master,
     {"it still executed r1/1's read_release at 10,101.3 ms and answered it",
      "it still executed r2/1's read_release at 10,101.3 ms and answered it"},
     {"read_renew"}},
    {"WhichFaultLostAMessage",
     renewal_over_a_forgotten_connection,
     {"its renew_batch, sent at 10,001.2 ms, was lost (n1 had forgotten the connection at 2.8 ms)",
      "n1's replies did not reach a from 5,000 ms to 45,000 ms"},
     {"cut off", "connection-closed"}},
    {"WhatAnInterruptedUnlockForgot",
     interrupted_unlock,
     {"No server was asked for \"lock\" in that call: a/1's unlock, begun at 3 ms, had been "
      "interrupted, and its client no longer knew the lock for its own."}},
    {"WhoStandsInTheQueueOfTheNewMasterHasLostNoPlace",
     queue_that_its_replica_has,
     {"no message told w3 of it: its subscription, made on n2 at "},
     {"place in the queue"}},
    {"WhatAMajorityWhoseLeaseIsOverDoesNotExplain",
     majority_whose_lease_is_over,
     {"a/1's try_lock wait=5s lease=10s, begun at 0 ms, had asked for acquire"},
     {"Nobody had more than half"}},
    {"ForWhichHoldARenewalWas",
     renewal_under_way_at_the_release,
     {"though it had lock \"lock\" then. It was for the hold that a/1 had from 0."}},
    {"WhatAScriptThatIsGoneDidNotTell",
     script_that_is_gone_with_the_crash,
     {"The last that b/1 was told was the reply 21000 to its acquire, at "},
     {"NOSCRIPT"}},
};

class CauseReasons : public testing::TestWithParam<CauseStory> {};

TEST_P(CauseReasons, AreGiven) { expect_told(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Cause, CauseReasons, testing::ValuesIn(answered_stories),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace lockstep::reports
