// Scripts that go on for long: others are answered BUSY, and everything can be ended.
#include <gtest/gtest.h>

#include <csignal>
#include <string>
#include <vector>

#include "confirm/redis_connection.h"
#include "tests/serve/served_redis.h"

namespace lockstep::serve::test {
namespace {

using lockstep::confirm::RedisConnection;

constexpr std::string_view busy =
    "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.";
constexpr std::string_view killed = "Script killed by user with SCRIPT KILL...";

/// Until others hear that a script is busy; false where they never do.
bool becomes_busy(RedisConnection& other) {
  for (int i = 0; i < 100'000; ++i) {
    if (other.command({"PING"}).text == busy) return true;
  }
  return false;
}

std::string request(const std::vector<std::string>& words) {
  std::string text = "*" + std::to_string(words.size()) + "\r\n";
  for (const std::string& word : words) {
    text += "$" + std::to_string(word.size()) + "\r\n" + word + "\r\n";
  }
  return text;
}

std::string eval(const std::string& body) { return request({"EVAL", body, "0"}); }

/// With a threshold so short that the test need not wait.
struct LongScripts : testing::Test {
  LongScripts() { control.command({"CONFIG", "SET", "busy-reply-threshold", "5"}); }
  ServedRedis served;
  RedisConnection control{served.path()};
  RawClient caller{served.path()};
};

TEST_F(LongScripts, AreKilledWhateverTheyDo) {
  control.command({"EVAL", "for i = 1, 20 do redis.call('rpush', 'l', i, i, i, i, i) end", "0"});
  control.command({"SET", "text", std::string(4'000, 'x')});
  for (const std::string body : {
           "while true do end",
           "while true do redis.call('info') end",
           "while true do redis.call('lrange', 'l', 0, -1) end",
           "while true do redis.call('lcs', 'text', 'text', 'len') end",
           "local t = {} for i = 1, 300000 do t[i] = i end while true do table.sort(t) end",
           "local t = {} for i = 1, 5000 do t[i] = i end while true do local a = unpack(t) end",
           "while true do pcall(cjson.decode, string.rep('[', 900)) end",
           "while true do local s = string.format('%99.99f', 1e300) end",
           "while true do pcall(function() while true do end end) end",
           "local c = coroutine.wrap(function() while true do end end) c()",
           "return string.find(string.rep('a', 60), string.rep('a?', 60) .. string.rep('a', 60))",
       }) {
    caller.send(eval(body));
    EXPECT_TRUE(becomes_busy(control)) << body;
    EXPECT_EQ(control.command({"SCRIPT", "KILL"}).text, "OK") << body;
    std::string reply;
    do reply += caller.read(1);
    while (reply.back() != '\n');
    EXPECT_NE(reply.find(killed), std::string::npos) << body << ": " << reply;
    EXPECT_EQ(control.command({"PING"}).text, "PONG") << body;
  }
  EXPECT_EQ(control.command({"SCRIPT", "KILL"}).text, "NOTBUSY No scripts in execution right now.");
}

TEST_F(LongScripts, LetOthersSayWhatRedisLetsThemSay) {
  caller.send(eval("while true do end") + "PING\r\n");
  ASSERT_TRUE(becomes_busy(control));
  EXPECT_EQ(control.command({"SHUTDOWN"}).text, busy);
  EXPECT_EQ(control.command({"GET", "k"}).text, busy);
  EXPECT_EQ(control.command({"EVAL", "return 1", "0"}).text, busy);
  EXPECT_EQ(control.command({"WATCH", "k"}).text, "OK");
  EXPECT_EQ(control.command({"MULTI"}).text, "OK");
  EXPECT_EQ(control.command({"GET", "k"}).text, busy);
  EXPECT_EQ(control.command({"EXEC"}).text,
            "EXECABORT Transaction discarded because of: " + std::string(busy.substr(0)));
  RedisConnection late(served.path());  // who connects meanwhile is answered too
  EXPECT_EQ(late.command({"PING"}).text, busy);
  EXPECT_EQ(late.command({"SCRIPT", "KILL"}).text, "OK");
  EXPECT_NE(caller.read(1), "");
  EXPECT_EQ(late.command({"PING"}).text, "PONG");
}

TEST_F(LongScripts, ThatRunInATransactionAreKilledToo) {
  caller.send("MULTI\r\n" + eval("while true do end") + "PING\r\nEXEC\r\n");
  ASSERT_TRUE(becomes_busy(control));
  EXPECT_EQ(control.command({"SCRIPT", "KILL"}).text, "OK");
  const std::string queued = "+OK\r\n+QUEUED\r\n+QUEUED\r\n*2\r\n-";
  EXPECT_EQ(caller.read(queued.size()), queued);
  EXPECT_EQ(control.command({"PING"}).text, "PONG");
}

TEST_F(LongScripts, ThatHaveWrittenEndWithTheService) {
  caller.send(eval("redis.call('set', 'k', 'v') while true do end"));
  ASSERT_TRUE(becomes_busy(control));
  EXPECT_EQ(control.command({"SCRIPT", "KILL"}).text.substr(0, 59),
            "UNKILLABLE Sorry the script already executed write commands");
  kill(served.process(), SIGTERM);
  EXPECT_EQ(served.wait(), 0);
}

TEST_F(LongScripts, EndWithSigtermBeforeAnybodyIsToldThatTheyAreBusy) {
  control.command({"CONFIG", "SET", "busy-reply-threshold", "100000000"});
  caller.send(eval("while true do redis.call('info') end"));
  kill(served.process(), SIGTERM);
  EXPECT_EQ(served.wait(), 0);
}

TEST_F(LongScripts, EndWithShutdownNosave) {
  caller.send(eval("while true do end"));
  ASSERT_TRUE(becomes_busy(control));
  RawClient other(served.path());
  other.send("SHUTDOWN NOSAVE\r\n");
  EXPECT_EQ(served.wait(), 0);
}

TEST_F(LongScripts, OutliveTheirClientsAndManyOthers) {
  {
    RawClient leaving(served.path());
    leaving.send(eval("while true do end"));
    ASSERT_TRUE(becomes_busy(control));
  }
  for (int i = 0; i < 300; ++i) {
    RawClient passing(served.path());
    EXPECT_EQ(passing.ask("PING\r\n", "-BUSY"), "-BUSY");
  }
  EXPECT_EQ(control.command({"SCRIPT", "KILL"}).text, "OK");
  EXPECT_EQ(control.command({"PING"}).text, "PONG");
}

TEST(LongScriptsTest, OfOneServerLeaveTheOthersOfTheProcessAlone) {
  ServiceOptions options;
  options.replicas = 1;
  const ServedRedis served(options);
  RedisConnection master(served.path());
  RedisConnection replica(served.path_of_replica(1));
  master.command({"CONFIG", "SET", "busy-reply-threshold", "5"});
  RawClient caller(served.path());
  caller.send(eval("while true do end"));
  ASSERT_TRUE(becomes_busy(master));
  EXPECT_EQ(replica.command({"EVAL", "return redis.call('exists', 'k')", "0"}).integer, 0);
  EXPECT_EQ(master.command({"SCRIPT", "KILL"}).text, "OK");
  EXPECT_EQ(master.command({"PING"}).text, "PONG");
}

}  // namespace
}  // namespace lockstep::serve::test
