// A server in cluster mode: which requests it serves, and how it refuses the others. The replies
// are those of a Redis 7.0.15 with --cluster-enabled yes and one half of the slots.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "redis/protocol/reply.h"
#include "redis/server/cluster_view.h"
#include "redis/server/server.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis::test {
namespace {

/// Two masters with a half of the slots each, and a replica of each: this is 0, 1 has slot 8192 …
struct Halves final : ClusterView {
  [[nodiscard]] std::size_t self() const override { return own; }
  [[nodiscard]] std::size_t size() const override { return 4; }
  [[nodiscard]] ClusterMember member(std::size_t index) const override {
    static constexpr std::string_view hosts[] = {"n1", "n2", "n1-replica-1", "n2-replica-1"};
    static constexpr std::string_view ids[] = {"aaaa", "bbbb", "cccc", "dddd"};
    ClusterMember member;
    member.id = ids[index];
    member.host = hosts[index];
    member.port = 6379;
    if (index > 1) member.master = index - 2;
    return member;
  }
  [[nodiscard]] std::optional<std::size_t> owner_of_slot(std::uint32_t slot) const override {
    if (slot >= 8192) return 1;
    return lower_owner;
  }
  [[nodiscard]] std::size_t range_count() const override { return 2; }
  [[nodiscard]] SlotRange range(std::size_t index) const override {
    return index == 0 ? SlotRange{0, 8191, lower_owner} : SlotRange{8192, 16383, 1};
  }
  [[nodiscard]] bool is_up() const override { return up; }
  [[nodiscard]] std::uint64_t current_epoch() const override { return 2; }
  void publish(std::string_view channel, std::string_view message) override {
    published.push_back(std::string(channel) + " " + std::string(message));
  }
  void publish_to_shard(std::string_view channel, std::string_view message) override {
    published.push_back("shard " + std::string(channel) + " " + std::string(message));
  }
  void fail_over(FailoverOption option) override { failover = option; }

  std::size_t own = 0;
  std::optional<std::size_t> lower_owner = 0;
  bool up = true;
  std::vector<std::string> published;
  std::optional<FailoverOption> failover;
};

/// Slots: b 3300, f 3168 (this node's), foo 12182 (the other's).
class ClusterMode : public testing::Test {
 protected:
  struct Exchange {
    std::string_view request;
    std::string_view reply;
  };

  void expect(std::initializer_list<Exchange> exchanges) {
    for (const auto& [request, reply] : exchanges) {
      const Reply got = server.run(request);
      const std::string text =
          got.kind == Reply::Kind::integer ? std::to_string(got.integer) : got.text;
      EXPECT_EQ(text.substr(0, reply.size()), reply) << request;
      EXPECT_EQ(reply.empty(), got.kind == Reply::Kind::null_bulk) << request;
    }
  }
  Reply eval(std::string_view body, std::initializer_list<std::string_view> keys) {
    std::vector<std::string_view> words{"EVAL", body};
    const std::string count = std::to_string(keys.size());
    words.push_back(count);
    words.insert(words.end(), keys.begin(), keys.end());
    return server.run_in(SimulatedServer::first, words);
  }

