#include "reports/cause/cause.h"

#include <gtest/gtest.h>

#include "checker/evidence.h"
#include "checker/kept_run.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "search/runs/scenario_outcome.h"
#include "sim/clock.h"
#include "tests/reports/lost_lock.h"

namespace lockstep::reports {
namespace {

namespace model_kind = model::trace_kind;
namespace sim_kind = sim::trace_kind;
using sim::Field;

TEST(Cause, IsWhatWasDoneLastBeforeItWhereNothingIsKnown) {
  LostLock lost;
  lost.invoke(lost.a1, "lock");
  lost.execute("acquire", "a/1");
  lost.strike("drop the 'reply to acquire' from n1", "n1");
  const checker::Moment shown = lost.builder.moment();
  lost.invoke(lost.a1, "unlock");
  lost.execute("release", "a/1");
  search::ScenarioOutcome outcome;
  outcome.example = lost.builder.example();
  checker::Verdict verdict{};
  verdict.property = checker::Property::fencing;
  verdict.kind = checker::VerdictKind::violated;
  verdict.evidence = {{"", outcome.example.judged->names.intern("a/1"), {}, shown}};
  outcome.example.verdicts = {verdict};
  const std::vector<Cause> causes = causes_of(outcome);
  ASSERT_EQ(causes.size(), 2u);
  EXPECT_EQ(causes[0].kind, CauseKind::unknown);
  EXPECT_EQ(causes[1].kind, CauseKind::unknown);
  EXPECT_TRUE(tells(causes[0].says[0], "a fault struck: drop the 'reply to acquire' from n1"));
  ASSERT_EQ(causes[1].says.size(), 1u);
  EXPECT_TRUE(tells(causes[1].says[0], "a/1's lock, begun at "));
  EXPECT_TRUE(tells(causes[1].says[0], "had asked for acquire, executed on n1 at "));
  EXPECT_FALSE(tells(causes[1].says[0], "release"));
}

TEST(Cause, IsTheExpiryAfterAClockStep) {
  LostLock lost;
  lost.lock_changes(lost.n1, "a/1:1", "acquire", "a/1");
  lost.builder.at_us(1'000'000).tell(lost.n1, model_kind::clock_changed,
                                     Field("by_ns", 20 * sim::second_ns));
  lost.lock_changes(lost.n1, "", "expiry", "");
  lost.builder.at_us(2'000'000);
  EXPECT_EQ(lost.why(),
            "The lease of a/1 ended at 1,000 ms on n1, after n1's clock had stepped by 20,000 ms.\n"
            "b/1 was granted the lock at 2,000 ms.\n"
            "a/1 went on believing until 9,000 ms: 8,000 ms too long.\n");
}

TEST(Cause, IsTheFailoverThatForgot) {
  LostLock lost;
  lost.lock_changes(lost.n1, "a/1:1", "acquire", "a/1");
  lost.builder.at_us(1'000'000).tell(lost.n1, sim_kind::process_crashed);
  lost.lock_changes(lost.n1, "", "failover", "");
  lost.builder.at_us(2'000'000).tell(lost.n2, model_kind::node_promoted,
                                     Field("in_place_of", "n1"));
  EXPECT_TRUE(
      tells(lost.why(),
            "n1 crashed at 1,000 ms, and a/1's lock with it.\n"
            "n1-replica-1 became master in place of n1 at 2,000 ms without knowing of a/1's "
            "lock: the write had not reached it.\n"));
}

TEST(Cause, IsAnothersReleaseThatCameLate) {
  LostLock lost;
  lost.builder.at_us(1'000);
  const auto message = lost.builder.send(lost.a, lost.n1, "del", lost.b1);
  lost.builder.tell(lost.a, sim_kind::message_delayed, Field("message", message),
                    Field("by_ns", 2 * sim::second_ns));
  lost.lock_changes(lost.n1, "a/1:1", "acquire", "a/1");
  lost.builder.at_us(2'001'000).arrives(message, lost.n1);
  lost.execute("del", "b/1");
  lost.lock_changes(lost.n1, "", "release", "b/1");
  EXPECT_TRUE(tells(lost.why(),
                    "b/1's del, executed on n1 at 2,001 ms, took the lock from a/1; it had been "
                    "sent at 1 ms and came 2,000 ms late.\n"));
}

TEST(Cause, IsARequestThatRanTwice) {
  LostLock lost;
  lost.lock_changes(lost.n1, "a/1:2", "acquire", "a/1");
  const auto first = lost.builder.send(lost.a, lost.n1, "release", lost.a1);
  lost.builder.at_us(1'000).arrives(first, lost.n1);
  lost.execute("release", "a/1");
  lost.lock_changes(lost.n1, "a/1:1", "release", "a/1");
  const auto reply = lost.builder.send(lost.n1, lost.a, "reply to release", lost.a1);
  lost.builder.tell(lost.n1, sim_kind::message_lost, Field("message", reply),
                    Field("why", "dropped"));
  lost.builder.at_us(4'000'000).tell(lost.a1, model_kind::call_retried, Field("label", "release"),
                                     Field("attempt", 2));
  const auto second = lost.builder.send(lost.a, lost.n1, "release", lost.a1);
  lost.builder.at_us(4'000'500).arrives(second, lost.n1);
  lost.execute("release", "a/1");
  lost.lock_changes(lost.n1, "", "release", "a/1");
  const std::string why = lost.why();
  EXPECT_TRUE(tells(why,
                    "The reply to a/1's release was lost (dropped), so a/1 sent it again, and n1 "
                    "executed it twice: at 1 ms and at 4,000.5 ms.\n"))
      << why;
  EXPECT_TRUE(tells(why, "a/1's own release, executed on n1 at 4,000.5 ms, gave up its last hold"));
}

TEST(Cause, IsARequestThatRanAgainOnTheNextConnection) {
  LostLock lost;
  lost.lock_changes(lost.n1, "a/1:2", "acquire", "a/1");
  const auto first = lost.builder.send(lost.a, lost.n1, "release", lost.a1);
  lost.builder.at_us(1'000).arrives(first, lost.n1);
  lost.execute("release", "a/1");
  lost.lock_changes(lost.n1, "a/1:1", "release", "a/1");
  const auto reply = lost.builder.send(lost.n1, lost.a, "reply to release", lost.a1);
  lost.builder.tell(lost.n1, sim_kind::message_lost, Field("message", reply),
                    Field("why", "connection-reset"));
  lost.builder.at_us(1'500).tell(lost.a1, model_kind::call_resent, Field("label", "release"),
                                 Field("attempt", 1));
  const auto second = lost.builder.send(lost.a, lost.n1, "release", lost.a1);
  lost.builder.at_us(2'000).arrives(second, lost.n1);
  lost.execute("release", "a/1");
  lost.lock_changes(lost.n1, "", "release", "a/1");
  const std::string why = lost.why();
  EXPECT_TRUE(tells(why,
                    "The reply to a/1's release was lost (connection-reset), so a/1 sent it again, "
                    "and n1 executed it twice: at 1 ms and at 2 ms.\n"))
      << why;
}

TEST(Cause, IsTheOperator) {
  LostLock lost;
  lost.lock_changes(lost.n1, "a/1:1", "acquire", "a/1");
  lost.builder.at_us(5'000);
  lost.lock_changes(lost.n1, "", "other", "");
  EXPECT_TRUE(tells(lost.why(), "An operator deleted a/1's lock on n1 at 5 ms.\n"));
}

TEST(Cause, IsTheEviction) {
  LostLock lost;
  lost.lock_changes(lost.n1, "a/1:1", "acquire", "a/1");
  lost.builder.at_us(5'000);
  lost.lock_changes(lost.n1, "", "eviction", "");
  EXPECT_TRUE(tells(lost.why(), "n1 was at its memory limit and evicted a/1's lock at 5 ms.\n"));
}

TEST(Cause, IsTheFaultThatEvicts) {
  LostLock lost;
  lost.lock_changes(lost.n1, "a/1:1", "acquire", "a/1");
  lost.builder.at_us(5'000);
  lost.strike("evict 'lock' on n1 at 5ms", "n1");
  lost.lock_changes(lost.n1, "", "eviction", "");
  EXPECT_TRUE(
      tells(lost.why(),
            "n1 evicted a/1's lock at 5 ms, as at its memory limit (the fault: evict 'lock' "
            "on n1 at 5ms).\n"));
}

TEST(Cause, IsTheFlushOfAllData) {
  LostLock lost;
  lost.lock_changes(lost.n1, "a/1:1", "acquire", "a/1");
  lost.builder.at_us(5'000);
  lost.strike("flush all data of n1 at 5ms", "n1");
  lost.lock_changes(lost.n1, "", "other", "");
  EXPECT_TRUE(
      tells(lost.why(), "An operator deleted all data, and a/1's lock with it, on n1 at 5 ms.\n"));
}

TEST(Cause, IsTheExpiryThatNoRenewalPrevented) {
  LostLock lost;
  lost.lock_changes(lost.n1, "a/1:1", "acquire", "a/1");
  lost.builder.at_us(1'000'000);
  const auto renewal = lost.builder.send(lost.a, lost.n1, "renew", lost.a1);
  lost.builder.tell(lost.a, sim_kind::message_lost, Field("message", renewal),
                    Field("why", "dropped"));
  lost.builder.at_us(2'000'000);
  lost.lock_changes(lost.n1, "", "expiry", "");
  EXPECT_TRUE(
      tells(lost.why(),
            "The lease of a/1 ended at 2,000 ms on n1; taken at 0 ms, it was never renewed, and "
            "meanwhile its renew, sent at 1,000 ms, was lost (dropped).\n"))
      << lost.why();
}

TEST(Cause, IsTheExpiryDuringACut) {
  LostLock lost;
  lost.lock_changes(lost.n1, "a/1:1", "acquire", "a/1");
  lost.builder.at_us(500'000).tell(sim::no_actor, sim_kind::network_cut, Field("one", "a"),
                                   Field("other", "n1"));
  lost.builder.at_us(2'000'000);
  lost.lock_changes(lost.n1, "", "expiry", "");
  EXPECT_TRUE(tells(lost.why(), "and meanwhile a was cut off from n1 from 500 ms on.\n"))
      << lost.why();
}

/// Of a quorum the trace names the first node, whichever it was.
TEST(Cause, OfAQuorumNamesTheNodeThatDidIt) {
  LostLock lost;
  lost.execute("set", "a/1");
  lost.execute_on(lost.other, "set", "a/1");
  lost.lock_changes(lost.n1, "a/1:1", "acquire", "a/1");
  lost.builder.at_us(1'000'000).tell(lost.other, sim_kind::process_crashed);
  lost.builder.at_us(2'000'000).tell(lost.other, model_kind::dataset_restored,
                                     Field("from", "nothing"), Field("keys", 0));
  lost.lock_changes(lost.n1, "", "failover", "");
  EXPECT_TRUE(
      tells(lost.why(),
            "n2 crashed at 1,000 ms, and a/1's key with it.\n"
            "It came back at 2,000 ms with nothing on its disk, so that a/1 had no majority "
            "any more.\n"))
      << lost.why();
}

TEST(Cause, IsTheStepOfOneClockOfAQuorum) {
  LostLock lost;
  lost.execute("set", "a/1");
  lost.execute_on(lost.other, "set", "a/1");
  lost.lock_changes(lost.n1, "a/1:1", "acquire", "a/1");
  lost.builder.at_us(1'000'000).tell(lost.other, model_kind::clock_changed,
                                     Field("by_ns", 20 * sim::second_ns));
  lost.lock_changes(lost.n1, "", "expiry", "");
  EXPECT_TRUE(
      tells(lost.why(),
            "The lease of a/1 ended at 1,000 ms on n2, after n2's clock had stepped by 20,000 "
            "ms, so that a/1 had no majority any more.\n"))
      << lost.why();
}

TEST(Cause, OfABadGrantIsWhatKeptItsReply) {
  LostLock lost;
  lost.invoke(lost.a1, "lock");
  lost.lock_changes(lost.n1, "a/1:1", "acquire", "a/1");
  lost.builder.at_us(1'000).tell(lost.a, sim_kind::process_paused, Field("for_ns", -1));
  lost.builder.at_us(2'000'000);
  lost.lock_changes(lost.n1, "", "expiry", "");
  lost.lock_changes(lost.n1, "b/1:1", "acquire", "b/1");
  lost.builder.at_us(3'000'000).tell(lost.a, sim_kind::process_resumed);
  EXPECT_EQ(
      lost.why_granted(),
      "The lease of a/1 ended at 2,000 ms on n1, while a was paused from 1 ms to 3,000 ms.\n"
      "a/1 took the lock for its own at 3,000 ms, but had lost it at 2,000 ms, and by then it "
      "was b/1's; it had asked at 0 ms.\n");
}

// The server died with the renewal; what the owner's own process was still to get is no matter.
TEST(Cause, OfAnExpiryIsTheRequestThatWentDownWithItsServer) {
  LostLock lost;
  lost.lock_changes(lost.n1, "a/1:1", "acquire", "a/1");
  lost.builder.at_us(1'000'000);
  const auto renewal = lost.builder.send(lost.a, lost.n1, "renew", lost.a1);
  lost.builder.tell(lost.a, sim_kind::message_lost, Field("message", renewal),
                    Field("why", "process-crashed"));
  const auto reply = lost.builder.send(lost.n1, lost.a, "reply to is_locked", lost.a1);
  lost.builder.tell(lost.a, sim_kind::message_lost, Field("message", reply),
                    Field("why", "process-crashed"));
  lost.builder.at_us(2'000'000);
  lost.lock_changes(lost.n1, "", "expiry", "");
  const std::string why = lost.why();
  EXPECT_TRUE(tells(why, "its renew, sent at 1,000 ms, was lost (process-crashed)")) << why;
  EXPECT_FALSE(tells(why, "is_locked")) << why;
}

TEST(Cause, OfAnExpiryIsTheRequestThatNobodyListenedTo) {
  LostLock lost;
  lost.lock_changes(lost.n1, "a/1:1", "acquire", "a/1");
  lost.builder.at_us(1'000'000).tell(lost.a1, model_kind::call_retried, Field("label", "renew"),
                                     Field("attempt", 2));
  lost.builder.at_us(2'000'000);
  lost.lock_changes(lost.n1, "", "expiry", "");
  const std::string why = lost.why();
  EXPECT_TRUE(tells(why, "meanwhile its renew was asked for again, at last at 1,000 ms")) << why;
}

// The one of several that is not its own is told of.
TEST(Cause, OfSeveralLocksThatWereGrantedIsTheOneThatWasNotItsOwn) {
  LostLock lost;
  lost.builder.tell(lost.n1, model_kind::lock_changed, Field("lock", "other"),
                    Field("holders", "a/1:1"), Field("lease_ends_ns", 0), Field("cause", "acquire"),
                    Field("by", "a/1"));
  lost.lock_changes(lost.n1, "a/1:1", "acquire", "a/1");
  lost.builder.at_us(2'000'000);
  lost.lock_changes(lost.n1, "", "expiry", "");
  lost.builder.at_us(3'000'000);
  lost.builder.tell(lost.a1, model_kind::belief_began, Field("lock", "other"));
  lost.builder.tell(lost.a1, model_kind::belief_began, Field("lock", "lock"));
  search::RunRecord example = lost.builder.example();
  checker::Verdict verdict{};
  verdict.property = checker::Property::valid_grant;
  verdict.kind = checker::VerdictKind::violated;
  verdict.evidence = {
      {"", example.judged->names.intern("a/1"), lost.builder.moment(), std::nullopt}};
  example.verdicts = {verdict};
  ASSERT_FALSE(explain(example).empty());
  EXPECT_TRUE(tells(explain(example).front(), "The lease of a/1 ended at 2,000 ms"));
}

TEST(Cause, OfAnExpiryIsWhoElseHadSetTheLease) {
  LostLock lost;
  lost.lock_changes(lost.n1, "a/1:1", "acquire", "a/1");
  lost.builder.at_us(1'000'000);
  lost.execute("pexpire", "b/1");
  lost.lock_changes(lost.n1, "a/1:1", "renewal", "b/1");
  lost.builder.at_us(2'000'000);
  lost.lock_changes(lost.n1, "", "expiry", "");
  const std::string why = lost.why();
  EXPECT_TRUE(
      tells(why, "ended at 2,000 ms on n1; b/1's pexpire, executed at 1,000 ms, had set it"))
      << why;
}

TEST(Cause, OfARenewalThatHadNoLockIsWhoseLeaseItSet) {
  LostLock lost;
  lost.lock_changes(lost.n1, "b/1:1", "acquire", "b/1");
  lost.builder.at_us(1'000'000);
  lost.execute("pexpire", "a/1");
  lost.lock_changes(lost.n1, "b/1:1", "renewal", "a/1");
  EXPECT_EQ(lost.why(checker::Property::lease_linearizability, "a/1"),
            "a/1's pexpire, executed on n1 at 1,000 ms, renewed the lease of b/1 and said so (the "
            "reply: 1).\n");
}

TEST(Cause, OfARenewalIsNotWhoHadAnotherLock) {
  LostLock lost;
  lost.lease_changes("stock", "a/1:1", 0, "acquire", "a/1");
  lost.lease_changes("lock", "b/1:1", 0, "acquire", "b/1");
  lost.builder.at_us(1'000'000);
  lost.execute("pexpire", "a/1");
  lost.lease_changes("stock", "a/1:1", 0, "renewal", "a/1");
  EXPECT_FALSE(
      tells(lost.why(checker::Property::lease_linearizability, "a/1"), "renewed the lease"));
}

/// a takes a lock for 9 s, which by sets to end after 5 s, where it ends.
std::string why_after_a_shorter_lease(std::string_view by) {
  LostLock lost;
  lost.invoke(lost.a1, "lock");
  lost.lease_changes("lock", "a/1:1", 9 * sim::second_ns, "acquire", "a/1");
  lost.builder.at_us(1'000'000);
  lost.execute("pexpire", by);
  lost.lease_changes("lock", "a/1:1", 5 * sim::second_ns, "renewal", by);
  lost.builder.at_us(5'000'000);
  lost.lease_changes("lock", "", 0, "expiry", "");
  lost.builder.at_us(6'000'000);
  return lost.why();
}

TEST(Cause, IsWhoCutALeaseShort) {
  const std::string why = why_after_a_shorter_lease("b/1");
  EXPECT_TRUE(tells(why,
                    "b/1's pexpire, executed on n1 at 1,000 ms, cut what was left of a/1's lease "
                    "from 8,000 ms to 4,000 ms."))
      << why;
}

TEST(Cause, IsNotTheLeaseThatATakerSetsLast) {
  const std::string why = why_after_a_shorter_lease("a/1");
  EXPECT_FALSE(tells(why, "cut what was left")) << why;
  EXPECT_TRUE(tells(why, "The lease of a/1 ended at 5,000 ms")) << why;
}

TEST(Cause, OfAWaitIsWhoHadTheLockAndDidNotKnow) {
  LostLock lost;
  lost.builder.tell(lost.a1, model_kind::belief_began, Field("lock", "lock"));
  lost.builder.at_us(1'000).tell(lost.a1, model_kind::belief_ended, Field("lock", "lock"),
                                 Field("why", "released"));
  lost.builder.at_us(2'000);
  lost.execute("acquire", "a/1");
  lost.lock_changes(lost.n1, "a/1:1", "acquire", "a/1");
  lost.builder.at_us(3'000);
  lost.execute("extend", "a/1");
  lost.lock_changes(lost.n1, "a/1:1", "renewal", "a/1");
  lost.invoke(lost.b1, "lock");
  lost.builder.at_us(9'000'000);
  lost.strike("interrupt a/1 at 1ms", "a/1");
  EXPECT_EQ(lost.why(checker::Property::no_deadlock, "b/1"),
            "Lock \"lock\" was a/1's from 2 ms on (its acquire, executed on n1), renewed 1 time, "
            "the last time at 3 ms (its extend), though a/1 had given it back at 1 ms.\n"
            "At 9,000 ms a fault struck: interrupt a/1 at 1ms.\n");
}

TEST(Cause, OfAWaitForAFreeLockIsTheHeadOfItsQueue) {
  LostLock lost;
  lost.builder.tell(lost.n1, model_kind::queue_changed, Field("lock", "lock"),
                    Field("owners", "a/1 b/1"), Field("by", "b/1"));
  lost.builder.at_us(1'000).tell(lost.a, sim_kind::process_crashed);
  lost.invoke(lost.b1, "lock");
  lost.builder.at_us(5'000'000);
  lost.execute("acquire", "b/1");
  lost.strike("crash a at 1ms", "a");
  EXPECT_TRUE(tells(lost.why(checker::Property::no_lost_wakeup, "b/1"),
                    "a/1 was the first in its queue since 0 ms, and a had crashed at 1 ms; it "
                    "stood there to the end.\n"
                    "b/1's acquire, executed on n1 at 5,000 ms, left it there.\n"));
  lost.builder.at_us(6'000'000).tell(lost.n1, model_kind::queue_changed, Field("lock", "lock"),
                                     Field("owners", "b/1"), Field("by", "b/1"));
  lost.builder.at_us(7'000'000);
  lost.execute("acquire", "b/1");
  EXPECT_TRUE(tells(lost.why(checker::Property::no_lost_wakeup, "b/1"),
                    "it stood there until 6,000 ms.\n"
                    "b/1's acquire, executed on n1 at 5,000 ms, left it there.\n"));
}

TEST(Cause, OfAWaitForAFreeLockIsTheSilence) {
  const auto why = [](const std::string& asked) {
    LostLock lost;
    lost.lock_changes(lost.n1, "a/1:1", "acquire", "a/1");
    lost.invoke(lost.b1, "lock");
    if (!asked.empty()) lost.execute(asked, "b/1");
    lost.builder.at_us(1'000);
    lost.lock_changes(lost.n1, "", "release", "a/1");
    lost.builder.at_us(9'000'000).tell(lost.b1, model_kind::client_logged, Field("text", "late"));
    return lost.why(checker::Property::no_lost_wakeup, "b/1");
  };
  EXPECT_EQ(why("acquire"), "Nobody had lock \"lock\" from 1 ms on, and nothing woke b/1.\n");
  EXPECT_EQ(why(""),
            "Nobody had lock \"lock\" from 1 ms on, but b/1 had sent no request to acquire it.\n");
}

TEST(Cause, OfAWrongCountIsWhoWasToldThatItHadNothing) {
  LostLock lost;
  lost.invoke(lost.a1, "lock");
  lost.lock_changes(lost.n1, "a/1:1", "acquire", "a/1");
  lost.builder.at_us(1'000).tell(lost.a1, model_kind::step_completed, Field("step", "lock"),
                                 Field("outcome", "fail"), Field("detail", "no replica"));
  EXPECT_EQ(lost.why(checker::Property::hold_count, "a/1"),
            "a/1's lock took the lock on n1 at 0 ms, but a/1 was told at 1 ms that it had not (no "
            "replica): the hold stayed.\n");
}

TEST(Cause, OfWhatIsLeftBehindIsWhoWroteLast) {
  LostLock lost;
  lost.execute("acquire", "a/1");
  lost.builder.at_us(2'000);
  lost.execute("renew", "a/1");
  search::RunRecord example = lost.builder.example();
  checker::Verdict verdict{};
  verdict.property = checker::Property::no_leak;
  verdict.kind = checker::VerdictKind::violated;
  verdict.evidence = {
      {"key \"a latch\" was left at 2 ms", checker::no_name, lost.builder.moment(), std::nullopt}};
  example.verdicts = {verdict};
  EXPECT_EQ(explain(example).at(0),
            "The last that wrote before was a/1's renew, executed on n1 at 2 ms.");
}

TEST(Cause, OfANumberThatWasLostIsARestartOfItsOwnShardOnly) {
  const auto why = [](bool is_other) {
    LostLock lost;
    const auto counts = [&](int left, std::string_view by) {
      lost.builder.tell(lost.n1, model_kind::number_changed, Field("lock", "lock"),
                        Field("left", left), Field("by", by));
    };
    counts(3, "a/1");
    lost.builder.at_us(1'000).tell(is_other ? lost.other : lost.n1, model_kind::dataset_restored,
                                   Field("keys", 0));
    counts(2, "");
    return lost.why(checker::Property::permits, "a/1");
  };
  EXPECT_NE(why(false).find("n1 came back at 1 ms without the last changes of \"lock\""),
            std::string::npos)
      << why(false);
  EXPECT_EQ(why(true).find("came back"), std::string::npos) << why(true);
}

TEST(Cause, IsTheFaultThatStruckWhereNothingElseIsKnown) {
  LostLock lost;
  lost.builder.at_us(3'000).tell(lost.faults, model_kind::fault_struck, Field("fault", 0),
                                 Field("what", "crash a at 3ms"), Field("target", "a"));
  EXPECT_EQ(lost.why(checker::Property::harm, "a/1"), "At 3 ms a fault struck: crash a at 3ms.\n");
}

TEST(Cause, OfNothingBrokenIsNothing) {
  search::RunRecord example = test::pause_outcome().example;
  example.verdicts.clear();
  EXPECT_TRUE(explain(example).empty());
}

/// a's own lease is of 10 s; b, who has no lock, makes a minute of it, c half a minute, and d 4 s.
TEST(Causes, OfALeaseThatOthersSetGoByTheHoldersOwn) {
  LostLock story;
  story.builder.at_us(1'000).tell(story.a1, model_kind::service_invoked, Field("operation", 0),
                                  Field("kind", "acquire"), Field("lock", "lock"),
                                  Field("lease_ms", 10'000));
  story.execute("acquire", "a/1");
  story.lease_changes("lock", "a/1:1", 10'001'000'000, "acquire", "a/1");
  const auto sets = [&](std::int64_t second, std::string_view by, sim::TimeNs ends_ns) {
    story.builder.at_us(second * 1'000'000);
    story.execute("extend", by);
    story.lease_changes("lock", "a/1:1", ends_ns, "renewal", by);
    return story.why(checker::Property::lease_linearizability, by);
  };
  const std::string longer = sets(2, "b/1", 62'000'000'000);
  EXPECT_TRUE(tells(longer, "renewed the lease of a/1")) << longer;
  const std::string less_long = sets(3, "c/1", 33'000'000'000);
  EXPECT_TRUE(tells(less_long, "renewed the lease of a/1")) << less_long;
  const std::string shorter = sets(4, "d/1", 8'000'000'000);
  EXPECT_TRUE(tells(shorter, "cut what was left of a/1's lease from 6,00")) << shorter;
}

/// Of a lease that ended 2 s after "lock", or another step, had taken it.
struct EndedLease : LostLock {
  explicit EndedLease(std::string_view step) {
    invoke(a1, step);
    lock_changes(n1, "a/1:1", "acquire", "a/1");
    builder.at_us(1'000'000);
  }
  std::string why_it_ended() {
    builder.at_us(2'000'000);
    lock_changes(n1, "", "expiry", "");
    return why();
  }
};

TEST(Cause, OfALeaseThatNobodyWasToRenew) {
  EXPECT_TRUE(tells(EndedLease("lock").why_it_ended(),
                    "taken at 0 ms, it was never renewed, as a had asked for no renewal.\n"));
}

TEST(Cause, OfALeaseThatItsCallerChoseSayNothing) {
  EXPECT_TRUE(
      tells(EndedLease("lock lease=2s").why_it_ended(), "taken at 0 ms, it was never renewed.\n"));
}

TEST(Cause, OfALeaseNameWhatRenewedItLast) {
  EndedLease lease("lock");
  lease.execute("read_renew", "a/1");
  lease.lease_changes("lock", "a/1:1", 2 * sim::second_ns, "renewal", "a/1");
  const std::string why = lease.why_it_ended();
  EXPECT_TRUE(tells(why,
                    "nothing had renewed it since its read_renew at 1,000 ms, as a had asked for "
                    "no renewal.\n"))
      << why;
}

TEST(Cause, NameARenewalOfReadersThatChangedNothing) {
  EndedLease lease("lock");
  lease.builder.tell(lease.n1, model_kind::command_executed, Field("label", "read_renew"),
                     Field("command", "EVALSHA"), Field("arguments", "lock"), Field("reply", "0"),
                     Field("on_behalf_of", "a/1"), Field("writes", 0));
  EXPECT_TRUE(
      tells(lease.why_it_ended(),
            "a/1's read_renew, executed on n1 at 1,000 ms, changed nothing (the reply: 0)"));
}

TEST(Cause, OfAGrantForWhichNobodyWasAsked) {
  LostLock lost;
  lost.invoke(lost.a1, "lock");
  lost.builder.at_us(1'000);
  EXPECT_EQ(lost.why_granted(),
            "a/1 took the lock for its own at 1 ms, but had had it at no time before; it had asked "
            "at 0 ms, but had sent no request to acquire it.\n");
}

TEST(Cause, OfAGrantThatWasAskedForSayNothing) {
  LostLock lost;
  lost.invoke(lost.a1, "lock");
  lost.builder.send(lost.a, lost.n1, "acquire", lost.a1);
  lost.builder.at_us(1'000);
  EXPECT_FALSE(tells(lost.why_granted(), "sent no request"));
}

TEST(Cause, OfAHoldThatWasDeniedNameWhatTookIt) {
  LostLock lost;
  lost.invoke(lost.a1, "lock");
  lost.execute("read_acquire", "a/1");
  lost.lock_changes(lost.n1, "a/1:1", "acquire", "a/1");
  lost.builder.at_us(1'000).tell(lost.a1, model_kind::step_completed, Field("step", "lock"),
                                 Field("outcome", "fail"), Field("detail", ""));
  EXPECT_TRUE(tells(lost.why(checker::Property::hold_count, "a/1"),
                    "a/1's lock took the lock by its read_acquire on n1 at 0 ms"));
}

TEST(Cause, OfAWaiterThatAskedAgainAndAgainNameItsOperation) {
  LostLock lost;
  lost.lock_changes(lost.n1, "a/1:1", "acquire", "a/1");
  lost.invoke(lost.b1, "lock");
  lost.builder.tell(lost.b1, model_kind::service_invoked, Field("kind", "acquire"),
                    Field("lock", "lock"));
  lost.builder.at_us(1'000);
  lost.lock_changes(lost.n1, "", "release", "a/1");
  for (const int at_us : {2'000, 3'000, 4'000}) {
    lost.builder.at_us(at_us);
    lost.execute("set", "b/1");
  }
  lost.builder.at_us(9'000'000).tell(lost.b1, model_kind::client_logged, Field("text", "late"));
  EXPECT_TRUE(tells(lost.why(checker::Property::no_deadlock, "b/1"),
                    "but b/1 was refused each time that it asked by its acquire."));
}

}  // namespace
}  // namespace lockstep::reports
