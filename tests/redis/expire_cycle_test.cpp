// Keys that expire and are asked for by nobody.
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
