// WAITAOF: how many have what the session wrote on their disks. Replies and times as measured on
// Redis 8.0.2 and Valkey 8.0.1, 8.1.1 and 9.1.2.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "redis/protocol/reply.h"
#include "redis/server/server.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis::test {
namespace {

using enum ServerVersion;

constexpr std::string_view no_file =
    "(error) ERR WAITAOF cannot be used when numlocal is set but appendonly is disabled.";

class WaitAofTest : public ::testing::Test {
 protected:
  WaitAofTest() : WaitAofTest(redis_8_0) {}
  explicit WaitAofTest(ServerVersion version)
      : server(options_of(version)), session(server.open()) {}

  std::string run(std::string_view line) { return describe(server.run_in(session, line)); }
  void log(std::string_view fsync) {
    run("CONFIG SET appendonly yes");
    run("CONFIG SET appendfsync " + std::string(fsync));
  }
  bool blocks(std::string_view line) { return server.blocks(session, line); }
  std::vector<std::string> pushes() { return server.take_pushes(session); }
  void tick_at(std::int64_t ms) {
    server.set_time_us((SimulatedServer::start_ms + ms) * 1000);
    server.server().tick();
  }

  SimulatedServer server;
  SessionId session;
};

class ValkeyWaitAofTest : public WaitAofTest {
 protected:
  ValkeyWaitAofTest() : WaitAofTest(valkey_8_0) {}
};

TEST(WaitAofVersionTest, IsUnknownBefore7_2) {
  for (const ServerVersion version : {redis_6_0, redis_7_0}) {
    SimulatedServer server(options_of(version));
    EXPECT_EQ(describe(server.run("WAITAOF 0 0 0")).substr(0, 27), "(error) ERR unknown command");
  }
}

TEST_F(WaitAofTest, RefusesWhatRedisRefuses) {
  EXPECT_EQ(run("WAITAOF 0 0"), "(error) ERR wrong number of arguments for 'waitaof' command");
  EXPECT_EQ(run("WAITAOF x 0 0"), "(error) ERR value is not an integer or out of range");
  EXPECT_EQ(run("WAITAOF 2 x y"), "(error) ERR value is out of range, value must between 0 and 1");
  EXPECT_EQ(run("WAITAOF 0 x 0"), "(error) ERR value is out of range, must be positive");
  EXPECT_EQ(run("WAITAOF 0 -1 0"), "(error) ERR value is out of range, must be positive");
  EXPECT_EQ(run("WAITAOF 0 0 x"), "(error) ERR timeout is not an integer or out of range");
  EXPECT_EQ(run("WAITAOF 0 0 -1"), "(error) ERR timeout is negative");
  EXPECT_EQ(run("WAITAOF 0 0 9223372036854775807"), "(error) ERR timeout is out of range");
  EXPECT_EQ(run("WAITAOF 1 0 0"), no_file);
  server.server().demote();
  EXPECT_EQ(run("WAITAOF 1 0 0"),
            "(error) ERR WAITAOF cannot be used with replica instances. Please also note that "
            "writes to replicas are just local and are not propagated.");
}

TEST_F(WaitAofTest, CountsNothingOnADiskWithoutAppendOnlyFile) {
  EXPECT_EQ(run("WAITAOF 0 0 0"), "[(integer) 0, (integer) 0]");
}

TEST_F(WaitAofTest, AnswersAtOnceWhereEachWriteIsSynced) {
  log("always");
  run("SET k v");
  EXPECT_EQ(run("WAITAOF 1 0 0"), "[(integer) 1, (integer) 0]");
}

TEST_F(WaitAofTest, WaitsForTheSyncOfTheSecond) {
  log("everysec");
  run("SET k opens-a-second");
  EXPECT_EQ(run("WAITAOF 1 0 0"), "[(integer) 1, (integer) 0]");
  run("SET k v");
  ASSERT_TRUE(blocks("WAITAOF 1 0 0"));
  tick_at(900);
  EXPECT_EQ(pushes(), std::vector<std::string>{});
  tick_at(1000);
  EXPECT_EQ(pushes(), std::vector<std::string>{"[(integer) 1, (integer) 0]"});
  run("GET k");
  EXPECT_EQ(run("WAITAOF 1 0 0"), "[(integer) 1, (integer) 0]");
}

TEST_F(WaitAofTest, WaitsUntilTheFileIsWrittenAnewWhereNothingSyncs) {
  log("no");
  run("SET k v");
  ASSERT_TRUE(blocks("WAITAOF 1 0 0"));
  tick_at(5000);
  EXPECT_EQ(pushes(), std::vector<std::string>{});
  server.run("BGREWRITEAOF");
  EXPECT_EQ(pushes(), std::vector<std::string>{"[(integer) 1, (integer) 0]"});
}

TEST_F(WaitAofTest, IsAboutTheCallersOwnWrites) {
  log("no");
  server.run("SET k v");
  EXPECT_EQ(run("WAITAOF 1 0 0"), "[(integer) 1, (integer) 0]");
}

TEST_F(WaitAofTest, TellsHowFarItGotWhenItsTimeIsOver) {
  log("no");
  server.server().acknowledge(0, 0, 0);
  run("SET k v");
  ASSERT_TRUE(blocks("WAITAOF 1 1 100"));
  EXPECT_EQ(server.acknowledgements_wanted(), 1);
  server.server().acknowledge(0, server.server().replication_offset(),
                              server.server().replication_offset());
  EXPECT_EQ(pushes(), std::vector<std::string>{});
  server.server().unblock(session);
  EXPECT_EQ(pushes(), std::vector<std::string>{"[(integer) 0, (integer) 1]"});
}

TEST_F(WaitAofTest, CountsTheDisksOfReplicasNotTheirMemory) {
  server.server().acknowledge(0, 0, 0);
  server.server().acknowledge(1, 0);
  EXPECT_EQ(run("WAITAOF 0 0 0"), "[(integer) 0, (integer) 2]") << "who wrote nothing";
  run("SET k v");
  const std::int64_t written = server.server().replication_offset();
  ASSERT_TRUE(blocks("WAITAOF 0 1 0"));
  server.server().acknowledge(0, written, written - 1);
  server.server().acknowledge(1, written);
  EXPECT_EQ(pushes(), std::vector<std::string>{});
  server.server().acknowledge(0, written, written);
  EXPECT_EQ(pushes(), std::vector<std::string>{"[(integer) 0, (integer) 1]"});
  server.server().drop_replica(0);
  EXPECT_EQ(run("WAITAOF 0 0 0"), "[(integer) 0, (integer) 0]");
}

TEST_F(WaitAofTest, DoesNotWaitInTransactionsAndScripts) {
  server.server().acknowledge(0, 0, 0);
  run("MULTI");
  run("SET k v");
  run("WAITAOF 0 1 0");
  run("WAITAOF 1 0 0");
  EXPECT_EQ(run("EXEC"), "[OK, [(integer) 0, (integer) 1], " + std::string(no_file) + "]");
  const std::vector<std::string_view> script{"EVAL", "return redis.call('waitaof', 0, 5, 0)", "0"};
  EXPECT_EQ(describe(server.run_in(session, script)).substr(0, 14), "[(integer) 0, ");
}

TEST_F(WaitAofTest, EndsWithAnErrorWhereTheFileIsSwitchedOffOrTheServerDemoted) {
  log("no");
  run("SET k v");
  ASSERT_TRUE(blocks("WAITAOF 1 0 0"));
  server.run("CONFIG SET appendonly no");
  EXPECT_EQ(pushes(), std::vector<std::string>{std::string(no_file)});
  ASSERT_TRUE(blocks("WAITAOF 0 1 0"));
  server.server().demote();
  EXPECT_EQ(pushes(),
            std::vector<std::string>{"(error) UNBLOCKED force unblock from blocking operation, "
                                     "instance state changed (master -> replica?)"});
}

TEST_F(ValkeyWaitAofTest, IsToldOfASyncThatIsStillToCome) {
  log("everysec");
  run("SET k opens-a-second");
  run("SET k v");
  EXPECT_EQ(run("WAITAOF 1 0 0"), "[(integer) 1, (integer) 0]");
}

TEST_F(ValkeyWaitAofTest, WaitsWhereNothingSyncs) {
  log("no");
  run("SET k v");
  EXPECT_TRUE(blocks("WAITAOF 1 0 0"));
}

}  // namespace
}  // namespace lockstep::redis::test
