// What a reader would ask next of a cause that names the fact alone.
#include <gtest/gtest.h>

#include <string>

#include "tests/reports/cause_story.h"

namespace lockstep::reports {
namespace {

const CauseStory answered_stories[] = {
    {"WhyTheReplicaLackedALatch",
     "../latch/failover-before-replication.toml",
     {"n1-replica-1 became master at 2,000 ms without the last changes of \"lock\", which had "
      "stood at 1 (n1 was cut off from it from 0 ms on)."}},
    {"WhyTheReplicaLackedAPermit",
     "../semaphore/failover-before-replication.toml",
     {"which had stood at 0 (n1 was cut off from it from 500 ms on)."}},
    {"WhyAServedHeadStaysInItsQueue",
     "lost-deadlines.toml",
     {"b/1 was the first in its queue since 187.9 ms, stood there twice from 3,150.3 ms on, and "
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
     {"(what it wrote: acquire on n1 at 0.8 ms with the argument -2, acquire on n2 at 2.1 ms with "
      "the argument -2, "}},
    {"WhatAReleaseOfNothingWasAnswered",
     "../fair/release-says-yes.toml",
     {"a/1's release, executed on n1 at 15,003.1 ms, had nothing to give back and was answered "
      "all the same (the reply: 1)."}},
};

class CauseReasons : public testing::TestWithParam<CauseStory> {};

TEST_P(CauseReasons, AreGiven) { expect_told(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Cause, CauseReasons, testing::ValuesIn(answered_stories),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace lockstep::reports
