// RESP3: what writers make of each kind of reply, and readers of its bytes; and connections that
// said HELLO 3, against a real server's bytes.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "confirm/redis_connection.h"
#include "redis/protocol/reply_builder.h"
#include "redis/protocol/resp.h"
#include "redis/protocol/resp_writer.h"
#include "redis/server/server.h"
#include "tests/redis/comparison/real_server.h"
#include "tests/redis/comparison/resp_message.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis::test {
namespace {

struct Sample {
  const char* name;
  std::function<void(ReplyWriter&)> write;
  std::string resp2;
  std::string resp3;
  std::string described;  ///< of RESP3
};

const std::vector<Sample>& samples() {
  static const std::vector<Sample> all{
      {"NullBulk", [](ReplyWriter& w) { w.null_bulk(); }, "$-1\r\n", "_\r\n", "(null)"},
      {"NullArray", [](ReplyWriter& w) { w.null_array(); }, "*-1\r\n", "_\r\n", "(null)"},
      {"True", [](ReplyWriter& w) { w.boolean(true); }, ":1\r\n", "#t\r\n", "(true)"},
      {"False", [](ReplyWriter& w) { w.boolean(false); }, ":0\r\n", "#f\r\n", "(false)"},
      {"Real", [](ReplyWriter& w) { w.real(0.1); }, "$19\r\n0.10000000000000001\r\n",
       ",0.10000000000000001\r\n", "(double) 0.10000000000000001"},
      {"Infinity", [](ReplyWriter& w) { w.real(-1 / 0.0); }, "$4\r\n-inf\r\n", ",-inf\r\n",
       "(double) -inf"},
      {"BigNumber", [](ReplyWriter& w) { w.big_number("123"); }, "$3\r\n123\r\n", "(123\r\n",
       "(big number) 123"},
      {"Verbatim", [](ReplyWriter& w) { w.verbatim("txt", "a\r\nb"); }, "$4\r\na\r\nb\r\n",
       "=8\r\ntxt:a\r\nb\r\n", "(txt) \"a\\r\\nb\""},
      {"EmptyMap", [](ReplyWriter& w) { w.map(0); }, "*0\r\n", "%0\r\n", "map[]"},
      {"Map",
       [](ReplyWriter& w) {
         w.map(2);
         w.bulk("a");
         w.integer(1);
         w.bulk("b");
         w.set(1);
         w.null_bulk();
       },
       "*4\r\n$1\r\na\r\n:1\r\n$1\r\nb\r\n*1\r\n$-1\r\n",
       "%2\r\n$1\r\na\r\n:1\r\n$1\r\nb\r\n~1\r\n_\r\n",
       "map[\"a\", (integer) 1, \"b\", set[(null)]]"},
      {"Push",
       [](ReplyWriter& w) {
         w.push(1);
         w.bulk("m");
       },
       "*1\r\n$1\r\nm\r\n", ">1\r\n$1\r\nm\r\n", "push[\"m\"]"},
  };
  return all;
}

class Resp3SampleTest : public ::testing::TestWithParam<Sample> {};

TEST_P(Resp3SampleTest, IsWrittenInBothProtocols) {
  std::string resp2;
  RespWriter two(resp2);
  GetParam().write(two);
  EXPECT_EQ(resp2, GetParam().resp2);
  std::string resp3;
  RespWriter three(resp3, Protocol::resp3);
  GetParam().write(three);
  EXPECT_EQ(resp3, GetParam().resp3);
}

TEST_P(Resp3SampleTest, IsTheSameAsAValueThatIsWrittenLater) {
  for (const Protocol protocol : {Protocol::resp2, Protocol::resp3}) {
    Reply reply;
    ReplyBuilder builder(reply, protocol);
    GetParam().write(builder);
    std::string bytes;
    RespWriter writer(bytes, protocol);
    write_reply(reply, writer);
    EXPECT_EQ(bytes, protocol == Protocol::resp2 ? GetParam().resp2 : GetParam().resp3);
    if (protocol == Protocol::resp2) continue;
    EXPECT_EQ(describe(reply), GetParam().described);
  }
}

TEST_P(Resp3SampleTest, IsReadFromItsBytesInPieces) {
  ReplyReader reader;
  Reply read;
  for (const char byte : GetParam().resp3.substr(0, GetParam().resp3.size() - 1)) {
    reader.feed({&byte, 1});
    ASSERT_EQ(reader.next(read), RespRead::incomplete) << reader.error();
  }
  reader.feed("\n");
  ASSERT_EQ(reader.next(read), RespRead::complete) << reader.error();
  EXPECT_EQ(describe(read), GetParam().described);
}

INSTANTIATE_TEST_SUITE_P(Samples, Resp3SampleTest, ::testing::ValuesIn(samples()),
                         [](const auto& sample) { return std::string(sample.param.name); });

TEST(Resp3Test, APushWithinAReplyComesBeforeIt) {
  ReplyReader reader;
  reader.feed("*2\r\n+OK\r\n>1\r\n$1\r\nm\r\n:1\r\n:2\r\n");
  std::vector<std::string> read;
  for (Reply reply; reader.next(reply) == RespRead::complete;) read.push_back(describe(reply));
  EXPECT_EQ(read, (std::vector<std::string>{"push[\"m\"]", "[OK, (integer) 1]", "(integer) 2"}));
}

TEST(Resp3Test, AttributesAreReadPast) {
  ReplyReader reader;
  reader.feed("|1\r\n+ttl\r\n:3600\r\n*1\r\n:7\r\n");
  Reply reply;
  ASSERT_EQ(reader.next(reply), RespRead::complete);
  EXPECT_EQ(describe(reply), "[(integer) 7]");
}

TEST(Resp3Test, WhatIsNoReplyIsRefused) {
  for (const char* bytes : {"#x\r\n", "=2\r\nab\r\n", "%-1\r\n", "~x\r\n", "?1\r\n"}) {
    ReplyReader reader;
    reader.feed(bytes);
    Reply reply;
    EXPECT_EQ(reader.next(reply), RespRead::invalid) << bytes;
    EXPECT_FALSE(reader.error().empty());
  }
}

/// One connection's bytes on both sides, its own messages where they stand.
class Resp3SessionTest : public ::testing::Test {
 protected:
  void compare(const std::vector<std::string>& words) {
    const std::vector<std::string_view> views(words.begin(), words.end());
    std::string here;
    RespWriter writer(here);
    simulated.set_output(session, &here);
    simulated.try_run_in(session, views, writer);
    simulated.set_output(session, nullptr);
    real.connection.send(views);
    std::string there;
    while (there.size() < here.size()) real.connection.read_bytes(there);
    EXPECT_EQ(in_quotes(here), in_quotes(there)) << cli_line(words);
  }

