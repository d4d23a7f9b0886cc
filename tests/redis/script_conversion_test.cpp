// Lua values as replies, replies as Lua values, numbers as arguments: the rules of Redis 7.0, and
// random values against a second reading of those rules.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "redis/protocol/reply_writer.h"
#include "tests/redis/comparison/script_runner.h"

namespace lockstep::redis::test {
namespace {

struct Row {
  const char* script;
  const char* reply;
};

void expect_rows(const std::vector<Row>& rows) {
  ScriptRunner runner;
  for (const Row& row : rows) {
    EXPECT_EQ(runner.describe_run(row.script), row.reply) << row.script;
  }
}

TEST(ScriptConversionTest, NumbersBecomeIntegersAsCCastsThem) {
  expect_rows({
      {"return 3.99", "(integer) 3"},
      {"return -3.99", "(integer) -3"},
      {"return 2^53", "(integer) 9007199254740992"},
      {"return 2^63", "(integer) -9223372036854775808"},
      {"return -2^63", "(integer) -9223372036854775808"},
      {"return 1/0", "(integer) -9223372036854775808"},
      {"return -1/0", "(integer) -9223372036854775808"},
      {"return 0/0", "(integer) -9223372036854775808"},
      {"return 1e300", "(integer) -9223372036854775808"},
      {"return 9007199254740993", "(integer) 9007199254740992"},
      {"return -0.5", "(integer) 0"},
  });
}

TEST(ScriptConversionTest, OtherScalarsBecomeOneOrNil) {
  expect_rows({
      {"return true", "(integer) 1"},
      {"return false", "(nil)"},
      {"return nil", "(nil)"},
      {"return", "(nil)"},
      {"return coroutine.create(function() end)", "(nil)"},
      {"return function() end", "(nil)"},
      {"return 1, 2, 3", "(integer) 1"},
      {"return 'a'", "\"a\""},
  });
}

TEST(ScriptConversionTest, TablesBecomeArraysUpToTheirFirstNil) {
  expect_rows({
      {"return {1, 2, nil, 4}", "[(integer) 1, (integer) 2]"},
      {"return {nil, 1}", "[]"},
      {"return {a = 1}", "[]"},
      {"return {}", "[]"},
      {"return {1, false, 3}", "[(integer) 1, (nil), (integer) 3]"},
      {"return {1, {2, {}}, 'x'}", "[(integer) 1, [(integer) 2, []], \"x\"]"},
      {"return {[1] = 1, [2] = 2, [4] = 4, x = 5}", "[(integer) 1, (integer) 2]"},
  });
}

TEST(ScriptConversionTest, SpecialTablesAreTriedInRedissOrder) {
  expect_rows({
      {"return {err = 'x'}", "(error) x"},
      {"return {err = 'My x', ok = 'y'}", "(error) My x"},
      {"return {ok = 'y', double = 1.5}", "y"},
      {"return {err = 1}", "[]"},
      {"return {ok = 1, 7}", "[(integer) 7]"},
      {"return {double = 3.5, map = {}}", "\"3.5\""},
      {"return {map = {b = 2, a = 1, [3] = 'c'}}",
       "[(integer) 3, \"c\", \"a\", (integer) 1, \"b\", (integer) 2]"},
      {"return {set = {b = true, a = false}}", "[\"a\", \"b\"]"},
      {"return {big_number = '12'}", "\"12\""},
      {"return {verbatim_string = {format = 'txt', string = 'v'}}", "\"v\""},
      {"return {1, {err = 'E x'}, {ok = 'fine'}}", "[(integer) 1, (error) E x, fine]"},
      {"return {map = {[{}] = 1}}",
       "(error) ERR a map or set with keys that have no order can't be a reply"},
  });
}

TEST(ScriptConversionTest, LineEndsInErrorsAndStatusesBecomeBlanks) {
  expect_rows({
      {"return {err = 'a\\r\\nb\\n'}", "(error) a  b"},
      {"return {ok = 'a\\nb\\n'}", "a b "},
  });
}

TEST(ScriptConversionTest, ErrorRepliesGetACode) {
  expect_rows({
      {"return redis.error_reply('x')", "(error) ERR x"},
      {"return redis.error_reply('My err')", "(error) My err"},
      {"return redis.error_reply('-My err')", "(error) My err"},
      {"return redis.error_reply('ERR x\\r\\n')", "(error) ERR x"},
      {"return redis.error_reply(1)", "(error) ERR wrong number or type of arguments"},
      {"return redis.error_reply('a', 'b')", "(error) ERR wrong number or type of arguments"},
      {"return redis.status_reply('a b')", "a b"},
      {"return redis.status_reply()", "(error) ERR wrong number or type of arguments"},
  });
}

TEST(ScriptConversionTest, NumbersAsArgumentsHaveSeventeenDigits) {
  const std::vector<std::pair<const char*, const char*>> rows = {
      {"3.0", "3"},
      {"0.1", "0.10000000000000001"},
      {"2^53", "9007199254740992"},
      {"9007199254740993", "9007199254740992"},
      {"1e16", "10000000000000000"},
      {"1e17", "1e+17"},
      {"2^63", "9.2233720368547758e+18"},
      {"1/0", "inf"},
      {"-1/0", "-inf"},
      {"0/0", "-nan"},
      {"-0.0", "-0"},
      {"-0", "-0"},
      {"10.5", "10.5"},
      {"-17", "-17"},
      {"100 * 1000 * 1000 * 1000 * 1000 * 1000", "1e+17"},
  };
  ScriptRunner runner;
  for (const auto& [expression, text] : rows) {
    runner.run("redis.call('x', " + std::string(expression) + ")");
    ASSERT_EQ(runner.calls().size(), 1U) << expression;
    EXPECT_EQ(runner.calls()[0], "x " + std::string(text)) << expression;
  }
}

TEST(ScriptConversionTest, RepliesBecomeLuaValues) {
  ScriptRunner runner;
  const auto reply_of = [&](Reply reply, std::string_view script) {
    runner.answer_with(std::move(reply));
    return runner.describe_run(script);
  };
  using Kind = Reply::Kind;
  const std::string_view type = "local r = redis.pcall('x') return {type(r), tostring(r)}";
  EXPECT_EQ(reply_of({Kind::integer, 5, {}, {}}, type), "[\"number\", \"5\"]");
  EXPECT_EQ(reply_of({Kind::integer, 100'000'000'000'000, {}, {}}, type),
            "[\"number\", \"1e+14\"]");
  EXPECT_EQ(reply_of({Kind::bulk, 0, "t", {}}, type), "[\"string\", \"t\"]");
  EXPECT_EQ(reply_of({Kind::null_bulk, 0, {}, {}}, type), "[\"boolean\", \"false\"]");
  EXPECT_EQ(reply_of({Kind::null_array, 0, {}, {}}, type), "[\"boolean\", \"false\"]");
  EXPECT_EQ(reply_of({Kind::status, 0, "OK", {}}, "return redis.call('x').ok"), "\"OK\"");
  EXPECT_EQ(reply_of({Kind::error, 0, "E x", {}}, "return redis.pcall('x').err"), "\"E x\"");
  EXPECT_EQ(reply_of({Kind::error, 0, "WORD", {}}, "return redis.pcall('x').err"), "\"ERR WORD\"");
  EXPECT_EQ(reply_of({Kind::error, 0, "E x", {}}, "return {pcall(redis.call, 'x')}"),
            "[(nil), \"E x\"]");
}

// A random Lua value, as text and as the reply that it should become.
struct ConvertedSample {
  std::string text;
  Reply reply;
};

Reply reply_of_number(double number) {
  Reply reply;
  reply.kind = Reply::Kind::integer;
  const bool fits = number > -9.2233720368547758e18 && number < 9.2233720368547758e18;
  reply.integer = fits ? static_cast<std::int64_t>(std::trunc(number))
                       : std::numeric_limits<std::int64_t>::min();
  return reply;
}

ConvertedSample number_sample() {
  const double number = *rc::gen::oneOf(
      rc::gen::map(rc::gen::arbitrary<std::int32_t>(), [](auto n) { return double(n); }),
      rc::gen::map(rc::gen::arbitrary<std::int64_t>(), [](auto n) { return double(n); }),
      rc::gen::map(rc::gen::arbitrary<std::int32_t>(), [](auto n) { return double(n) / 1024; }),
      rc::gen::element(0.0, 1e14, 1e15, 2e17, 1e300, -1e19, 0.5));
  char text[40];
  std::snprintf(text, sizeof text, "(%.17g)", number);
  return {text, reply_of_number(number)};
}

ConvertedSample string_sample() {
  ConvertedSample sample;
  const auto text = *rc::gen::arbitrary<std::string>();
  sample.text = lua_literal(text);
  sample.reply.kind = Reply::Kind::bulk;
  sample.reply.text = text;
  return sample;
}

ConvertedSample sample_of_depth(int depth);

/// Elements after a nil don't count.
ConvertedSample array_sample(int depth) {
  ConvertedSample sample;
  sample.text = "{";
  sample.reply.kind = Reply::Kind::array;
  const int size = *rc::gen::inRange(0, 5);
  const int nil_at = *rc::gen::inRange(0, 10);
  for (int i = 0; i < size; ++i) {
    if (i == nil_at) sample.text += "nil, ";
    const ConvertedSample element = sample_of_depth(depth - 1);
    sample.text += element.text + ", ";
    if (i < nil_at) sample.reply.elements.push_back(element.reply);
  }
  sample.text += "}";
  return sample;
}

ConvertedSample message_sample(const char* field, Reply::Kind kind) {
  ConvertedSample sample = string_sample();
  sample.text =
      "{" + std::string(field) + " = " + lua_literal("E " + sample.reply.text + "x") + "}";
  sample.reply.kind = kind;
  sample.reply.text = "E " + sample.reply.text + "x";
  for (char& letter : sample.reply.text) {
    if (letter == '\r' || letter == '\n') letter = ' ';
  }
  return sample;
}

ConvertedSample sample_of_depth(int depth) {
  switch (*rc::gen::inRange(0, depth > 0 ? 9 : 6)) {
    case 0:
      return number_sample();
    case 1:
      return string_sample();
    case 2:
      return {"true", {Reply::Kind::integer, 1, {}, {}}};
    case 3:
      return {"false", {}};
    case 4:
      return message_sample("err", Reply::Kind::error);
    case 5:
      return message_sample("ok", Reply::Kind::status);
    default:
      return array_sample(depth);
  }
}

RC_GTEST_PROP(ScriptConversionTest, AnyLuaValueBecomesTheReplyOfItsModel, ()) {
  static ScriptRunner runner;
  const ConvertedSample sample = sample_of_depth(4);
  RC_ASSERT(describe(runner.run("return " + sample.text)) == describe(sample.reply));
}

Reply random_reply(int depth) {
  Reply reply;
  switch (*rc::gen::inRange(0, depth > 0 ? 7 : 4)) {
    case 0:
      reply.kind = Reply::Kind::integer;
      reply.integer = *rc::gen::arbitrary<std::int32_t>();
      return reply;
    case 1:
      reply.kind = Reply::Kind::bulk;
      reply.text = *rc::gen::arbitrary<std::string>();
      return reply;
    case 2:
      reply.kind = *rc::gen::element(Reply::Kind::null_bulk, Reply::Kind::null_array);
      return reply;
    case 3:
      reply.kind = *rc::gen::element(Reply::Kind::status, Reply::Kind::error);
      reply.text = "SOME text";
      return reply;
    default:
      reply.kind = Reply::Kind::array;
      for (int left = *rc::gen::inRange(0, 5); left > 0; --left) {
        reply.elements.push_back(random_reply(depth - 1));
      }
      return reply;
  }
}

/// Through Lua and back a reply stays what it is, but for the two nils, which Lua takes for one.
void merge_nulls(Reply& reply) {
  if (reply.kind == Reply::Kind::null_array) reply.kind = Reply::Kind::null_bulk;
  for (Reply& element : reply.elements) merge_nulls(element);
}

RC_GTEST_PROP(ScriptConversionTest, AnyReplyPassesThroughAScriptUnchanged, ()) {
  static ScriptRunner runner;
  Reply reply = random_reply(4);
  runner.answer_with(reply);
  merge_nulls(reply);
  RC_ASSERT(runner.run("return redis.pcall('x')") == reply);
}

RC_GTEST_PROP(ScriptConversionTest, AnyNumberIsPassedAsPrintfWritesIt, ()) {
  static ScriptRunner runner;
  const double number = *rc::gen::oneOf(
      rc::gen::map(rc::gen::arbitrary<std::int64_t>(), [](auto n) { return double(n); }),
      rc::gen::map(rc::gen::arbitrary<std::int32_t>(), [](auto n) { return double(n) / 4; }),
      rc::gen::map(rc::gen::inRange(-320, 300), [](int n) { return std::pow(10.0, n); }));
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", number);
  runner.run("redis.call('x', tonumber(ARGV[1]))", {}, {text});
  RC_ASSERT(runner.calls()[0] == "x " + std::string(text));
}

TEST(ScriptProtocolTest, GivesWhatResp3TellsApartAfterSetresp) {
  ScriptRunner runner;
  runner.answer_with([](std::span<const std::string_view> words, ReplyWriter& reply) {
    if (words[0] == "map") {
      reply.map(2);
      reply.bulk("a");
      reply.integer(1);
      reply.bulk("b");
      reply.array(1);
      reply.real(1.5);
    } else if (words[0] == "set") {
      reply.set(2);
      reply.bulk("x");
      reply.bulk("y");
    } else if (words[0] == "empty") {
      reply.map(0);
    } else if (words[0] == "real") {
      reply.real(0.1);
    } else if (words[0] == "boolean") {
      reply.boolean(true);
    } else if (words[0] == "verbatim") {
      reply.verbatim("txt", "hello");
    } else {
      reply.big_number("123");
    }
  });
  const auto run = [&runner](const std::string& script) {
    return runner.describe_run("redis.setresp(3) " + script);
  };
  EXPECT_EQ(run("local m = redis.call('map').map return {m.a, tostring(m.b[1].double)}"),
            "[(integer) 1, \"1.5\"]");
  EXPECT_EQ(run("local s = redis.call('set').set return {s.x, s.y, s.z == nil}"),
            "[(integer) 1, (integer) 1, (integer) 1]");
  EXPECT_EQ(run("return next(redis.call('empty').map) == nil"), "(integer) 1");
  EXPECT_EQ(run("return tostring(redis.call('real').double)"), "\"0.1\"");
  EXPECT_EQ(run("return redis.call('boolean') == true"), "(integer) 1");
  EXPECT_EQ(run("local v = redis.call('verbatim').verbatim_string return {v.format, v.string}"),
            "[\"txt\", \"hello\"]");
  EXPECT_EQ(run("return redis.call('big').big_number"), "\"123\"");
  EXPECT_EQ(runner.describe_run("return redis.call('map')"),
            "[\"a\", (integer) 1, \"b\", [\"1.5\"]]");
  EXPECT_EQ(runner.describe_run("return redis.call('boolean')"), "(integer) 1");
}

}  // namespace
}  // namespace lockstep::redis::test
