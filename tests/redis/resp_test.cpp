// RESP2: what the writer writes the reader reads, in pieces of any size; what is no RESP is refused
// in the real server's words.
#include "redis/protocol/resp.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "redis/protocol/reply_builder.h"
#include "redis/protocol/resp_writer.h"
#include "tests/redis/comparison/real_server.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis::test {
namespace {

Reply any_reply(int nesting_max) {
  Reply reply;
  const auto kind = *rc::gen::inRange(0, nesting_max > 0 ? 7 : 6);
  reply.kind = static_cast<Reply::Kind>(kind);
  if (reply.kind == Reply::Kind::integer) reply.integer = *rc::gen::arbitrary<std::int64_t>();
  if (reply.kind == Reply::Kind::bulk) reply.text = *rc::gen::arbitrary<std::string>();
  if (reply.kind == Reply::Kind::status || reply.kind == Reply::Kind::error) {
    reply.text = *rc::gen::container<std::string>(
        rc::gen::suchThat<char>([](char letter) { return letter != '\r' && letter != '\n'; }));
  }
  if (reply.kind == Reply::Kind::array) {
    const auto count = *rc::gen::inRange(0, 4);
    for (int i = 0; i < count; ++i) reply.elements.push_back(any_reply(nesting_max - 1));
  }
  return reply;
}

/// The text in pieces, none of them empty.
std::vector<std::string_view> any_pieces(std::string_view text) {
  std::vector<std::string_view> pieces;
  while (!text.empty()) {
    const auto length = *rc::gen::inRange<std::size_t>(1, text.size() + 1);
    pieces.push_back(text.substr(0, length));
    text.remove_prefix(length);
  }
  return pieces;
}

RC_GTEST_PROP(RespTest, RepliesAreReadAsTheyWereWritten, ()) {
  std::vector<Reply> replies;
  std::string bytes;
  RespWriter writer(bytes);
  for (auto count = *rc::gen::inRange(1, 5); count > 0; --count) {
    write_reply(replies.emplace_back(any_reply(3)), writer);
  }
  ReplyReader reader;
  std::vector<Reply> read;
  for (const std::string_view piece : any_pieces(bytes)) {
    reader.feed(piece);
    for (Reply reply; reader.next(reply) == RespRead::complete;) read.push_back(reply);
  }
  RC_ASSERT(reader.error().empty());
  RC_ASSERT(read == replies);
}

RC_GTEST_PROP(RespTest, ABuilderTakesWhatAWriterIsTold, ()) {
  const Reply reply = any_reply(3);
  Reply built = any_reply(2);  // whatever was there before
  ReplyBuilder builder(built);
  write_reply(reply, builder);
  RC_ASSERT(built == reply);
}

RC_GTEST_PROP(RespTest, RequestsAreReadAsTheyWereWritten, ()) {
  const auto requests = *rc::gen::container<std::vector<std::vector<std::string>>>(
      rc::gen::nonEmpty<std::vector<std::string>>());
  std::string bytes;
  for (const std::vector<std::string>& words : requests) {
    append_request(std::vector<std::string_view>(words.begin(), words.end()), bytes);
  }
  RequestReader reader;
  std::vector<std::vector<std::string>> read;
  for (const std::string_view piece : any_pieces(bytes)) {
    reader.feed(piece);
    while (reader.next() == RespRead::complete) {
      read.emplace_back(reader.words().begin(), reader.words().end());
    }
  }
  RC_ASSERT(reader.error().empty());
  RC_ASSERT(read == requests);
}

RC_GTEST_PROP(RespTest, AnyBytesAreReadOrRefusedButDoNoHarm, ()) {
  const auto bytes = *rc::gen::container<std::string>(
      rc::gen::elementOf(std::string("*$:+-0123 \r\n\r\n'\"\\xq")));
  RequestReader requests;
  ReplyReader replies;
  for (const std::string_view piece : any_pieces(bytes)) {
    requests.feed(piece);
    while (requests.next() == RespRead::complete) RC_ASSERT(!requests.words().empty());
    replies.feed(piece);
    for (Reply reply; replies.next(reply) == RespRead::complete;) {
      RC_ASSERT(!describe(reply).empty() || reply.text.empty());
    }
  }
}

struct InlineRow {
  std::string_view line;
  std::vector<std::string> words;
};

TEST(RespTest, InlineRequestsAreSplitAsTheRealServerDoes) {
  const std::vector<InlineRow> rows{
      {"GET key\r\n", {"GET", "key"}},
      {"  GET \t key  \n", {"GET", "key"}},
      {"\r\n\r\nPING\r\n", {"PING"}},
      {"SET k \"two words\"\r\n", {"SET", "k", "two words"}},
      {"SET k 'it\\'s'\r\n", {"SET", "k", "it's"}},
      {"SET k '\\n'\r\n", {"SET", "k", "\\n"}},
      {"SET k \"\\x41\\n\\q\\\"\"\r\n", {"SET", "k", "A\nq\""}},
      {"SET k \"\\xZZ\"\r\n", {"SET", "k", "xZZ"}},
      {"SET k a\"b\"\r\n", {"SET", "k", "ab"}},
      {"SET k \"\"\r\n", {"SET", "k", ""}},
  };
  for (const InlineRow& row : rows) {
    RequestReader reader;
    reader.feed(row.line);
    ASSERT_EQ(reader.next(), RespRead::complete) << row.line;
    EXPECT_EQ(std::vector<std::string>(reader.words().begin(), reader.words().end()), row.words);
  }
}

TEST(RespTest, InlineWordsReachTheRealServerAlike) {
  RealServer server;
  for (const std::string_view word :
       {"plain", "\"two words\"", "'it\\'s'", "'\\n'", "\"\\x41\\n\\q\\\"\"", "\"\\xZZ\"", "a\"b\"",
        "\"\"", "\"\\x4\"", "\"\\t\\r\\b\\a\\\\\"", "''", "a'b c'"}) {
    const std::string line = "ECHO " + std::string(word) + "\r\n";
    server.connection.send_bytes(line);
    const Reply real = server.connection.read_reply();
    RequestReader reader;
    reader.feed(line);
    ASSERT_EQ(reader.next(), RespRead::complete) << line;
    ASSERT_EQ(reader.words().size(), 2U) << line;
    EXPECT_EQ(reader.words()[1], real.text) << line;
  }
}

TEST(RespTest, WhatBreaksTheProtocolIsRefusedInTheRealServersWords) {
  const RealServer server;
  const std::string endless(70'000, '1');
  for (const std::string& bytes :
       {std::string("*x\r\n"), std::string("*99999999999\r\n"), std::string("*1\r\n:1\r\n"),
        std::string("*1\r\n$x\r\n"), std::string("*1\r\n$-1\r\n"),
        std::string("*1\r\n$600000000\r\n"), std::string("*1\r\n\r\n"), std::string("*\r\n"),
        std::string("*01\r\n"), std::string("*1\r\n$+1\r\n"), std::string("GET \"a\r\n"),
        std::string("GET 'a'b\r\n"), "*" + endless, "*1\r\n$" + endless, "GET " + endless}) {
    lockstep::confirm::RedisConnection connection(server.redis.socket_path());
    connection.send_bytes(bytes);
    const Reply real = connection.read_reply();
    RequestReader reader;
    reader.feed(bytes);
    EXPECT_EQ(reader.next(), RespRead::invalid) << bytes.substr(0, 40);
    EXPECT_EQ(reader.error(), real.text) << bytes.substr(0, 40);
    reader.feed("PING\r\n");
    EXPECT_EQ(reader.next(), RespRead::invalid) << "a broken connection stays broken";
  }
}

TEST(RespTest, EmptyRequestsArePassedOver) {
  RequestReader reader;
  reader.feed("*0\r\n*-1\r\n*-2147483649\r\n\r\n*1\r\n$4\r\nPING\r\n");
  ASSERT_EQ(reader.next(), RespRead::complete);
  EXPECT_EQ(reader.words()[0], "PING");
  EXPECT_EQ(reader.next(), RespRead::incomplete);
}

TEST(RespTest, RepliesBeyondTheLimitsAreRefused) {
  const RespLimits limits{
      .bulk_bytes_max = 10, .array_elements_max = 3, .line_bytes_max = 20, .nesting_max = 2};
  for (const std::string_view bytes :
       {"$11\r\n", "*4\r\n", "*1\r\n*1\r\n*1\r\n:1\r\n", "+aaaaaaaaaaaaaaaaaaaaaaaaa", "?\r\n",
        ":x\r\n", "$-2\r\n", "*-2\r\n", "\r\n"}) {
    ReplyReader reader(limits);
    reader.feed(bytes);
    Reply reply;
    EXPECT_EQ(reader.next(reply), RespRead::invalid) << bytes;
    EXPECT_FALSE(reader.error().empty()) << bytes;
  }
}

TEST(RespTest, LineBreaksInErrorsBecomeBlanks) {
  std::string bytes;
  RespWriter(bytes).error("ERR one\r\ntwo");
  EXPECT_EQ(bytes, "-ERR one  two\r\n");
}

TEST(ReplyTest, IsDescribedOnOneLine) {
  std::string bytes;
  RespWriter writer(bytes);
  Reply reply;
  ReplyBuilder builder(reply);
  builder.array(6);
  builder.integer(-1);
  builder.bulk(std::string_view("a\"\\\n\r\t\x01\xff\0", 9));
  builder.null_bulk();
  builder.status("OK");
  builder.error("ERR no");
  builder.array(0);
  EXPECT_EQ(describe(reply),
            "[(integer) -1, \"a\\\"\\\\\\n\\r\\t\\x01\\xff\\x00\", (nil), OK, (error) ERR no, []]");
}

}  // namespace
}  // namespace lockstep::redis::test
