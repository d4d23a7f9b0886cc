// What is not held against the simulated server, and how requests are shown.
#include "confirm/reply_equivalence.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "confirm/request_text.h"

namespace lockstep::confirm::test {
namespace {

using Words = std::vector<std::string>;

redis::Reply array_of(std::initializer_list<std::string_view> texts) {
  redis::Reply reply;
  reply.kind = redis::Reply::Kind::array;
  for (const std::string_view text : texts) {
    reply.elements.emplace_back();
    reply.elements.back().kind = redis::Reply::Kind::bulk;
    reply.elements.back().text = text;
  }
  return reply;
}

TEST(Freedoms, AreOfWhatTellsOfTheProcessOrOfChance) {
  for (const Words& words :
       {Words{"INFO"}, Words{"info", "server"}, Words{"CLIENT", "LIST"}, Words{"client", "id"},
        Words{"CONFIG", "GET", "*"}, Words{"SPOP", "s"}, Words{"RANDOMKEY"}, Words{"SCAN", "0"}}) {
    EXPECT_FALSE(is_comparable(words)) << words[0];
  }
  for (const Words& words :
       {Words{"GET", "k"}, Words{"EVALSHA", "x", "0"}, Words{"CLIENT", "SETNAME", "x"},
        Words{"CLIENT"}, Words{"CONFIG", "SET", "maxmemory", "1"}, Words{"TIME"},
        Words{"SCRIPT", "LOAD", "x"}, Words{"KEYS", "*"}}) {
    EXPECT_TRUE(is_comparable(words)) << words[0];
  }
}

TEST(Freedoms, LetHashTablesGiveTheirOrder) {
  const redis::Reply one = array_of({"a", "b"});
  const redis::Reply other = array_of({"b", "a"});
  EXPECT_TRUE(are_equivalent_replies(Words{"keys", "*"}, one, other));
  EXPECT_TRUE(are_equivalent_replies(Words{"SMEMBERS", "s"}, one, other));
  EXPECT_FALSE(are_equivalent_replies(Words{"LRANGE", "l", "0", "-1"}, one, other));
  EXPECT_FALSE(are_equivalent_replies(Words{"KEYS", "*"}, one, array_of({"a", "c"})));
  EXPECT_FALSE(are_equivalent_replies(Words{"KEYS", "*"}, one, array_of({"a"})));
  EXPECT_FALSE(are_equivalent_replies(Words{"KEYS", "*"}, one, redis::Reply{}));
}

TEST(Freedoms, KeepFieldsWithTheirValues) {
  const redis::Reply one = array_of({"f", "1", "g", "2"});
  EXPECT_TRUE(are_equivalent_replies(Words{"HGETALL", "h"}, one, array_of({"g", "2", "f", "1"})));
  EXPECT_FALSE(are_equivalent_replies(Words{"HGETALL", "h"}, one, array_of({"g", "1", "f", "2"})));
}

TEST(Words, AreShownAsTypedToRedisCli) {
  EXPECT_EQ(describe_request(Words{"SET", "k", "two words", ""}), "SET k \"two words\" \"\"");
  EXPECT_EQ(describe_request(Words{"a\"b\\", "\r\n", std::string("\0\xff", 2)}),
            "\"a\\\"b\\\\\" \"\\x0d\\n\" \"\\x00\\xff\"");
  EXPECT_EQ(describe_request(Words{std::string(100, 'x')}), std::string(60, 'x') + "...");
}

}  // namespace
}  // namespace lockstep::confirm::test
