// The cause in words of real runs: one row a story, and what must be said of it.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/reports/cause_story.h"

namespace lockstep::reports {
namespace {

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

constexpr std::string_view part_of_several_stays = R"(
lock   = "multi"
expect = { violates = "no-deadlock" }
[redis]
masters = 2
[liveness]
progress = "20s"
[[client]]
name = "a"
run  = ["lock_all names=x,y lease=60s", "sleep 1s", "unlock_all names=x,y"]
[[client]]
name  = "b"
start = "100ms"
run   = ["lock_all names=z,y lease=10s", "unlock_all names=z,y"]
[[fault]]
drop  = "release"
from  = "a"
times = "always"
)";

constexpr std::string_view only_permit_dies = R"(
lock   = "semaphore"
expect = { violates = "no-deadlock" }
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

/// a sleeps past its lease, which its contract excuses; its late release then takes b's lock away.
constexpr std::string_view late_release_of_anothers = R"(
lock   = "setnx/delete-without-token"
expect = { violates = "mutual-exclusion" }
[redis]
latency = "1ms"
[[client]]
name = "a"
run  = ["lock lease=2s", "sleep 5s", "unlock"]
[[client]]
name  = "b"
start = "10ms"
run   = ["lock lease=60s", "sleep 10s", "unlock"]
[[client]]
name  = "c"
start = "20ms"
run   = ["lock lease=60s", "sleep 10s", "unlock"]
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

/// The failed renewal is of another thread's lock; x was never renewed.
constexpr std::string_view renewal_of_another_lock = R"(
lock   = "plain/oldest"
expect = { violates = "mutual-exclusion" }
[options]
retry_attempts = 0
[[client]]
name = "a"
  [[client.thread]]
  run = ["lock name=x lease=20s", "sleep 14s", "lock name=x lease=20s", "sleep 40s", "unlock name=x"]
  [[client.thread]]
  run = ["lock name=y", "sleep 50s", "unlock name=y"]
[[client]]
name  = "b"
start = "15s"
run   = ["lock name=x", "sleep 5s", "unlock name=x"]
[[fault]]
drop = "renew"
from = "a"
)";

/// A release of a quorum goes to all its nodes at once; one of them misses it.
constexpr std::string_view release_missed_by_a_node = R"(
lock   = "redisson-redlock"
expect = { violates = "mutual-exclusion" }
[redis]
masters = 3
latency = "1ms"
[[client]]
name = "a"
run  = ["lock", "sleep 1s", "unlock", "lock lease=10s", "sleep 5s", "write", "unlock"]
[[client]]
name  = "c"
start = "8s"
run   = ["lock lease=10s", "write", "sleep 20s", "unlock"]
[[fault]]
drop = "release"
from = "a"
to   = "n1"
[[fault]]
pause = "a"
at    = "9s"
for   = "15s"
)";

/// What b sends to the paused node is sent again, long after a lost its majority.
constexpr std::string_view another_retries = R"(
lock   = "redisson-redlock"
expect = { violates = "lease-linearizability" }
[redis]
masters = 3
latency = "1ms"
[[client]]
name = "a"
run  = ["lock", "sleep 1s", "unlock"]
[[client]]
name  = "b"
start = "10ms"
run   = ["lock", "sleep 1s", "unlock"]
[[fault]]
pause = "n2"
at    = "900ms"
for   = "8s"
[[fault]]
crash = "n1"
at    = "600ms"
[[fault]]
crash = "n3"
at    = "600ms"
[[fault]]
restart = "n1"
at      = "650ms"
[[fault]]
restart = "n3"
at      = "650ms"
)";

/// The first request was answered; the second finds no connection, and is sent at its second try.
constexpr std::string_view two_requests_one_retry = R"(
lock   = "setnx"
expect = { violates = "mutual-exclusion" }
[redis]
latency = "1ms"
[[client]]
name = "a"
run  = ["lock lease=10s", "unlock", "sleep 1s", "lock lease=10s", "sleep 9s", "write", "unlock"]
[[client]]
name  = "b"
start = "6s"
run   = ["lock lease=20s", "write", "unlock"]
[[fault]]
crash = "n1"
at    = "500ms"
[[fault]]
restart = "n1"
at      = "2s"
[[fault]]
pause = "a"
at    = "5s"
for   = "15s"
)";

