// What a client's bytes do to the service: pieces, pipelines, inline commands, and all that is
// against the protocol. Error texts: Redis 7.0.15.
#include <gtest/gtest.h>

#include <string>

#include "tests/serve/served_redis.h"

namespace lockstep::serve::test::protocol {
namespace {

constexpr std::string_view ping = "*1\r\n$4\r\nPING\r\n";
constexpr std::string_view pong = "+PONG\r\n";

void expect_alive(const ServedRedis& served) {
  RawClient other(served.path());
  EXPECT_EQ(other.ask(ping, pong), pong);
}

TEST(ProtocolTest, AnswersRequestsThatComeInSinglePieces) {
  const ServedRedis served;
  RawClient client(served.path());
  for (const char letter : std::string("*3\r\n$3\r\nSET\r\n$1\r\na\r\n$3\r\nb\r\nGET a\r\n")) {
    ASSERT_TRUE(client.send({&letter, 1}));
  }
  EXPECT_EQ(client.read(5), "+OK\r\n");
  expect_alive(served);
}

TEST(ProtocolTest, AnswersAPipelineInOrderAndMostlyAtOnce) {
  const ServedRedis served;
  RawClient client(served.path());
  std::string requests;
  std::string replies;
  for (int i = 1; i <= 10'000; ++i) {
    requests += "INCR n\r\n";
    replies += ":" + std::to_string(i) + "\r\n";
  }
  EXPECT_EQ(client.ask(requests, replies), replies);
}

TEST(ProtocolTest, ExecutesWhatIsWholeOfABatchAndKeepsTheRest) {
  const ServedRedis served;
  RawClient client(served.path());
  EXPECT_EQ(client.ask("PING\r\n*2\r\n$4\r\nEC", pong), pong);
  EXPECT_EQ(client.ask("HO\r\n$2\r\nhi\r\n", "$2\r\nhi\r\n"), "$2\r\nhi\r\n");
}

TEST(ProtocolTest, TakesBulksOfManyMegabytes) {
  const ServedRedis served;
  RawClient client(served.path());
  const std::string value(20 * mebibyte, 'x');
  const std::string length = std::to_string(value.size());
  EXPECT_EQ(
      client.ask("*3\r\n$3\r\nSET\r\n$3\r\nbig\r\n$" + length + "\r\n" + value + "\r\n", "+OK\r\n"),
      "+OK\r\n");
  const std::string reply = "$" + length + "\r\n" + value + "\r\n";
  EXPECT_TRUE(client.ask("GET big\r\n", reply) == reply);
}

TEST(ProtocolTest, AnswersAnInlineCommandWithQuotes) {
  const ServedRedis served;
  RawClient client(served.path());
  EXPECT_EQ(client.ask("  set \"a b\" 'c d'\r\n\r\nget \"a\\x20b\"\n", "+OK\r\n$3\r\nc d\r\n"),
            "+OK\r\n$3\r\nc d\r\n");
}

struct Breach {
  std::string_view bytes;
  std::string_view answer;
};

TEST(ProtocolTest, SaysWhatIsWrongInRedissWordsAndCloses) {
  const ServedRedis served;
  for (const auto& [bytes, answer] : {
           Breach{"*x\r\n", "-ERR Protocol error: invalid multibulk length\r\n"},
           {"*99999999999\r\n", "-ERR Protocol error: invalid multibulk length\r\n"},
           {"*1\r\n:1\r\n", "-ERR Protocol error: expected '$', got ':'\r\n"},
           {"*1\r\n*1\r\n$4\r\nPING\r\n", "-ERR Protocol error: expected '$', got '*'\r\n"},
           {"*1\r\n$-1\r\n", "-ERR Protocol error: invalid bulk length\r\n"},
           {"*1\r\n$67108865\r\n", "-ERR Protocol error: invalid bulk length\r\n"},
           {"PING\r\n*1\r\n$x\r\n", "+PONG\r\n-ERR Protocol error: invalid bulk length\r\n"},
           {"set a \"b\r\n", "-ERR Protocol error: unbalanced quotes in request\r\n"},
       }) {
    RawClient client(served.path());
    client.send(bytes);
    EXPECT_EQ(client.read_to_end(), answer) << bytes;
  }
  expect_alive(served);
}

TEST(ProtocolTest, FindsNoEndOfALineWithANulAsRedisFindsNone) {
  const ServedRedis served;
  for (const std::string& line : {std::string("\0PING\r\n", 7), std::string("*1\0\r\nPING\r\n", 11),
                                  std::string("*1\r\n$4\0\r\nPING\r\n", 15)}) {
    RawClient client(served.path());
    client.send(line);
    client.finish();
    EXPECT_EQ(client.read_to_end(), "");
  }
  expect_alive(served);
}

TEST(ProtocolTest, RefusesLinesWithoutAnEnd) {
  const ServedRedis served;
  for (const std::string_view begin : {"", "*", "*1\r\n$"}) {
    RawClient client(served.path());
    client.send(std::string(begin) + std::string(70'000, '1'));
    EXPECT_NE(client.read_to_end().find("Protocol error: too big"), std::string::npos) << begin;
  }
  expect_alive(served);
}

TEST(ProtocolTest, ClosesWhoSendsARequestBeyondTheLimit) {
  ServiceOptions options;
  options.limits.unread_bytes_max = mebibyte;
  const ServedRedis served(options);
  RawClient client(served.path());
  const std::string word = "$1000\r\n" + std::string(1000, 'x') + "\r\n";
  client.send("*100000\r\n");
  int sent = 0;
  while (sent < 100'000 && client.send(word)) ++sent;
  EXPECT_LT(sent, 10'000);
  expect_alive(served);
}

TEST(ProtocolTest, ReadsARequestOfManyWordsInTimeThatGrowsWithItsLength) {
  const ServedRedis served;
  RawClient client(served.path());
  constexpr int words = 800'000;
  std::string request = "*" + std::to_string(words + 1) + "\r\n$3\r\nDEL\r\n";
  for (int i = 0; i < words; ++i) request += "$2\r\nkk\r\n";
  for (std::string_view rest = request; !rest.empty();) {  // thousands of small pieces
    const std::string_view piece = rest.substr(0, 500);
    ASSERT_TRUE(client.send(piece));
    rest.remove_prefix(piece.size());
  }
  EXPECT_EQ(client.read(4), ":0\r\n");
}

}  // namespace
}  // namespace lockstep::serve::test::protocol
