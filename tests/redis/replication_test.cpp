// A replica that applies its master's stream holds its master's data; and what a replica does and
// does not do of its own.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "redis/persistence/stored_files.h"
#include "redis/protocol/reply.h"
#include "redis/protocol/reply_writer.h"
#include "redis/server/server.h"
#include "redis/server/server_version.h"
#include "tests/redis/comparison/command_sequences.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis::test {
namespace {

const ServerOptions as_replica{.role = Role::replica};

void expect_equal_data(const Server& a, const Server& b) {
  for (std::size_t database = 0; database < 16; ++database) {
    RC_ASSERT(a.keyspace(database) == b.keyspace(database));
  }
}

/// Sends a request unless its session is blocked; whatever the reply.
void run_step(SimulatedServer& server, const Step& step) {
  const auto session = static_cast<SessionId>(step.session);
  const std::vector<std::string_view> words(step.words.begin(), step.words.end());
  DiscardingReplyWriter nowhere;
  if (!server.is_blocked(session)) server.try_run_in(session, words, nowhere);
}

/// Bytes cut into pieces of random lengths.
void apply_in_pieces(Server& replica, std::string_view bytes) {
  while (!bytes.empty()) {
    const auto length = *rc::gen::inRange<std::size_t>(1, bytes.size() + 1);
    replica.apply_stream(bytes.substr(0, length));
    bytes.remove_prefix(length);
  }
}

RC_GTEST_PROP(ReplicationTest, AReplicaThatAppliesTheStreamHoldsTheMastersData, ()) {
  static const SequenceKind kind = mixed_kind();
  const auto sequence = *any_sequence(kind);
  const auto replica_ahead_us = *rc::gen::element<std::int64_t>(0, 5'000'000, -5'000'000, 1'000);
  const bool in_pieces = *rc::gen::arbitrary<bool>();
  SimulatedServer master;
  SimulatedServer replica(as_replica);
  for (std::size_t i = 1; i < kind.sessions; ++i) master.open();
  for (const Step& step : sequence) {
    master.set_time_us(master.now_us() + step.advance_us);
    replica.set_time_us(master.now_us() + replica_ahead_us);
    run_step(master, step);
    replica.run("TTL a");  // reading at any clock deletes nothing there
    const std::string stream = master.take_stream();
    if (in_pieces) {
      apply_in_pieces(replica.server(), stream);
    } else {
      replica.server().apply_stream(stream);
    }
    RC_ASSERT(replica.server().replication_offset() == master.server().replication_offset());
    expect_equal_data(master.server(), replica.server());
  }
}

RC_GTEST_PROP(ReplicationTest, AReplicaThatJoinsLateHoldsTheMastersDataToo, ()) {
  static const SequenceKind kind = mixed_kind();
  const auto sequence = *any_sequence(kind);
  const auto joins_at = *rc::gen::inRange<std::size_t>(0, sequence.size() + 1);
  SimulatedServer master;
  SimulatedServer replica(as_replica);
  for (std::size_t i = 1; i < kind.sessions; ++i) master.open();
  replica.run("SET its-own data");
  for (std::size_t i = 0; i <= sequence.size(); ++i) {
    if (i == joins_at) {
      replica.server().load_from(master.server());
      replica.server().demote();
      master.take_stream();
    }
    if (i == sequence.size()) break;
    master.set_time_us(master.now_us() + sequence[i].advance_us);
    run_step(master, sequence[i]);
  }
  replica.server().apply_stream(master.take_stream());
  RC_ASSERT(replica.server().replication_offset() == master.server().replication_offset());
  expect_equal_data(master.server(), replica.server());
}

class ReplicaTest : public ::testing::Test {
 protected:
  void tell(std::string_view line) {
    master.run(line);
    replica.server().apply_stream(master.take_stream());
  }
  SimulatedServer master;
  SimulatedServer replica{as_replica};
};

// Found by tools/fidelity: a transaction begun on a master that is a replica when EXEC comes.
TEST_F(ReplicaTest, RefusesATransactionThatWrites) {
  const auto exec_after = [this](std::initializer_list<std::string_view> lines) {
    master.run("MULTI");
    for (const std::string_view line : lines) master.run(line);
    master.server().demote();
    const std::string reply = describe(master.run("EXEC"));
    master.server().promote();
    return reply;
  };
  constexpr std::string_view refusal =
      "(error) EXECABORT Transaction discarded because of: READONLY You can't write against a read "
      "only replica.";
  EXPECT_EQ(exec_after({"GET k", "SET k v"}), refusal);
  EXPECT_EQ(exec_after({"SET k v", "NOSUCH"}), refusal);
  EXPECT_EQ(exec_after({"NOSUCH", "SET k v"}),
            "(error) EXECABORT Transaction discarded because of previous errors.");
  EXPECT_EQ(exec_after({"GET k", "EXISTS k"}), "[(nil), (integer) 0]");
}

TEST(ReplicaOfVersionTest, ForgetsWhatABrokenTransactionWouldWriteOnValkey) {
  for (const ServerVersion version : {ServerVersion::redis_8_0, ServerVersion::valkey_8_0}) {
    SimulatedServer server(options_of(version));
    server.run("MULTI");
    server.run("SET k v");
    server.run("NOSUCH");
    server.server().demote();
    EXPECT_EQ(describe(server.run("EXEC")),
              version == ServerVersion::valkey_8_0
                  ? "(error) EXECABORT Transaction discarded because of previous errors."
                  : "(error) EXECABORT Transaction discarded because of: READONLY You can't write "
                    "against a read only replica.");
  }
}

TEST(ReplicaOfVersionTest, ShowsExpiredKeysToScriptsOn6_0) {
  for (const ServerVersion version : {ServerVersion::redis_6_0, ServerVersion::redis_7_0}) {
    const bool is_6_0 = version == ServerVersion::redis_6_0;
    SimulatedServer server(options_of(version));
    server.run("SET k v PX 10");
    server.server().demote();
    server.advance_ms(11);
    EXPECT_EQ(describe(server.run("EXISTS k")), "(integer) 0");
    const auto in_script = [&server](const std::string& command) {
      return describe(server.run({"EVAL", "return redis.call(" + command + ")", "0"}));
    };
    EXPECT_EQ(in_script("'exists', 'k'"), is_6_0 ? "(integer) 1" : "(integer) 0");
    EXPECT_EQ(in_script("'get', 'k'"), is_6_0 ? "\"v\"" : "(nil)");
    EXPECT_EQ(in_script("'pttl', 'k'"), is_6_0 ? "(integer) 0" : "(integer) -2");
    EXPECT_EQ(in_script("'keys', '*'"), "[]");
  }
}

// On a replica an expired key is stored until its master deletes it, and commands do not see it:
// what a transaction writes after REPLICAOF takes its place, whatever it held. (Redis 7.0.15
// crashes here.)
TEST_F(ReplicaTest, AWriteTakesThePlaceOfAnExpiredKey) {
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"RPUSH k x", "list"}, {"SADD k x", "set"}, {"RENAME other k", "hash"}};
  for (const auto& [command, type] : rows) {
    SimulatedServer server;
    server.run("SET k v PX 5");
    server.run("HSET other f v");
    server.run("MULTI");
    server.run("REPLICAOF localhost 1");
    server.run(command);
    server.run("TYPE k");
    server.advance_ms(6);
    EXPECT_EQ(server.run("EXEC").elements.back().text, type) << command;
  }
}

