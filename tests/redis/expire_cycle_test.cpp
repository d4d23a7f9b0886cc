// Keys that expire and are asked for by nobody, and what a server does that is about to end.
#include <gtest/gtest.h>

#include <string>

#include "redis/protocol/reply.h"
#include "redis/server/server.h"
#include "redis/server/server_version.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis::test {
namespace {

TEST(ExpireCycleTest, DeletesWhatHasExpiredEachByItself) {
  SimulatedServer simulated;
  simulated.run("SET a 1 PX 10");
  simulated.run("SET b 1");
  simulated.run("SET '' 1 PX 10");
  simulated.run("SELECT 3");
  simulated.run("SET c 1 PX 11");
  simulated.take_requests();
  simulated.advance_ms(10);
  simulated.server().expire_cycle();
  EXPECT_EQ(simulated.take_requests(), "");
  simulated.advance_ms(1);
  simulated.server().expire_cycle();
  EXPECT_EQ(simulated.take_requests(), "SELECT 0 / DEL  / DEL a");
  EXPECT_EQ(simulated.server().keyspace(0).entries().size(), 1U);
  simulated.advance_ms(1);
  simulated.server().expire_cycle();
  EXPECT_EQ(simulated.take_requests(), "SELECT 3 / DEL c");
}

TEST(ExpireCycleTest, TakesAKeyInItsLastMillisecondOn8_0ThoughALookupFindsItYet) {
  for (const ServerVersion version : {ServerVersion::redis_7_0, ServerVersion::redis_8_0}) {
    SimulatedServer simulated(options_of(version));
    simulated.run("SET a 1 PX 10");
    simulated.advance_ms(9);
    simulated.server().expire_cycle();
    EXPECT_EQ(simulated.server().keyspace().entries().size(), 1U);
    simulated.advance_ms(1);
    EXPECT_EQ(describe(simulated.run("GET a")), "\"1\"");
    simulated.server().expire_cycle();
    EXPECT_EQ(simulated.server().keyspace().entries().empty(), version == ServerVersion::redis_8_0);
  }
}

TEST(ExpireCycleTest, ScanDeletesNothingOfAnotherTypeOnValkey) {
  for (const ServerVersion version : {ServerVersion::redis_8_0, ServerVersion::valkey_8_0}) {
    SimulatedServer simulated(options_of(version));
    simulated.run("SET a 1 PX 10");
    simulated.take_requests();
    simulated.advance_ms(11);
    simulated.run("SCAN 0 TYPE list");
    EXPECT_EQ(simulated.take_requests(), version == ServerVersion::redis_8_0 ? "DEL a" : "");
    simulated.run("SCAN 0 TYPE string");
    EXPECT_EQ(simulated.take_requests(), version == ServerVersion::redis_8_0 ? "" : "UNLINK a");
  }
}

TEST(ExpireCycleTest, ReachesAllKeysInSeveralCalls) {
  SimulatedServer simulated;
  for (int i = 0; i < 30'000; ++i) simulated.run("SET key:" + std::to_string(i) + " x PX 10");
  simulated.advance_ms(11);
  for (int i = 0; i < 4; ++i) simulated.server().expire_cycle();
  EXPECT_TRUE(simulated.server().keyspace().entries().empty());
}

TEST(ExpireCycleTest, DeletesNothingOnAReplica) {
  SimulatedServer simulated;
  simulated.run("SET a 1 PX 10");
  simulated.run("REPLICAOF somewhere 7000");
  simulated.advance_ms(100);
  simulated.server().expire_cycle();
  EXPECT_EQ(simulated.server().keyspace().entries().size(), 1U);
}

TEST(ShutdownTest, KeepsBackWhatMayWriteAndAnswersTheRestWhileItWaitsForReplicas) {
  SimulatedServer simulated;
  simulated.run("SET k v");
  simulated.run("SET brief v PX 10");
  const SessionId queued_a_write = simulated.open();
  simulated.run_in(queued_a_write, "MULTI");
  simulated.run_in(queued_a_write, "SET k w");
  simulated.take_requests();
  simulated.server().pause_writes();
  simulated.advance_ms(100);

  for (const char* line :
       {"SET k w", "DEL none", "PUBLISH c m", "BLPOP q 1", "FLUSHALL", "EVAL #!lua\nreturn 0",
        "EVALSHA ffffffffffffffffffffffffffffffffffffffff 0", "EVAL return(1) 0"}) {
    EXPECT_TRUE(simulated.blocks(simulated.open(), line)) << line;
  }
  EXPECT_TRUE(simulated.blocks(queued_a_write, "EXEC"));
  EXPECT_EQ(describe(simulated.run("PING")), "PONG");
  EXPECT_EQ(describe(simulated.run("GET k")), "\"v\"");
  EXPECT_EQ(describe(simulated.run("EVAL_RO return(1) 0")), "(integer) 1");
  const SessionId reader = simulated.open();
  simulated.run_in(reader, "MULTI");
  simulated.run_in(reader, "GET k");
  EXPECT_EQ(simulated.run_in(reader, "EXEC").elements.size(), 1U);
  EXPECT_EQ(simulated.run("SET").text, "ERR wrong number of arguments for 'set' command");
  EXPECT_EQ(simulated.run("SCRIPT FLUSH").text, "OK");
  EXPECT_EQ(simulated.run("CLIENT UNBLOCK 3").integer, 0);

  EXPECT_EQ(describe(simulated.run("GET brief")), "(nil)");
  simulated.server().expire_cycle();
  EXPECT_FALSE(simulated.server().evict("k"));
  EXPECT_EQ(simulated.run("DBSIZE").integer, 2);
  EXPECT_EQ(simulated.take_requests(), "");

  simulated.start(ServerOptions{});
  EXPECT_EQ(simulated.run("SET k v").text, "OK");
}

TEST(ShutdownTest, AScriptThatSaysItOnlyReadsIsNotKeptBack) {
  SimulatedServer simulated;
  simulated.server().pause_writes();
  EXPECT_EQ(simulated.run({"EVAL", "#!lua flags=no-writes\nreturn 1", "0"}).integer, 1);
}

TEST(ShutdownTest, RefusesWhatItCannotDoInRedissWords) {
  SimulatedServer simulated;
  EXPECT_EQ(simulated.run("SHUTDOWN").text, "ERR Errors trying to SHUTDOWN. Check logs.");
  EXPECT_EQ(simulated.run("SHUTDOWN abort").text, "ERR No shutdown in progress.");
  for (const char* line : {"SHUTDOWN save nosave", "SHUTDOWN foo", "SHUTDOWN abort now"}) {
    EXPECT_EQ(simulated.run(line).text, "ERR syntax error") << line;
  }
}

}  // namespace
}  // namespace lockstep::redis::test
