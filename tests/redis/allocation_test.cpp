// Once warm, commands and lock scripts allocate nothing: this program's operator new counts its
// calls.
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "redis/protocol/reply_builder.h"
#include "redis/scripting/script_engine.h"
#include "redis/server/server.h"
#include "tests/redis/comparison/simulated_server.h"
#include "tests/support/script_folder.h"

namespace {

// The one variable of this program that is not local: operator new has nowhere else to count.
std::size_t allocations = 0;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables)

}  // namespace

void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(bytes);
}
void* operator new(std::size_t bytes) {
  if (void* const memory = operator new(bytes, std::nothrow)) return memory;
  throw std::bad_alloc();
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }

namespace lockstep::redis::test {
namespace {

constexpr std::string_view owner = "6fe05d9a-23d4-4c3b-a4ba-5d7e6a2b1c0f:42";

class SilentListener final : public ServerListener {
 public:
  void on_push(SessionId, const Reply&) override {}
  void on_unblocked(SessionId, const Reply&) override {}
  void on_propagated(std::string_view bytes, std::int64_t) override { bytes_told += bytes.size(); }
  void on_getack_wanted() override {}
  std::uint64_t random_below(std::uint64_t) override { return 0; }
  std::size_t bytes_told = 0;
};

class AllocationTest : public ::testing::Test {
 protected:
  void run(const std::vector<std::string_view>& words) {
    now_us += 1000;
    server.set_time_us(now_us);
    ReplyBuilder builder(reply);
    server.execute(session, words, builder);
    ASSERT_FALSE(reply.is_error()) << describe(reply);
  }
  /// How many allocations the commands cost when they run for the fifth time.
  std::size_t count(const std::vector<std::vector<std::string_view>>& commands) {
    std::size_t before = 0;
    for (int round = 0; round < 5; ++round) {
      before = allocations;
      for (const auto& words : commands) run(words);
    }
    return allocations - before;
  }

  /// Loads a script of scripts/; its SHA1.
  std::string load(const std::string& path) {
    std::ifstream file(support::script_folder() / path, std::ios::binary);
    const std::string body{std::istreambuf_iterator<char>(file), {}};
    run({"SCRIPT", "LOAD", body});
    return sha1_hex(body);
  }

