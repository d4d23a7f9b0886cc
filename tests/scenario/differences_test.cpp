// Two scenarios are compared by the rows from which they are read.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "scenario/file/scenario_fields.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"

namespace lockstep::scenario {
namespace {

using Keys = std::vector<std::string>;

constexpr const char* base = R"(title = "t"
lock = "plain"
lock_name = "orders"
expect = { holds = "harm", sometimes = "a acquired", wait_at_most = "5s" }
faults = ["pause"]
[budget]
faults = 2
[redis]
topology = "sentinel"
replicas = 2
latency = "1ms..2ms"
sentinel = { quorum = 2, down_after = "5s" }
config = { appendonly = "yes" }
[redis.nodes.n1]
drift = "10ppm"
[options]
timeout = "3s"
[scripts]
acquire = "a.lua"
[clocks]
declared_drift = "50ppm"
[liveness]
overtakings = 7
[limits]
horizon = "60s"
[heal]
at = "30s"
[[client]]
name = "a"
rounds = 2
start = "1s..2s"
run = ["lock lease=10s", "write", "unlock"]
generate = { mix = { lock = 5, write = 3 }, lease = "5s..10s" }
[[link]]
from = "a"
to = "n1"
latency = "20ms"
[[fault]]
crash = "a"
at = "5s"
)";

Scenario with(const std::string& old_text, const std::string& new_text) {
  std::string text = base;
  const std::size_t at = text.find(old_text);
  EXPECT_NE(at, std::string::npos) << old_text;
  return parse_scenario("s.toml", text.replace(at, old_text.size(), new_text));
}

TEST(Differences, NamesTheKey) {
  const std::vector<std::pair<std::pair<std::string, std::string>, std::string>> changes = {
      {{"\"t\"", "\"u\""}, "title"},
      {{"\"plain\"", "\"redisson\""}, "lock"},
      {{"\"harm\"", "\"no-deadlock\""}, "expect.holds"},
      {{"holds =", "violates ="}, "expect.violates"},
      {{"a acquired", "a released"}, "expect.sometimes"},
      {{"wait_at_most = \"5s\"", "overlap_at_most = \"5s\""}, "expect.wait_at_most"},
      {{"wait_at_most = \"5s\"", "requests_per_second_at_most = 5"}, "expect.wait_at_most"},
      {{"[\"pause\"]", "[\"pause\", \"drop\"]"}, "faults"},
      {{"faults = 2", "faults = 1"}, "faults"},
      {{"replicas = 2", "replicas = 3"}, "redis.replicas"},
      {{"1ms..2ms", "1ms..3ms"}, "redis.latency"},
      {{"quorum = 2", "quorum = 3"}, "redis.sentinel.quorum"},
      {{"\"yes\"", "\"no\""}, "redis.config"},
      {{"[redis.nodes.n1]", "[redis.nodes.n1-replica-1]"}, "redis.nodes"},
      {{"10ppm", "11ppm"}, "redis.nodes[0].drift"},
      {{"\"3s\"", "3"}, "options"},
      {{"a.lua", "b.lua"}, "scripts"},
      {{"50ppm", "51ppm"}, "clocks.declared_drift"},
      {{"overtakings = 7", "overtakings = 8"}, "liveness.overtakings"},
      {{"60s", "61s"}, "limits.horizon"},
      {{"30s", "31s"}, "heal.at"},
      {{"rounds = 2", "rounds = 3"}, "client[0].rounds"},
      {{"1s..2s", "1s..3s"}, "client[0].start"},
      {{"\"unlock\"]", "\"sleep 1s\", \"unlock\"]"}, "client[0].thread"},
      {{"5s..10s", "5s..11s"}, "client[0].thread"},
      {{"20ms", "21ms"}, "link[0].latency"},
      {{"at = \"5s\"", "at = \"6s\""}, "fault"},
  };
  const Scenario one = parse_scenario("s.toml", base);
  for (const auto& [change, key] : changes) {
    const Keys keys = differences(one, with(change.first, change.second));
    EXPECT_TRUE(std::find(keys.begin(), keys.end(), key) != keys.end())
        << change.second << ": " << (keys.empty() ? "none" : keys.front());
  }
}

TEST(Differences, WhereAThingIsWrittenMakesNone) {
  std::string text = base;
  const Scenario moved = parse_scenario("other.toml", "# moved\n" + text);
  Scenario one = parse_scenario("s.toml", text);
  one.row = "[a=1]";
  EXPECT_EQ(differences(one, moved), Keys{});
}

}  // namespace
}  // namespace lockstep::scenario
