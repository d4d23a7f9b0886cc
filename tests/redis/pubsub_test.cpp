// Subscriptions: confirmations, messages, what a subscribed session may do.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "redis/protocol/reply.h"
#include "redis/server/server.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis::test {
namespace {

using Lines = std::vector<std::string>;

class PubSubTest : public ::testing::Test {
 protected:
  std::string ask(SessionId session, std::string_view line) {
    return describe(server.run_in(session, line));
  }
  SimulatedServer server;
  SessionId publisher = server.open();
  SessionId listener = server.open();
};

TEST_F(PubSubTest, TheLastConfirmationIsTheReplyAndTheOthersComeBefore) {
  EXPECT_EQ(ask(listener, "SUBSCRIBE a b a"), "[\"subscribe\", \"a\", (integer) 2]");
  EXPECT_EQ(server.take_pushes(listener),
            (Lines{"[\"subscribe\", \"a\", (integer) 1]", "[\"subscribe\", \"b\", (integer) 2]"}));
  EXPECT_EQ(ask(listener, "PSUBSCRIBE a*"), "[\"psubscribe\", \"a*\", (integer) 3]");
  EXPECT_EQ(ask(listener, "UNSUBSCRIBE"), "[\"unsubscribe\", \"b\", (integer) 1]");
  EXPECT_EQ(server.take_pushes(listener), (Lines{"[\"unsubscribe\", \"a\", (integer) 2]"}));
  EXPECT_EQ(ask(listener, "UNSUBSCRIBE"), "[\"unsubscribe\", (nil), (integer) 1]");
  EXPECT_EQ(ask(listener, "PUNSUBSCRIBE"), "[\"punsubscribe\", \"a*\", (integer) 0]");
  EXPECT_EQ(ask(listener, "PUNSUBSCRIBE x"), "[\"punsubscribe\", \"x\", (integer) 0]");
}

TEST_F(PubSubTest, AMessageComesOncePerSubscription) {
  ask(listener, "SUBSCRIBE news other");
  ask(listener, "PSUBSCRIBE n*");
  server.take_pushes(listener);
  EXPECT_EQ(ask(publisher, "PUBLISH news hi"), "(integer) 2");
  EXPECT_EQ(server.take_pushes(listener),
            (Lines{"[\"message\", \"news\", \"hi\"]", "[\"pmessage\", \"n*\", \"news\", \"hi\"]"}));
  EXPECT_EQ(ask(publisher, "PUBLISH nobody hi"), "(integer) 1");
  EXPECT_EQ(ask(publisher, "PUBLISH xyz hi"), "(integer) 0");
}

TEST_F(PubSubTest, ScriptsPublishAtOnceAndInOrderEvenIfTheyFailLater) {
  ask(listener, "SUBSCRIBE news");
  const Reply reply = server.run(
      {"EVAL",
       "redis.call('publish', 'news', 1) redis.call('publish', 'news', 2) redis.call('nosuch')",
       "0"});
  EXPECT_TRUE(reply.is_error());
  EXPECT_EQ(server.take_pushes(listener),
            (Lines{"[\"message\", \"news\", \"1\"]", "[\"message\", \"news\", \"2\"]"}));
}

TEST_F(PubSubTest, AShardsChannelsAreCountedAndServedApart) {
  EXPECT_EQ(ask(listener, "SUBSCRIBE news"), "[\"subscribe\", \"news\", (integer) 1]");
  EXPECT_EQ(ask(listener, "SSUBSCRIBE news"), "[\"ssubscribe\", \"news\", (integer) 1]");
  EXPECT_EQ(ask(publisher, "SPUBLISH news hi"), "(integer) 1");
  EXPECT_EQ(server.take_pushes(listener), (Lines{"[\"smessage\", \"news\", \"hi\"]"}));
  EXPECT_EQ(ask(publisher, "PUBSUB SHARDNUMSUB news"), "[\"news\", (integer) 1]");
  EXPECT_EQ(ask(listener, "UNSUBSCRIBE"), "[\"unsubscribe\", \"news\", (integer) 0]");
  EXPECT_NE(ask(listener, "GET k").find("Can't execute 'get'"), std::string::npos);
  EXPECT_EQ(ask(listener, "SUNSUBSCRIBE"), "[\"sunsubscribe\", \"news\", (integer) 0]");
  EXPECT_EQ(ask(listener, "GET k"), "(nil)");
}

TEST_F(PubSubTest, ManyChannelsOfOneSessionStayInOrder) {
  std::vector<std::string> names;
  for (int i = 0; i < 100; ++i) names.push_back("c" + std::to_string(i));
  std::vector<std::string_view> words{"SUBSCRIBE"};
  words.insert(words.end(), names.begin(), names.end());
  server.run_in(listener, words);
  server.take_pushes(listener);
  EXPECT_EQ(ask(listener, "UNSUBSCRIBE c50"), "[\"unsubscribe\", \"c50\", (integer) 99]");
  EXPECT_EQ(ask(listener, "SUBSCRIBE c50"), "[\"subscribe\", \"c50\", (integer) 100]");
  EXPECT_EQ(ask(listener, "UNSUBSCRIBE"), "[\"unsubscribe\", \"c50\", (integer) 0]");
  const Lines told = server.take_pushes(listener);
  ASSERT_EQ(told.size(), 99U);
  EXPECT_EQ(told.front(), "[\"unsubscribe\", \"c0\", (integer) 99]");
}

TEST_F(PubSubTest, ASubscribedSessionMayDoLittleElse) {
  ask(listener, "SUBSCRIBE news");
  EXPECT_EQ(ask(listener, "get k"),
            "(error) ERR Can't execute 'get': only (P|S)SUBSCRIBE / (P|S)UNSUBSCRIBE / PING / QUIT "
            "/ RESET are allowed in this context");
  EXPECT_EQ(ask(listener, "PING"), "[\"pong\", \"\"]");
  EXPECT_EQ(ask(listener, "PING x"), "[\"pong\", \"x\"]");
  ask(listener, "UNSUBSCRIBE news");
  EXPECT_EQ(ask(listener, "PING"), "PONG");
  EXPECT_EQ(ask(listener, "GET k"), "(nil)");
}

TEST_F(PubSubTest, AClosedSessionHearsNothing) {
  ask(listener, "SUBSCRIBE news");
  ask(listener, "PSUBSCRIBE n*");
  server.server().close_session(listener);
  EXPECT_EQ(ask(publisher, "PUBLISH news hi"), "(integer) 0");
  EXPECT_TRUE(server.server().subscriptions().empty());
  EXPECT_EQ(server.open(), listener) << "its place is given to the next";
  EXPECT_EQ(ask(listener, "PING"), "PONG");
}

TEST_F(PubSubTest, ObserversSeeWhoSubscribesSorted) {
  ask(listener, "SUBSCRIBE b a");
  ask(publisher, "SUBSCRIBE b");
  const std::vector<std::pair<std::string, std::uint32_t>> expected{{"a", 1}, {"b", 2}};
  EXPECT_EQ(server.server().subscriptions(), expected);
}

}  // namespace
}  // namespace lockstep::redis::test