  SilentListener listener;
  Server server{shared_script_engine(), listener};
  SessionId session = (server.start({}), server.open_session());
  std::int64_t now_us = SimulatedServer::start_us;
  Reply reply;
};

TEST_F(AllocationTest, CommandsOfALockAllocateNothing) {
  constexpr std::string_view lock = "a lock's name that is longer than small strings are";
  EXPECT_EQ(count({{"exists", lock},
                   {"hincrby", lock, owner, "1"},
                   {"pexpire", lock, "30000"},
                   {"HSET", lock, "mode", "write"},
                   {"hexists", lock, owner},
                   {"pttl", lock},
                   {"hdel", lock, owner},
                   {"del", lock},
                   {"publish", "redisson_lock__channel:{lock}", "0"},
                   {"SET", lock, owner, "NX", "PX", "30000"},
                   {"GET", lock},
                   {"INCR", "redisson_lock_token:{lock}"},
                   {"SET", lock, owner, "PX", "1"},
                   {"PEXPIRE", lock, "0"}}),
            0U);
  EXPECT_GT(listener.bytes_told, 0U);
}

TEST_F(AllocationTest, QueuesOfAFairLockAllocateNothing) {
  constexpr std::string_view queue = "a queue's name that is longer than small strings are";
  EXPECT_EQ(count({{"RPUSH", queue, owner},
                   {"rpush", queue, "another waiter, whose name is long too"},
                   {"LINDEX", queue, "0"},
                   {"LREM", queue, "0", owner},
                   {"LLEN", queue},
                   {"lpush", queue, owner},
                   {"RPUSH", queue, "a third waiter, whose name is long too"},
                   {"lpop", queue},
                   {"RPOP", queue},
                   {"LPOP", queue}}),
            0U);
}

TEST_F(AllocationTest, QueuesInSetsAllocateNothing) {
  constexpr std::string_view queue = "redisson_lock_timeout:{a lock's name of some length}";
  constexpr std::string_view other = "0e5b6d1c-7a44-4e0b-9b64-cc2f4bd5a3c1:7";
  EXPECT_EQ(count({{"zadd", queue, "1700000000100", owner},
                   {"zadd", queue, "1700000000050.5", other},
                   {"zscore", queue, owner},
                   {"zrank", queue, other},
                   {"zincrby", queue, "-300", owner},
                   {"zcount", queue, "-inf", "+inf"},
                   {"zremrangebyscore", queue, "-inf", "1000"},
                   {"zrem", queue, owner},
                   {"zremrangebyrank", queue, "0", "-1"},
                   {"sadd", queue, owner, other},
                   {"sismember", queue, owner},
                   {"srem", queue, other},
                   {"srem", queue, owner},
                   {"sadd", queue, "1", "2"},
                   {"del", queue}}),
            0U);
}

TEST_F(AllocationTest, LockScriptsAllocateNothing) {
  const std::string acquire =
      "if redis.call('exists', KEYS[1]) == 0 then redis.call('hincrby', KEYS[1], ARGV[2], 1) "
      "redis.call('pexpire', KEYS[1], ARGV[1]) return nil end return redis.call('pttl', KEYS[1])";
  const std::string release =
      "redis.call('hincrby', KEYS[1], ARGV[1], -1) redis.call('del', KEYS[1]) "
      "redis.call('publish', KEYS[2], '0') return 1";
  run({"SCRIPT", "LOAD", acquire});
  run({"SCRIPT", "LOAD", release});
  const std::string acquire_sha1 = sha1_hex(acquire);
  const std::string release_sha1 = sha1_hex(release);
  EXPECT_EQ(count({{"EVALSHA", acquire_sha1, "1", "lock", "30000", owner},
                   {"EVALSHA", acquire_sha1, "1", "lock", "30000", "somebody else"},
                   {"EVALSHA", release_sha1, "2", "lock", "redisson_lock__channel:{lock}", owner}}),
            0U);
}

TEST_F(AllocationTest, AFairLocksScriptsAllocateNothing) {
  constexpr std::string_view first = "6fe05d9a-23d4-4c3b-a4ba-5d7e6a2b1c0f:1";
  constexpr std::string_view second = "6fe05d9a-23d4-4c3b-a4ba-5d7e6a2b1c0f:2";
  constexpr std::string_view queue = "redisson_lock_queue:{lock}";
  constexpr std::string_view deadlines = "redisson_lock_timeout:{lock}";
  constexpr std::string_view channel = "redisson_lock__channel:{lock}";
  constexpr std::string_view now = "1700000000000";
  const std::string acquire = load("fair/acquire.lua");
  const std::string give_up = load("fair/acquire_failed.lua");
  const std::string release = load("fair/release-unlatched.lua");
  const auto ask = [&](std::string_view who) -> std::vector<std::string_view> {
    return {"EVALSHA", acquire, "3", "lock", queue, deadlines, "30000", who, "300000", now};
  };
  const auto free = [&](std::string_view who) -> std::vector<std::string_view> {
    return {"EVALSHA", release, "4", "lock", queue, deadlines, channel, "0", "30000", who, now};
  };
  EXPECT_EQ(count({ask(owner),
                   ask(first),
                   ask(second),
                   ask(first),
                   {"EVALSHA", give_up, "2", queue, deadlines, first, "300000"},
                   free(owner),
                   ask(second),
                   free(second)}),
            0U);
}

TEST_F(AllocationTest, AStartOfTheServerAllocatesNothing) {
  const std::vector<std::vector<std::string_view>> commands{
      {"HINCRBY", "lock", owner, "1"}, {"SET", "a key of more than fifteen letters", owner}};
  std::size_t before = 0;
  for (int round = 0; round < 5; ++round) {
    before = allocations;
    server.start({});
    session = server.open_session();
    for (const auto& words : commands) run(words);
  }
  EXPECT_EQ(allocations, before);
}

}  // namespace
}  // namespace lockstep::redis::test
