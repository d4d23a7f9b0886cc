// Sets and sorted sets: what the differential tests leave open (order, chance, scans in steps), and
// big ones against models.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "redis/protocol/reply.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis::test {
namespace {

std::vector<std::string> texts_of(const Reply& reply) {
  std::vector<std::string> texts;
  for (const Reply& each : reply.elements) texts.push_back(each.text);
  return texts;
}

std::set<std::string> members(SimulatedServer& server, std::string_view key) {
  const std::vector<std::string> all = texts_of(server.run({"SMEMBERS", key}));
  return {all.begin(), all.end()};
}

TEST(SetsTest, OfIntegersAreSortedAsNumbers) {
  SimulatedServer server;
  server.run("SADD s 10 9 -3 100 9");
  EXPECT_EQ(describe(server.run("SMEMBERS s")), "[\"-3\", \"9\", \"10\", \"100\"]");
  server.run("SADD t 100 7 10");
  EXPECT_EQ(describe(server.run("SUNION s t")), "[\"-3\", \"7\", \"9\", \"10\", \"100\"]");
  EXPECT_EQ(describe(server.run("SINTER s t")), "[\"10\", \"100\"]");
  EXPECT_EQ(describe(server.run("SRANDMEMBER s 10")), "[\"-3\", \"9\", \"10\", \"100\"]");
  EXPECT_EQ(describe(server.run("SSCAN s 0 COUNT 1")), "[\"0\", [\"-3\", \"9\", \"10\", \"100\"]]");
}

TEST(SetsTest, LeaveTheOrderOfNumbersAtTheLimitAndForGood) {
  SimulatedServer server;
  server.run("CONFIG SET set-max-intset-entries 3");
  server.run("SADD s 10 9 8");
  EXPECT_EQ(describe(server.run("SMEMBERS s")), "[\"8\", \"9\", \"10\"]");
  server.run("SADD s 7");
  server.run("SREM s 7");
  EXPECT_EQ(describe(server.run("SMEMBERS s")), "[\"10\", \"8\", \"9\"]");
}

TEST(SetsTest, TellReplicasWhatWasTakenAtRandom) {
  SimulatedServer server;
  server.run("SADD s a b c");
  server.take_stream();
  const std::string taken = server.run("SPOP s").text;
  EXPECT_EQ(server.take_requests(), "SREM s " + taken);
  const std::vector<std::string> rest = texts_of(server.run("SPOP s 1"));
  ASSERT_EQ(rest.size(), 1U);
  EXPECT_EQ(server.take_requests(), "SREM s " + rest[0]);
  server.run("SPOP s 1");
  EXPECT_EQ(server.take_requests(), "DEL s");
  server.run("SADD s a b c d e");
  server.take_stream();
  const std::vector<std::string> three = texts_of(server.run("SPOP s 3"));
  ASSERT_EQ(three.size(), 3U);
  EXPECT_EQ(server.take_requests(), "MULTI / SREM s " + three[0] + " / SREM s " + three[1] +
                                        " / SREM s " + three[2] + " / EXEC");
}

RC_GTEST_PROP(SetsTest, WhatIsTakenAtRandomWasThereAndIsGone, ()) {
  SimulatedServer server;
  const auto size = *rc::gen::inRange(1, 60);
  std::vector<std::string> words{"SADD", "s"};
  const std::string prefix = *rc::gen::element<std::string>("", "m");
  for (int i = 0; i < size; ++i) words.push_back(prefix + std::to_string(i));
  server.run_in(SimulatedServer::first, std::vector<std::string_view>(words.begin(), words.end()));
  std::set<std::string> left = members(server, "s");
  const auto count = std::to_string(*rc::gen::inRange(0, size + 3));
  std::set<std::string> shown;
  for (const std::string& member : texts_of(server.run({"SRANDMEMBER", "s", count}))) {
    RC_ASSERT(left.count(member) == 1U);
    RC_ASSERT(shown.insert(member).second);
  }
  for (const std::string& member : texts_of(server.run({"SRANDMEMBER", "s", "-" + count}))) {
    RC_ASSERT(left.count(member) == 1U);
  }
  for (const std::string& member : texts_of(server.run({"SPOP", "s", count}))) {
    RC_ASSERT(left.erase(member) == 1U);
  }
  RC_ASSERT(members(server, "s") == left);
}

TEST(SetsTest, RandomRepliesDoNotGrowWithoutBound) {
  SimulatedServer server;
  server.run("SADD s a");
  server.run("ZADD z 1 a");
  EXPECT_TRUE(server.run("SRANDMEMBER s -9223372036854775807").is_error());
  EXPECT_TRUE(server.run("ZRANDMEMBER z -9223372036854775807").is_error());
}

/// Scans to the end while `disturb` changes the set between steps.
template <class Disturb>
std::vector<std::string> scan(SimulatedServer& server, std::string_view command, Disturb disturb) {
  std::vector<std::string> found;
  std::string cursor = "0";
  do {
    const Reply reply = server.run({command, "k", cursor, "COUNT", "3"});
    cursor = reply.elements[0].text;
    for (const Reply& item : reply.elements[1].elements) found.push_back(item.text);
    disturb();
  } while (cursor != "0");
  return found;
}

RC_GTEST_PROP(SetsTest, ScansInStepsMissNothingThatStays, ()) {
  const bool is_sorted = *rc::gen::arbitrary<bool>();
  SimulatedServer server;
  server.run("CONFIG SET zset-max-listpack-entries 4");
  const auto add = [&](const std::string& member) {
    if (is_sorted) {
      server.run({"ZADD", "k", std::to_string(*rc::gen::inRange(0, 5)), member});
    } else {
      server.run({"SADD", "k", member});
    }
  };
  const auto size = *rc::gen::inRange(5, 40);
  for (int i = 0; i < size; ++i) add("stays" + std::to_string(i));
  for (int i = 0; i < size; ++i) add("goes" + std::to_string(i));
  int next = 0;
  const std::vector<std::string> found = scan(server, is_sorted ? "ZSCAN" : "SSCAN", [&] {
    server.run({is_sorted ? "ZREM" : "SREM", "k", "goes" + std::to_string(next++)});
    if (*rc::gen::arbitrary<bool>()) add("new" + std::to_string(next));
  });
  const std::set<std::string> all(found.begin(), found.end());
  for (int i = 0; i < size; ++i) RC_ASSERT(all.count("stays" + std::to_string(i)) == 1U);
}

TEST(SortedSetsTest, OnlyBigOnesKnowANegativeZero) {
  SimulatedServer server;
  server.run("ZADD z -0 a");
  EXPECT_EQ(describe(server.run("ZSCORE z a")), "\"0\"");
  EXPECT_EQ(describe(server.run("ZADD z INCR -0 b")), "\"-0\"");
  server.run("CONFIG SET zset-max-listpack-entries 2");
  server.run("ZADD z -0 c");
  EXPECT_EQ(describe(server.run("ZMSCORE z a b c")), "[\"0\", \"0\", \"-0\"]");
}

TEST(SortedSetsTest, ScansShowWholeScoresAsTheyAreKept) {
  SimulatedServer server;
  server.run("ZADD z 1e17 big 1.5 part 1e30 huge");
  EXPECT_EQ(describe(server.run("ZSCAN z 0")),
            "[\"0\", [\"part\", \"1.5\", \"big\", \"100000000000000000\", \"huge\", "
            "\"1e+30\"]]");
}

/// The same numbers as a model, in its order.
std::vector<std::string> in_order(const std::map<std::string, int>& scores) {
  std::set<std::pair<int, std::string>> ordered;
  for (const auto& [member, score] : scores) ordered.emplace(score, member);
  std::vector<std::string> texts;
  for (const auto& [score, member] : ordered) {
    texts.push_back(member);
    texts.push_back(std::to_string(score));
  }
  return texts;
}

RC_GTEST_PROP(SortedSetsTest, AreInOrderWhateverTheirSize, ()) {
  SimulatedServer server;
  std::map<std::string, int> model;
  const auto steps = *rc::gen::container<std::vector<std::uint32_t>>(
      *rc::gen::element<std::size_t>(20, 100, 600), rc::gen::arbitrary<std::uint32_t>());
  for (const std::uint32_t step : steps) {
    const std::string member = "m" + std::to_string(step % 223);
    const int score = static_cast<int>(step / 223 % 7);
    if (step % 4 == 0) {
      const std::int64_t removed = server.run({"ZREM", "z", member}).integer;
      RC_ASSERT(removed == static_cast<std::int64_t>(model.erase(member)));
    } else {
      server.run({"ZADD", "z", std::to_string(score), member});
      model[member] = score;
    }
  }
  RC_ASSERT(texts_of(server.run("ZRANGE z 0 -1 WITHSCORES")) == in_order(model));
  std::int64_t rank = 0;
  for (const Reply& each : server.run("ZRANGE z 0 -1").elements) {
    RC_ASSERT(server.run({"ZRANK", "z", each.text}).integer == rank++);
  }
}

}  // namespace
}  // namespace lockstep::redis::test