/// The server comes back with its data and without its scripts: the retry is sent twice.
constexpr std::string_view retry_after_a_restart = R"(
lock   = "plain"
expect = { violates = "hold-count" }
[redis]
latency = "1ms"
config  = { appendonly = "yes", appendfsync = "always" }
[[client]]
name = "a"
run  = ["lock lease=1m", "unlock", "lock lease=1m", "write", "unlock"]
[[fault]]
drop = "reply to acquire"
to   = "a"
nth  = 2
[[fault]]
crash = "n1"
at    = "1s"
[[fault]]
restart = "n1"
at      = "2s"
)";

constexpr std::string_view evicted_before_its_reply = R"(
lock   = "plain"
expect = { violates = "valid-grant" }
[redis]
latency = "1ms"
[[client]]
name = "b"
run  = ["lock lease=10s", "write", "unlock"]
[[fault]]
evict = "lock"
on    = "n1"
at    = "3500us"
)";

// a's thread gives its release up after 20 s; it is executed when a has the lock once more.
constexpr std::string_view release_given_up = R"(
lock   = "plain"
expect = { violates = "mutual-exclusion" }
[redis]
latency = "300us"
[[client]]
name = "a"
run  = ["lock lease=10s", "extend lease=18s", "unlock", "lock lease=60s", "sleep 30s", "unlock"]
[[client]]
name  = "b"
start = "35s"
run   = ["lock lease=60s", "write", "sleep 40s", "unlock"]
[[fault]]
clog = ["a", "n1"]
by   = "40s"
when = "n1 executed renew"
for  = "29s"
)";

// The writer was told of c's lease; b, whose lease is shorter, dies.
constexpr std::string_view dead_reader = R"(
lock   = "readwrite"
expect = { violates = "no-deadlock" }
[redis]
latency = "300us"
[[client]]
name = "c"
run  = ["read_lock lease=300s", "sleep 1s", "read_unlock"]
[[client]]
name  = "b"
start = "10ms"
run   = ["read_lock lease=100s", "sleep 10s", "read_unlock"]
[[client]]
name  = "a"
start = "20ms"
run   = ["write_lock lease=10s", "write_unlock"]
[[fault]]
crash = "b"
at    = "5s"
)";

constexpr std::string_view evicted_queue = R"(
lock   = "fair"
expect = { violates = "fifo" }
[[client]]
name   = "a"
rounds = 3
run    = ["lock lease=10s", "unlock"]
[[client]]
name   = "b"
rounds = 3
run    = ["lock lease=10s", "write", "unlock"]
[[fault]]
evict = "lock"
on    = "n1"
key   = "redisson_lock_queue:{{name}}"
when  = "b releasing"
)";

/// a had renewed on the old master what the new one had never seen.
constexpr std::string_view promoted_after_renewals = R"(
lock   = "plain"
expect = { violates = "mutual-exclusion" }
[redis]
replicas = 1
[[client]]
name = "a"
run  = ["lock", "sleep 40s", "unlock"]
[[client]]
name  = "b"
start = "16s"
run   = ["lock lease=20s", "sleep 5s", "unlock"]
[[fault]]
stall = "n1-replica-1"
at    = "0s"
for   = "30s"
[[fault]]
promote = "n1-replica-1"
at      = "15s"
)";

