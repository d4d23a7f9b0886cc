// Keyspace notifications. Which events a command gives is compared with the real server's by the
// family `notifications`.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "redis/protocol/reply.h"
#include "redis/server/server.h"
#include "redis/server/server_version.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis::test {
namespace {

using Lines = std::vector<std::string>;

struct KeyspaceEventsTest : testing::Test {
  explicit KeyspaceEventsTest(const ServerOptions& options = {}) : server(options) {}
  SimulatedServer server;
  SessionId listener = server.open();

  void listen(std::string_view events, std::string_view pattern) {
    server.run({"CONFIG", "SET", "notify-keyspace-events", events});
    server.run_in(listener, std::vector<std::string_view>{"PSUBSCRIBE", pattern});
    server.take_pushes(listener);
  }
  /// "event key" of each message since the last call.
  Lines heard() {
    Lines lines;
    for (const Reply& push : server.take_push_replies(listener)) {
      const std::string& channel = push.elements[2].text;
      lines.push_back(channel.substr(channel.rfind("__:") + 3) + " " + push.elements[3].text);
    }
    return lines;
  }
};

TEST_F(KeyspaceEventsTest, TellOfTheLifeOfALock) {
  listen("Ex$g", "__keyevent@0__:*");
  server.run("SET lock me NX PX 1000");
  EXPECT_EQ(heard(), (Lines{"set lock", "expire lock"}));
  server.run("SET lock you NX PX 1000");
  server.run({"EVAL", "return redis.call('del', KEYS[1])", "1", "lock"});
  EXPECT_EQ(heard(), (Lines{"del lock"}));
  server.run("SET lock me NX PX 1000");
  heard();
  server.advance_ms(1001);
  server.server().expire_cycle();
  EXPECT_EQ(heard(), (Lines{"expired lock"}));
  server.run("RPUSH queue a");
  server.run("LPOP queue");
  EXPECT_EQ(heard(), (Lines{"del queue"}));  // of lists nothing was asked
}

struct KeyspaceEventsOf6_0Test : KeyspaceEventsTest {
  KeyspaceEventsOf6_0Test() : KeyspaceEventsTest(options_of(ServerVersion::redis_6_0)) {}
};

TEST_F(KeyspaceEventsOf6_0Test, TellThatAnIntersectionOfNothingDeletes) {
  server.run("SET h 1");
  listen("Eg", "__keyevent@0__:*");
  server.run("SINTERSTORE h missing s");
  EXPECT_EQ(heard(), (Lines{"del h"}));
  server.run("SINTERSTORE h missing s");
  EXPECT_EQ(heard(), (Lines{}));
}

TEST_F(KeyspaceEventsTest, TellOfEvictionsAndOfNewKeys) {
  listen("Een", "__keyevent@0__:*");
  server.run("SET lock me");
  EXPECT_EQ(heard(), (Lines{"new lock"}));
  server.run("SET lock you");
  EXPECT_EQ(heard(), (Lines{}));
  server.server().evict("lock");
  EXPECT_EQ(heard(), (Lines{"evicted lock"}));
  server.run("MSET both 1 both 2");
  EXPECT_EQ(heard(), (Lines{"new both"}));
}

TEST_F(KeyspaceEventsTest, TellOfATrimThatTakesNothing) {
  server.run("RPUSH queue a b");
  listen("El", "__keyevent@0__:*");
  server.take_requests();
  server.run("LTRIM queue 0 10");
  EXPECT_EQ(heard(), (Lines{"ltrim queue"}));
  EXPECT_EQ(server.take_requests(), "");
}

TEST_F(KeyspaceEventsTest, OfNewKeysEndWithARefusedSettingWhereAllIsAskedFor) {
  listen("KEAn", "__keyevent@0__:new");
  server.run("SET a 1");
  EXPECT_EQ(heard(), (Lines{"new a"}));
  server.run("CONFIG SET notify-keyspace-events foo");
  server.run("SET b 1");
  EXPECT_EQ(heard(), (Lines{}));
}

TEST_F(KeyspaceEventsTest, TellOfANewNameBeforeTheyTellOfTheMove) {
  server.run("SET lock me");
  listen("Egn", "__keyevent@0__:*");
  server.run("RENAMENX lock other");
  EXPECT_EQ(heard(), (Lines{"new other", "rename_from lock", "rename_to other"}));
}

TEST_F(KeyspaceEventsTest, NameTheKeyOrTheEventAsAsked) {
  listen("Kg", "__keyspace@0__:*");
  server.run("SET lock me");
  server.run("DEL lock");
  EXPECT_EQ(heard(), (Lines{"lock del"}));
  server.run("CONFIG SET notify-keyspace-events g");
  server.run("SET lock me");
  server.run("DEL lock");
  EXPECT_EQ(heard(), (Lines{}));
}

TEST_F(KeyspaceEventsTest, StayOnTheirServerAndComeOnReplicasAsWell) {
  server.take_stream();
  listen("KEA", "__keyevent@0__:*");
  server.run("SET lock me");
  EXPECT_EQ(server.take_requests(), "SELECT 0 / SET lock me");
}

}  // namespace
}  // namespace lockstep::redis::test
