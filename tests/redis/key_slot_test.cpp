// Slots as measured on Redis 7.0 (CLUSTER KEYSLOT), and the ranges of redis-cli --cluster create.
#include "redis/values/key_slot.h"

#include <gtest/gtest.h>

namespace lockstep::redis {
namespace {

TEST(KeySlot, IsTheOneThatRedisSays) {
  EXPECT_EQ(key_slot("foo"), 12182U);
  EXPECT_EQ(key_slot("bar"), 5061U);
  EXPECT_EQ(key_slot("123456789"), 0x31C3U % slot_count);
  EXPECT_EQ(key_slot(""), 0U);
}

TEST(KeySlot, LooksAtTheHashTagOnly) {
  EXPECT_EQ(key_slot("redisson_lock_queue:{foo}"), key_slot("foo"));
  EXPECT_EQ(key_slot("{foo}.a{bar}"), key_slot("foo"));
  EXPECT_EQ(key_slot("a{{bar}}"), key_slot("{bar"));
}

TEST(KeySlot, HashesTheWholeKeyWhereTheTagIsEmptyOrOpen) {
  EXPECT_EQ(key_slot("foo{}{bar}"), 8363U);
  EXPECT_NE(key_slot("foo{bar"), key_slot("bar"));
}

TEST(MasterOfSlot, SharesTheSlotsOutInEqualRanges) {
  EXPECT_EQ(master_of_slot(0, 3), 0U);
  EXPECT_EQ(master_of_slot(5460, 3), 0U);
  EXPECT_EQ(master_of_slot(5461, 3), 1U);
  EXPECT_EQ(master_of_slot(10922, 3), 1U);
  EXPECT_EQ(master_of_slot(10923, 3), 2U);
  EXPECT_EQ(master_of_slot(16383, 3), 2U);
  EXPECT_EQ(master_of_slot(16383, 1), 0U);
}

}  // namespace
}  // namespace lockstep::redis
