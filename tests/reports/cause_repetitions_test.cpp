// What a reader would have to read twice: a fact that is told once is not told again, and what
// makes nothing clearer is left out.
#include <gtest/gtest.h>

#include <string>

#include "tests/reports/cause_story.h"

namespace lockstep::reports {
namespace {

const CauseStory clear_stories[] = {
    {"ALostReplyOfAReleaseOnce",
     "lost-release-reply.toml",
     {"The reply to a/1's release was lost (dropped), so a/1 sent it again, and n1 executed it "
      "twice: at 2 ms and at 4,502.6 ms. a/1's own release, executed on n1 at 4,502.6 ms, gave up "
      "its last hold while it still believed that it had the lock. b/1 was granted"},
     {"before that"}},
    {"ALostReplyOfAnAcquireOnce",
     "lost-acquire-reply.toml",
     {"though a/1 gave one of its 2 holds back at 4,940 ms. "},
     {"Meanwhile"}},
    {"AHoldOnceForAllWhoWereKeptFromIt",
     "lost-acquire-reply-starves.toml",
     {"Lock \"lock\" was a/1's from 0.8 ms "},
     {"from 0.8 ms to 29,509 ms"}},
    {"ALateRequestAndNotItsUnheardReply",
     "set-after-release.toml",
     {"(its set, executed on n2; it had been sent at 0.723 ms and came 1,000 ms late), though "
      "a/1's "
      "try_lock lease=20s had come to nothing at 51.2 ms."},
     {"Meanwhile", "connection-closed"}},
    {"ALateRequestThatCameAfterItsRelease",
     "renewal-outlives-release.toml",
     {"(its acquire, executed on n1; it had been sent at 0.53 ms and came 2,000 ms late)"},
     {"Meanwhile"}},
    {"ALateRequestOnce",
     "../setnx/late-extension-creates-lock.toml",
     {"though a/1 had given it back at 4,504 ms. "},
     {"Meanwhile", "connection-closed"}},
    {"AGrantOfAMasterDeposed",
     "../sentinel/old-master-comes-back.toml",
     {"still executed a/1's acquire at 15,500.8 ms. a/1 took the lock for its own at 15,501.2 ms, "
      "but by then it was b/1's; it had asked at 15,500 ms"},
     {"at no time before"}},
};

class CauseRepetitions : public testing::TestWithParam<CauseStory> {};

TEST_P(CauseRepetitions, AreLeftOut) { expect_told(GetParam()); }

INSTANTIATE_TEST_SUITE_P(Cause, CauseRepetitions, testing::ValuesIn(clear_stories),
                         [](const auto& each) { return std::string(each.param.name); });

}  // namespace
}  // namespace lockstep::reports
