// Replies and errors of commands, as measured on Redis 7.0.15 (the differential tests compare the
// same and much more with a real server; these name what matters).
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "redis/protocol/integer_text.h"
#include "redis/protocol/integers.h"
#include "redis/protocol/reply.h"
#include "redis/server/server.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis::test {
namespace {

TEST(IntegersTest, AreReadStrictly) {
  for (const std::string_view text :
       {"", " 1", "1 ", "+1", "012", "-0", "1.0", "x", "-", "00", "9223372036854775808",
        "-9223372036854775809", "1e3", "0x1"}) {
    EXPECT_EQ(parse_integer(text), std::nullopt) << '"' << text << '"';
  }
  EXPECT_EQ(parse_integer("0"), 0);
  EXPECT_EQ(parse_integer("-9223372036854775808"), INT64_MIN);
  EXPECT_EQ(parse_integer("9223372036854775807"), INT64_MAX);
  EXPECT_EQ(IntegerText(INT64_MIN).view(), "-9223372036854775808");
}

struct Exchange {
  std::string_view command;
  std::string_view reply;
};

constexpr std::string_view wrong_type =
    "(error) WRONGTYPE Operation against a key holding the wrong kind of value";
constexpr std::string_view not_an_integer = "(error) ERR value is not an integer or out of range";

void expect_exchanges(const std::vector<Exchange>& exchanges) {
  SimulatedServer server;
  server.run("SET text v");
  server.run("HSET hash f 1 g x");
  server.run("SET number 9223372036854775807");
  for (const Exchange& each : exchanges) {
    EXPECT_EQ(describe(server.run(each.command)), each.reply) << each.command;
  }
}

TEST(CommandsTest, SetHeedsItsOptions) {
  expect_exchanges({
      {"SET k v NX GET", "(nil)"},
      {"SET k w NX GET", "\"v\""},
      {"GET k", "\"v\""},
      {"SET hash v NX", "(nil)"},
      {"SET hash v GET", wrong_type},
      {"SET k v PX 0", "(error) ERR invalid expire time in 'set' command"},
      {"SET k v PX 9223372036854775807", "(error) ERR invalid expire time in 'set' command"},
      {"SETEX k 0 v", "(error) ERR invalid expire time in 'setex' command"},
      {"SET k v PX abc", not_an_integer},
      {"SET k v NX XX", "(error) ERR syntax error"},
      {"SET k v PX 1 EX 1", "(error) ERR syntax error"},
      {"SET k v PX 1 KEEPTTL", "(error) ERR syntax error"},
      {"SET k v PX", "(error) ERR syntax error"},
      {"SET k v FOO", "(error) ERR syntax error"},
      {"SET k v PXAT 1", "OK"},
      {"EXISTS k", "(integer) 0"},
  });
}

TEST(CommandsTest, CountersStayIntegers) {
  expect_exchanges({
      {"INCR number", "(error) ERR increment or decrement would overflow"},
      {"INCR text", not_an_integer},
      {"INCR hash", wrong_type},
      {"INCRBY new -0", not_an_integer},
      {"DECRBY new -9223372036854775808", "(error) ERR decrement would overflow"},
      {"DECRBY new 5", "(integer) -5"},
      {"HINCRBY hash f x", not_an_integer},
      {"HINCRBY hash g 1", "(error) ERR hash value is not an integer"},
      {"HINCRBY hash f 9223372036854775807", "(error) ERR increment or decrement would overflow"},
      {"HINCRBY hash f 41", "(integer) 42"},
      {"HINCRBY text f 1", wrong_type},
  });
}

TEST(CommandsTest, KeysGoWithTheirLastField) {
  expect_exchanges({
      {"PEXPIRE hash 1000", "(integer) 1"},
      {"HDEL hash f g h", "(integer) 2"},
      {"EXISTS hash hash text text", "(integer) 2"},
      {"HSET hash f 1", "(integer) 1"},
      {"PTTL hash", "(integer) -1"},
      {"HSET hash f", "(error) ERR wrong number of arguments for 'hset' command"},
      {"HSET hash f 1 g", "(error) ERR wrong number of arguments for 'hset' command"},
      {"TYPE hash", "hash"},
      {"TYPE text", "string"},
      {"TYPE nothing", "none"},
  });
}

TEST(CommandsTest, ExpiryIsKeptOrClearedAsRedisDoes) {
  expect_exchanges({
      {"PEXPIRE text 1000", "(integer) 1"},
      {"APPEND text w", "(integer) 2"},
      {"PTTL text", "(integer) 1000"},
      {"SET text v KEEPTTL", "OK"},
      {"PTTL text", "(integer) 1000"},
      {"GETSET text w", "\"v\""},
      {"PTTL text", "(integer) -1"},
      {"PTTL nothing", "(integer) -2"},
      {"PEXPIRE text 1000 XX", "(integer) 0"},
      {"PEXPIRE text 1000 GT", "(integer) 0"},
      {"PEXPIRE text 1000 LT", "(integer) 1"},
      {"PEXPIRE text 1000 NX", "(integer) 0"},
      {"PEXPIRE text 999 GT", "(integer) 0"},
      {"PEXPIRE text 1001 GT", "(integer) 1"},
      {"PEXPIRETIME text", "(integer) 1700000001001"},
      {"EXPIRETIME text", "(integer) 1700000001"},
      {"PEXPIRE text 1 NX GT",
       "(error) ERR NX and XX, GT or LT options at the same time are not compatible"},
      {"PEXPIRE text 1 GT LT", "(error) ERR GT and LT options at the same time are not compatible"},
      {"PEXPIRE text 1 FOO", "(error) ERR Unsupported option FOO"},
      {"EXPIRE text 9223372036854775807", "(error) ERR invalid expire time in 'expire' command"},
      {"PEXPIRE text 10.5", not_an_integer},
      {"PERSIST text", "(integer) 1"},
      {"PERSIST text", "(integer) 0"},
      {"PEXPIRE text -1", "(integer) 1"},
      {"EXISTS text", "(integer) 0"},
  });
}

TEST(CommandsTest, TtlIsRoundedToSeconds) {
  for (const auto& [ms, seconds] : std::vector<std::pair<std::string, std::string>>{
           {"499", "0"}, {"500", "1"}, {"1499", "1"}, {"1500", "2"}}) {
    SimulatedServer server;
    server.run({"SET", "k", "v", "PX", ms});
    EXPECT_EQ(describe(server.run("TTL k")), "(integer) " + seconds) << ms;
  }
}

TEST(CommandsTest, AKeyLivesThroughItsLastMillisecond) {
  SimulatedServer server;
  server.run("SET k v PX 100");
  server.advance_ms(100);
  EXPECT_EQ(describe(server.run("PTTL k")), "(integer) 0");
  EXPECT_EQ(describe(server.run("SET k w NX")), "(nil)");
  server.set_time_us(server.now_us() + 999);
  EXPECT_EQ(describe(server.run("GET k")), "\"v\"");
  server.set_time_us(server.now_us() + 1);
  EXPECT_EQ(describe(server.run("DBSIZE")), "(integer) 1");
  EXPECT_EQ(describe(server.run("KEYS *")), "[]");
  EXPECT_EQ(describe(server.run("DEL k")), "(integer) 0");
  EXPECT_EQ(describe(server.run("DBSIZE")), "(integer) 0");
}

TEST(CommandsTest, WhatIsUnknownIsRefused) {
  expect_exchanges({
      {"FOO a b", "(error) ERR unknown command 'FOO', with args beginning with: 'a' 'b' "},
      {"FOO", "(error) ERR unknown command 'FOO', with args beginning with: "},
      {"GET", "(error) ERR wrong number of arguments for 'get' command"},
      {"SCRIPT FOO", "(error) ERR unknown subcommand 'FOO'. Try SCRIPT HELP."},
      {"SCRIPT", "(error) ERR wrong number of arguments for 'script' command"},
      {"SCRIPT LOAD", "(error) ERR wrong number of arguments for 'script|load' command"},
      {"SCRIPT KILL", "(error) NOTBUSY No scripts in execution right now."},
      {"SCRIPT FLUSH xx", "(error) ERR SCRIPT FLUSH only support SYNC|ASYNC option"},
      {"SELECT 16", "(error) ERR DB index is out of range"},
      {"SELECT x", not_an_integer},
  });
}

TEST(CommandsTest, ScriptsAreKnownByTheirSha1) {
  expect_exchanges({
      {"EVALSHA abc 0", "(error) NOSCRIPT No matching script. Please use EVAL."},
      {"EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0",
       "(error) NOSCRIPT No matching script. Please use EVAL."},
      {"EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 1",
       "(error) ERR Number of keys can't be greater than number of args"},
      {"EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db -1",
       "(error) ERR Number of keys can't be negative"},
      {"EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db x", not_an_integer},
  });
  SimulatedServer server;
  EXPECT_EQ(describe(server.run({"EVAL", "return 1", "0"})), "(integer) 1");
  EXPECT_EQ(describe(server.run("EVALSHA E0E1F9FABFC9D4800C877A703B823AC0578FF8DB 0")),
            "(integer) 1");
  EXPECT_EQ(describe(server.run("SCRIPT FLUSH")), "OK");
  EXPECT_EQ(describe(server.run("SCRIPT EXISTS e0e1f9fabfc9d4800c877a703b823ac0578ff8db")),
            "[(integer) 0]");
}

TEST(CommandsTest, DatabasesAreApart) {
  expect_exchanges({
      {"SELECT 1", "OK"},
      {"GET text", "(nil)"},
      {"SET text other", "OK"},
      {"FLUSHDB", "OK"},
      {"SELECT 0", "OK"},
      {"GET text", "\"v\""},
      {"FLUSHALL SYNC", "OK"},
      {"FLUSHALL now", "(error) ERR syntax error"},
      {"DBSIZE", "(integer) 0"},
  });
}

TEST(CommandsTest, ASessionHasItsOwnDatabaseNameAndNumber) {
  SimulatedServer server;
  const SessionId other = server.open();
  server.run("SELECT 1");
  server.run("SET k v");
  EXPECT_EQ(describe(server.run_in(other, "GET k")), "(nil)");
  EXPECT_EQ(describe(server.run("CLIENT ID")), "(integer) 1");
  EXPECT_EQ(describe(server.run_in(other, "CLIENT ID")), "(integer) 2");
  EXPECT_EQ(describe(server.run("CLIENT SETNAME me")), "OK");
  EXPECT_EQ(describe(server.run("CLIENT GETNAME")), "\"me\"");
  EXPECT_EQ(describe(server.run_in(other, "CLIENT GETNAME")), "(nil)");
  EXPECT_EQ(describe(server.run({"CLIENT", "SETNAME", "a b"})),
            "(error) ERR Client names cannot contain spaces, newlines or special characters.");
}

TEST(CommandsTest, TimeIsTheHosts) {
  SimulatedServer server;
  server.set_time_us(SimulatedServer::start_us + 42);
  EXPECT_EQ(describe(server.run("TIME")), "[\"1700000000\", \"42\"]");
  EXPECT_EQ(server.server().now_ms(), SimulatedServer::start_ms);
}

TEST(CommandsTest, DirtyCountsChangesAndNothingElse) {
  SimulatedServer server;
  const auto changes = [&](std::string_view line) {
    const std::uint64_t before = server.server().dirty();
    server.run(line);
    return server.server().dirty() - before;
  };
  EXPECT_EQ(changes("SET k v PX 10"), 1U);
  EXPECT_EQ(changes("HSET h f v g w"), 2U);
  EXPECT_EQ(changes("HSET h f v"), 1U);
  EXPECT_EQ(changes("GET k"), 0U);
  EXPECT_EQ(changes("DEL nothing"), 0U);
  EXPECT_EQ(changes("PUBLISH a b"), 0U);
  EXPECT_EQ(changes("EVALSHA abc 0"), 0U);
  server.advance_ms(11);
  EXPECT_EQ(changes("GET k"), 1U) << "the expired key was deleted";
  EXPECT_EQ(changes("FLUSHALL"), 1U);
}

}  // namespace
}  // namespace lockstep::redis::test
