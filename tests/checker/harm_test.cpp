#include <gtest/gtest.h>

#include "checker/evidence.h"
#include "checker/observations.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "run_builder.h"

namespace lockstep::checker::testing::harm {
namespace {

constexpr Property property = Property::harm;
constexpr AccessKind read = AccessKind::read;
constexpr AccessKind write = AccessKind::write;
constexpr AccessKind refused_write = AccessKind::refused_write;

TEST(Harm, HoldsForReadModifyWritesOneAfterTheOther) {
  RunBuilder run;
  run.access(read, "a/1", 1, 0, 0);
  run.access(write, "a/1", 2, 0, 1);
  run.access(read, "b/1", 3, 1, 1);
  run.access(write, "b/1", 4, 1, 2);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(Harm, AnUpdateOnAnOldVersionIsLost) {
  RunBuilder run;
  run.access(read, "a/1", 1, 7, 7);
  run.access(read, "b/1", 2, 7, 7);
  run.access(write, "b/1", 3, 7, 8);
  run.access(write, "a/1", 16, 7, 9);
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(
      verdict.summary,
      "a/1 wrote resource \"account\" at 16 ms on the basis of version 7, but b/1 had made it "
      "version 8 at 3 ms: that update is lost");
  ASSERT_EQ(verdict.evidence.size(), 2U);
  EXPECT_EQ(verdict.evidence[0].what, "b/1 wrote it: version 8");
  EXPECT_EQ(verdict.evidence[0].from, at_ms(3));
  EXPECT_EQ(verdict.evidence[1].who, run.id("a/1"));
  EXPECT_EQ(verdict.evidence[1].from, at_ms(1));
  EXPECT_EQ(verdict.evidence[1].until, at_ms(16));
}

TEST(Harm, AnOwnerMayLoseItsOwnUpdate) {
  RunBuilder run;
  run.access(write, "a/1", 1, 0, 1);
  run.access(write, "a/1", 2, 0, 2);
  EXPECT_NE(run.judge(property).summary.find("but it had made it version 1"), std::string::npos);
}

TEST(Harm, AForeignWriteBetweenReadAndWriteIsInterleavedEvenIfTheVersionFits) {
  RunBuilder run;
  run.access(read, "a/1", 1, 0, 0);
  run.access(write, "b/1", 2, 0, 1);
  run.access(write, "a/1", 3, 1, 2);
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(verdict.summary,
            "b/1 wrote resource \"account\" at 2 ms, between a/1's read at 1 ms and the write at 3 "
            "ms that belongs to it");
}

TEST(Harm, AWriteEndsTheReadThatBelongsToIt) {
  RunBuilder run;
  run.access(read, "a/1", 1, 0, 0);
  run.access(write, "a/1", 2, 0, 1);
  run.access(write, "b/1", 3, 1, 2);
  run.access(write, "a/1", 4, 2, 3);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(Harm, ARefusedWriteHarmsNothing) {
  RunBuilder run;
  run.access(read, "a/1", 1, 0, 0, 33);
  run.access(read, "b/1", 2, 0, 0, 34);
  run.access(write, "b/1", 3, 0, 1, 34);
  run.access(refused_write, "a/1", 4, 0, 1, 33);
  run.access(read, "c/1", 5, 1, 1, 35);
  run.access(write, "c/1", 6, 1, 2, 35);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(Harm, AStaleTokenMustNotBeAccepted) {
  RunBuilder run;
  run.access(write, "b/1", 3, 0, 1, 34);
  run.access(write, "a/1", 4, 1, 2, 33);
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(verdict.summary,
            "resource \"account\" accepted a/1's write with token 33 at 4 ms, though it had seen "
            "b/1's token 34 at 3 ms");
}

TEST(Harm, ATokenShownOnAReadCountsAsSeen) {
  RunBuilder run;
  run.access(read, "b/1", 1, 0, 0, 34);
  run.access(write, "a/1", 2, 0, 1, 33);
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(verdict.evidence[0].what, "b/1 read it");
}

TEST(Harm, ARefusedTokenDoesNotCountAsSeenAndAMissingOneIsNone) {
  RunBuilder run;
  run.access(write, "c/1", 1, 0, 1);
  run.access(refused_write, "b/1", 2, 0, 1, 34);
  run.access(write, "a/1", 3, 1, 2, -33);
  run.access(write, "c/1", 4, 2, 3);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(Harm, TheSameTokenMayBeUsedAgain) {
  RunBuilder run;
  run.access(write, "a/1", 1, 0, 1, 33);
  run.access(write, "a/1", 2, 1, 2, 33);
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(Harm, ResourcesDoNotMindEachOther) {
  RunBuilder run;
  run.access(read, "a/1", 1, 0, 0, 33, "account");
  run.access(write, "b/1", 2, 5, 6, 34, "stock");
  run.access(write, "a/1", 3, 0, 1, 33, "account");
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds);
}

TEST(Harm, CountsEveryHarmfulWriteAndReportsTheFirst) {
  RunBuilder run;
  for (std::int64_t ms = 1; ms <= 11; ++ms) run.access(write, "a/1", ms, 0, ms);
  const Verdict verdict = run.judge(property);
  EXPECT_NE(verdict.summary.find("at 2 ms"), std::string::npos);
  EXPECT_NE(verdict.summary.find("; 10 harmful writes in all"), std::string::npos);
  EXPECT_EQ(verdict.evidence.size(), evidence_max);
}

// -- threads of a process that owns as one --

/// a's two threads have read version 0, and the first has written.
RunBuilder written_by_one_of_two() {
  RunBuilder run;
  run.access(read, "a", 1, 0, 0);
  run.by_thread("a/1");
  run.access(read, "a", 2, 0, 0);
  run.by_thread("a/2");
  run.access(write, "a", 3, 0, 1, 33);
  run.by_thread("a/1");
  return run;
}

TEST(Harm, IsNotWhatTheThreadsOfOneOwnerDoToEachOther) {
  RunBuilder run = written_by_one_of_two();
  run.access(write, "a", 4, 0, 2, 32);
  run.by_thread("a/2");
  run.access(read, "b", 5, 2, 2, 34);
  run.by_thread("b/1");
  run.access(write, "b", 6, 2, 3, 34);
  run.by_thread("b/1");
  EXPECT_EQ(run.judge(property).kind, VerdictKind::holds) << run.judge(property).summary;
}

TEST(Harm, OfAnotherOwnerIsNotHiddenByAThreadOfTheSameOne) {
  RunBuilder run = written_by_one_of_two();
  run.access(write, "b", 4, 1, 2);
  run.by_thread("b/1");
  run.access(write, "a", 5, 2, 3);
  run.by_thread("a/1");
  run.access(write, "a", 6, 0, 4);
  run.by_thread("a/2");
  const Verdict verdict = run.judge(property);
  EXPECT_EQ(verdict.kind, VerdictKind::violated);
  EXPECT_EQ(verdict.summary,
            "a/2 wrote resource \"account\" at 6 ms on the basis of version 0, but b/1 had made it "
            "version 2 at 4 ms: that update is lost");
  ASSERT_EQ(verdict.evidence.size(), 2U);
  EXPECT_EQ(verdict.evidence[1].who, run.id("a"));
}

TEST(Harm, OfAStaleTokenIsNotHiddenByAThreadOfTheSameOwner) {
  RunBuilder run = written_by_one_of_two();
  run.access(write, "b", 4, 1, 2, 32);
  run.by_thread("b/1");
  run.access(write, "a", 5, 2, 3, 31);
  run.by_thread("a/2");
  const Verdict verdict = run.judge(property);
  EXPECT_NE(verdict.summary.find("; 2 harmful writes in all"), std::string::npos)
      << verdict.summary;
  EXPECT_EQ(verdict.evidence[2].who, run.id("b")) << "whose token a/2's is below";
}

}  // namespace
}  // namespace lockstep::checker::testing::harm
