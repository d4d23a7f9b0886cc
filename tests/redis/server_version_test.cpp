// The versions that are simulated: their names, and in what they differ. Expected values were
// measured on the real servers, with which tools/fidelity --against compares at length.
#include "redis/server/server_version.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "redis/protocol/reply.h"
#include "redis/protocol/resp.h"
#include "redis/protocol/resp_writer.h"
#include "redis/server/server.h"
#include "redis/server/version_traits.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis {
namespace {

using test::SimulatedServer;
using enum ServerVersion;

std::string reply_of(ServerVersion version, std::initializer_list<std::string_view> words) {
  SimulatedServer server(options_of(version));
  return describe(server.run(words));
}

std::string shortest(double value) {
  return std::string(RealText(value, NumberFormat::shortest).view());
}

TEST(ServerVersionTest, IsFoundByItsName) {
  for (const VersionTraits& each : version_table) EXPECT_EQ(find_version(each.name), each.version);
  EXPECT_EQ(find_version("7.0"), redis_7_0);
  EXPECT_EQ(find_version("valkey-8.1"), valkey_8_1);
  for (const char* name : {"", "redis", "redis-6.2", "8.1", "valkey-7.2", "redis-7.0.15", "7"}) {
    EXPECT_EQ(find_version(name), std::nullopt) << name;
  }
}

TEST(ServerVersionTest, StandsForItsReleases) {
  EXPECT_EQ(version_of_release("redis-8.0.6"), redis_8_0);
  EXPECT_EQ(version_of_release("valkey-9.1.2"), valkey_9_1);
  EXPECT_EQ(version_of_release("redis-7.2.4"), std::nullopt);
  EXPECT_EQ(version_of_release("redis-"), std::nullopt);
  EXPECT_EQ(version_of_release("redis-99999999999999999999"), std::nullopt);
}

TEST(ServerVersionTest, NamesTheNearestOfOneThatIsNotSimulated) {
  const std::string all =
      "there are redis-6.0, redis-7.0, redis-8.0, valkey-8.0, valkey-8.1, valkey-9.1";
  EXPECT_EQ(versions_near("redis-6.2"), "the nearest are redis-6.0 and redis-7.0; " + all);
  EXPECT_EQ(versions_near("7.4"), "the nearest are redis-7.0 and redis-8.0; " + all);
  EXPECT_EQ(versions_near("valkey-7.2"), "the nearest is valkey-8.0; " + all);
  EXPECT_EQ(versions_near("redis-8"), "the nearest is redis-8.0; " + all);
  EXPECT_EQ(versions_near("memcached"), all);
}

TEST(ServerVersionTest, WritesScoresWithAsFewDigitsAsTheyNeed) {
  EXPECT_EQ(shortest(0.1), "0.1");
  EXPECT_EQ(shortest(-1.5), "-1.5");
  EXPECT_EQ(shortest(1e17), "100000000000000000");
  EXPECT_EQ(shortest(1234567890123456789.0), "1234567890123456768");
  EXPECT_EQ(shortest(12345678901234567890.0), "12345678901234567000");
  EXPECT_EQ(shortest(1e20), "1e+20");
  EXPECT_EQ(shortest(1e-5), "0.00001");
  EXPECT_EQ(shortest(1e-7), "1e-7");
  EXPECT_EQ(shortest(0.000123456), "1.23456e-4");
  EXPECT_EQ(shortest(1.5e300), "1.5e+300");
  EXPECT_EQ(shortest(5e-324), "5e-324");
  EXPECT_EQ(shortest(1700000000000.5), "1700000000000.5");
}

TEST(ServerVersionTest, MakesASortedSetForAllThatIsAddedFirst) {
  const std::string long_member(65, 'x');
  const std::array cases{std::pair{redis_7_0, "\"0\""}, std::pair{redis_8_0, "\"0\""},
                         std::pair{valkey_8_0, "\"-0\""}};
  for (const auto& [version, zero] : cases) {
    SimulatedServer server(options_of(version));
    server.run("ZADD z -0 a 1 " + long_member);
    EXPECT_EQ(describe(server.run("ZSCORE z a")), zero);
    server.run("ZADD small -0 a 1 b");
    EXPECT_EQ(describe(server.run("ZSCORE small a")), "\"0\"");
  }
  SimulatedServer old(options_of(redis_6_0));
  old.run("ZADD small 1 a 1 b");
  old.run("ZADD small -0 a");
  EXPECT_EQ(describe(old.run("ZSCORE small a")), "\"-0\"");
}

TEST(ServerVersionTest, CountsANegativeOffsetFromTheEndOfASkipList) {
  for (const ServerVersion version : {redis_7_0, redis_8_0, valkey_9_1}) {
    SimulatedServer server(options_of(version));
    server.run("ZADD z 1 " + std::string(65, 'x') + " 2 b 3 c 1 a");
    const bool counts = version != redis_7_0;
    EXPECT_EQ(describe(server.run("ZRANGEBYSCORE z -inf +inf LIMIT -2 9")),
              counts ? "[\"b\", \"c\"]" : "[]");
    EXPECT_EQ(describe(server.run("ZREVRANGEBYSCORE z +inf -inf LIMIT -1 9")),
              counts ? "[\"a\"]" : "[]");
    EXPECT_EQ(describe(server.run("ZRANGEBYSCORE z -inf +inf LIMIT -5 9")), "[]");
    server.run("ZADD small 1 a 2 b");
    EXPECT_EQ(describe(server.run("ZRANGEBYSCORE small -inf +inf LIMIT -1 9")), "[]");
  }
}

TEST(ServerVersionTest, ScansASkipListWithAllDigits) {
  SimulatedServer server(options_of(redis_8_0));
  server.run("ZADD z 0.1 a");
  EXPECT_EQ(describe(server.run("ZSCAN z 0")), "[\"0\", [\"a\", \"0.1\"]]");
  server.run("ZADD z 1 " + std::string(65, 'x'));
  server.run("ZREM z " + std::string(65, 'x'));
  EXPECT_EQ(describe(server.run("ZSCAN z 0")), "[\"0\", [\"a\", \"0.10000000000000001\"]]");
  server.run("ZADD z -7378697629483821056 a");
  EXPECT_EQ(describe(server.run("ZSCORE z a")), "\"-7378697629483821000\"");
}

TEST(ServerVersionTest, HasTheCommandsOfItsTime) {
  EXPECT_EQ(reply_of(redis_6_0, {"GETDEL", "k"}),
            "(error) ERR unknown command `GETDEL`, with args beginning with: `k`, ");
  EXPECT_EQ(reply_of(redis_7_0, {"GETDEL", "k"}), "(nil)");
  EXPECT_EQ(reply_of(redis_6_0, {"PEXPIRE", "k", "1", "NX"}),
            "(error) ERR wrong number of arguments for 'pexpire' command");
  EXPECT_EQ(reply_of(valkey_8_1, {"DELIFEQ", "k", "v"}),
            "(error) ERR unknown command 'DELIFEQ', with args beginning with: 'k' 'v' ");
  EXPECT_EQ(reply_of(valkey_9_1, {"DELIFEQ", "k", "v"}), "(integer) 0");
}

TEST(ServerVersionTest, ReleasesALockWithoutAScriptWhereItCan) {
  SimulatedServer server(options_of(valkey_9_1));
  server.run("SET lock me PX 30000");
  EXPECT_EQ(describe(server.run("SET lock you IFEQ other")), "(nil)");
  EXPECT_EQ(describe(server.run("SET lock you IFEQ me GET")), "\"me\"");
  EXPECT_EQ(describe(server.run("DELIFEQ lock me")), "(integer) 0");
  server.take_stream();
  EXPECT_EQ(describe(server.run("DELIFEQ lock you")), "(integer) 1");
  EXPECT_EQ(server.take_requests(), "DEL lock");
  EXPECT_EQ(reply_of(valkey_8_0, {"SET", "k", "v", "IFEQ", "w"}), "(error) ERR syntax error");
}

// A replica of 6.0 counts a lease from when the command reaches it, by its own clock.
TEST(ServerVersionTest, ReplicatesLeasesAsTheyWereAskedFor) {
  SimulatedServer old(options_of(redis_6_0));
  old.run("SET lock me NX PX 30000");
  EXPECT_EQ(old.take_requests(), "SELECT 0 / SET lock me NX PX 30000");
  old.run({"EVAL", "redis.call('pexpire', KEYS[1], 1000)", "1", "lock"});
  EXPECT_EQ(old.take_requests(), "MULTI / pexpire lock 1000 / EXEC");
  SimulatedServer recent(options_of(redis_8_0));
  recent.run("SET lock me NX PX 30000");
  EXPECT_EQ(recent.take_requests(), "SELECT 0 / SET lock me PXAT 1700000030000");
}

// Where its append-only file is read, a lease does not begin anew.
TEST(ServerVersionTest, StoresWhenALeaseEnds) {
  StoredFiles files;
  ServerOptions options = options_of(redis_6_0);
  options.config.append_only = true;
  options.files = &files;
  SimulatedServer server(options);
  server.server().restore();
  server.run("SET lock me NX PX 30000");
  server.run("setex other 40 v");
  server.run("EXPIRE other 20");
  EXPECT_EQ(test::requests_in(files.append_only.bytes()),
            "SELECT 0 / MULTI / SET lock me / PEXPIREAT lock 1700000030000 / EXEC / "
            "MULTI / SET other v / PEXPIREAT other 1700000040000 / EXEC / "
            "PEXPIREAT other 1700000020000");
  server.start(options);
  server.advance_ms(25'000);
  server.server().restore();
  EXPECT_EQ(describe(server.run("PTTL lock")), "(integer) 5000");
  EXPECT_EQ(describe(server.run("EXISTS other")), "(integer) 0");
}

TEST(ServerVersionTest, FramesATransactionInTheStream) {
  const auto stream_of = [](ServerVersion version) {
    SimulatedServer server(options_of(version));
    server.run({"EVAL", "redis.call('set', 'a', 1) redis.call('set', 'b', 1)", "0"});
    return server.take_requests();
  };
  EXPECT_EQ(stream_of(redis_6_0), "SELECT 0 / MULTI / set a 1 / set b 1 / EXEC");
  EXPECT_EQ(stream_of(redis_7_0), "SELECT 0 / MULTI / set a 1 / set b 1 / EXEC");
  EXPECT_EQ(stream_of(valkey_8_0), "MULTI / SELECT 0 / set a 1 / set b 1 / EXEC");
}

TEST(ServerVersionTest, ReplicatesSetAsItDoes) {
  const auto stream_of = [](ServerVersion version, std::string_view line) {
    SimulatedServer server(options_of(version));
    server.run("SELECT 0");
    server.run("SET a 0");
    server.take_stream();
    server.run(line);
    return server.take_requests();
  };
  EXPECT_EQ(stream_of(redis_7_0, "set a 1 pxat 99999999999999"), "SET a 1 PXAT 99999999999999");
  EXPECT_EQ(stream_of(redis_8_0, "set a 1 pxat 99999999999999"), "set a 1 pxat 99999999999999");
  EXPECT_EQ(stream_of(redis_8_0, "set a 1 px 1"), "SET a 1 PXAT 1700000000001");
  EXPECT_EQ(stream_of(valkey_9_1, "set a 1 px 1"), "set a 1 PXAT 1700000000001");
  EXPECT_EQ(stream_of(valkey_9_1, "set a 1 px 1 xx"), "SET a 1 PXAT 1700000000001");
  EXPECT_EQ(stream_of(redis_6_0, "SCRIPT FLUSH"), "SCRIPT FLUSH");
  EXPECT_EQ(stream_of(redis_7_0, "SCRIPT FLUSH"), "");
}

TEST(ServerVersionTest, ReadsNumbersAsItDoes) {
  constexpr std::string_view no_range = "(error) ERR min or max is not a float";
  EXPECT_EQ(reply_of(redis_7_0, {"ZCOUNT", "k", "0x10", " 1"}), "(integer) 0");
  EXPECT_EQ(reply_of(redis_8_0, {"ZCOUNT", "k", "0x10", "1"}), no_range);
  EXPECT_EQ(reply_of(redis_8_0, {"ZCOUNT", "k", "( 1", "1"}), no_range);
  EXPECT_EQ(reply_of(redis_8_0, {"ZADD", "k", "0x10", "m"}), "(integer) 1");
  EXPECT_EQ(reply_of(valkey_9_1, {"ZADD", "k", "0x10", "m"}),
            "(error) ERR value is not a valid float");
  EXPECT_EQ(reply_of(valkey_9_1, {"GETEX", "k", "PX", "x"}),
            "(error) ERR value is not an integer or out of range");
  EXPECT_EQ(reply_of(valkey_8_1, {"GETEX", "k", "PX", "x"}), "(nil)");
}

// 6.0 adds up without a look, and takes what is negative then for no expiry.
TEST(ServerVersionTest, WrapsExpiriesBeyondTheEndOfTime) {
  SimulatedServer old(options_of(redis_6_0));
  EXPECT_EQ(describe(old.run("SET k v PX 9223372036854775807")), "OK");
  EXPECT_EQ(describe(old.run("GET k")), "\"v\"");
  EXPECT_EQ(describe(old.run("PTTL k")), "(integer) 9223372036854775807");
  EXPECT_EQ(describe(old.run("PEXPIRE k 9223372036854775807")), "(integer) 1");
  EXPECT_EQ(describe(old.run("EXISTS k")), "(integer) 0");
}

TEST(ServerVersionTest, TellsAPublisherOfItsMessageAfterTheReply) {
  for (const ServerVersion version : {redis_7_0, redis_8_0}) {
    SimulatedServer server(options_of(version));
    server.run("HELLO 3");
    server.run("SUBSCRIBE news");
    std::string bytes;
    RespWriter writer(bytes, Protocol::resp3);
    server.set_output(SimulatedServer::first, &bytes);
    const std::vector<std::string_view> words{"PUBLISH", "news", "x"};
    server.try_run_in(SimulatedServer::first, words, writer);
    server.set_output(SimulatedServer::first, nullptr);
    EXPECT_EQ(bytes.starts_with(":1"), version == redis_8_0) << bytes;
  }
}

TEST(ServerVersionTest, FollowsHelloOptionsAsItReadsThemOrAtTheEnd) {
  constexpr std::string_view unknown = "(error) ERR Syntax error in HELLO option 'x'";
  constexpr std::string_view old_denial = "(error) WRONGPASS invalid username-password pair";
  const std::string denial = std::string(old_denial) + " or user is disabled.";
  const auto told = [](ServerVersion version, std::string_view line) {
    SimulatedServer server(options_of(version));
    const std::string reply = describe(server.run(line));
    return std::pair(reply, describe(server.run("CLIENT GETNAME")));
  };
  using Told = std::pair<std::string, std::string>;
  EXPECT_EQ(told(redis_7_0, "HELLO 2 SETNAME bob x"), Told(unknown, "\"bob\""));
  EXPECT_EQ(told(redis_8_0, "HELLO 2 SETNAME bob x"), Told(unknown, "(nil)"));
  EXPECT_EQ(told(redis_6_0, "HELLO 2 AUTH joe pass x"), Told(old_denial, "(nil)"));
  EXPECT_EQ(told(redis_7_0, "HELLO 2 AUTH joe pass x"), Told(denial, "(nil)"));
  EXPECT_EQ(told(valkey_8_0, "HELLO 2 AUTH joe pass x"), Told(unknown, "(nil)"));
  EXPECT_EQ(told(redis_7_0, "HELLO 2 SETNAME bob AUTH joe pass"), Told(denial, "\"bob\""));
  EXPECT_EQ(told(valkey_9_1, "HELLO 2 SETNAME bob AUTH joe pass"), Told(denial, "(nil)"));
}

TEST(ServerVersionTest, TellsScriptsWhichItIs) {
  const auto told = [](ServerVersion version, std::string_view field) {
    return reply_of(version, {"EVAL", "return redis[ARGV[1]]", "0", field});
  };
  EXPECT_EQ(told(redis_6_0, "REDIS_VERSION"), "(nil)");
  EXPECT_EQ(told(redis_7_0, "REDIS_VERSION"), "\"7.0.15\"");
  EXPECT_EQ(told(redis_7_0, "REDIS_VERSION_NUM"), "(integer) 458767");
  EXPECT_EQ(told(redis_7_0, "SERVER_NAME"), "(nil)");
  EXPECT_EQ(told(redis_8_0, "REDIS_VERSION_NUM"), "(integer) 524290");
  EXPECT_EQ(told(valkey_9_1, "REDIS_VERSION"), "\"7.2.4\"");
  EXPECT_EQ(told(valkey_9_1, "VALKEY_VERSION"), "\"9.1.2\"");
  EXPECT_EQ(told(valkey_8_0, "VALKEY_VERSION_NUM"), "(integer) 524289");
  EXPECT_EQ(told(valkey_8_1, "SERVER_NAME"), "\"valkey\"");
}

// Its second life is in another version, with the engine of the first: so are a cluster's nodes.
TEST(ServerVersionTest, IsCalledServerByTheScriptsOfValkeyOnly) {
  SimulatedServer server(options_of(valkey_8_0));
  const auto eval = [&](std::string_view script) {
    return describe(server.run({"EVAL", script, "0"}));
  };
  for (const char* globals : {"", "redis = redis "}) {  // the open environment and the guarded one
    EXPECT_EQ(eval(std::string("local none = function() ") + globals +
                   " end return tostring(server == redis)"),
              "\"true\"");
  }
  EXPECT_EQ(eval("return server.call('PING')"), "PONG");
  EXPECT_EQ(describe(server.run({"FUNCTION", "LOAD",
                                 "#!lua name=mine\nserver.register_function('f', function() "
                                 "return server.VALKEY_VERSION end)"})),
            "\"mine\"");
  EXPECT_EQ(describe(server.run("FCALL f 0")), "\"8.0.1\"");
  server.start(options_of(redis_7_0));
  EXPECT_EQ(eval("return redis.REDIS_VERSION"), "\"7.0.15\"");
  EXPECT_TRUE(eval("return server.call('PING')").find("nonexistent global variable 'server'") !=
              std::string::npos);
}

TEST(ServerVersionTest, ReadsNoFlagsOfScriptsBefore7_0) {
  constexpr std::string_view script = "#!lua flags=no-writes\nreturn 1";
  EXPECT_EQ(reply_of(redis_7_0, {"EVAL", script, "0"}), "(integer) 1");
  EXPECT_EQ(reply_of(redis_6_0, {"EVAL", script, "0"}),
            "(error) ERR Error compiling script (new function): user_script:1: unexpected symbol "
            "near '#'");
}

TEST(ServerVersionTest, LacksTheOptionsOfSortedSetsBefore6_2) {
  SimulatedServer old(options_of(redis_6_0));
  const auto told = [&old](std::string_view line) { return describe(old.run(line)); };
  EXPECT_EQ(told("ZADD z 1 a 2 b"), "(integer) 2");
  EXPECT_EQ(told("ZADD z GT 3 a"), "(error) ERR syntax error");
  EXPECT_EQ(told("ZADD z LT GT 3 a"), "(error) ERR value is not a valid float");
  EXPECT_EQ(told("ZRANGE z 0 -1 REV"), "(error) ERR syntax error");
  EXPECT_EQ(told("ZRANGE z 0 3 BYSCORE LIMIT 0 1"), "(error) ERR syntax error");
  EXPECT_EQ(told("ZRANGE z (1 3 BYSCORE"), "(error) ERR value is not an integer or out of range");
  EXPECT_EQ(told("ZRANGE z 0 -1 LIMIT 0 -1"), "(error) ERR syntax error");
  EXPECT_EQ(told("ZRANGE z 0 0 WITHSCORES"), R"(["a", "1"])");
  EXPECT_EQ(told("ZRANGEBYSCORE z 1 2 WITHSCORES LIMIT 1 1"), R"(["b", "2"])");
  EXPECT_EQ(told("ZRANGEBYLEX z - + WITHSCORES"), "(error) ERR syntax error");
  EXPECT_EQ(told("ZRANGEBYLEX z x + LIMIT x 1"),
            "(error) ERR min or max not valid string range item");
}

TEST(ServerVersionTest, CallsItExpiredWhereItDoes) {
  const auto event_of = [](ServerVersion version) {
    SimulatedServer server(options_of(version));
    const SessionId listener = server.open();
    server.run("CONFIG SET notify-keyspace-events Egx");
    server.run("SET k v");
    server.run_in(listener, "PSUBSCRIBE *");
    server.run("PEXPIRE k 0");
    return server.take_pushes(listener).back();
  };
  EXPECT_NE(event_of(valkey_8_0).find(":del"), std::string::npos);
  EXPECT_NE(event_of(valkey_8_1).find(":expired"), std::string::npos);
}

TEST(ServerVersionTest, WritesScoresSoForThoseWhoWaited) {
  SimulatedServer server(options_of(redis_8_0));
  const SessionId waiting = server.open();
  ASSERT_TRUE(server.blocks(waiting, "BZPOPMIN z 0"));
  server.run("ZADD z 0.1 m");
  EXPECT_EQ(server.take_pushes(waiting), std::vector<std::string>{"[\"z\", \"m\", \"0.1\"]"});
}

TEST(ServerVersionTest, WaitsInAScriptForItsCallersWrites) {
  const auto acknowledged = [](ServerVersion version) {
    SimulatedServer server(options_of(version));
    server.server().acknowledge(0, 0);
    server.run("SET k v");
    return describe(server.run({"EVAL", "return redis.call('wait', 0, 0)", "0"}));
  };
  EXPECT_EQ(acknowledged(redis_8_0), "(integer) 1");
  EXPECT_EQ(acknowledged(valkey_8_0), "(integer) 0");
}

TEST(ServerVersionTest, RefusesToWaitBeyondTheEndOfTime) {
  for (const std::string_view line : {"BLPOP q 9223372036854774", "WAIT 1 9223372036854775000"}) {
    SimulatedServer old(options_of(redis_7_0));
    EXPECT_TRUE(old.blocks(old.open(), line));
    SimulatedServer server(options_of(redis_8_0));
    EXPECT_EQ(describe(server.run(line)), "(error) ERR timeout is out of range");
  }
}

TEST(ServerVersionTest, ListsNoExpiredKeysWhereScriptsSeeThem) {
  SimulatedServer server(options_of(redis_6_0));
  server.run("SET k v PX 10");
  server.server().demote();
  server.advance_ms(20);
  const std::vector<std::string_view> script{
      "EVAL", "return {redis.call('get', 'k'), redis.call('scan', 0), redis.call('keys', '*')}",
      "0"};
  EXPECT_EQ(describe(server.run_in(SimulatedServer::first, script)), "[\"v\", [\"0\", []], []]");
}

TEST(ServerVersionTest, KeepsTheEmptyHashOfARefusedIncrement) {
  SimulatedServer server(options_of(redis_6_0));
  EXPECT_TRUE(server.run("HINCRBYFLOAT h f inf").is_error());
  EXPECT_EQ(server.run("HDEL h f").integer, 0);
  EXPECT_EQ(server.run("EXISTS h").integer, 1);
}

TEST(ServerVersionTest, GlobalsOfAScriptAreRedissAndNoOthers) {
  SimulatedServer server;
  EXPECT_EQ(server.run({"EVAL", "return type(getmetatable(_G))", "0"}).text, "table");
  EXPECT_EQ(server
                .run({"EVAL",
                      "local names = {} for name in pairs(_G) do names[#names + 1] = name end "
                      "table.sort(names) return table.concat(names, ' ')",
                      "0"})
                .text,
            "ARGV KEYS _G _VERSION __redis__err__handler assert bit cjson cmsgpack collectgarbage "
            "coroutine error gcinfo getmetatable ipairs load loadstring math next pairs pcall "
            "rawequal rawget rawset redis select setmetatable string struct table tonumber "
            "tostring type unpack xpcall");
}

TEST(ServerVersionTest, RefusesToWaitOnAReplicaInItsWords) {
  const auto refusal = [](ServerVersion version) {
    SimulatedServer server(options_of(version));
    server.server().demote();
    return describe(server.run("WAIT 0 0"));
  };
  EXPECT_EQ(refusal(redis_8_0).find("since Redis 4.0") == std::string::npos, false);
  EXPECT_EQ(refusal(valkey_8_0),
            "(error) ERR WAIT cannot be used with replica instances. Please also note that if a "
            "replica is configured to be writable (which is not the default) writes to replicas "
            "are just local and are not propagated.");
}

TEST(ServerVersionTest, TellsOfErrorsInScriptsInItsWords) {
  constexpr std::string_view unknown = "return redis.call(\"foo\")";
  const std::string sha1 = "6c6a69ca11192f3d524585b5d65b8e08d2d8dcc6";
  EXPECT_EQ(reply_of(redis_6_0, {"EVAL", unknown, "0"}),
            "(error) ERR Error running script (call to f_" + sha1 +
                "): @user_script:1: @user_script: 1: Unknown Redis command called from Lua script");
  EXPECT_EQ(reply_of(redis_8_0, {"EVAL", unknown, "0"}),
            "(error) ERR Unknown Redis command called from script script: " + sha1 +
                ", on @user_script:1.");
  EXPECT_EQ(
      reply_of(valkey_8_1, {"EVAL", unknown, "0"}),
      "(error) ERR Unknown command called from script script: " + sha1 + ", on @user_script:1.");
  EXPECT_EQ(reply_of(valkey_9_1, {"EVAL", unknown, "0"}),
            "(error) ERR Unknown command called from script script: on @user_script:1.");
  EXPECT_EQ(reply_of(redis_6_0, {"EVAL", "return redis.pcall(\"get\")", "0"}),
            "(error) @user_script: 1: Wrong number of args calling Redis command From Lua script");
}

TEST(ServerVersionTest, RefusesInTheWordsOf6) {
  const auto old = [](std::string_view line) {
    SimulatedServer server(options_of(redis_6_0));
    return describe(server.run(line));
  };
  EXPECT_EQ(old("MSET a 1 b"), "(error) ERR wrong number of arguments for MSET");
  EXPECT_EQ(old("MSET a"), "(error) ERR wrong number of arguments for 'mset' command");
  EXPECT_EQ(old("MOVE k 99"), "(error) ERR index out of range");
  EXPECT_EQ(old("SELECT x"), "(error) ERR invalid DB index");
  EXPECT_EQ(old("SELECT -9223372036854775808"), "OK");
  EXPECT_EQ(old("SWAPDB 9223372036854775807 x"), "(error) ERR invalid second DB index");
  EXPECT_EQ(old("SPOP s -1"), "(error) ERR index out of range");
  EXPECT_EQ(old("ZPOPMIN z -1"), "[]");
  EXPECT_EQ(
      old("CLIENT FOO"),
      "(error) ERR Unknown subcommand or wrong number of arguments for 'FOO'. Try CLIENT HELP");
  EXPECT_EQ(
      old("CONFIG SET hz"),
      "(error) ERR Unknown subcommand or wrong number of arguments for 'SET'. Try CONFIG HELP.");
  EXPECT_EQ(old("CONFIG SET port 1"), "(error) ERR Unsupported CONFIG parameter: port");
  EXPECT_EQ(old("CONFIG SET appendonly maybe"),
            "(error) ERR Invalid argument 'maybe' for CONFIG SET 'appendonly' - argument must be "
            "'yes' or 'no'");
  EXPECT_EQ(old("FLUSHALL SYNC"), "(error) ERR syntax error");
}

TEST(ServerVersionTest, FindsNoSubcommandWhenItRunsTheCommandOn6) {
  SimulatedServer server(options_of(redis_6_0));
  server.run("MULTI");
  EXPECT_EQ(describe(server.run("PUBSUB FOO")), "QUEUED");
  EXPECT_EQ(describe(server.run("EXEC")),
            "[(error) ERR Unknown subcommand or wrong number of arguments for 'FOO'. Try PUBSUB "
            "HELP.]");
}

TEST(ServerVersionTest, OffersTheProcessorsTimeToScriptsSince8) {
  constexpr std::string_view script = "return type(os.clock())";
  for (const ServerVersion version : {redis_8_0, valkey_8_0, valkey_8_1, valkey_9_1}) {
    EXPECT_EQ(reply_of(version, {"EVAL", script, "0"}), "\"number\"");
  }
  for (const ServerVersion version : {redis_6_0, redis_7_0}) {
    EXPECT_NE(reply_of(version, {"EVAL", script, "0"}).find("nonexistent global variable 'os'"),
              std::string::npos);
  }
}

TEST(ServerVersionTest, SetsSeveralKeysForATimeOnValkey91) {
  EXPECT_EQ(reply_of(valkey_8_1, {"MSETEX", "1", "k", "v"}),
            "(error) ERR unknown command 'MSETEX', with args beginning with: '1' 'k' 'v' ");
  SimulatedServer server(options_of(valkey_9_1));
  EXPECT_EQ(describe(server.run("MSETEX 2 a 1 b 2 NX PX 500")), "(integer) 1");
  EXPECT_EQ(describe(server.run("PTTL b")), "(integer) 500");
  EXPECT_EQ(describe(server.run("MSETEX 2 c 1 b 2 NX")), "(integer) 0");
  EXPECT_EQ(describe(server.run("MSETEX 2 c 1 b 2 XX")), "(integer) 0");
  EXPECT_EQ(describe(server.run("MSETEX 1 a 3 XX KEEPTTL")), "(integer) 1");
  EXPECT_EQ(describe(server.run("PTTL a")), "(integer) 500");
  server.take_requests();
  server.set_time_us(1'700'000'000'000'000);
  const std::string_view one = "1";  // the same bytes as count, value and amount
  server.run_in(server.open(),
                std::vector<std::string_view>{"MSETEX", one, "px", one, "NX", "EX", one});
  EXPECT_EQ(server.take_requests(), "MSETEX 1 px 1 NX PXAT 1700000001000");
  EXPECT_EQ(describe(server.run("MSETEX 0 a 3")),
            "(error) ERR invalid numkeys value or out of range");
  EXPECT_EQ(describe(server.run("MSETEX 2 a 3")), "(error) ERR syntax error");
  EXPECT_EQ(describe(server.run("MSETEX 1 a 3 GET")), "(error) ERR syntax error");
  EXPECT_EQ(describe(server.run("COMMAND GETKEYS MSETEX 2 a 1 b 2")), "[\"a\", \"b\"]");
}

TEST(ServerVersionTest, CountsAnEmptyUnionAsAChangeOn6) {
  const auto outcome = [](ServerVersion version) {
    SimulatedServer server(options_of(version));
    server.run("WATCH goal");
    server.run("SUNIONSTORE goal none");
    server.run("MULTI");
    return describe(server.run("EXEC"));
  };
  EXPECT_EQ(outcome(redis_6_0), "(nil)");
  EXPECT_EQ(outcome(redis_7_0), "[]");
}

TEST(ServerVersionTest, LeavesAnEmptyHashBehindOn6) {
  SimulatedServer server(options_of(redis_6_0));
  EXPECT_EQ(describe(server.run("HINCRBYFLOAT h f inf")),
            "(error) ERR increment would produce NaN or Infinity");
  EXPECT_EQ(describe(server.run("EXISTS h")), "(integer) 1");
}

TEST(ServerVersionTest, FailsOnAnErrorThatIsNoTextOn6) {
  const std::string reply = reply_of(redis_6_0, {"EVAL", "error({err='x'})", "0"});
  EXPECT_TRUE(
      reply.ends_with("@err_handler_def:8: err_handler_def:8: attempt to concatenate local "
                      "'err' (a table value)"))
      << reply;
}

}  // namespace
}  // namespace lockstep::redis