TEST_F(ReplicaTest, RefusesWrites) {
  constexpr std::string_view refusal =
      "(error) READONLY You can't write against a read only replica.";
  EXPECT_EQ(describe(replica.run("SET k v")), refusal);
  EXPECT_EQ(describe(replica.run("DEL k")), refusal);
  EXPECT_EQ(replica.run({"EVAL", "return redis.call('set', 'k', 'v')", "0"}).text.substr(0, 53),
            "READONLY You can't write against a read only replica.");
  EXPECT_EQ(describe(replica.run("PUBLISH ch m")), "(integer) 0");
  EXPECT_EQ(replica.take_stream(), "");
  EXPECT_EQ(replica.run("WAIT 1 0").text.substr(0, 46),
            "ERR WAIT cannot be used with replica instances");
}

TEST_F(ReplicaTest, HidesWhatIsExpiredByItsOwnClockButNeverDeletesIt) {
  tell("SET k v PX 3000");
  replica.advance_ms(3000);
  EXPECT_EQ(describe(replica.run("GET k")), "\"v\"");
  EXPECT_EQ(describe(replica.run("PTTL k")), "(integer) 0");
  replica.advance_ms(1);
  EXPECT_EQ(describe(replica.run("GET k")), "(nil)");
  EXPECT_EQ(describe(replica.run("EXISTS k")), "(integer) 0");
  EXPECT_EQ(describe(replica.run("PTTL k")), "(integer) -2");
  EXPECT_EQ(describe(replica.run("KEYS *")), "[]");
  EXPECT_EQ(describe(replica.run("DBSIZE")), "(integer) 1");
  EXPECT_EQ(describe(replica.run({"EVAL", "return redis.call('get', 'k')", "0"})), "(nil)");
  EXPECT_NE(replica.server().keyspace().stored("k"), nullptr);
}

