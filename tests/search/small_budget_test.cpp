// Known flaws do not use up the room of what nobody knows, however many ways they break in.
#include "app/search/small_budget.h"

#include <gtest/gtest.h>

namespace lockstep::app {
namespace {

using reports::FindingKind;

void add_bugs(SmallBudget& budget, FindingKind kind, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) budget.add_bug(kind);
}

TEST(SmallBudget, HasRoomForBugsBehindKnownFlaws) {
  SmallBudget budget;
  add_bugs(budget, FindingKind::known, SmallBudget::bugs_max);
  EXPECT_TRUE(budget.has_room_for_bug());
  EXPECT_FALSE(budget.has_made_bugs());
  add_bugs(budget, FindingKind::bug, SmallBudget::bugs_max - 1);
  EXPECT_TRUE(budget.has_room_for_bug());
  budget.add_bug(FindingKind::bug);
  EXPECT_FALSE(budget.has_room_for_bug());
}

TEST(SmallBudget, EndsThoughAllAreKnownFlaws) {
  SmallBudget budget;
  add_bugs(budget, FindingKind::known, 2 * SmallBudget::bugs_max);
  EXPECT_FALSE(budget.has_room_for_bug());
}

TEST(SmallBudget, HasRoomForLimitsBesideBugs) {
  SmallBudget budget;
  add_bugs(budget, FindingKind::bug, SmallBudget::bugs_max);
  for (std::size_t i = 0; i < SmallBudget::limits_max; ++i) {
    EXPECT_TRUE(budget.has_room_for_limit());
    budget.add_limit();
  }
  EXPECT_FALSE(budget.has_room_for_limit());
}

}  // namespace
}  // namespace lockstep::app