  Halves halves;
  SimulatedServer server{ServerOptions{.cluster = &halves}};
};

TEST_F(ClusterMode, ServesItsOwnSlotsAndSendsTheOthersOn) {
  expect({{"get b", ""},
          {"set b 1", "OK"},
          {"get foo", "MOVED 12182 n2:6379"},
          {"set foo 1", "MOVED 12182 n2:6379"},
          {"get foo too many", "ERR wrong number of arguments for 'get' command"},
          {"mget b f", "CROSSSLOT Keys in request don't hash to the same slot"},
          {"mget b foo", "CROSSSLOT Keys in request don't hash to the same slot"},
          {"mget foo b", "CROSSSLOT Keys in request don't hash to the same slot"},
          {"set {b}x 1", "OK"},
          {"del b {b}x", "2"},
          {"ping", "PONG"},
          {"select 0", "OK"},
          {"select 1", "ERR SELECT is not allowed in cluster mode"},
          {"swapdb 0 1", "ERR SWAPDB is not allowed in cluster mode"},
          {"move b 1", "ERR MOVE is not allowed in cluster mode"},
          {"copy b {b}x db 1", "ERR Copying to another database is not allowed in cluster mode"},
          {"replicaof no one", "ERR REPLICAOF not allowed in cluster mode."}});
}

TEST_F(ClusterMode, ScriptsAreLookedAtByTheirKeysAndAtEachCall) {
  const std::string foreign = "ERR Script attempted to access a non local key in a cluster node";
  const std::string several =
      "ERR Script attempted to access keys that do not hash to the same slot";
  struct Script {
    std::string_view body;
    std::vector<std::string_view> keys;
    std::string reply;
  };
  const Script scripts[] = {
      {"return 1", {"b", "f"}, "CROSSSLOT Keys in request don't hash to the same slot"},
      {"return 1", {"foo"}, "MOVED 12182 n2:6379"},
      {"return redis.call('get', 'foo')", {}, foreign + " script: 6b"},
      {"return redis.pcall('get', 'foo')", {}, foreign},
      {"return redis.call('mget', 'b', 'f')", {}, foreign},
      {"#!lua\nreturn redis.call('get', 'f')", {"b"}, several},
      {"#!lua\nredis.call('get', 'b') return redis.call('get', 'f')", {}, several},
      {"#!lua flags=no-cluster\nreturn 1",
       {},
       "ERR Can not run script on cluster, 'no-cluster' flag"},
  };
  for (const Script& script : scripts) {
    std::vector<std::string_view> words{"EVAL", script.body};
    const std::string count = std::to_string(script.keys.size());
    words.push_back(count);
    words.insert(words.end(), script.keys.begin(), script.keys.end());
    const Reply reply = server.run_in(SimulatedServer::first, words);
    const std::string expected = script.reply.substr(0, script.reply.find(" script: 6b"));
    EXPECT_EQ(reply.text.substr(0, expected.size()), expected) << script.body;
  }
  // Without a shebang undeclared keys of other slots pass, as long as they are this node's.
  for (const std::string_view body : {"redis.call('get', 'f') return redis.call('incr', 'b')",
                                      "#!lua flags=allow-cross-slot-keys\nredis.call('get', 'f') "
                                      "return redis.call('incr', 'b')"}) {
    EXPECT_EQ(eval(body, {"b"}).kind, Reply::Kind::integer) << body;
  }
}

TEST_F(ClusterMode, ATransactionIsOfOneSlot) {
  expect({{"multi", "OK"},
          {"set foo 1", "MOVED 12182 n2:6379"},
          {"set b 2", "QUEUED"},
          {"exec", "EXECABORT Transaction discarded because of previous errors."},
          {"multi", "OK"},
          {"set b 1", "QUEUED"},
          {"set f 2", "QUEUED"},
          {"exec", "CROSSSLOT Keys in request don't hash to the same slot"},
          {"get b", ""}});
}

TEST_F(ClusterMode, ServesNothingWithKeysWhileTheClusterIsDown) {
  halves.up = false;
  expect({{"get b", "CLUSTERDOWN The cluster is down"},
          {"get foo", "CLUSTERDOWN The cluster is down"},
          {"mget b foo", "CROSSSLOT"},
          {"ping", "PONG"},
          {"publish a b", "0"}});
  EXPECT_EQ(eval("return 1", {}).integer, 1);
  EXPECT_EQ(eval("return 1", {"b"}).text, "CLUSTERDOWN The cluster is down");
  EXPECT_TRUE(
      eval("return redis.call('get', 'b')", {})
          .text.starts_with("ERR Script attempted to execute a command while the cluster is "
                            "down script: "));
  expect({{"config set cluster-allow-reads-when-down yes", "OK"},
          {"get b", ""},
          {"set b 3", "CLUSTERDOWN The cluster is down and only accepts read commands"}});
  halves.up = true;
  halves.lower_owner.reset();
  expect({{"get b", "CLUSTERDOWN Hash slot not served"}, {"get foo", "MOVED"}});
}

TEST_F(ClusterMode, AReplicaServesReadsOnceItIsTold) {
  halves.own = 2;
  SimulatedServer replica(ServerOptions{.role = Role::replica, .cluster = &halves});
  EXPECT_EQ(replica.run("get b").text, "MOVED 3300 n1:6379");
  EXPECT_EQ(replica.run("readonly").text, "OK");
  EXPECT_EQ(replica.run("get b").kind, Reply::Kind::null_bulk);
  EXPECT_EQ(replica.run("get foo").text, "MOVED 12182 n2:6379");
  EXPECT_EQ(replica.run("set b 1").text, "MOVED 3300 n1:6379");
  EXPECT_EQ(replica.run("readwrite").text, "OK");
  EXPECT_EQ(replica.run("get b").text, "MOVED 3300 n1:6379");
  EXPECT_EQ(replica.run("cluster failover takeover").text, "OK");
  EXPECT_EQ(halves.failover, FailoverOption::takeover);
}

TEST_F(ClusterMode, WhoIsBlockedIsToldWhenTheSlotGoes) {
  const SessionId waiting = server.open();
  ASSERT_TRUE(server.blocks(waiting, "blpop b 0"));
  server.server().on_cluster_changed();
  EXPECT_TRUE(server.take_push_replies(waiting).empty());
  halves.lower_owner = 1;
  server.server().on_cluster_changed();
  const std::vector<Reply> told = server.take_push_replies(waiting);
  ASSERT_EQ(told.size(), 1U);
  EXPECT_EQ(told.front().text, "MOVED 3300 n2:6379");
}

TEST_F(ClusterMode, PublishGoesToTheClusterAndNotIntoTheStream) {
  server.take_stream();
  expect({{"publish news hello", "0"}});
  EXPECT_EQ(halves.published, std::vector<std::string>{"news hello"});
  EXPECT_EQ(server.take_stream(), "");
}

TEST_F(ClusterMode, ChannelsOfAShardHaveSlots) {
  server.take_stream();
  expect({{"spublish foo x", "MOVED 12182 n2:6379"},
          {"ssubscribe foo", "MOVED 12182 n2:6379"},
          {"ssubscribe b foo", "CROSSSLOT Keys in request don't hash to the same slot"},
          {"spublish b hello", "0"}});
  EXPECT_EQ(halves.published, std::vector<std::string>{"shard b hello"});
  EXPECT_EQ(server.take_stream(), "");
  EXPECT_TRUE(eval("return redis.call('spublish', 'foo', 'x')", {}).is_error());
  halves.own = 2;
  SimulatedServer replica(ServerOptions{.role = Role::replica, .cluster = &halves});
  EXPECT_EQ(replica.run("ssubscribe b").elements[0].text, "ssubscribe");
}

TEST_F(ClusterMode, ADestinationIsAKeyToo) {
  expect({{"zunionstore foo 1 b", "CROSSSLOT Keys in request don't hash to the same slot"},
          {"zunionstore foo 1 foo", "MOVED 12182 n2:6379"},
          {"zunionstore b 2 b b", "0"}});
}

TEST_F(ClusterMode, TellsWhatItKnows) {
  expect({{"cluster keyslot foo", "12182"},
          {"cluster myid", "aaaa"},
          {"cluster countkeysinslot 3300", "0"},
          {"cluster countkeysinslot 99999", "ERR Invalid slot"},
          {"cluster info", "cluster_state:ok\r\ncluster_slots_assigned:16384\r\n"},
          {"cluster nodes", "aaaa n1:6379@16379 myself,master - 0 0 0 connected 0-8191\n"},
          {"cluster failover", "ERR You should send CLUSTER FAILOVER to a replica"},
          {"cluster replicas nobody", "ERR Unknown node nobody"},
          {"cluster foo", "ERR unknown subcommand 'foo'. Try CLUSTER HELP."}});
  const Reply slots = server.run("cluster slots");
  ASSERT_EQ(slots.elements.size(), 2U);
  EXPECT_EQ(slots.elements[1].elements[0].integer, 8192);
  EXPECT_EQ(slots.elements[1].elements[2].elements[0].text, "n2");
  EXPECT_EQ(slots.elements[1].elements[3].elements[0].text, "n2-replica-1");
  EXPECT_EQ(server.run("cluster shards").elements.size(), 2U);
}

TEST(NoClusterMode, HasNoCluster) {
  SimulatedServer server;
  for (const std::string_view request : {"cluster info", "cluster slots", "readonly", "asking"}) {
    EXPECT_EQ(server.run(request).text, "ERR This instance has cluster support disabled")
        << request;
  }
  EXPECT_EQ(server.run("mset a 1 b 2").text, "OK");
}

}  // namespace
}  // namespace lockstep::redis::test