TEST_F(ReplicaTest, TakesExpiredKeysForAliveWhereItsMasterWrites) {
  tell("HINCRBY L owner 1");
  tell("PEXPIRE L 3000");
  replica.advance_ms(5000);
  tell("HINCRBY L owner 1");
  const Entry* entry = replica.server().keyspace().stored("L");
  ASSERT_NE(entry, nullptr);
  EXPECT_EQ(*std::get<HashValue>(entry->value).find("owner"), "2");
}

TEST_F(ReplicaTest, StoresAnExpiryThatIsInThePastByItsClock) {
  tell("SET k v");
  replica.advance_ms(10'000);
  tell("PEXPIRE k 1000");
  EXPECT_NE(replica.server().keyspace().stored("k"), nullptr);
}

TEST_F(ReplicaTest, HandsItsMastersMessagesToItsSubscribers) {
  const SessionId listener = replica.open();
  replica.run_in(listener, "SUBSCRIBE news");
  tell("PUBLISH news hello");
  EXPECT_EQ(replica.take_pushes(listener),
            std::vector<std::string>{"[\"message\", \"news\", \"hello\"]"});
}

TEST_F(ReplicaTest, AppliesATransactionWhenItsLastByteIsThere) {
  master.run("PUBLISH x y");
  replica.server().apply_stream(master.take_stream());
  const std::int64_t offset = replica.server().replication_offset();
  master.run("MULTI");
  master.run("SET k v");
  master.run("SET l v");
  master.run("EXEC");
  const std::string stream = master.take_stream();
  for (std::size_t i = 0; i + 1 < stream.size(); ++i) {
    replica.server().apply_stream(stream.substr(i, 1));
    ASSERT_TRUE(replica.server().keyspace().entries().empty());
    ASSERT_EQ(replica.server().replication_offset(), offset);
  }
  replica.server().apply_stream(stream.substr(stream.size() - 1));
  EXPECT_EQ(replica.server().keyspace().entries().size(), 2U);
  EXPECT_EQ(replica.server().replication_offset(), master.server().replication_offset());
}

TEST_F(ReplicaTest, GoesOnFromItsOffsetAfterABrokenLink) {
  master.run("SET k v");
  const std::string stream = master.take_stream();
  replica.server().apply_stream(stream.substr(0, stream.size() - 3));
  replica.server().mark_link_down();
  replica.server().apply_stream(
      stream.substr(static_cast<std::size_t>(replica.server().replication_offset())));
  EXPECT_EQ(describe(replica.run("GET k")), "\"v\"");
}

TEST_F(ReplicaTest, KeepsItsDataWhenItIsPromotedAndThenDeletesWhatIsExpired) {
  tell("SET k v PX 1000");
  tell("SET l v");
  replica.advance_ms(1001);
  replica.server().promote();
  EXPECT_EQ(replica.server().role(), Role::master);
  EXPECT_EQ(describe(replica.run("DBSIZE")), "(integer) 2");
  const std::int64_t offset = replica.server().replication_offset();
  EXPECT_EQ(describe(replica.run("EXISTS k")), "(integer) 0");
  EXPECT_EQ(replica.take_requests(), "SELECT 0 / DEL k");
  EXPECT_GT(replica.server().replication_offset(), offset);
  EXPECT_EQ(describe(replica.run("SET l w NX")), "(nil)");
}

TEST_F(ReplicaTest, DoesNotKnowItsMastersScripts) {
  master.run({"SCRIPT", "LOAD", "return 1"});
  replica.server().load_from(master.server());
  EXPECT_EQ(describe(replica.run("EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0")),
            "(error) NOSCRIPT No matching script. Please use EVAL.");
  EXPECT_EQ(describe(master.run("EVALSHA e0e1f9fabfc9d4800c877a703b823ac0578ff8db 0")),
            "(integer) 1");
}

TEST_F(ReplicaTest, SaysWhoItIs) {
  EXPECT_EQ(describe(master.run("ROLE")), "[\"master\", (integer) 0, []]");
  EXPECT_EQ(describe(replica.run("ROLE")),
            "[\"slave\", \"\", (integer) 0, \"connect\", (integer) -1]");
  replica.server().mark_link_up();
  EXPECT_EQ(describe(replica.run("ROLE")),
            "[\"slave\", \"\", (integer) 0, \"connected\", (integer) 0]");
  EXPECT_EQ(describe(replica.run("REPLICAOF NO ONE")), "OK");
  EXPECT_EQ(replica.server().role(), Role::master);
  EXPECT_EQ(describe(replica.run("REPLICAOF 127.0.0.1 6379")), "OK");
  EXPECT_EQ(describe(replica.run("REPLICAOF 127.0.0.1 6379")),
            "OK Already connected to specified master");
  EXPECT_EQ(describe(replica.run("REPLICAOF 127.0.0.1 x")), "(error) ERR Invalid master port");
  EXPECT_EQ(replica.server().role(), Role::replica);
}

TEST_F(ReplicaTest, AFreshProcessHasForgottenEverything) {
  tell("SET k v");
  replica.run({"SCRIPT", "LOAD", "return 1"});
  replica.start(as_replica);
  EXPECT_EQ(describe(replica.run("DBSIZE")), "(integer) 0");
  EXPECT_EQ(replica.server().replication_offset(), 0);
  EXPECT_EQ(replica.server().dirty(), 0U);
  EXPECT_EQ(describe(replica.run("SCRIPT EXISTS e0e1f9fabfc9d4800c877a703b823ac0578ff8db")),
            "[(integer) 0]");
  EXPECT_EQ(describe(replica.run("CLIENT ID")), "(integer) 1");
}

TEST_F(ReplicaTest, IsListedByItsMaster) {
  const std::uint32_t first = master.server().attach_replica("n2", 6379);
  const std::uint32_t second = master.server().attach_replica("n3", 6380);
  master.server().acknowledge(second, 14);
  EXPECT_EQ(describe(master.run("ROLE")),
            "[\"master\", (integer) 0, [[\"n2\", \"6379\", \"0\"], [\"n3\", \"6380\", \"14\"]]]");
  master.server().drop_replica(first);
  EXPECT_EQ(describe(master.run("ROLE")),
            "[\"master\", (integer) 0, [[\"n3\", \"6380\", \"14\"]]]");
}

// Which offsets a server goes on from: those of its own history, and of the one before it up to its
// promotion; and only while it still has the bytes.
TEST_F(ReplicaTest, GoesOnFromWhereItWas) {
  const auto number = master.server().attach_replica("n2", 6379);
  static_cast<void>(number);
  Snapshot snapshot;
  master.server().take_snapshot(snapshot);
  replica.server().load(snapshot);
  const std::uint64_t old_id = master.server().replication_id();
  EXPECT_EQ(replica.server().replication_id(), old_id);
  tell("SET k v");
  const std::int64_t offset = replica.server().replication_offset();
  EXPECT_EQ(master.server().stream_since(old_id, offset), "");
  EXPECT_EQ(master.server().stream_since(old_id, offset + 1), std::nullopt);
  EXPECT_EQ(master.server().stream_since(old_id + 1, offset), std::nullopt);
  master.run("SET lost w");
  const std::int64_t ahead = master.server().replication_offset();
  replica.server().promote();
  replica.run("SET k w");
  EXPECT_NE(replica.server().replication_id(), old_id);
  EXPECT_NE(replica.server().stream_since(old_id, offset), std::nullopt);
  EXPECT_EQ(replica.server().stream_since(old_id, ahead), std::nullopt) << "it went on without";
}

TEST_F(ReplicaTest, NeedsASnapshotWhereTheBacklogIsTooShort) {
  ServerOptions options;
  options.config.repl_backlog_size_bytes = 64;
  master.start(options);
  master.server().attach_replica("n2", 6379);
  const std::uint64_t id = master.server().replication_id();
  for (int i = 0; i < 100; ++i) {
    const std::int64_t before = master.server().replication_offset();
    master.run("SET key value");
    const std::int64_t now = master.server().replication_offset();
    ASSERT_NE(master.server().stream_since(id, now - 64 < before ? before : now - 64),
              std::nullopt);
    if (now <= 64) continue;
    ASSERT_EQ(master.server().stream_since(id, now - 65), std::nullopt);
  }
}

struct MinReplicasTest : ReplicaTest {
  MinReplicasTest() {
    ServerOptions options;
    options.config.min_replicas_to_write = 1;
    options.config.min_replicas_max_lag_s = 2;
    master.start(options);
  }
};

TEST_F(MinReplicasTest, RefusesWritesWithoutAGoodReplica) {
  constexpr std::string_view refusal = "(error) NOREPLICAS Not enough good replicas to write.";
  EXPECT_EQ(describe(master.run("SET k v")), refusal);
  EXPECT_EQ(describe(master.run("GET k")), "(nil)");
  EXPECT_EQ(describe(master.run("PUBLISH ch m")), "(integer) 0");
  EXPECT_EQ(
      master.run({"EVAL", "redis.call('get', 'k') return redis.call('set', 'k', 'v')", "0"}).text,
      "NOREPLICAS Not enough good replicas to write. script: "
      "1228f2ac39a870be7804a9e9066aa2663579878a, on @user_script:1.");
  EXPECT_EQ(describe(master.run({"EVAL", "#!lua\nreturn 1", "0"})), refusal);
  EXPECT_EQ(describe(master.run({"EVAL", "#!lua flags=no-writes\nreturn 1", "0"})), "(integer) 1");
  const std::uint32_t number = master.server().attach_replica("n2", 6379);
  EXPECT_EQ(describe(master.run("SET k v")), "OK");
  master.advance_ms(2999);
  EXPECT_EQ(describe(master.run("SET k v")), "OK") << "whole seconds count";
  master.advance_ms(1);
  EXPECT_EQ(describe(master.run("SET k v")), refusal);
  master.server().acknowledge(number, 0);
  EXPECT_EQ(describe(master.run("SET k v")), "OK");
  master.server().drop_replica(number);
  EXPECT_EQ(describe(master.run("SET k v")), refusal);
}

TEST_F(MinReplicasTest, BreaksTransactions) {
  const std::uint32_t number = master.server().attach_replica("n2", 6379);
  master.run("MULTI");
  EXPECT_EQ(describe(master.run("SET k v")), "QUEUED");
  master.server().drop_replica(number);
  EXPECT_EQ(describe(master.run("EXEC")),
            "(error) EXECABORT Transaction discarded because of: NOREPLICAS Not enough good "
            "replicas to write.");
}

}  // namespace
}  // namespace lockstep::redis::test
