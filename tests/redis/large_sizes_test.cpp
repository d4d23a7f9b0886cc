// What must not grow with the square of its size, or at all: by ratios of processor time.
#include <gtest/gtest.h>

#include <algorithm>
#include <ctime>
#include <string>
#include <string_view>
#include <vector>

#include "redis/protocol/reply.h"
#include "redis/server/server.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis::test {
namespace {

constexpr std::size_t few = 12'500;
constexpr std::size_t times_more = 8;
constexpr std::size_t many = times_more * few;

template <class Action>
double processor_time_of(const Action& action) {
  const std::clock_t start = std::clock();
  action();
  constexpr std::clock_t too_short_to_tell = CLOCKS_PER_SEC / 1'000;
  return static_cast<double>(std::max(std::clock() - start, too_short_to_tell));
}

/// A command, and numbered words after it.
std::vector<std::string> numbered(std::string_view command, std::string_view between,
                                  std::size_t count) {
  std::vector<std::string> words{std::string(command)};
  for (std::size_t i = 0; i < count; ++i) {
    words.push_back("n" + std::to_string(i));
    if (!between.empty()) words.emplace_back(between);
  }
  return words;
}

void run_in(SimulatedServer& server, SessionId session, const std::vector<std::string>& words) {
  const std::vector<std::string_view> request(words.begin(), words.end());
  server.run_in(session, request);
}

double time_to_subscribe(std::size_t count) {
  SimulatedServer server;
  const SessionId session = server.open();
  const std::vector<std::string> words = numbered("SUBSCRIBE", "", count);
  const double taken = processor_time_of([&] { run_in(server, session, words); });
  EXPECT_EQ(server.run("PUBLISH n" + std::to_string(count - 1) + " x").integer, 1);
  return taken;
}

// Its square would be 64 times as much.
TEST(LargeSizesTest, ManyChannelsOfOneSubscribe) {
  EXPECT_LT(time_to_subscribe(many), 3 * times_more * time_to_subscribe(few));
}

double time_of_random_keys(std::size_t count) {
  SimulatedServer server;
  run_in(server, SimulatedServer::first, numbered("MSET", "x", count));
  EXPECT_EQ(server.run("DBSIZE").integer, static_cast<std::int64_t>(count));
  server.run("RANDOMKEY");  // brings them into an order, once
  return processor_time_of([&] {
    for (int i = 0; i < 1'000; ++i) server.run("RANDOMKEY");
  });
}

// Caches make some six times as much of it, looking at each key fifty times.
TEST(LargeSizesTest, RandomKeysAmongMany) {
  EXPECT_LT(time_of_random_keys(many), 20 * time_of_random_keys(many / 50));
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
