// MULTI, EXEC and WATCH.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "redis/protocol/reply.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis::test {
namespace {

class TransactionTest : public ::testing::Test {
 protected:
  std::string ask(std::string_view line) { return describe(server.run(line)); }
  SimulatedServer server;
  SessionId other = server.open();
};

TEST_F(TransactionTest, RunsItsCommandsAtExec) {
  EXPECT_EQ(ask("MULTI"), "OK");
  EXPECT_EQ(ask("SET k 1"), "QUEUED");
  EXPECT_EQ(ask("HGET k f"), "QUEUED");
  EXPECT_EQ(ask("INCR k"), "QUEUED");
  EXPECT_EQ(describe(server.run_in(other, "GET k")), "(nil)");
  EXPECT_EQ(ask("EXEC"),
            "[OK, (error) WRONGTYPE Operation against a key holding the wrong kind of value, "
            "(integer) 2]");
  EXPECT_EQ(ask("EXEC"), "(error) ERR EXEC without MULTI");
}

TEST_F(TransactionTest, IsGivenUpWhereACommandWasRefused) {
  ask("MULTI");
  EXPECT_EQ(ask("GET"), "(error) ERR wrong number of arguments for 'get' command");
  EXPECT_EQ(ask("SET k v"), "QUEUED");
  EXPECT_EQ(ask("EXEC"), "(error) EXECABORT Transaction discarded because of previous errors.");
  EXPECT_EQ(ask("EXISTS k"), "(integer) 0");
}

TEST_F(TransactionTest, IsDiscarded) {
  ask("MULTI");
  ask("SET k v");
  EXPECT_EQ(ask("MULTI"), "(error) ERR MULTI calls can not be nested");
  EXPECT_EQ(ask("WATCH k"), "(error) ERR WATCH inside MULTI is not allowed");
  EXPECT_EQ(ask("DISCARD"), "OK");
  EXPECT_EQ(ask("DISCARD"), "(error) ERR DISCARD without MULTI");
  EXPECT_EQ(ask("EXISTS k"), "(integer) 0");
}

TEST_F(TransactionTest, DoesNothingWhereAWatchedKeyChanged) {
  ask("WATCH k l");
  server.run_in(other, "SET l v");
  ask("MULTI");
  ask("SET k v");
  EXPECT_EQ(ask("EXEC"), "(nil)");
  EXPECT_EQ(ask("EXISTS k"), "(integer) 0");
  ask("MULTI");
  ask("SET k v");
  EXPECT_EQ(ask("EXEC"), "[OK]") << "watching ends with EXEC";
}

TEST_F(TransactionTest, DoesNothingWhereAWatchedKeyExpired) {
  server.run_in(other, "SET k v PX 10");
  ask("WATCH k");
  server.advance_ms(11);
  ask("MULTI");
  EXPECT_EQ(ask("EXEC"), "(nil)");
}

TEST_F(TransactionTest, DoesNotMindThatAKeyWatchedWhenExpiredIsDeleted) {
  server.run_in(other, "SET k v PX 10");
  server.advance_ms(11);
  ask("WATCH k");
  EXPECT_EQ(describe(server.run_in(other, "GET k")), "(nil)");
  ask("MULTI");
  EXPECT_EQ(ask("EXEC"), "[]");
}

TEST_F(TransactionTest, NoLongerMindsWhatIsUnwatched) {
  ask("WATCH k");
  server.run_in(other, "SET k v");
  EXPECT_EQ(ask("UNWATCH"), "OK");
  ask("MULTI");
  EXPECT_EQ(ask("EXEC"), "[]");
}

TEST_F(TransactionTest, MindsThatItsKeysWereFlushed) {
  ask("SET k v");
  ask("WATCH k");
  server.run_in(other, "FLUSHALL");
  ask("MULTI");
  EXPECT_EQ(ask("EXEC"), "(nil)");
}

}  // namespace
}  // namespace lockstep::redis::test
