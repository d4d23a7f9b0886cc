// SCAN and HSCAN: what is there all the while comes at least once, whatever else comes and goes.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "redis/protocol/reply.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis::test {
namespace {

/// One call of a scan; the cursor to go on from.
std::string scan_once(SimulatedServer& server, const std::string& command,
                      const std::string& cursor, const std::string& rest,
                      std::multiset<std::string>& seen) {
  const Reply reply = server.run(command + cursor + rest);
  RC_ASSERT(reply.elements.size() == 2U);
  for (const Reply& each : reply.elements[1].elements) seen.insert(each.text);
  return reply.elements[0].text;
}

RC_GTEST_PROP(ScanTest, KeysThatStayComeWhileOthersComeAndGo, ()) {
  const auto changes =
      *rc::gen::container<std::vector<std::uint16_t>>(rc::gen::inRange<std::uint16_t>(0, 400));
  const auto count = std::to_string(*rc::gen::inRange(1, 20));
  SimulatedServer server;
  for (int i = 0; i < 100; ++i) server.run("SET stays" + std::to_string(i) + " v");
  std::multiset<std::string> seen;
  std::string cursor = "0";
  std::size_t next = 0;
  do {
    cursor = scan_once(server, "SCAN ", cursor, " COUNT " + count, seen);
    for (int i = 0; i < 3 && next < changes.size(); ++i, ++next) {
      const std::string key = "passes" + std::to_string(changes[next] / 2);
      server.run((changes[next] % 2 == 0 ? "SET " + key + " v" : "DEL " + key));
    }
  } while (cursor != "0");
  for (int i = 0; i < 100; ++i) RC_ASSERT(seen.count("stays" + std::to_string(i)) == 1U);
}

RC_GTEST_PROP(ScanTest, FieldsOfATableThatStayComeWhileOthersComeAndGo, ()) {
  const auto changes =
      *rc::gen::container<std::vector<std::uint16_t>>(rc::gen::inRange<std::uint16_t>(0, 1600));
  SimulatedServer server;
  for (int i = 0; i < 600; ++i) server.run("HSET h " + std::to_string(i) + " v");
  std::set<std::string> deleted;
  std::multiset<std::string> seen;
  std::string cursor = "0";
  std::size_t next = 0;
  do {
    cursor = scan_once(server, "HSCAN h ", cursor, " COUNT 50", seen);
    for (int i = 0; i < 30 && next < changes.size(); ++i, ++next) {
      const std::string field = std::to_string(changes[next] / 2);
      if (changes[next] % 2 == 0) {
        server.run("HSET h " + field + " v");
      } else {
        server.run("HDEL h " + field);
        deleted.insert(field);
      }
    }
  } while (cursor != "0");
  for (int i = 0; i < 600; ++i) {
    const std::string field = std::to_string(i);
    if (!deleted.contains(field)) RC_ASSERT(seen.count(field) >= 1U);
  }
}

TEST(ScanTest, CursorsAreExactAsFloatingPointNumbers) {
  SimulatedServer server;
  for (int i = 0; i < 1000; ++i) server.run("SET k" + std::to_string(i) + " v");
  const std::string cursor = server.run("SCAN 0").elements[0].text;
  EXPECT_LT(std::stoull(cursor), 1ULL << 53U);
}

TEST(ScanTest, ShowsWhatIsAskedForAndDeletesWhatIsExpired) {
  SimulatedServer server;
  server.run("MSET a 1 b 2 c 3");
  server.run("RPUSH list 1");
  server.run("PEXPIRE a 10");
  server.advance_ms(11);
  server.take_stream();
  EXPECT_EQ(describe(server.run("SCAN 0 MATCH [b-z]*")).find("\"a\""), std::string::npos);
  EXPECT_EQ(server.take_requests(), "");
  EXPECT_EQ(describe(server.run("SCAN 0 TYPE list")), R"(["0", ["list"]])");
  EXPECT_EQ(server.take_requests(), "DEL a");
}

TEST(ScanTest, SurvivesSwappedFlushedAndMovedKeys) {
  SimulatedServer server;
  server.run("MSET a 1 b 2");
  server.run("SCAN 0");
  server.run("RENAME a c");
  server.run("MOVE b 1");
  EXPECT_EQ(describe(server.run("SCAN 0")), R"(["0", ["c"]])");
  server.run("SWAPDB 0 1");
  EXPECT_EQ(describe(server.run("SCAN 0")), R"(["0", ["b"]])");
  server.run("FLUSHALL");
  server.run("SET d 1");
  EXPECT_EQ(describe(server.run("SCAN 0")), R"(["0", ["d"]])");
}

TEST(RandomKeyTest, DrawsAmongTheLivingAndDeletesWhereNoneIs) {
  SimulatedServer server;
  EXPECT_EQ(describe(server.run("RANDOMKEY")), "(nil)");
  server.run("MSET a 1 b 2 c 3");
  server.run("PEXPIRE c 10");
  server.advance_ms(11);
  std::set<std::string> drawn;
  for (int i = 0; i < 50; ++i) drawn.insert(server.run("RANDOMKEY").text);
  EXPECT_EQ(drawn, (std::set<std::string>{"a", "b"}));
  server.run("DEL a b");
  EXPECT_EQ(describe(server.run("RANDOMKEY")), "(nil)");
  EXPECT_EQ(describe(server.run("DBSIZE")), "(integer) 0");
}

TEST(HashRandomFieldTest, DrawsDifferentFieldsOrWithRepetition) {
  SimulatedServer server;
  server.run("HSET h a 1 b 2 c 3");
  std::set<std::string> drawn;
  for (int i = 0; i < 50; ++i) {
    drawn.insert(server.run("HRANDFIELD h").text);
    const Reply two = server.run("HRANDFIELD h 2");
    ASSERT_EQ(two.elements.size(), 2U);
    EXPECT_NE(two.elements[0].text, two.elements[1].text);
  }
  EXPECT_EQ(drawn, (std::set<std::string>{"a", "b", "c"}));
  EXPECT_EQ(server.run("HRANDFIELD h -20").elements.size(), 20U);
  const Reply all = server.run("HRANDFIELD h 9 WITHVALUES");
  std::map<std::string, std::string> pairs;
  for (std::size_t i = 0; i + 1 < all.elements.size(); i += 2) {
    pairs[all.elements[i].text] = all.elements[i + 1].text;
  }
  EXPECT_EQ(pairs, (std::map<std::string, std::string>{{"a", "1"}, {"b", "2"}, {"c", "3"}}));
}

}  // namespace
}  // namespace lockstep::redis::test
