// MONITOR: lines as Redis 7.0.15 sends them.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "redis/protocol/reply.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis {
namespace {

using test::SimulatedServer;

/// What a monitor hears of a request, without the moment and the address.
class MonitorTest : public testing::Test {
 protected:
  MonitorTest() : monitor_(server_.open()) { server_.run_in(monitor_, "MONITOR"); }

  std::vector<std::string> heard() {
    std::vector<std::string> lines;
    for (const Reply& each : server_.take_push_replies(monitor_)) {
      EXPECT_EQ(each.kind, Reply::Kind::status);
      lines.push_back(each.text);
    }
    return lines;
  }
  std::vector<std::string> commands() {
    std::vector<std::string> commands = heard();
    for (std::string& each : commands) each.erase(0, each.find("] ") + 2);
    return commands;
  }
  using Lines = std::vector<std::string>;

  SimulatedServer server_;
  SessionId monitor_;
};

TEST_F(MonitorTest, TellsOfEachRequest) {
  server_.run({"SET", "k", "a\"b\\\n\xfc"});
  server_.run("SELECT 3");
  const Lines lines = heard();
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_TRUE(lines[0].starts_with("1700000000.000000 [0 ")) << lines[0];
  EXPECT_TRUE(lines[0].ends_with("] \"SET\" \"k\" \"a\\\"b\\\\\\n\\xfc\"")) << lines[0];
  EXPECT_TRUE(lines[1].starts_with("1700000000.000000 [3 ")) << lines[1];
}

TEST_F(MonitorTest, TellsOfTransactionsWhenTheyRun) {
  server_.run("MULTI");
  server_.run("SET k v");
  EXPECT_EQ(commands(), Lines{"\"MULTI\""});
  server_.run("EXEC");
  EXPECT_EQ(commands(), (Lines{"\"SET\" \"k\" \"v\"", "\"EXEC\""}));
}

TEST_F(MonitorTest, TellsOfScriptsBeforeWhatTheyDo) {
  server_.run({"EVAL", "return redis.call('get', KEYS[1])", "1", "k"});
  const Lines lines = heard();
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_NE(lines[0].find("\"EVAL\""), std::string::npos);
  EXPECT_TRUE(lines[1].ends_with("[0 lua] \"get\" \"k\"")) << lines[1];
}

TEST_F(MonitorTest, IsSilentAboutAdministrationAndRefusals) {
  server_.run("CONFIG GET port");
  server_.run("SET k");
  EXPECT_EQ(commands(), Lines{});
}

TEST_F(MonitorTest, EndsWithReset) {
  server_.run_in(monitor_, "RESET");
  heard();
  server_.run("PING");
  EXPECT_EQ(commands(), Lines{});
}

}  // namespace
}  // namespace lockstep::redis
