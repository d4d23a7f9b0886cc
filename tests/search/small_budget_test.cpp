// Known flaws do not use up the room of what nobody knows, however many ways they break in.
#include "app/search/small_budget.h"

#include <gtest/gtest.h>

namespace lockstep::app {
namespace {

TEST(SmallBudget, HasRoomForBugsBehindKnownFlaws) {
  SmallBudget budget;
  for (std::size_t i = 0; i < SmallBudget::bugs_max; ++i) budget.add_known_flaw();
  EXPECT_TRUE(budget.has_room_for_bug());
  EXPECT_FALSE(budget.has_made_bugs());
  for (std::size_t i = 1; i < SmallBudget::bugs_max; ++i) budget.add_bug();
  EXPECT_TRUE(budget.has_room_for_bug());
  budget.add_bug();
  EXPECT_FALSE(budget.has_room_for_bug());
}

TEST(SmallBudget, EndsThoughAllAreKnownFlaws) {
  SmallBudget budget;
  for (std::size_t i = 0; i < 2 * SmallBudget::bugs_max; ++i) budget.add_known_flaw();
  EXPECT_FALSE(budget.has_room_for_bug());
}

TEST(SmallBudget, HasRoomForLimitsBesideBugs) {
  SmallBudget budget;
  for (std::size_t i = 0; i < SmallBudget::bugs_max; ++i) budget.add_bug();
  for (std::size_t i = 0; i < SmallBudget::limits_max; ++i) {
    EXPECT_TRUE(budget.has_room_for_limit());
    budget.add_limit();
  }
  EXPECT_FALSE(budget.has_room_for_limit());
}

}  // namespace
}  // namespace lockstep::app
