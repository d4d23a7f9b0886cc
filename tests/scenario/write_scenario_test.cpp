// What is written of a scenario is read as the same scenario, and looks as a person would write it.
#include "scenario/file/write_scenario.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "scenario/faults/fault_forms.h"
#include "scenario/file/file_keys.h"
#include "scenario/file/scenario_fields.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "scenario/text/input_error.h"
#include "scenario/text/source_file.h"
#include "sim/seeded_choices.h"
#include "tests/support/source_folder.h"

namespace lockstep::model::written {
namespace {

namespace fs = std::filesystem;

const fs::path root = source_folder();

std::vector<fs::path> scenario_files() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(root / "scenarios")) {
    if (scenario::is_scenario_file(entry.path())) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// Writes it, reads that, and compares; returns what was written.
std::string expect_comes_back(const scenario::Scenario& scenario) {
  const std::string text = scenario::write_scenario(scenario);
  try {
    const scenario::Scenario again = scenario::parse_scenario(scenario.path, text);
    EXPECT_EQ(scenario::differences(again, scenario), std::vector<std::string>{}) << text;
    EXPECT_EQ(scenario::write_scenario(again), text);
  } catch (const scenario::InputError& error) {
    ADD_FAILURE() << error.what() << "\n" << text;
  }
  return text;
}

std::uint64_t hash_of(Engine& engine, const scenario::Scenario& scenario) {
  sim::SeededChoices choices(1);
  return engine.prepare(scenario)->run(choices).hash;
}

TEST(WriteScenario, EveryFileComesBackTheSame) {
  const std::vector<fs::path> files = scenario_files();
  ASSERT_GT(files.size(), 200U);
  for (const fs::path& file : files) {
    for (const scenario::Scenario& scenario : scenario::load_scenarios(file)) {
      SCOPED_TRACE(scenario.name());
      expect_comes_back(scenario);
    }
  }
}

/// Every eighth file: runs take time.
TEST(WriteScenario, WhatIsWrittenRunsTheSame) {
  Engine engine({root / "scripts"});
  const std::vector<fs::path> files = scenario_files();
  for (std::size_t i = 0; i < files.size(); i += 8) {
    const scenario::Scenario scenario = scenario::load_scenario(files[i]);
    const scenario::Scenario again =
        scenario::parse_scenario(scenario.path, scenario::write_scenario(scenario));
    EXPECT_EQ(hash_of(engine, again), hash_of(engine, scenario)) << scenario.name();
  }
}

constexpr std::string_view stage = R"(title = "t"
lock = "plain"
expect = { holds = "harm" }
[redis]
masters = 3
replicas = 2
[[client]]
name = "a"
threads = 2
run = ["lock", "write", "sleep 5s", "unlock", "crash"]
[[client]]
name = "b"
run = ["lock", "write", "unlock"]
[[fault]]
pause = ["a", "b"]
at = "1s..2s"
[[fault]]
crash = "n1"
at = "5s"
[[fault]]
power_loss = "n2"
at = "5s"
[[fault]]
promote = "n1-replica-2"
at = "6s"
)";

/// Every form's own example, with whatever else a fault may say.
TEST(WriteScenario, EveryFaultComesBack) {
  const std::vector<std::string> delays = {"",
                                           ", at = \"3s..4s\"",
                                           ", when = \"a/2 acquired for the 2nd time\"",
                                           ", when = \"n1 sent reply to acquire\", after = \"1ms\"",
                                           ", when = \"n1 executed acquire of a/2\"",
                                           ", when = \"any\", after = \"1ms..1s\"",
                                           ", when = \"the lease of b ends\", before = \"10us\"",
                                           ", when = \"the lease of b on lock ends\"",
                                           ", when = \"3rd reply to acquire from n1 to b\"",
                                           ", at = \"0s\""};
  const std::vector<std::string> more = {"",
                                         ", stays = true",
                                         ", every = \"2s\"",
                                         ", every = \"2s\", times = 3",
                                         ", times = \"always\"",
                                         ", for = \"1s..2s\"",
                                         ", by = \"-2s..-1s\"",
                                         ", by = \"1s..2s\"",
                                         ", clock = \"wall\"",
                                         ", clock = \"both\"",
                                         ", clock = \"monotonic\"",
                                         ", at_most = \"5s\"",
                                         ", limit = 0",
                                         ", key = \"{name}:$$x\"",
                                         ", nth = 4",
                                         ", from = \"a/1\", to = \"n1\"",
                                         ", reply = \"acquire\""};
  const std::regex moment(R"re(, (when|at|after) = "[^"]*")re");
  const std::regex next_key(R"re(, ([a-z_]+ = ))re");
  std::size_t revalidated = 0;
  for (const scenario::FaultForm& form : scenario::fault_forms()) {
    std::size_t of_this_form = 0;
    for (const std::string& delay : delays) {
      for (const std::string& extra : more) {
        if (!extra.empty() && delay.size() > 14) continue;  // the trigger has nothing to do with it
        std::string fault = std::regex_replace(std::string(form.example), moment, "") + delay;
        const std::string key = extra.substr(0, extra.find('='));
        const std::size_t there = fault.find(key);
        if (!extra.empty() && there != std::string::npos) {
          fault.erase(there, fault.find('"', fault.find('"', there) + 1) + 1 - there);
        }
        std::string text(stage);
        text += "[[fault]]\n";
        fault += extra;
        // One key a line, not at the commas in lists.
        text += std::regex_replace(fault, next_key, "\n$1");
        try {
          const scenario::Scenario scenario = scenario::parse_scenario("s.toml", text);
          expect_comes_back(scenario);
          ++of_this_form;
        } catch (const scenario::InputError&) {
          continue;  // not everything goes together
        }
      }
    }
    EXPECT_GT(of_this_form, 5U) << form.word;
    revalidated += of_this_form;
  }
  EXPECT_GT(revalidated, 500U);
}

constexpr std::string_view full = R"(title     = "All \"of\" it: $$5"
lock      = "plain/unlatched"
lock_name = "{orders}:1"
expect    = { violates = "harm", holds = ["no-leak", "hold-count"], sometimes = ["a acquired while b/2 believes", "pause of a struck"], overlap_at_most = "2s", wait_at_most = "1.5s", requests_per_second_at_most = 20 }
faults    = ["pause", "drop"]

[budget]
faults = 2
pause  = 1

[redis]
topology = "sentinel"
replicas = 2
latency  = "200us..1.5ms"
sentinel = { count = 5, quorum = 2, down_after = "2s", failover_timeout = "10s" }

[redis.config]
appendonly            = "yes"
save                  = "60 1"
maxmemory             = "1mb"
maxmemory-policy      = "allkeys-lru"
min-replicas-to-write = 1

[redis.nodes.n1]
wall_offset = "-5ms"
drift       = "300ppm"
latency     = "5ms..20ms"
config      = { appendonly = "no" }

[redis.nodes.n1-replica-2]
wall_offset = "1s"

[options]
mode           = "batched"
retry_attempts = 4
timeout        = "3s"
watchdog       = false

[scripts]
acquire = "old/acquire.lua"
release = "../release.lua"

[resource]
fencing = true

[clocks]
declared_drift = "100ppm"

[liveness]
progress    = "40s"
wakeup      = "20s"
overtakings = 7

[limits]
horizon = "1h"
events  = 5000

[heal]
at = "30m"

[[client]]
name        = "a"
start       = "5ms..10ms"
rounds      = 3
wall_offset = "-2s"
drift       = "-200ppm"
options     = { connection = "one", timeout = "50ms" }
run         = [
  "lock lease=10s", "try_lock wait=1s..2s lease=250ms name=other", "write", "sleep 5s..6s",
  "unlock name=other", "unlock",
]

[[client]]
name = "b"

  [[client.thread]]
  run = ["lock", "unlock"]

  [[client.thread]]
  run      = ["sleep 1s"]
  generate = { steps = 8, mix = { lock = 3, is_locked = 1, write = 4 } }

  [[client.thread]]

  [client.thread.generate]
  mix     = { try_acquire = 2, hold_count = 1, acquire = 5, write = 1 }
  think   = "1ms..40ms"
  hold    = "5ms"
  wait    = "1ms..20ms"
  permits = "1..3"
  locks   = ["orders", "stock"]

[[client]]
name    = "w"
count   = 3
threads = 2
run     = ["lock lease=1s", "lock lease=1s", "unlock", "unlock"]

[[client]]
name = "x"

[client.generate]
mix        = { lock = 3, try_lock = 1, is_held_by_me = 1, extend = 2 }
think      = "1ms..40ms"
lease      = "10s..30s"
wait       = "5ms"
reentrancy = 2
locks      = "stock"

[[client]]
name     = "y"
generate = { mix = { acquire = 1 }, permits = 2 }

[[client]]
name = "z"

[client.generate]
mix     = { lock = 3, "lock lease=5s..1m" = 2, "try_lock wait=1s lease=10s" = 1, try_lock = 1, "try_set_count count=2" = 1 }
nesting = 3
spread  = "log"

[[link]]
from    = "a"
to      = "n1"
latency = "20ms..30ms"

[[fault]]
pause = "a"
when  = "a acquired other for the 2nd time"
after = "1ms"
for   = "15s"

[[fault]]
partition = [["a", "n1"], ["b", "s1"]]
at        = "2s..3s"
for       = "5s"
stays     = true
)";

/// Keys that are gone once a scenario is read: what came of them stands there flat, or is a
/// default.
const std::set<std::string_view> keys_that_go = {"base", "parameters", "case", "version"};

/// Also those of the tables below.
std::set<std::string_view> all_keys(const std::vector<scenario::KeyForm>& forms) {
  std::set<std::string_view> keys;
  for (const scenario::KeyForm& form : forms) {
    keys.insert(form.key);
    if (form.keys != nullptr) keys.merge(all_keys(form.keys()));
  }
  return keys;
}

TEST(WriteScenario, HasEveryKey) {
  const scenario::Scenario scenario = scenario::parse_scenario("dir/s.toml", std::string(full));
  std::string text = expect_comes_back(scenario);
  const scenario::Scenario cluster = scenario::parse_scenario("c.toml", R"(title = "t"
lock = "plain"
expect = { sometimes = [] }
[redis]
topology = "cluster"
masters = 4
cluster = { node_timeout = "1s" }
[[client]]
name = "a"
run = ["lock"]
)");
  text += expect_comes_back(cluster);
  const scenario::Scenario program = scenario::parse_scenario("p.toml", R"(title = "t"
lock = "plain"
expect = { holds = "harm" }
[[client]]
name = "a"
command = ["python3", "worker.py"]
folder = "there"
reuse = "fork"
thread_order = "any"
connect = { "redis-1:6379" = "n1" }
env = { ORDERS = "3" }
)");
  text += expect_comes_back(program);
  for (const std::string_view key : all_keys(scenario::scenario_keys())) {
    if (keys_that_go.contains(key)) continue;
    const std::regex said("(^|\\s|\\.|\\[)" + std::string(key) + "( +=|\\]|\\.)");
    EXPECT_TRUE(std::regex_search(text, said)) << key << ": it is in no file that is written";
  }
}

TEST(WriteScenario, LooksAsAPersonWroteIt) {
  EXPECT_EQ(scenario::write_scenario(scenario::parse_scenario("dir/s.toml", std::string(full))),
            full);
}

TEST(WriteScenario, FaultsThatAreLeftOpenComeBack) {
  const std::string smallest = "lock = \"plain\"\nexpect = { holds = \"harm\" }\n";
  const std::string client = "[[client]]\nname = \"a\"\nrun = [\"lock\"]\n";
  for (const char* open :
       {"faults = \"any\"\n", "faults = \"pause\"\n", "faults = \"any\"\n[heal]\nat = \"2m\"\n",
        "faults = \"any\"\n[heal]\nat = \"3m\"\n", "faults = \"any\"\n[limits]\nhorizon = \"1m\"\n",
        "faults = \"any\"\n[budget]\nfaults = 3\ncut_one_way = 0\ndrop = 2\n"}) {
    std::string text("title = \"t\"\n");
    text.append(smallest).append(open).append(client);
    const std::string written = expect_comes_back(scenario::parse_scenario("s.toml", text));
    EXPECT_EQ(written.find("2m"), std::string::npos) << "it is so by default";
  }
}

TEST(WriteScenario, NamesFilesAsSeenFromItsPlace) {
  scenario::Scenario scenario = scenario::parse_scenario("mine/stories/s.toml", R"(title = "t"
lock = "../lock"
expect = { holds = "harm" }
[scripts]
acquire = "a.lua"
release = "/elsewhere/r.lua"
[[client]]
name = "a"
run = ["lock"]
)");
  const auto lines = [&](const std::string& path) {
    const std::string text = scenario::write_scenario(scenario, path);
    std::string found;
    for (const char* key : {"lock    *= ", "acquire = ", "release = "}) {
      std::smatch match;
      if (std::regex_search(text, match, std::regex(key + std::string("\"(.*)\"")))) {
        found += match[1].str() + " ";
      }
    }
    return found;
  };
  EXPECT_EQ(lines("mine/stories/other.toml"), "../lock a.lua /elsewhere/r.lua ");
  EXPECT_EQ(lines("mine/found.toml"), "./lock stories/a.lua /elsewhere/r.lua ");
  EXPECT_EQ(lines("found.toml"), "./mine/lock mine/stories/a.lua /elsewhere/r.lua ");
  EXPECT_EQ(lines("mine/lock/x/y.toml"), "./.. ../../stories/a.lua /elsewhere/r.lua ");
  const std::string here = fs::current_path().string();
  EXPECT_EQ(lines(here + "/found/y.toml"), "../mine/lock ../mine/stories/a.lua /elsewhere/r.lua ");
  EXPECT_EQ(lines("/nowhere/y.toml"),
            here + "/mine/lock " + here + "/mine/stories/a.lua /elsewhere/r.lua ");
  scenario.lock = "/locks/mine";
  EXPECT_EQ(lines("found.toml"), "/locks/mine mine/stories/a.lua /elsewhere/r.lua ");
}

TEST(WriteScenario, WhatIsHardToSayComesBack) {
  scenario::Scenario scenario = scenario::parse_scenario("s.toml", std::string(stage));
  scenario.title = "tab\tnew\nline \\ \"quoted\" $lease ${x} ü \x01\x7f";
  scenario.options = {{"a", std::string("word")},  {"a_ms", std::int64_t{3000}},
                      {"b_ms", std::int64_t{-1}},  {"c_ms_ms", std::int64_t{5}},
                      {"_ms", std::int64_t{5}},    {"d_ms", std::int64_t{0}},
                      {"e_ms", INT64_MAX},         {"f_ms", std::int64_t{90'061'001}},
                      {"strange key=\"$x\"", true}};
  scenario.redis.settings = {{"save", ""}};
  scenario.expect = {};
  const std::string text = expect_comes_back(scenario);
  EXPECT_NE(text.find("a_ms "), std::string::npos) << "`a` would be the word twice";
  EXPECT_NE(text.find("sometimes = []"), std::string::npos);
}

}  // namespace

}  // namespace lockstep::model::written

// Two scenarios are compared by the rows from which they are read.

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
