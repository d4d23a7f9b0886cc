// Which of several violations counts, and is told.
#include <gtest/gtest.h>

#include <string>

#include "checker/evidence.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "model/lock/assumption.h"
#include "tests/search/contract_stories.h"

namespace lockstep::search {
namespace {

using checker::Property;
using model::AssumptionSet;

// a's overlap with b is excused, since a slept past its lease. The one of b and c is not.
TEST(ContractJudge, TellsTheOverlapThatNothingExcuses) {
  const std::string two = R"([[client]]
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
)";
  const std::string text = story("setnx/delete-without-token", two);
  ASSERT_EQ(broken(text, Property::mutual_exclusion), AssumptionSet{});
  const checker::Verdict told = told_of(text, Property::mutual_exclusion);
  EXPECT_EQ(told.kind, checker::VerdictKind::violated);
  EXPECT_EQ(told.summary.find("a/1"), std::string::npos) << told.summary;
  EXPECT_TRUE(told.summary.ends_with(
      ", which is excused: a hold outlasts the lease that its caller asked for"))
      << told.summary;
  EXPECT_EQ(told.evidence.size(), 2U);
}

// a is granted the lock when its lease is over, since the answer was late; b's is over since its
// last PEXPIRE was.
TEST(ContractJudge, TellsTheGrantThatNothingExcuses) {
  const std::string text = story("multi", R"([[client]]
name = "a"
run  = ["lock_all lease=2s names=orders,stock", "unlock_all names=orders,stock"]
[[client]]
name  = "b"
start = "60s"
run   = ["try_lock_all wait=4ms lease=60s names=orders,stock", "unlock_all names=orders,stock"]
[[fault]]
postpone = "a"
reply    = "pexpire"
by       = "30s"
[[fault]]
postpone = "b"
task     = "part"
by       = "7s"
)");
  ASSERT_EQ(broken(text, Property::valid_grant), AssumptionSet{});
  const checker::Verdict told = told_of(text, Property::valid_grant);
  EXPECT_TRUE(told.summary.starts_with("b/1 was granted lock ")) << told.summary;
  EXPECT_TRUE(told.summary.ends_with(" such grants in all")) << told.summary;
  ASSERT_GT(told.evidence.size(), 1U);
  EXPECT_TRUE(told.evidence[0].what.starts_with("b/1 was granted lock "));
  EXPECT_TRUE(told.evidence[1].what.starts_with("a/1 was granted lock "));
}

}  // namespace
}  // namespace lockstep::search
