// The patterns of a lock's keys: what they match.
#include "model/lock/key_pattern.h"

#include <gtest/gtest.h>

#include "model/lock/lock_package.h"

namespace lockstep::model {
namespace {

TEST(KeyPattern, ExpandsTheLocksName) {
  EXPECT_EQ(expand_pattern("{name}", "orders"), "orders");
  EXPECT_EQ(expand_pattern("channel:{{name}}", "orders"), "channel:{orders}");
  EXPECT_EQ(expand_pattern("{name}:{name}", "a"), "a:a");
  EXPECT_EQ(expand_pattern("no name", "a"), "no name");
  EXPECT_EQ(expand_pattern("", "a"), "");
  EXPECT_EQ(expand_pattern("channel:{{name}}:x", "{shop}:orders"), "channel:{shop}:orders:x");
  EXPECT_EQ(expand_pattern("{name}", "{shop}:orders"), "{shop}:orders");
}

TEST(KeyPattern, MatchesKeysWithStars) {
  EXPECT_TRUE(key_matches("{name}", "orders", "orders"));
  EXPECT_FALSE(key_matches("{name}", "orders", "orders2"));
  EXPECT_TRUE(key_matches("latch:{{name}}:*", "orders", "latch:{orders}:17"));
  EXPECT_TRUE(key_matches("latch:{{name}}:*", "orders", "latch:{orders}:"));
  EXPECT_FALSE(key_matches("latch:{{name}}:*", "orders", "latch:{other}:17"));
  EXPECT_TRUE(key_matches("*:{name}:*x", "n", "a:n:n:bxx"));
  EXPECT_FALSE(key_matches("*:{name}:*x", "n", "a:n:n:bxy"));
}

}  // namespace
}  // namespace lockstep::model
