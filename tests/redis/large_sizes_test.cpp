// What must not grow with the square of its size. The bounds in time are some ten times
// what it takes, and a fifth of what it once took.
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "redis/protocol/reply.h"
#include "redis/server/server.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis::test {
namespace {

constexpr std::size_t many = 100'000;

template <class Action>
std::chrono::milliseconds time_of(const Action& action) {
  const auto start = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() -
                                                               start);
}

/// A command, and numbered words after it.
std::vector<std::string> numbered(std::string_view command, std::string_view between) {
  std::vector<std::string> words{std::string(command)};
  for (std::size_t i = 0; i < many; ++i) {
    words.push_back("n" + std::to_string(i));
    if (!between.empty()) words.emplace_back(between);
  }
  return words;
}

TEST(LargeSizesTest, ManyChannelsOfOneSubscribe) {
  SimulatedServer server;
  const SessionId session = server.open();
  const std::vector<std::string> words = numbered("SUBSCRIBE", "");
  const std::vector<std::string_view> request(words.begin(), words.end());
  EXPECT_LT(time_of([&] { server.run_in(session, request); }).count(), 5'000);
  EXPECT_EQ(server.run("PUBLISH n99999 x").integer, 1);
}

TEST(LargeSizesTest, RandomKeysAmongMany) {
  SimulatedServer server;
  const std::vector<std::string> words = numbered("MSET", "x");
  const std::vector<std::string_view> request(words.begin(), words.end());
  server.run_in(SimulatedServer::first, request);
  ASSERT_EQ(server.run("DBSIZE").integer, static_cast<std::int64_t>(many));
  EXPECT_LT(time_of([&] {
              for (int i = 0; i < 1'000; ++i) server.run("RANDOMKEY");
            }).count(),
            1'500);
}

TEST(LargeSizesTest, ScriptsAreCountedUntilTheyAreFlushed) {
  SimulatedServer server;
  const auto cached = [&](std::string_view count) {
    const std::string line = "number_of_cached_scripts:" + std::string(count) + "\r\n";
    return server.run("INFO memory").text.find(line) != std::string::npos;
  };
  server.run({"EVAL", "return 1", "0"});
  server.run({"EVAL", "return 2", "0"});
  EXPECT_TRUE(cached("2"));
  server.run("SCRIPT FLUSH");
  EXPECT_TRUE(cached("0"));
}

}  // namespace
}  // namespace lockstep::redis::test
