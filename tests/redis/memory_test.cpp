// maxmemory: what is refused, what is evicted, and what replicas hear of it. What a real server
// refuses at a limit that nothing fits: memory_templates.cpp.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "redis/protocol/reply.h"
#include "redis/server/memory_use.h"
#include "redis/server/server.h"
#include "redis/values/memory_estimate.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis::test {
namespace {

constexpr std::string_view oom = "(error) OOM command not allowed when used memory > 'maxmemory'.";

/// What scripts add to an error that leaves them.
std::string without_suffix(std::string text) {
  const std::size_t suffix = text.find(" script: ");
  return suffix == std::string::npos ? text : text.substr(0, suffix);
}

struct Asked {
  std::vector<std::string_view> command;
  std::string_view reply;
};

TEST(MemoryTest, BeyondTheLimitOnlyWhatCannotGrowIsAllowed) {
  SimulatedServer server;
  server.run("SET k v");
  server.run("CONFIG SET maxmemory 1");
  const std::vector<Asked> exchanges{
      {{"SET", "a", "1"}, oom},
      {{"GET", "k"}, "\"v\""},
      {{"EXPIRE", "k", "100"}, "(integer) 1"},
      {{"PUBLISH", "c", "x"}, "(integer) 0"},
      {{"EVAL", "return redis.call('get','k')", "0"}, "\"v\""},
      {{"EVAL", "return redis.call('set','k',1)", "0"}, oom},
      {{"EVAL", "redis.call('del','none') return redis.call('set','k',1)", "0"}, "OK"},
      {{"EVAL", "redis.call('get','none') return redis.call('set','k',1)", "0"}, oom},
      {{"EVAL", "#!lua\nreturn redis.call('get','k')", "0"}, oom},
      {{"EVAL", "#!lua flags=no-writes\nreturn redis.call('get','k')", "0"}, "\"1\""},
      {{"EVAL", "#!lua flags=allow-oom\nreturn redis.call('set','k',2)", "0"}, "OK"},
      {{"SET"}, "(error) ERR wrong number of arguments for 'set' command"},
      {{"DEL", "k"}, "(integer) 1"},
  };
  for (const Asked& each : exchanges) {
    const Reply reply = server.run_in(SimulatedServer::first, each.command);
    EXPECT_EQ(without_suffix(describe(reply)), each.reply) << each.command.back();
  }
}

TEST(MemoryTest, BeyondTheLimitATransactionCanOnlyEnd) {
  SimulatedServer server;
  const SessionId other = server.open();
  server.run("MULTI");
  server.run("GET k");
  server.run_in(other, "CONFIG SET maxmemory 1");
  EXPECT_EQ(describe(server.run("EXEC")), "[(nil)]");
  server.run("MULTI");
  EXPECT_EQ(describe(server.run("GET k")), oom);
  EXPECT_EQ(describe(server.run("WATCH k")), oom);
  EXPECT_EQ(describe(server.run("EXEC")),
            "(error) EXECABORT Transaction discarded because of previous errors.");
  server.run_in(other, "CONFIG SET maxmemory 0");
  server.run("MULTI");
  server.run("SET k v");
  server.run_in(other, "CONFIG SET maxmemory 1");
  EXPECT_EQ(describe(server.run("EXEC")),
            "(error) EXECABORT Transaction discarded because of: OOM command not allowed when used "
            "memory > 'maxmemory'.");
  server.run("MULTI");
  EXPECT_EQ(describe(server.run("DISCARD")), "OK");
}

TEST(MemoryTest, ReplicasHeedTheirMasterOnly) {
  SimulatedServer replica({.role = Role::replica, .config = {}});
  replica.run("CONFIG SET maxmemory 1");
  replica.server().apply_stream("*3\r\n$3\r\nSET\r\n$1\r\nk\r\n$1\r\nv\r\n");
  EXPECT_EQ(describe(replica.run("GET k")), "\"v\"");
  replica.run("CONFIG SET maxmemory-policy allkeys-random");
  EXPECT_EQ(describe(replica.run("DBSIZE")), "(integer) 1");
}

/// A server that has room for so many bytes beside what an empty one takes.
void limit(SimulatedServer& server, std::uint64_t bytes,
           SessionId session = SimulatedServer::first) {
  server.run_in(session, "CONFIG SET maxmemory-policy allkeys-random");
  const std::string limit_text = std::to_string(empty_server_bytes + bytes);
  server.run_in(session, "CONFIG SET maxmemory " + limit_text);
}

TEST(MemoryTest, EvictsBeforeTheNextCommandAndTellsReplicasEachKeyAlone) {
  SimulatedServer server;
  server.run("SET a 1");
  server.run("SET b 2");
  server.take_stream();
  limit(server, 0);
  EXPECT_EQ(describe(server.run("DBSIZE")), "(integer) 0");
  const std::string told = server.take_requests();
  EXPECT_TRUE(told == "DEL a / DEL b" || told == "DEL b / DEL a") << told;
  EXPECT_EQ(describe(server.run("SET c 3")), "OK");
  EXPECT_EQ(server.take_requests(), "SET c 3");
  server.run("PING");
  EXPECT_EQ(server.take_requests(), "DEL c");
  server.run("CONFIG SET lazyfree-lazy-eviction yes");
  server.run("SET c 3");
  server.run("PING");
  EXPECT_EQ(server.take_requests(), "SET c 3 / UNLINK c");
}

TEST(MemoryTest, AnEvictedKeyIsAChangeToWhoWatchesIt) {
  SimulatedServer server;
  const SessionId other = server.open();
  server.run("SET a 1");
  server.run("WATCH a");
  server.run("MULTI");
  server.run("PING");
  limit(server, 0, other);
  EXPECT_EQ(describe(server.run("EXEC")), "(nil)");
}

TEST(MemoryTest, VolatilePoliciesSpareKeysWithoutExpiry) {
  SimulatedServer server;
  server.run("SET stays 1");
  server.run("SET goes 1 PX 10000");
  server.run("CONFIG SET maxmemory-policy volatile-random");
  server.run("CONFIG SET maxmemory 1");
  EXPECT_EQ(describe(server.run("KEYS *")), "[\"stays\"]");
  EXPECT_EQ(describe(server.run("SET x 1")), oom);
}

RC_GTEST_PROP(MemoryTest, EvictionKeepsTheDataBelowTheLimit, ()) {
  SimulatedServer server;
  const auto room = *rc::gen::inRange<std::uint64_t>(300, 3000);
  limit(server, room);
  const auto sizes =
      *rc::gen::container<std::vector<std::size_t>>(rc::gen::inRange<std::size_t>(0, 200));
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    const std::string key = "key" + std::to_string(i % 17);
    const std::string text(sizes[i], 'x');
    switch (i % 4) {
      case 0:
        server.run({"SET", key, text});
        break;
      case 1:
        server.run({"HSET", key, std::to_string(i), text});
        break;
      case 2:
        server.run({"ZADD", key, "1", text});
        break;
      default:
        server.run({"DEL", key});
    }
    server.run("PING");  // before which what was too much has gone
    std::uint64_t bytes = 0;
    for (const auto& [name, entry] : server.server().keyspace().entries()) {
      bytes += estimated_bytes(name, entry);
    }
    RC_ASSERT(bytes <= room);
  }
}

RC_GTEST_PROP(MemoryTest, TheLedgerIsTheSumOfItsKeys, ()) {
  MemoryLedger ledger;
  std::map<std::string, std::uint64_t> model;
  for (const auto& [number, bytes] :
       *rc::gen::container<std::vector<std::pair<int, std::uint64_t>>>(
           rc::gen::pair(rc::gen::inRange(0, 30), rc::gen::inRange<std::uint64_t>(0, 1000)))) {
    const std::string key = std::to_string(number);
    if (bytes % 3 == 0) {
      ledger.remove(key);
      model.erase(key);
    } else {
      ledger.set(key, bytes);
      model[key] = bytes;
    }
    std::uint64_t sum = 0;
    for (const auto& [name, each] : model) sum += each;
    std::set<std::string> keys;
    for (std::size_t i = 0; i < ledger.size(); ++i) keys.insert(ledger.key_at(i));
    RC_ASSERT(ledger.bytes() == sum);
    RC_ASSERT(keys.size() == model.size() && ledger.size() == model.size());
  }
}

}  // namespace
}  // namespace lockstep::redis::test
