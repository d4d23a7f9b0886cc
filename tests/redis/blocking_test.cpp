// Sessions that wait for a list: who is served when, and how a wait ends. What a real server does
// with random sequences of the same: list_templates.cpp.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "redis/protocol/reply.h"
#include "redis/server/server.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis::test {
namespace {

using Texts = std::vector<std::string>;

class BlockingTest : public ::testing::Test {
 protected:
  BlockingTest() : a(server.open()), b(server.open()) {
    server.run("PUBLISH news hi");
    server.take_stream();
  }

  SimulatedServer server;
  SessionId a;
  SessionId b;
};

TEST_F(BlockingTest, ServesTheFirstBlockedFirst) {
  ASSERT_TRUE(server.blocks(b, "BLPOP q 0"));
  ASSERT_TRUE(server.blocks(a, "BRPOP other q 0"));
  EXPECT_EQ(describe(server.run("RPUSH q 1 2 3")), "(integer) 3");
  EXPECT_EQ(server.take_pushes(b), Texts{R"(["q", "1"])"});
  EXPECT_EQ(server.take_pushes(a), Texts{R"(["q", "3"])"});
  EXPECT_EQ(server.take_requests(), "RPUSH q 1 2 3 / LPOP q / RPOP q");
  EXPECT_EQ(describe(server.run_in(a, "LLEN q")), "(integer) 1");
}

TEST_F(BlockingTest, ServesWhenTheTransactionIsThroughAndInTheOrderOfItsKeys) {
  ASSERT_TRUE(server.blocks(a, "BLPOP x y 0"));
  server.run("MULTI");
  server.run("RPUSH y 1");
  server.run("RPUSH x 2");
  server.run("LPUSH y 0");
  server.run("EXEC");
  EXPECT_EQ(server.take_pushes(a), Texts{R"(["y", "0"])"});
  EXPECT_EQ(server.take_requests(), "MULTI / RPUSH y 1 / RPUSH x 2 / LPUSH y 0 / EXEC / LPOP y");
}

TEST_F(BlockingTest, ServesNobodyFromAListThatTheScriptTookAway) {
  ASSERT_TRUE(server.blocks(a, "BLPOP q 0"));
  server.run({"EVAL", "redis.call('rpush', 'q', 1) redis.call('del', 'q')", "0"});
  server.run("HSET q f v");
  EXPECT_EQ(server.take_pushes(a), Texts{});
  server.run("DEL q");
  server.run("RPUSH q 1");
  EXPECT_EQ(server.take_pushes(a), Texts{R"(["q", "1"])"});
}

TEST_F(BlockingTest, AMoveServesWhoWaitsForItsTarget) {
  ASSERT_TRUE(server.blocks(a, "BLPOP y 0"));
  ASSERT_TRUE(server.blocks(b, "BLMOVE x y LEFT RIGHT 0"));
  server.run("RPUSH x 1");
  EXPECT_EQ(server.take_pushes(b), Texts{"\"1\""});
  EXPECT_EQ(server.take_pushes(a), Texts{R"(["y", "1"])"});
  EXPECT_EQ(server.take_requests(), "RPUSH x 1 / LMOVE x y left right / LPOP y");
}

TEST_F(BlockingTest, OnlyItsOwnDatabaseServesASession) {
  server.run_in(a, "SELECT 1");
  ASSERT_TRUE(server.blocks(a, "BLPOP q 0"));
  server.run("RPUSH q 0");
  EXPECT_EQ(server.take_pushes(a), Texts{});
  server.run_in(b, "SELECT 1");
  server.run_in(b, "RPUSH q 1");
  EXPECT_EQ(server.take_pushes(a), Texts{R"(["q", "1"])"});
}

TEST_F(BlockingTest, AWaitEndsPastItsDeadline) {
  ASSERT_TRUE(server.blocks(a, "BLPOP q 0.5"));
  EXPECT_EQ(server.server().block_timeout_ms(a), 500);
  server.server().unblock(a);
  EXPECT_EQ(server.take_pushes(a), Texts{"(nil)"});
  server.run("RPUSH q 1");
  EXPECT_EQ(server.take_pushes(a), Texts{});
}

TEST_F(BlockingTest, AWaitWithoutTimeoutOrBeyondTheEndOfTimeIsForEver) {
  for (const char* timeout : {"0", "-0.0001", "9223372036854775"}) {
    const SessionId session = server.open();
    ASSERT_TRUE(server.blocks(session, std::string("BLPOP q ") + timeout)) << timeout;
    EXPECT_EQ(server.server().block_timeout_ms(session), 0) << timeout;
  }
}

TEST_F(BlockingTest, RefusesOddTimeouts) {
  for (const char* timeout : {"x", "''", "nan", "1e-5000"}) {
    EXPECT_EQ(describe(server.run(std::string("BLPOP q ") + timeout)),
              "(error) ERR timeout is not a float or out of range")
        << timeout;
  }
  for (const char* timeout : {"-1", "inf", "-inf", "1e400", "9223372036854776"}) {
    EXPECT_EQ(describe(server.run(std::string("BLPOP q ") + timeout)),
              "(error) ERR timeout is negative")
        << timeout;
  }
}

TEST_F(BlockingTest, EndsWhereTheServerBecomesAReplica) {
  ASSERT_TRUE(server.blocks(a, "BLPOP q 0"));
  server.server().demote();
  EXPECT_EQ(server.take_pushes(a), Texts{"(error) UNBLOCKED force unblock from blocking operation, "
                                         "instance state changed (master -> replica?)"});
}

TEST_F(BlockingTest, IsForgottenWithItsSession) {
  ASSERT_TRUE(server.blocks(a, "BLPOP q p q 0"));
  server.server().close_session(a);
  server.run("RPUSH q 1");
  EXPECT_EQ(server.take_pushes(a), Texts{});
  EXPECT_EQ(describe(server.run("LLEN q")), "(integer) 1");
}

TEST_F(BlockingTest, ClientUnblockEndsAWaitAsIfByTimeOrWithAnError) {
  const std::string id = std::to_string(server.run_in(a, "CLIENT ID").integer);
  EXPECT_EQ(describe(server.run("CLIENT UNBLOCK " + id)), "(integer) 0");
  ASSERT_TRUE(server.blocks(a, "BLMOVE x y LEFT LEFT 0"));
  EXPECT_EQ(describe(server.run("CLIENT UNBLOCK " + id)), "(integer) 1");
  EXPECT_EQ(server.take_pushes(a), Texts{"(nil)"});
  ASSERT_TRUE(server.blocks(a, "WAIT 1 0"));
  EXPECT_EQ(describe(server.run("CLIENT UNBLOCK " + id + " error")), "(integer) 1");
  EXPECT_EQ(server.take_pushes(a), Texts{"(error) UNBLOCKED client unblocked via CLIENT UNBLOCK"});
}

TEST_F(BlockingTest, ClientUnblockRefusesOddWords) {
  EXPECT_EQ(describe(server.run("CLIENT UNBLOCK 99")), "(integer) 0");
  EXPECT_EQ(describe(server.run("CLIENT UNBLOCK x")),
            "(error) ERR value is not an integer or out of range");
  EXPECT_EQ(describe(server.run("CLIENT UNBLOCK x FOO")),
            "(error) ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR");
  EXPECT_EQ(describe(server.run("CLIENT UNBLOCK 1 TIMEOUT x")),
            "(error) ERR unknown subcommand or wrong number of arguments for 'UNBLOCK'. Try CLIENT "
            "HELP.");
}

}  // namespace
}  // namespace lockstep::redis::test
