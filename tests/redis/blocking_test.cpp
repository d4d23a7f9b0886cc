// Sessions that wait for a list: who is served when, and how a wait ends. What a real server does
// with random sequences of the same: list_templates.cpp.
#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

#include "redis/protocol/reply.h"
#include "redis/server/server.h"
#include "redis/server/server_version.h"
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

/// What a session gets that waits with a command, and what the server is left with.
struct Woken {
  Texts replies;
  std::string requests;
  friend bool operator==(const Woken&, const Woken&) = default;
  friend std::ostream& operator<<(std::ostream& out, const Woken& woken) {
    for (const std::string& each : woken.replies) out << each << " ";
    return out << "after " << woken.requests;
  }
};

Woken wake(ServerVersion version, std::string_view command, const Texts& waking) {
  SimulatedServer server(options_of(version));
  const SessionId waiting = server.open();
  EXPECT_TRUE(server.blocks(waiting, command));
  for (const std::string& line : waking) server.run(line);
  return {server.take_pushes(waiting), server.take_requests()};
}

TEST(BlockedCommandTest, IsCalledAnewSince7_2AndThenLooksAtItsKeysInItsOwnOrder) {
  using enum ServerVersion;
  const Texts both{"MULTI", "RPUSH b 1", "RPUSH a 2", "EXEC"};
  const Texts mixed{"SADD a 1", "RPUSH b 2"};
  const Texts sorted{"MULTI", "ZADD b 1 x", "ZADD a 2 y", "EXEC"};
  const std::string wrong_type =
      "(error) WRONGTYPE Operation against a key holding the wrong kind of value";
  for (const ServerVersion version : {redis_6_0, redis_7_0}) {
    EXPECT_EQ(wake(version, "BLPOP a b 0", both).replies, Texts{R"(["b", "1"])"});
    EXPECT_EQ(wake(version, "BLPOP a b 0", mixed).replies, Texts{R"(["b", "2"])"});
    EXPECT_EQ(wake(version, "BZPOPMIN a b 0", sorted).replies, Texts{R"(["b", "x", "1"])"});
  }
  for (const ServerVersion version : {redis_8_0, valkey_8_0, valkey_8_1, valkey_9_1}) {
    EXPECT_EQ(wake(version, "BLPOP a b 0", both).replies, Texts{R"(["a", "2"])"});
    EXPECT_EQ(wake(version, "BLPOP a b 0", mixed),
              (Woken{{wrong_type}, "SELECT 0 / SADD a 1 / RPUSH b 2"}));
    EXPECT_EQ(wake(version, "BLMPOP 0 2 a b LEFT", mixed).replies, Texts{wrong_type});
    EXPECT_EQ(wake(version, "BLPOP b a 0", mixed).replies, Texts{R"(["b", "2"])"});
    EXPECT_EQ(wake(version, "BZPOPMIN a b 0", sorted).replies, Texts{R"(["a", "y", "2"])"});
  }
}

TEST(BlockedCommandTest, IsCalledAnewSince7_2AndThenRefusedWhereThereIsNoMemory) {
  using enum ServerVersion;
  const auto items_left = [](ServerVersion version) {
    SimulatedServer server(options_of(version));
    const SessionId waiting = server.open();
    EXPECT_TRUE(server.blocks(waiting, "BLMOVE from to LEFT RIGHT 0"));
    server.run("MULTI");
    server.run("RPUSH from 1");
    server.run("CONFIG SET maxmemory 1");
    server.run("EXEC");
    EXPECT_EQ(server.take_pushes(waiting).size(), 1U);
    EXPECT_FALSE(server.blocks(waiting, "PING"));
    return describe(server.run("LLEN from"));
  };
  EXPECT_EQ(items_left(redis_7_0), "(integer) 0");
  EXPECT_EQ(items_left(redis_8_0), "(integer) 1");
  EXPECT_EQ(items_left(valkey_8_0), "(integer) 1");
}

// Its list may be evicted as it is called anew.
TEST(BlockedCommandTest, GoesOnWaitingWhereItFindsNothingAfterAll) {
  SimulatedServer server(options_of(ServerVersion::redis_8_0));
  const SessionId waiting = server.open();
  server.run("CONFIG SET maxmemory-policy allkeys-random");
  ASSERT_TRUE(server.blocks(waiting, "BLPOP list 0"));
  server.run("MULTI");
  server.run("RPUSH list 1");
  server.run("CONFIG SET maxmemory 1");
  server.run("EXEC");
  EXPECT_EQ(server.take_pushes(waiting), Texts{});
  server.run("CONFIG SET maxmemory 0");
  server.run("RPUSH list 2");
  EXPECT_EQ(server.take_pushes(waiting), Texts{R"(["list", "2"])"});
}

TEST(BlockedCommandTest, Of6_0IsReplicatedInSmallLettersWhenItPopsFromASortedSet) {
  using enum ServerVersion;
  EXPECT_EQ(wake(redis_6_0, "BZPOPMIN z 0", {"ZADD z 1 a"}).requests,
            "SELECT 0 / ZADD z 1 a / zpopmin z");
  EXPECT_EQ(wake(redis_7_0, "BZPOPMAX z 0", {"ZADD z 1 a"}).requests,
            "SELECT 0 / ZADD z 1 a / ZPOPMAX z");
}

TEST(BlockedCommandTest, WaitsForWholeMsWhich6_0RoundsDown) {
  const auto timeout_ms = [](ServerVersion version, const std::string& seconds) {
    SimulatedServer server(options_of(version));
    const SessionId session = server.open();
    EXPECT_TRUE(server.blocks(session, "BLPOP q " + seconds));
    return server.server().block_timeout_ms(session);
  };
  EXPECT_EQ(timeout_ms(ServerVersion::redis_6_0, "0.001"), 0);
  EXPECT_EQ(timeout_ms(ServerVersion::redis_7_0, "0.001"), 1);
  EXPECT_EQ(timeout_ms(ServerVersion::redis_6_0, "0.0025"), 2);
  EXPECT_EQ(timeout_ms(ServerVersion::redis_7_0, "0.0025"), 3);
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
