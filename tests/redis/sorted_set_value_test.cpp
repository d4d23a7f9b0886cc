// What a sorted set knows of the scores that its members had.
#include "redis/values/sorted_set_value.h"

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

/// A member may come to stand before or behind the one that has its score, by either way to a
/// score.
TEST(SortedSetValueTest, SeesTheOnlyTieOfMany) {
  const ListpackLimits limits;
  for (const char* other : {"a member", "the other"}) {
    for (int tied = 0; tied < 100; ++tied) {
      SortedSetValue set;
      for (int score = 0; score < 100; ++score) {
        set.add("member " + std::to_string(score), score, limits);
      }
      SortedSetValue moved = set;
      set.add(other, tied, limits);
      ASSERT_TRUE(set.has_had_ties()) << other << " " << tied;
      moved.add(other, 1000, limits);
      ASSERT_FALSE(moved.has_had_ties());
      moved.move(*moved.find(other), tied);
      ASSERT_TRUE(moved.has_had_ties()) << other << " " << tied;
    }
  }
}

}  // namespace
}  // namespace lockstep::redis