const CauseStory stories[] = {
    {"AReleaseThatANodeOfAQuorumMissed",
     release_missed_by_a_node,
     {"The lease of a/1 ended at 15,961 ms"},
     {"sent it again", "executed 3 times"}},
    {"ARetryOfSomebodyElse", another_retries, {"so that a/1 had no majority any more."}},
    {"ARetryOfANewRequest",
     two_requests_one_retry,
     {"The lease of a/1 ended at "},
     {"again", "twice"}},
    {"ARetryAfterARestart",
     retry_after_a_restart,
     {"The reply to a/1's acquire was lost (dropped), so a/1 sent it again, and n1 executed it "
      "twice: at "}},
    {"AnEvictionBeforeTheReply",
     evicted_before_its_reply,
     {"n1 evicted b/1's lock at 3.5 ms, as at its memory limit (the fault: evict 'lock' on n1 at "
      "3.5ms). b/1 took the lock for its own at 4 ms, but had lost it at 3.5 ms"}},
    {"AnEvictedQueue",
     evicted_queue,
     {"a/1 lost its place in the queue on n1 at ",
      " (the fault: evict 'redisson_lock_queue:{{name}}' of 'lock' on n1 when b releasing)."},
     {"had asked for"}},
    {"LaggingReplica",
     "../faults/lag.toml",
     {"the write had not reached it, as it lagged by 2s from 0 ms to 5,000 ms"}},
    {"StalledReplica",
     "../faults/stall.toml",
     {"the write had not reached it, as its replication stalled from 0 ms to 5,000 ms"}},
    {"OneNodeExtended",
     "extension-by-any-node.toml",
     {"though its extend renewed n3 alone at 8,050"}},
    {"GivenBackInVain",
     "unlock-in-order.toml",
     {"though a/1 tried to give it back at 5,003.7 ms (its unlock_all"}},
    {"OneOfSeveralLocks",
     part_of_several_stays,
     {"Lock \"y\" was a/1's from "},
     {"Nobody had lock", "y,z", "z,y"}},
    {"SlowNodeWaitedFor",
     "../redlock/one-slow-node.toml",
     {"and its connection with n3, begun at ", " ms, was not open yet."}},
    {"APermitOfANumberThatIsGone",
     "../../tests/causes/stories/drawn-semaphore-evicted-under-a-retry.toml",
     {"1 permit of \"lock\" was c3/1's since 50.8 ms"},
     {"The only permit"}},
    {"AWaiterOfALatchThatTookItForNothing",
     "../../tests/causes/stories/drawn-latch-counted-on-the-old-master.toml",
     {"n1 was no longer the master from 87.1 ms on (n1-replica-1 was), but it still executed "
      "c1/1's "
      "count_down at 87.8 ms"},
     {"took latch"}},
    {"AMasterThatHadNeverSeenTheLock",
     promoted_after_renewals,
     {"n1-replica-1 became master in place of n1 at 15,000 ms without knowing of a/1's lock: the "
      "write had not reached it, as its replication stalled"},
     {"renew", "The lease of a/1"}},
    {"AReentryWithAShorterLease",
     "../../tests/causes/stories/own-shorter-reentry.toml",
     {"a/1's acquire, executed on n1 at 1.5 ms, cut what was left of a/1's lease from 59,999.5 ms "
      "to 2,000.5 ms. The lease of a/1 ended at 2,002 ms."},
     {"nothing had renewed it"}},
    {"ALeaseThatTheRenewalOfAnotherReaderCuts",
     "../readwrite/others-lease-cut.toml",
     {"b/1's read_renew, executed on n1 at 10,001.4 ms, cut what was left of a/1's lease from "
      "109,999.6 ms to 30,000.6 ms."},
     {"nothing had renewed it"}},
    {"ALeaseThatAReaderCuts",
     "../readwrite/nested-read-cuts-lease.toml",
     {"a/1's read_release, executed on n1 at 2.7 ms, cut what was left of a/1's lease from "
      "59,998.3 "
      "ms to 999.3 ms."},
     {"nothing had renewed it"}},
    {"ALeaseThatAnInnerReleaseOfSeveralNodesCuts",
     "../redisson-redlock/nested-with-wait.toml",
     {"a/1's release, executed on n1 at 7.2 ms, cut what was left of a/1's lease from 29,999.8 ms "
      "to 2,000.8 ms."},
     {"nothing had renewed it"}},
    {"NoMessageToAReaderThatMightHaveReadAllAlong",
     "../readwrite/downgrade-wakes-nobody.toml",
     {"Nobody had lock \"lock\" to write from 1,003.7 ms on, after a/1's write_release, and no "
      "message told b of it."},
     {"in vain"}},
    {"AReaderThatOversleepsItsOwnLease",
     "../../tests/causes/stories/reader-oversleeps-its-own-lease.toml",
     {"The lease of d/1 ended at 8,00", " ms on n1, 5,000 ms after it was set at 3,00",
      "d/1 still believed that it had the lock. What was left of its hold went with a/1's "
      "read_release, executed on n1 at 9,00",
      "d/1 went on believing until 13,00", " ms: 5,000.8 ms too long."},
     {"took the lock from"}},
    {"AReaderWhoseLeaseEndsBeforeThatOfAnother",
     "../../tests/causes/stories/reader-outlasts-the-key.toml",
     {"The lease of d/1 ended at 3,00", " ms on n1, 2,000 ms after it was set at 1,00"},
     {"took the lock from", "What was left"}},
    {"AWriterThatReadersOvertake",
     "../readwrite/starved-writer.toml",
     {"a/1, b/1 had lock \"lock\" for ", " that c/1 waited: it was granted to others 58 times"},
     {"in vain"}},
    {"AGrantOfAnOldMaster",
     "../sentinel/old-master-comes-back.toml",
     {"n1 was no longer the master from 4,442.4 ms on (n1-replica-1 was), but it still executed "
      "a/1's acquire"}},
    {"ALatchThatFailoverLoses",
     "../latch/failover-before-replication.toml",
     {"n1-replica-1 became master at 2,000 ms without the last changes of \"lock\", which had "
      "stood at 1 "},
     {"n1 came back"}},
    {"PermitsThatFailoverLoses",
     "../semaphore/failover-before-replication.toml",
     {"n1-replica-1 became master at 2,001.8 ms without the last changes of \"lock\", which had "
      "stood at 0 "}},
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
    {"ARequestSentToANodeThatStandsStill",
     redis_stands_still,
     {"n1 was paused from 3,000 ms to 38,000 ms, so b/1 sent its acquire again, and n1 executed "
      "it ",
      "taken at 3 ms, it was never renewed, as n1 was paused from 3,000 ms to 38,000 ms"}},
    {"AnOldMaster",
     "old-master-in-the-minority.toml",
     {"n1 was no longer the master from 4,412 ms on (n1-replica-1 was), but it still executed "
      "a/1's release at "}},
    {"AnUnlockThatFailed",
     "old-lost-deadlines.toml",
     {"(its unlock came to nothing: ERR user_script:9: attempt to compare number with nil",
      "Nobody had lock \"lock\" from 60,003 ms on, when the lease of a/1 ended, and no message "
      "told b "
      "of it."}},
    {"AWaiterTakenOutOfItsQueue",
     "negative-ttl.toml",
     {"a/1's release, executed on n1 at 50,003.1 ms, took b/1 out of the queue, where it had stood "
      "since 101 ms, though it waited and had asked for the lock at 30,001.8 ms."}},
    {"AWaiterWhoseDeadlineAnotherHadCutAsItLeft",
     "gives-back-too-much.toml",
     {"took c/1 out of the queue, ", "though it waited and had asked for the lock at 30,001.2 ms",
      "b/1, ahead of it, had left at 2,101.2 ms (its acquire_failed)."}},
    {"AWaiterWhoseDeadlineAGrantHadCut",
     "../fair/impatient-waiter.toml",
     {"c/1, ahead of it, had been granted the lock at 10,007.2 ms (its acquire)."}},
    {"AMessageThatAnotherGaveUpWith",
     "waiter-eats-message.toml",
     {"woke a/1 alone, whose try_lock wait=10s lease=1m came to nothing at 15,000 ms, as a was "
      "paused from 5,000 ms to 15,000 ms."},
     {"in vain"}},
    {"ARenewalOfALockLost",
     "renewal-of-anothers-lock.toml",
     {"renewed 56 times by a/1, which had lost it at 30,001 ms, the last time at "}},
    {"ARenewalOfAnotherLockThatFails",
     renewal_of_another_lock,
     {"The lease of a/1 ended at "},
     {"its last renewal"}},
    {"ARenewalThatLeavesItsEntryBehind",
     "../plain/dead-renewal-entry.toml",
     {"its last renewal, begun at 10,001.2 ms, had come to nothing (its renew was lost: dropped), "
      "and no other was begun."}},
    {"ADeadHeadThatHasGoneAtLast",
     "scores-inflate.toml",
     {"but b/1 was the first in its queue since 15,532 ms, and b had crashed at 15,083.1 ms; it "
      "stood there until 245,065 ms."}},
    {"ADeadHeadThatGoesWithItsDeadline",
     "scores-stay-low.toml",
     {"and b had crashed at 15,083.1 ms; it stood there until 35,0"},
     {"slept"}},
    {"AValidityCountedFromALateReply",
     "late-extension-reply.toml",
     {"a/1 went on believing until 18,899 ms: 3,897 ms too long, as it counted its validity from "
      "the reply."}},
    {"ASubscriptionThatDied",
     "failover-loses-subscription.toml",
     {"no message told c of it: its subscription, made on n1 at 1,002.2 ms, ended as n1 crashed "
      "at 4,000 ms, and the next was made at 5,001.7 ms."}},
    {"ARenewalForAnother",
     "stale-owner-renewed.toml",
     {"a/1's renew_batch, executed on n1 at 10,001.4 ms, changed nothing (the reply: [0]), as a/1 "
      "had given the lock back at "}},
    {"ALeaseOfNothing",
     "no-first-lease.toml",
     {"and a/1's pexpire, executed on n2 at 3.9 ms, changed nothing (the reply: 0), nor did 2 "
      "more"}},
    {"ADeletedPart", "unlock-together.toml", {"An operator deleted a/1's lock on n1 at 1,003.7 "}},
    {"TheOverlapThatTheContractCounts",
     late_release_of_anothers,
     {"a/1's del, executed on n1 at", "took the lock from b/1", "c/1 was granted the lock"},
     {"The lease of a/1"}},
    {"AWaiterWhoseOwnLostGrantRefusesIt",
     "../setnx/unleased-set-sent-again.toml",
     {"a/1 waited for itself: it had lock \"lock\" since 0.8 ms (its set, executed on n1), without "
      "a lease, but the reply was lost (dropped), so that a/1 did not know of it."},
     {"Nobody had lock"}},
    {"AWaiterWhoseOwnLateVotesRefuseIt",
     "../redlock/failed-votes-kept.toml",
     {"a/1 waited for itself: ", "but the reply came too late for a/1 to know of it."},
     {"The nodes that a/1 got last"}},
    {"AWakeUpThatItsConnectionLoses",
     "../setnx/wake-up-lost-with-connection.toml",
     {"and the reply to b/1's blpop, which told it so, was lost (connection-reset). From 502.4 ms "
      "on b/1 was blocked in its blpop on n1."},
     {"(nil)"}},
    {"AWakeUpOfOneThatDies",
     "../setnx/woken-waiter-dies.toml",
     {"but the one that was woken was b/1, which crashed at 501.4 ms.",
      "c/1 was blocked in its blpop on n1."},
     {"(nil)"}},
    {"ATokenDrawnBeforeTheLock",
     "../fenced/token-before-lock.toml",
     {"b/1 drew token 2 at 10.9 ms (its incr, executed on n1) before it had the lock, which it got "
      "at 5,500.2 ms; c/1 drew the higher token 3 at 200.8 ms and was served first. The resource "
      "refused b/1's write with token 2"}},
    {"ACounterThatFailoverLoses",
     "../fenced/counter-lost-with-failover.toml",
     {"n1 gave a/1 token 4 at 4.2 ms, and n1-replica-1 gave b/1 token 1 at ",
      "The resource accepted a/1's write with token 4 ", "It refused b/1's write with token 1 ",
      "No update was lost by that, so harm holds."}},
    {"AReleaseThatItsThreadHadGivenUp",
     release_given_up,
     {"a/1's own release, executed on n1 at ", " though a/1 had stopped waiting for it at ",
      "gave up its last hold"}},
    {"AWaiterThatNobodyTellsOfTheEndOfADeadReader",
     dead_reader,
     {"Nobody had lock \"lock\" from ",
      ", when the lease of b/1 ended, which had crashed at 5,000 ", "and no message told a of it",
      " to its write_acquire, at ", ", as long as the lease was to last, and it slept no longer."}},
    {"AKeyWithoutATtl",
     "setnx-then-expire.toml",
     {"left the key without a TTL, and a crashed at 0.8 ms."}},
    {"NoRequestThatRanTwiceLater",
     "../open/nested-read-frees-writer.toml",
     {"w1/1's own read_release, executed on n1 at 4,846.5 ms, gave up its last hold"},
     {"executed it twice"}},
    {"VotesThatWereOverBeforeTheLastCame",
     "slow-nodes-unchecked.toml",
     {"By then its leases of 1,000 ms had ended, and others had written there: b/1's set on n1 at "
      "2,633.1 ms, n2 at 3,399.9 ms, n3 at 4,140.9 ms."}},
    {"AWatchdogThatAFaultHoldsUp",
     "../faults/postpone.toml",
     {"a fault struck at 1.2 ms: postpone the task 'watchdog' in a by 40s"}},
    {"AnOlderTokenThatWasAccepted",
     "../fenced/newer-token-read-first.toml",
     {"The resource accepted a/1's write with token 1 at ",
      "it had seen no higher one, as b/1's write with token 2, sent at "}},
    {"ACallWithoutACaller",
     "../faults/abandon.toml",
     {"though a/1's call of lock had come to nothing at 3,000 ms (abandoned by its caller)"}},
};

class CauseStories : public testing::TestWithParam<CauseStory> {};

TEST_P(CauseStories, AreTold) { expect_told(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Cause, CauseStories, testing::ValuesIn(stories),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace lockstep::reports
