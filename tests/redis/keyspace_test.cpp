#include "redis/values/keyspace.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace lockstep::redis {
namespace {

std::vector<std::string> names_of(const HashValue& hash) {
  std::vector<std::string> names;
  for (const auto& [field, value] : hash.fields()) names.push_back(field);
  return names;
}

TEST(HashValueTest, FieldsKeepTheOrderInWhichTheyCame) {
  HashValue hash;
  EXPECT_TRUE(hash.set("b", "1"));
  EXPECT_TRUE(hash.set("a", "2"));
  EXPECT_TRUE(hash.set("c", "3"));
  EXPECT_FALSE(hash.set("b", "4"));
  EXPECT_EQ(names_of(hash), (std::vector<std::string>{"b", "a", "c"}));
  EXPECT_TRUE(hash.erase("b"));
  EXPECT_FALSE(hash.erase("b"));
  EXPECT_TRUE(hash.set("b", "5"));
  EXPECT_EQ(names_of(hash), (std::vector<std::string>{"a", "c", "b"}));
  EXPECT_EQ(*hash.find("b"), "5");
  EXPECT_EQ(hash.find("d"), nullptr);
}

RC_GTEST_PROP(HashValueTest, HoldsWhatAListOfPairsWouldHold, ()) {
  std::vector<HashValue::Field> expected;
  HashValue hash;
  const auto steps = *rc::gen::container<std::vector<std::pair<int, bool>>>(
      rc::gen::pair(rc::gen::inRange(0, 8), rc::gen::arbitrary<bool>()));
  for (const auto& [number, is_erased] : steps) {
    const std::string field(static_cast<std::size_t>(number) * 5, 'f');
    const auto found = std::find_if(expected.begin(), expected.end(),
                                    [&](const auto& each) { return each.first == field; });
    if (is_erased) {
      RC_ASSERT(hash.erase(field) == (found != expected.end()));
      if (found != expected.end()) expected.erase(found);
      continue;
    }
    const std::string value = std::to_string(expected.size());
    RC_ASSERT(hash.set(field, value) == (found == expected.end()));
    if (found == expected.end()) {
      expected.emplace_back(field, value);
    } else {
      found->second = value;
    }
  }
  RC_ASSERT(std::vector<HashValue::Field>(hash.fields().begin(), hash.fields().end()) == expected);
}

RC_GTEST_PROP(HashValueTest, ATableHoldsWhatAMapWouldHold, ()) {
  std::map<std::string, std::string> expected;
  HashValue hash;
  hash.set(std::string(65, 'x'), "long");
  expected[std::string(65, 'x')] = "long";
  RC_ASSERT(hash.is_table());
  const auto steps = *rc::gen::container<std::vector<std::pair<int, int>>>(
      rc::gen::pair(rc::gen::inRange(0, 60), rc::gen::inRange(0, 5)));
  for (const auto& [number, kind] : steps) {
    const std::string field = std::to_string(number);
    if (kind < 2) {
      RC_ASSERT(hash.erase(field) == (expected.erase(field) > 0));
    } else {
      RC_ASSERT(hash.set(field, std::to_string(kind)) == !expected.contains(field));
      expected[field] = std::to_string(kind);
    }
    for (const auto& [name, value] : expected) {
      RC_ASSERT(hash.find(name) != nullptr);
      RC_ASSERT(*hash.find(name) == value);
    }
    RC_ASSERT(hash.size() == expected.size());
  }
  const std::map<std::string, std::string> held(hash.fields().begin(), hash.fields().end());
  RC_ASSERT(held == expected);
}

TEST(HashValueTest, BecomesATableWithManyFieldsAndStaysOne) {
  HashValue hash;
  for (int i = 0; i < 512; ++i) hash.set(std::to_string(i), "v");
  EXPECT_FALSE(hash.is_table());
  hash.set("one more", "v");
  EXPECT_TRUE(hash.is_table());
  for (int i = 0; i < 512; ++i) EXPECT_TRUE(hash.erase(std::to_string(i)));
  EXPECT_TRUE(hash.is_table());
  hash.clear();
  EXPECT_FALSE(hash.is_table());
}

TEST(KeyspaceTest, AKeyIsExpiredOneMillisecondAfterItsMoment) {
  Keyspace keys;
  keys.create<std::string>("k").expire_at_ms = 1000;
  EXPECT_NE(keys.visible("k", 999), nullptr);
  EXPECT_NE(keys.visible("k", 1000), nullptr);
  EXPECT_EQ(keys.visible("k", 1001), nullptr);
  EXPECT_NE(keys.stored("k"), nullptr);
}

TEST(KeyspaceTest, NothingOfADeletedKeyIsLeftInANewOne) {
  Keyspace keys;
  Entry& first = keys.create<HashValue>("a key of some length, beyond small strings");
  std::get<HashValue>(first.value).set("a field of some length as well", "value");
  first.expire_at_ms = 5;
  EXPECT_TRUE(keys.erase("a key of some length, beyond small strings"));
  EXPECT_FALSE(keys.erase("a key of some length, beyond small strings"));
  const Entry& second = keys.create<HashValue>("b");
  EXPECT_EQ(std::get<HashValue>(second.value).size(), 0U);
  EXPECT_EQ(second.expire_at_ms, std::nullopt);
  std::get<std::string>(keys.create<std::string>("s").value) = "text";
  keys.clear();
  EXPECT_EQ(std::get<std::string>(keys.create<std::string>("t").value), "");
  EXPECT_EQ(keys.entries().size(), 1U);
}

// A keyspace remembers what it found last.
TEST(KeyspaceTest, WhatWasFoundLastIsNotFoundWhereItIsNoMore) {
  Keyspace one;
  Keyspace other;
  const auto find_in_one = [&one] {
    one.create<std::string>("k");
    EXPECT_NE(one.find("k"), one.end());
  };
  find_in_one();
  one.erase(one.find("k"));
  EXPECT_EQ(one.find("k"), one.end());
  find_in_one();
  one.clear();
  EXPECT_EQ(one.stored("k"), nullptr);
  find_in_one();
  one.move_entry(one.find("k"), other, "k");
  EXPECT_EQ(one.find("k"), one.end());
  EXPECT_EQ(one.stored("k"), nullptr);
  EXPECT_NE(other.find("k"), other.end());
  one.swap(other);
  EXPECT_EQ(other.find("k"), other.end());
  EXPECT_EQ(one.find("k")->first, "k");
  one.copy_from(other);
  EXPECT_EQ(one.stored("k"), nullptr);
}

RC_GTEST_PROP(KeyspaceTest, HoldsWhatAMapWouldHold, ()) {
  std::map<std::string, Entry> expected;
  Keyspace keys;
  for (const int number : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, 40))) {
    const std::string key(static_cast<std::size_t>(number % 10) * 4, 'k');
    const bool is_there = expected.erase(key) > 0;
    if (number < 20 || is_there) {
      RC_ASSERT(keys.erase(key) == is_there);
    } else if (number < 30) {
      std::get<std::string>(keys.create<std::string>(key).value) = key;
      expected[key].value = key;
    } else {
      std::get<HashValue>(keys.create<HashValue>(key).value).set(key, key);
      expected[key].value.emplace<HashValue>().set(key, key);
    }
  }
  Keyspace copy;
  copy.create<std::string>("left over");
  copy.copy_from(keys);
  RC_ASSERT(copy == keys);
  RC_ASSERT(
      std::equal(keys.entries().begin(), keys.entries().end(), expected.begin(), expected.end()));
}

}  // namespace
}  // namespace lockstep::redis
