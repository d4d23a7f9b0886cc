// CLIENT, INFO, COMMAND and DEBUG, against a real server's replies where these do not depend on its
// process.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "redis/commands/unsupported_commands.h"
#include "redis/protocol/reply_builder.h"
#include "redis/server/command_table.h"
#include "redis/server/server.h"
#include "tests/redis/comparison/real_server.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis::test {
namespace {

class RealReplyTest : public ::testing::Test {
 protected:
  void compare(const std::vector<std::string>& words) {
    const std::vector<std::string_view> views(words.begin(), words.end());
    const Reply here = simulated.run_in(SimulatedServer::first, views);
    EXPECT_EQ(describe(here), describe(real.connection.command(words)))
        << ::testing::PrintToString(words);
  }

  RealServer real;
  SimulatedServer simulated;
};

TEST_F(RealReplyTest, ClientRefusesAndAnswersAsRedis) {
  const std::vector<std::vector<std::string>> requests{
      {"CLIENT"},
      {"CLIENT", "FOO"},
      {"CLIENT", "ID", "x"},
      {"CLIENT", "LIST", "foo"},
      {"CLIENT", "LIST", "type", "foo"},
      {"CLIENT", "LIST", "type", "master"},
      {"CLIENT", "LIST", "id"},
      {"CLIENT", "LIST", "id", "x"},
      {"CLIENT", "LIST", "id", "9999"},
      {"CLIENT", "KILL"},
      {"CLIENT", "KILL", "foo"},
      {"CLIENT", "KILL", "id"},
      {"CLIENT", "KILL", "id", "0"},
      {"CLIENT", "KILL", "id", "x"},
      {"CLIENT", "KILL", "id", "9999"},
      {"CLIENT", "KILL", "type", "foo"},
      {"CLIENT", "KILL", "type", "pubsub"},
      {"CLIENT", "KILL", "user", "foo"},
      {"CLIENT", "KILL", "skipme", "maybe"},
      {"CLIENT", "KILL", "foo", "bar"},
      {"CLIENT", "KILL", "addr", "1.2.3.4:5", "skipme", "no"},
      {"CLIENT", "NO-EVICT", "on"},
      {"CLIENT", "NO-EVICT", "foo"},
      {"CLIENT", "GETREDIR"},
      {"CLIENT", "SETNAME", "a b"},
      {"CLIENT", "SETNAME", "joe"},
      {"CLIENT", "GETNAME"},
      {"CLIENT", "REPLY", "foo"},
      {"DEBUG"},
      {"DEBUG", "FOO"},
      {"DEBUG", "SLEEP"},
      {"DEBUG", "SLEEP", "0"},
      {"DEBUG", "SLEEP", "x"},
      {"DEBUG", "SET-ACTIVE-EXPIRE"},
      {"DEBUG", "SET-ACTIVE-EXPIRE", "0"},
      {"INFO", "foo"},
      {"INFO", "cluster"},
      {"INFO", "Keyspace", "modules"},
  };
  for (const auto& words : requests) compare(words);
  compare({"SET", "k", "v", "PX", "100"});
  compare({"INFO", "keyspace"});
}

TEST_F(RealReplyTest, CommandFindsKeysAsRedis) {
  const std::vector<std::vector<std::string>> requests{
      {"GET"},
      {"GET", "a"},
      {"GET", "a", "b"},
      {"MSET", "a", "b", "c", "d"},
      {"DEL", "a", "b", "c"},
      {"BLPOP", "a", "b", "0"},
      {"BLMPOP", "0", "2", "a", "b", "LEFT"},
      {"EVAL", "return 1", "2", "a", "b", "c"},
      {"EVAL", "return 1", "3", "a", "b"},
      {"EVALSHA", "x", "0", "a"},
      {"PING", "x"},
      {"CLIENT", "ID"},
      {"NOSUCH", "x"},
  };
  for (auto words : requests) {
    words.insert(words.begin(), {"COMMAND", "GETKEYS"});
    compare(words);
  }
  compare({"COMMAND", "FOO"});
  compare({"COMMAND", "COUNT", "x"});
  compare({"COMMAND", "LIST", "FOO"});
  compare({"COMMAND", "LIST", "FILTERBY", "FOO", "x"});
  compare({"COMMAND", "LIST", "FILTERBY", "PATTERN", "getd*"});
  compare({"COMMAND", "LIST", "FILTERBY", "MODULE", "x"});
  compare({"COMMAND", "HELP", "x"});
}

TEST_F(RealReplyTest, CommandInfoBeginsAsRedis) {
  for (const CommandSpec& spec : command_table()) {
    if (!spec.versions.contains(default_version)) continue;
    const Reply here = simulated.run({"COMMAND", "INFO", spec.name});
    const Reply there = real.connection.command({"COMMAND", "INFO", spec.name});
    ASSERT_EQ(here.elements.size(), 1U);
    ASSERT_EQ(here.elements[0].elements.size(), 10U);
    if (spec.is(CommandFlag::runs_body)) continue;
    for (const std::size_t i : {0U, 1U, 2U, 3U, 4U, 5U}) {
      EXPECT_EQ(describe(here.elements[0].elements[i]), describe(there.elements[0].elements[i]))
          << spec.name;
    }
  }
}

bool is_offered(const std::string& name) {
  const std::size_t bar = name.find('|');
  const CommandSpec* const spec = find_command(name.substr(0, bar));
  if (spec == nullptr || bar == std::string::npos) return spec != nullptr;
  return find_subcommand(*spec, name.substr(bar + 1)) != nullptr;
}

TEST_F(RealReplyTest, EveryCommandOfTheRealServerIsOfferedOrRefusedWithAReason) {
  const Reply list = real.connection.command({"COMMAND", "LIST"});
  EXPECT_GT(list.elements.size(), 300U);
  for (const Reply& each : list.elements) {
    EXPECT_TRUE(is_offered(each.text) || !reason_unsupported(each.text).empty()) << each.text;
  }
}

TEST(ClientsTest, ListAndInfoShowEachConnection) {
  SimulatedServer simulated;
  const SessionId other = simulated.server().open_session({"10.0.0.1:5000", "10.0.0.2:6379"});
  simulated.run_in(other, "CLIENT SETNAME joe");
  simulated.run_in(other, "SELECT 3");
  simulated.run_in(other, "SUBSCRIBE a b");
  simulated.advance_ms(2'000);
  EXPECT_EQ(simulated.run("CLIENT LIST TYPE pubsub").text,
            "id=2 addr=10.0.0.1:5000 laddr=10.0.0.2:6379 fd=9 name=joe age=2 idle=2 flags=P db=3 "
            "sub=2 psub=0 ssub=0 multi=-1 qbuf=0 qbuf-free=20474 argv-mem=0 multi-mem=0 rbs=1024 "
            "rbp=0 obl=0 oll=0 omem=0 tot-mem=22272 events=r cmd=subscribe user=default redir=-1 "
            "resp=2\n");
  simulated.run("HELLO 3");
  const Reply info = simulated.run("CLIENT INFO");
  EXPECT_EQ(info.kind, Reply::Kind::verbatim);
  EXPECT_NE(info.text.find(" idle=0 flags=N "), std::string::npos) << info.text;
  EXPECT_NE(info.text.find(" cmd=client|info "), std::string::npos) << info.text;
}

TEST(ClientsTest, AKilledClientIsEndedAndListensNoMore) {
  SimulatedServer simulated;
  const SessionId other = simulated.server().open_session({"10.0.0.1:5000", "10.0.0.2:6379"});
  simulated.run_in(other, "SUBSCRIBE a");
  EXPECT_EQ(describe(simulated.run("CLIENT KILL 10.0.0.1:5000")), "OK");
  EXPECT_TRUE(simulated.is_ended(other));
  EXPECT_EQ(simulated.run("PUBLISH a x").integer, 0);
  EXPECT_EQ(describe(simulated.run("CLIENT KILL ID 2")), "(integer) 0");
  EXPECT_FALSE(simulated.is_ended(SimulatedServer::first));
  EXPECT_EQ(describe(simulated.run("CLIENT KILL TYPE normal SKIPME no")), "(integer) 1");
  EXPECT_TRUE(simulated.is_ended(SimulatedServer::first));
}

// The client has said that it wants no replies: that of a command which waits comes later, and is
// none either.
TEST(ClientsTest, ACommandThatBlocksInSilenceIsServedInSilence) {
  for (const std::string_view silence : {"OFF", "SKIP"}) {
    SimulatedServer simulated;
    const SessionId silent = simulated.open();
    Reply reply;
    ReplyBuilder builder(reply);
    const std::vector<std::string_view> be_silent{"CLIENT", "REPLY", silence};
    EXPECT_EQ(simulated.try_run_in(silent, be_silent, builder), ExecuteResult::silent);
    const std::vector<std::string_view> pop{"BLPOP", "list", "0"};
    ReplyBuilder again(reply);
    EXPECT_EQ(simulated.try_run_in(silent, pop, again), ExecuteResult::blocked);
    simulated.run("RPUSH list x");
    EXPECT_FALSE(simulated.is_blocked(silent));
    EXPECT_EQ(simulated.take_pushes(silent), std::vector<std::string>{});
    EXPECT_EQ(describe(simulated.run("LLEN list")), "(integer) 0");
    const std::vector<std::string_view> ping{"PING"};
    ReplyBuilder last(reply);
    EXPECT_EQ(simulated.try_run_in(silent, ping, last),
              silence == "OFF" ? ExecuteResult::silent : ExecuteResult::replied);
  }
}

// 6.0 silences messages and confirmations, too; later versions replies alone.
TEST(ClientsTest, ASilentSubscriberHearsItsMessagesSince7) {
  for (const ServerVersion version : {ServerVersion::redis_6_0, ServerVersion::redis_7_0}) {
    const bool hears = version != ServerVersion::redis_6_0;
    SimulatedServer simulated(options_of(version));
    const SessionId silent = simulated.open();
    Reply reply;
    ReplyBuilder builder(reply);
    const std::vector<std::string_view> be_silent{"CLIENT", "REPLY", "OFF"};
    EXPECT_EQ(simulated.try_run_in(silent, be_silent, builder), ExecuteResult::silent);
    const std::vector<std::string_view> subscribe{"SUBSCRIBE", "a", "b"};
    ReplyBuilder again(reply);
    EXPECT_EQ(simulated.try_run_in(silent, subscribe, again),
              hears ? ExecuteResult::replied : ExecuteResult::silent);
    EXPECT_EQ(simulated.take_pushes(silent).size(), hears ? 1U : 0U);
    EXPECT_EQ(describe(simulated.run("PUBLISH a x")), "(integer) 1");
    EXPECT_EQ(simulated.take_pushes(silent).size(), hears ? 1U : 0U);
  }
}

TEST(ClientsTest, WhoIsBlockedWhenTheMasterBecomesAReplicaIsToldAndClosed) {
  SimulatedServer simulated;
  const SessionId blocked = simulated.open();
  ASSERT_TRUE(simulated.blocks(blocked, "BLPOP list 0"));
  simulated.run("REPLICAOF 127.0.0.1 1");
  EXPECT_EQ(simulated.take_pushes(blocked),
            std::vector<std::string>{"(error) UNBLOCKED force unblock from blocking operation, "
                                     "instance state changed (master -> replica?)"});
  EXPECT_TRUE(simulated.is_ended(blocked));
  EXPECT_FALSE(simulated.is_ended(SimulatedServer::first));
}

TEST(ClientsTest, ReplicasAreNoClients) {
  SimulatedServer simulated;
  const SessionId replica = simulated.server().open_session({"n2:40000", "n1:6379"});
  simulated.server().mark_replica(replica);
  EXPECT_NE(simulated.run("CLIENT LIST TYPE replica").text.find("addr=n2:40000 laddr=n1:6379"),
            std::string::npos);
  EXPECT_NE(simulated.run("INFO clients").text.find("connected_clients:1\r\n"), std::string::npos);
  EXPECT_EQ(simulated.run("CLIENT KILL TYPE replica").integer, 1);
  EXPECT_TRUE(simulated.is_ended(replica));
}

TEST(ClientsTest, TheExpireCycleDeletesEachExpiredKeyByItself) {
  SimulatedServer simulated;
  simulated.run("SET a 1 PX 10");
  simulated.run("SET b 1 PX 10");
  simulated.run("SET c 1");
  simulated.take_stream();
  simulated.advance_ms(11);
  simulated.run("DEBUG SET-ACTIVE-EXPIRE 0");
  simulated.server().expire_cycle();
  EXPECT_EQ(simulated.take_requests(), "");
  simulated.run("DEBUG SET-ACTIVE-EXPIRE 1");
  simulated.server().expire_cycle();
  EXPECT_EQ(simulated.take_requests(), "DEL a / DEL b");
  EXPECT_EQ(simulated.run("DBSIZE").integer, 1);
  EXPECT_NE(simulated.run("INFO stats").text.find("expired_keys:2\r\n"), std::string::npos);
  simulated.run("CONFIG RESETSTAT");
  EXPECT_NE(simulated.run("INFO stats").text.find("expired_keys:0\r\n"), std::string::npos);
}

}  // namespace
}  // namespace lockstep::redis::test