  RealServer real;
  SimulatedServer simulated;
  SessionId session = simulated.open();
};

TEST_F(Resp3SessionTest, MessagesToOneselfStandWhereRedisPutsThem) {
  simulated.run_in(session, "HELLO 3");
  real.connection.command({"HELLO", "3"});
  compare({"SUBSCRIBE", "a", "b"});
  compare({"PING"});
  compare({"PUBLISH", "a", "x"});
  compare({"MULTI"});
  compare({"SET", "k", "v"});
  compare({"PUBLISH", "a", "y"});
  compare({"GET", "nokey"});
  compare({"EXEC"});
  compare(
      {"EVAL", "redis.call('publish', 'b', 'z') return {1, false, redis.call('get', 'k')}", "0"});
  compare({"UNSUBSCRIBE", "a"});
  compare({"UNSUBSCRIBE"});
  compare({"UNSUBSCRIBE"});
  compare({"RESET"});
  compare({"GET", "nokey"});
}

TEST_F(Resp3SessionTest, ScriptsThatSetTheirProtocolReplyAsRedis) {
  for (const char* protocol : {"3", "2"}) {
    simulated.run_in(session, std::string("HELLO ") + protocol);
    real.connection.command({"HELLO", protocol});
    compare({"HSET", "h", "f", "v"});
    for (const char* script :
         {"return {true, false, 2}", "redis.setresp(3) return {true, false, 2}",
          "redis.setresp(3) return redis.call('hgetall', 'h')",
          "redis.setresp(3) return redis.call('hgetall', 'nokey')",
          "redis.setresp(3) local m = redis.call('hgetall', 'h').map return {m.f, #m}",
          "redis.setresp(3) return redis.call('get', 'nokey') == nil",
          "redis.setresp(3) return type(redis.call('hgetall', 'h').map)",
          "redis.setresp(3) redis.setresp(2) return redis.call('hgetall', 'h')",
          "return {double = 3.5}", "return {double = -1/0}", "return {map = {a = 1}}",
          "return {set = {a = true}}", "return {set = {}}", "return {big_number = '12'}",
          "return {verbatim_string = {format = 'mkdx', string = 'hey'}}",
          "return {verbatim_string = {format = 'm', string = 'hey'}}",
          "return {{double = 1}, {ok = 'fine'}, {err = 'My error'}}"}) {
      compare({"EVAL", script, "0"});
    }
  }
}

TEST_F(Resp3SessionTest, ASilentSessionHearsWhatRedisLetsItHear) {
  compare({"CLIENT", "REPLY", "SKIP"});
  compare({"GET", "k"});
  compare({"PING"});
  compare({"CLIENT", "REPLY", "OFF"});
  compare({"SUBSCRIBE", "a"});
  compare({"UNSUBSCRIBE"});
  compare({"CLIENT", "REPLY", "ON"});
  compare({"PING"});
}

TEST_F(Resp3SessionTest, QuitEndsTheSession) {
  compare({"SUBSCRIBE", "a"});
  compare({"QUIT"});
  EXPECT_TRUE(simulated.is_ended(session));
  EXPECT_EQ(simulated.run("PUBLISH a x").integer, 0);
  std::string bytes;
  EXPECT_THROW(real.connection.read_bytes(bytes), std::runtime_error);  // it closed the connection
  Reply reply;
  ReplyBuilder builder(reply);
  EXPECT_EQ(simulated.server().execute(session, words_of("PING"), builder), ExecuteResult::silent);
}

}  // namespace
}  // namespace lockstep::redis::test
