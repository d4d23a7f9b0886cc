// WAIT: how many replicas have what the session wrote.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "redis/protocol/reply.h"
#include "redis/server/server.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis::test {
namespace {

class WaitTest : public ::testing::Test {
 protected:
  WaitTest() : session(server.open()) {
    server.server().acknowledge(0, 0);
    server.server().acknowledge(1, 0);
    server.run_in(session, "SET k v");
    written = server.server().replication_offset();
  }
  std::vector<std::string> pushes() { return server.take_pushes(session); }

  SimulatedServer server;
  SessionId session;
  std::int64_t written = 0;
};

TEST_F(WaitTest, AnswersAtOnceWhereEnoughHaveIt) {
  EXPECT_EQ(describe(server.run_in(session, "WAIT 0 0")), "(integer) 0");
  EXPECT_EQ(server.acknowledgements_wanted(), 0);
  server.server().acknowledge(1, written);
  EXPECT_EQ(describe(server.run_in(session, "WAIT 1 0")), "(integer) 1");
  EXPECT_EQ(describe(server.run_in(session, "WAIT 0 0")), "(integer) 1");
}

TEST_F(WaitTest, WaitsForTheLastOfThem) {
  ASSERT_TRUE(server.blocks(session, "WAIT 2 1000"));
  EXPECT_EQ(server.server().block_timeout_ms(session), 1000);
  EXPECT_EQ(server.acknowledgements_wanted(), 1);
  server.server().acknowledge(0, written);
  server.server().acknowledge(1, written - 1);
  EXPECT_EQ(pushes(), std::vector<std::string>{});
  server.server().acknowledge(1, written);
  EXPECT_EQ(pushes(), std::vector<std::string>{"(integer) 2"});
  EXPECT_EQ(describe(server.run_in(session, "GET k")), "\"v\"");
}

TEST_F(WaitTest, AnswersWithTheCountReachedWhenItsTimeIsOver) {
  ASSERT_TRUE(server.blocks(session, "WAIT 2 1000"));
  server.server().acknowledge(0, written);
  server.server().unblock(session);
  EXPECT_EQ(pushes(), std::vector<std::string>{"(integer) 1"});
}

TEST_F(WaitTest, IsAboutWhatTheSessionItselfSawWritten) {
  const SessionId other = server.open();
  server.server().acknowledge(0, written);
  server.run_in(other, "SET k w");
  EXPECT_EQ(describe(server.run_in(session, "WAIT 1 0")), "(integer) 1");
  EXPECT_TRUE(server.blocks(other, "WAIT 1 0"));
}

TEST_F(WaitTest, CountsNoReplicaWhoseLinkBroke) {
  server.server().acknowledge(0, written);
  server.server().drop_replica(0);
  EXPECT_TRUE(server.blocks(session, "WAIT 1 0"));
}

TEST_F(WaitTest, DoesNotWaitInsideATransaction) {
  server.run_in(session, "MULTI");
  server.run_in(session, "WAIT 2 0");
  EXPECT_EQ(describe(server.run_in(session, "EXEC")), "[(integer) 0]");
}

TEST_F(WaitTest, EndsWhereTheServerBecomesAReplica) {
  ASSERT_TRUE(server.blocks(session, "WAIT 1 0"));
  server.server().demote();
  EXPECT_EQ(pushes(),
            std::vector<std::string>{"(error) UNBLOCKED force unblock from blocking operation, "
                                     "instance state changed (master -> replica?)"});
}

TEST_F(WaitTest, IsForgottenWithItsSession) {
  ASSERT_TRUE(server.blocks(session, "WAIT 1 0"));
  server.server().close_session(session);
  server.server().acknowledge(0, written);
  EXPECT_EQ(pushes(), std::vector<std::string>{});
}

TEST_F(WaitTest, RefusesOddArguments) {
  EXPECT_EQ(describe(server.run_in(session, "WAIT x 0")),
            "(error) ERR value is not an integer or out of range");
  EXPECT_EQ(describe(server.run_in(session, "WAIT 0 x")),
            "(error) ERR timeout is not an integer or out of range");
  EXPECT_EQ(describe(server.run_in(session, "WAIT 0 -1")), "(error) ERR timeout is negative");
}

}  // namespace
}  // namespace lockstep::redis::test
