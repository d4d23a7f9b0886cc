// What goes into the replication stream: REDIS.md's table of what is propagated, byte for byte.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "redis/protocol/reply.h"
#include "redis/server/server.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis::test::stream {
namespace {

/// A server whose stream has selected database 0 already.
class StreamTest : public ::testing::Test {
 protected:
  StreamTest() {
    server.run("PUBLISH x y");
    server.take_stream();
  }
  SimulatedServer server;
};

struct Row {
  std::string_view name;
  std::string_view before;  // run first, its stream is not looked at
  std::int64_t advance_ms;
  std::string_view command;
  std::string_view stream;
};

// The server's time starts at 1700000000000 ms.
constexpr Row rows[] = {
    {"an expiry is told as a moment", "SET k v", 0, "PEXPIRE k 100", "PEXPIREAT k 1700000000100"},
    {"EXPIRE too", "SET k v", 0, "expire k 2", "PEXPIREAT k 1700000002000"},
    {"EXPIREAT too", "SET k v", 0, "EXPIREAT k 1700000003", "PEXPIREAT k 1700000003000"},
    {"PEXPIREAT stays as it was spelt", "SET k v", 0, "pexpireat k 1700000000100",
     "pexpireat k 1700000000100"},
    {"conditions stay", "SET k v", 0, "PEXPIRE k 100 nx", "PEXPIREAT k 1700000000100 nx"},
    {"an expiry in the past is a DEL", "SET k v", 0, "PEXPIRE k -1", "DEL k"},
    {"an expiry now is a DEL", "SET k v", 0, "PEXPIRE k 0", "DEL k"},
    {"SET PX is told as PXAT", "", 0, "SET k v PX 100", "SET k v PXAT 1700000000100"},
    {"SET NX PX without its NX", "", 0, "set k v nx px 100", "SET k v PXAT 1700000000100"},
    {"SET NX alone as it is", "", 0, "SET k v NX", "SET k v NX"},
    {"SET GET without its GET", "", 0, "SET k v GET KEEPTTL", "SET k v KEEPTTL"},
    {"SETEX is a SET", "", 0, "SETEX k 1 v", "SET k v PXAT 1700000001000"},
    {"PSETEX is a SET", "", 0, "PSETEX k 1 v", "SET k v PXAT 1700000000001"},
    {"GETEX is a PEXPIREAT", "SET k v", 0, "GETEX k PX 5", "PEXPIREAT k 1700000000005"},
    {"GETEX PERSIST is a PERSIST", "SET k v PX 10", 0, "GETEX k persist", "PERSIST k"},
    {"GETDEL is a DEL", "SET k v", 0, "getdel k", "DEL k"},
    {"GETSET is a SET", "SET k v", 0, "getset k w", "SET k w"},
    {"HSET of the same value is told", "HSET h f v", 0, "HSET h f v", "HSET h f v"},
    {"PUBLISH is told though it changes nothing", "", 0, "PUBLISH ch 0", "PUBLISH ch 0"},
    {"FLUSHALL of nothing is told", "", 0, "FLUSHALL", "FLUSHALL"},
    {"DEL of nothing is not", "", 0, "DEL k", ""},
    {"HDEL of nothing is not", "HSET h f v", 0, "HDEL h g", ""},
    {"HSETNX that fails is not", "HSET h f v", 0, "HSETNX h f w", ""},
    {"SET NX that fails is not", "SET k v", 0, "SET k w NX PX 10", ""},
    {"PERSIST of nothing is not", "SET k v", 0, "PERSIST k", ""},
    {"a refused expiry is not", "SET k v", 0, "PEXPIRE k 100 XX", ""},
    {"reading is not", "SET k v", 0, "GET k", ""},
    {"nor are errors", "SET k v", 0, "HSET k f v", ""},
    {"an expired key that is touched is a DEL", "SET k v PX 10", 11, "GET k", "DEL k"},
    {"and comes before the effect, with it", "SET k v PX 10", 11, "INCR k",
     "MULTI / DEL k / INCR k / EXEC"},
    {"at its last millisecond a key is there", "SET k 1 PX 10", 10, "INCR k", "INCR k"},
};

TEST_F(StreamTest, HoldsTheEffectsOfCommands) {
  for (const Row& row : rows) {
    server.run("FLUSHALL");
    server.set_time_us(SimulatedServer::start_us);
    if (!row.before.empty()) server.run(row.before);
    server.take_stream();
    server.advance_ms(row.advance_ms);
    server.run(row.command);
    EXPECT_EQ(server.take_requests(), row.stream) << row.name;
  }
}

TEST_F(StreamTest, HoldsTheDeletionOfEveryExpiredKeyThatACommandTouched) {
  server.run("SET k v PX 10");
  server.run("SET l v PX 10");
  server.take_stream();
  server.advance_ms(11);
  server.run("MGET k l m k");
  EXPECT_EQ(server.take_requests(), "MULTI / DEL k / DEL l / EXEC");
}

TEST_F(StreamTest, IsMadeOfRespBytes) {
  server.run("SET k v PX 100");
  EXPECT_EQ(server.take_stream(),
            "*5\r\n$3\r\nSET\r\n$1\r\nk\r\n$1\r\nv\r\n$4\r\nPXAT\r\n$13\r\n1700000000100\r\n");
  server.advance_ms(101);
  server.run({"SETNX", "k", "twelve bytes"});
  EXPECT_EQ(server.take_stream(),
            "*1\r\n$5\r\nMULTI\r\n*2\r\n$3\r\nDEL\r\n$1\r\nk\r\n"
            "*3\r\n$5\r\nSETNX\r\n$1\r\nk\r\n$12\r\ntwelve bytes\r\n*1\r\n$4\r\nEXEC\r\n");
}

TEST_F(StreamTest, IsCountedInBytes) {
  const std::int64_t before = server.server().replication_offset();
  server.run("SET k v");
  const auto bytes = static_cast<std::int64_t>(server.take_stream().size());
  EXPECT_EQ(server.server().replication_offset(), before + bytes);
  EXPECT_EQ(server.last_offset_told(), before + bytes);
}

TEST_F(StreamTest, SelectsADatabaseWhereItChanges) {
  server.run("SELECT 3");
  server.run("SET k v");
  EXPECT_EQ(server.take_requests(), "SELECT 3 / SET k v");
  server.run("SET k w");
  EXPECT_EQ(server.take_requests(), "SET k w");
  server.run("SELECT 0");
  EXPECT_EQ(server.take_requests(), "");
  server.run("SET k v PX 10");
  server.take_stream();
  server.run("SELECT 3");
  server.run("DEL nothing");
  server.run("SELECT 0");
  server.advance_ms(11);
  server.run("INCR k");
  EXPECT_EQ(server.take_requests(), "MULTI / DEL k / INCR k / EXEC");
}

TEST_F(StreamTest, HoldsATransactionAsOne) {
  server.run("MULTI");
  server.run("SET k v");
  server.run("GET k");
  server.run("SELECT 1");
  server.run("SET l w PX 10");
  EXPECT_EQ(server.take_requests(), "");
  server.run("EXEC");
  EXPECT_EQ(server.take_requests(),
            "MULTI / SET k v / SELECT 1 / SET l w PXAT 1700000000010 / EXEC");
}

TEST_F(StreamTest, HoldsAScriptsEffectsAsTheScriptSpeltThem) {
  server.run({"EVAL",
              "redis.call('hincrby', KEYS[1], ARGV[1], 1) redis.call('pexpire', KEYS[1], ARGV[2])",
              "1", "L", "c1:1", "30000"});
  EXPECT_EQ(server.take_requests(), "MULTI / hincrby L c1:1 1 / PEXPIREAT L 1700000030000 / EXEC");
  server.run({"EVAL", "return redis.call('pexpire', KEYS[1], ARGV[1])", "1", "L", "10"});
  EXPECT_EQ(server.take_requests(), "PEXPIREAT L 1700000000010");
  server.run({"EVAL", "return redis.call('pttl', KEYS[1])", "1", "L"});
  EXPECT_EQ(server.take_requests(), "");
  server.run({"SCRIPT", "LOAD", "return 1"});
  EXPECT_EQ(server.take_requests(), "");
  server.advance_ms(11);
  server.run({"EVAL", "redis.call('hincrby', KEYS[1], 'f', 1) redis.call('nosuch')", "1", "L"});
  EXPECT_EQ(server.take_requests(), "MULTI / DEL L / hincrby L f 1 / EXEC");
}

}  // namespace
}  // namespace lockstep::redis::test::stream
