// Servers with a disk, stopped in both ways and started again, beside a real one.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <chrono>
#include <ostream>
#include <string>
#include <thread>

#include "redis/server/server.h"
#include "tests/redis/comparison/restart_pair.h"

namespace lockstep::redis::test {
namespace {

struct StoppingCase {
  PersistenceSetup kind;
  confirm::Stop how;
};

std::ostream& operator<<(std::ostream& out, const StoppingCase& each) {
  return out << each.kind.name;
}

std::vector<StoppingCase> stopping_cases() {
  std::vector<StoppingCase> cases;
  for (const PersistenceSetup& kind : persistence_setups()) {
    cases.push_back({kind, confirm::Stop::kill});
    cases.push_back({kind, confirm::Stop::terminate});
  }
  return cases;
}

class RestartTest : public testing::TestWithParam<StoppingCase> {};

// A lease of 3 s at restarts 1,000, 2,500 and 3,001 ms after it was set.
TEST_P(RestartTest, LeavesALockAsOnTheRealServer) {
  RestartPair pair(GetParam().kind, 1);
  const auto look = [&pair] {
    pair.ask({"PTTL", "lock"});
    pair.ask({"HGETALL", "lock"});
    pair.ask({"GET", "other"});
    pair.ask({"DBSIZE"});
    pair.ask({"EVALSHA", "e0e1f9fabfc9d4800c877a703b823ac0578ff8db", "0"});
  };
  pair.ask({"SCRIPT", "LOAD", "return 1"});
  pair.ask({"SET", "other", "data"});
  pair.ask({"EVAL",
            "redis.call('hincrby', KEYS[1], ARGV[1], 1) redis.call('publish', 'news', '1') "
            "return redis.call('pexpire', KEYS[1], 3000)",
            "1", "lock", "a:1"});
  pair.restart(GetParam().how, 1000);
  look();
  pair.restart(GetParam().how, 1500);
  look();
  pair.restart(GetParam().how, 501);
  look();
  pair.compare_rest();
}

TEST_P(RestartTest, LeavesWhatRandomCommandsMadeAsOnTheRealServer) {
  RestartPair pair(GetParam().kind, 1);
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    SequenceKind kind = mixed_kind();
    kind.sessions = 1;
    for (const std::string& script : kind.scripts) pair.ask({"SCRIPT", "LOAD", script});
    pair.ask({"FLUSHALL"});
    for (const Step& step : make_sequence(kind, seed)) pair.take(step);
    pair.restart(GetParam().how, 700);
    pair.compare_rest();
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, RestartTest, testing::ValuesIn(stopping_cases()),
                         [](const auto& each) {
                           return std::string(each.param.kind.name) +
                                  (each.param.how == confirm::Stop::kill ? "_killed" : "_ended");
                         });

TEST(SavePointTest, IsDueWhenItIsOnTheRealServer) {
  const auto last_save = [](RestartPair& pair) {
    confirm::RedisConnection real(pair.real().socket_path());
    return describe(real.command({"LASTSAVE"}));
  };
  // The real server's cron runs ten times a real second, and forks. What is not due is looked for
  // through several of its rounds; what is due may take as long as a busy machine needs.
  const auto saves_within = [&](RestartPair& pair, const std::string& before,
                                std::chrono::milliseconds real_time) {
    const auto end = std::chrono::steady_clock::now() + real_time;
    do {
      if (last_save(pair) != before) return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    } while (std::chrono::steady_clock::now() < end);
    return false;
  };
  const auto several_rounds = std::chrono::milliseconds(400);
  const auto at_most = std::chrono::minutes(1);
  RestartPair pair({"save", {{"save", "60 2"}}}, 1);
  const std::string before = last_save(pair);
  pair.ask({"SET", "k", "v"});
  pair.advance_ms(61'000);
  EXPECT_FALSE(saves_within(pair, before, several_rounds)) << "one change is too few";
  EXPECT_EQ(pair.simulated().server().next_tick_ms(), INT64_MAX);
  pair.ask({"SET", "k", "w"});
  EXPECT_LE(pair.simulated().server().next_tick_ms(), pair.simulated().now_us() / 1000 + 100);
  ASSERT_TRUE(saves_within(pair, before, at_most));
  pair.simulated().server().tick();
  pair.ask({"LASTSAVE"});
  const std::string saved = last_save(pair);
  pair.ask({"SET", "k", "x"});
  pair.ask({"SET", "k", "y"});
  pair.advance_ms(60'000);
  EXPECT_FALSE(saves_within(pair, saved, several_rounds)) << "60 s are not more than 60 s";
  pair.simulated().server().tick();
  pair.ask({"LASTSAVE"});
  pair.restart(confirm::Stop::kill, 0);
  pair.ask({"GET", "k"});
  EXPECT_EQ(describe(pair.simulated().run("GET k")), "\"w\"");
}

TEST(SavingCommandsTest, AnswerAsOnTheRealServer) {
  RestartPair pair({"nothing", {}}, 1);
  pair.ask({"SET", "k", "v", "PX", "500"});
  pair.ask({"SAVE"});
  pair.ask({"LASTSAVE"});
  pair.ask({"SAVE", "now"});
  pair.ask({"BGSAVE", "now"});
  pair.ask({"MULTI"});
  pair.ask({"SAVE"});
  pair.ask({"EXEC"});
  pair.ask({"EVAL", "return redis.pcall('save')", "0"});
  pair.ask({"SET", "l", "w"});
  pair.restart(confirm::Stop::kill, 400);
  pair.ask({"PTTL", "k"});
  pair.ask({"GET", "l"});
  pair.restart(confirm::Stop::kill, 101);
  pair.ask({"DBSIZE"});  // a master leaves out what has expired
  pair.ask({"CONFIG", "SET", "save", "100 1"});
  pair.ask({"FLUSHALL"});  // saves where there are save points
  pair.restart(confirm::Stop::kill, 0);
  pair.ask({"DBSIZE"});
}

}  // namespace
}  // namespace lockstep::redis::test
