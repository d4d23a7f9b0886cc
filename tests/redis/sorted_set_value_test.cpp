// What a sorted set knows of the scores that its members had.
#include "model/redis/sorted_set_value.h"

#include <gtest/gtest.h>

#include <string>

namespace lockstep::redis {
namespace {

TEST(SortedSetValueTest, KnowsThatTwoMembersHadTheSameScore) {
  const ListpackLimits limits;
  SortedSetValue set;
  set.add("a", 1, limits);
  set.add("b", 3, limits);
  set.add("c", 2, limits);
  EXPECT_EQ(set.rank_of(*set.find("b")), 2U);
  EXPECT_FALSE(set.has_had_ties());

  SortedSetValue added = set;
  added.add("d", 3, limits);
  EXPECT_TRUE(added.has_had_ties());

  set.move(*set.find("a"), 2);
  EXPECT_TRUE(set.has_had_ties());
  set.move(*set.find("a"), 5);
  EXPECT_TRUE(set.has_had_ties());
  set.clear();
  EXPECT_FALSE(set.has_had_ties());
}

/// Whatever was compared on the way to a member's place.
TEST(SortedSetValueTest, SeesTheOnlyTieOfMany) {
  const ListpackLimits limits;
  for (int tied = 0; tied < 100; ++tied) {
    SortedSetValue set;
    for (int score = 0; score < 100; ++score) {
      set.add("member " + std::to_string(score), score, limits);
    }
    ASSERT_FALSE(set.has_had_ties());
    set.add("the other", tied, limits);
    ASSERT_TRUE(set.has_had_ties()) << tied;
  }
}

}  // namespace
}  // namespace lockstep::redis
