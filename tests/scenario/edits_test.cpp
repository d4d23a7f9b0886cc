// Changes to a scenario: what each leaves, what goes with what it takes away, and how what is open
// is closed.
#include "scenario/edits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/file/scenario_fields.h"
#include "scenario/file/scenario_file.h"
#include "scenario/file/write_scenario.h"
#include "scenario/revalidation.h"
#include "scenario/scenario.h"
#include "scenario/steps.h"
#include "scenario/text/input_error.h"
#include "scenario/text/source_file.h"
#include "tests/scenario/invalid_scenarios.h"
#include "tests/support/source_folder.h"

namespace lockstep::model::edits {
namespace {

constexpr std::string_view story = R"(title = "t"
lock = "plain"
expect = { holds = "harm", sometimes = ["a acquired while b/3 believes", "pause of b struck", "crash of n2 struck", "n3 sent x after c/2 acquired"], overlap_at_most = "1s" }

[redis]
masters = 3
replicas = 2
config = { appendonly = "yes", appendfsync = "always" }

[redis.nodes.n2]
drift = "5ppm"

[redis.nodes.n3-replica-2]
wall_offset = "1s"

[options]
timeout = "3s"
retry_attempts = 2

[heal]
at = "100s"

[[client]]
name = "a"
rounds = 3
wall_offset = "2s"
start = "1s..2s"
run = ["lock lease=1s..9s", "lock", "write", "sleep 1s..2s", "unlock", "unlock"]

[[client]]
name = "b"
[[client.thread]]
run = ["lock"]
[[client.thread]]
run = ["write"]
[[client.thread]]
run = ["lock", "sleep 1s", "lock", "unlock"]

[[client]]
name = "c"
threads = 2
generate = { steps = 9, mix = { lock = 2, try_lock = 1, write = 3 }, lease = "1s..2s", wait = "2s..3s", think = "0s..5ms", hold = "1ms" }

[[link]]
from = "a"
to = "n2"
latency = "5ms"

[[link]]
from = "n3"
to = "n3-replica-2"
latency = "6ms..7ms"

[[fault]]
pause = ["a", "b", "n2"]
at = "3s..4s"
for = "1s..9s"
stays = true

[[fault]]
crash = "n2"
when = "a acquired for the 6th time"

[[fault]]
restart = "n2"
when = "n2 crashed"

[[fault]]
partition = [["a", "n2"], ["b", "n3"], ["c"]]

[[fault]]
drop = "acquire"
from = "b/3"

[[fault]]
delay = "reply to acquire"
from = "n3"
to = "c/2"
by = "1s..2s"

[[fault]]
stall = "n3-replica-2"
for = "1s"

[[fault]]
ring = ["n1", "n1-replica-1", "n1-replica-2"]
)";

scenario::Scenario the_story() { return scenario::parse_scenario("s.toml", std::string(story)); }

/// Its faults, links, node tables and moments, as they are told; "impossible" where there is none.
std::string told(const scenario::Edited& edited) {
  if (!edited) return "impossible";
  std::string text;
  for (const scenario::FaultSpec& fault : edited->faults) text += fault.describe() + "\n";
  for (const scenario::LinkSpec& link : edited->links) text += link.from + " to " + link.to + "\n";
  for (const scenario::NodeSpec& node : edited->redis.nodes) text += "node " + node.name + "\n";
  for (const scenario::Sometimes& each : edited->expect.sometimes)
    text += "sometimes " + each.text + "\n";
  return text;
}

std::string steps_of(const scenario::Edited& edited, std::size_t client, std::size_t thread) {
  if (!edited) return "impossible";
  std::string text;
  const scenario::Scenario& scenario = *edited;
  for (const scenario::Step& step : scenario.clients.at(client).threads.at(thread).steps) {
    text += scenario::write_step(step, scenario.lock_name) + "; ";
  }
  return text;
}

TEST(Edits, WhoAskedIsRenamedToo) {
  const scenario::Scenario scenario = scenario::parse_scenario("s.toml", R"(title = "t"
lock = "plain"
expect = { holds = "harm" }
[[client]]
name = "a"
[[client.thread]]
run = ["write"]
[[client.thread]]
run = ["lock", "unlock"]
[[client.thread]]
run = ["lock", "unlock"]
[[fault]]
pause = "a"
for = "1s"
when = "n1 executed acquire of a/3"
)");
  const scenario::Edited edited = scenario::without_thread(scenario, 0, 0);
  EXPECT_EQ(told(edited), "pause a for 1s when n1 executed acquire of a/2\n");
}

TEST(Edits, TheStoryIsWhole) {
  EXPECT_EQ(told(scenario::revalidated(the_story())),
            R"(pause a or b or n2 for 1s to 9s at 3s to 4s
crash n2 when a acquired for the 6th time
restart n2 when n2 crashed
part a and n2 from b and n3 from c from the start
drop the 'acquire' from b/3 from the start
delay the 'reply to acquire' from n3 to c/2 by 1s to 2s from the start
stall the replication of n3-replica-2 for 1s from the start
let n1, n1-replica-1 and n1-replica-2 see a majority each from the start
a to n2
n3 to n3-replica-2
node n2
node n3-replica-2
sometimes a acquired while b/3 believes
sometimes pause of b struck
sometimes crash of n2 struck
sometimes n3 sent x after c/2 acquired
)");
}

TEST(Edits, AClientGoesWithWhatNamesIt) {
  EXPECT_EQ(told(scenario::without_client(the_story(), 0)),
            R"(pause b or n2 for 1s to 9s at 3s to 4s
part n2 from b and n3 from c from the start
drop the 'acquire' from b/3 from the start
delay the 'reply to acquire' from n3 to c/2 by 1s to 2s from the start
stall the replication of n3-replica-2 for 1s from the start
let n1, n1-replica-1 and n1-replica-2 see a majority each from the start
n3 to n3-replica-2
node n2
node n3-replica-2
sometimes pause of b struck
sometimes n3 sent x after c/2 acquired
)") << "the crash waited for a, the restart for the crash";
  const scenario::Edited without_b = scenario::without_client(the_story(), 1);
  EXPECT_NE(told(without_b).find("pause a or n2 for"), std::string::npos);
  EXPECT_NE(told(without_b).find("part a and n2 from n3 from c"), std::string::npos);
  EXPECT_EQ(told(without_b).find("pause of b"), std::string::npos);
  const scenario::Edited only_c = scenario::without_client(*without_b, 0);
  EXPECT_NE(told(only_c).find("pause n2 for"), std::string::npos) << "there is no choice left";
  ASSERT_TRUE(only_c);
  EXPECT_FALSE(scenario::without_client(*only_c, 0)) << "a scenario has a client";
}

TEST(Edits, ThreadsBehindOneThatGoesAreCountedAnew) {
  const std::string without_second = told(scenario::without_thread(the_story(), 1, 1));
  EXPECT_NE(without_second.find("drop the 'acquire' from b/2 from"), std::string::npos);
  EXPECT_NE(without_second.find("sometimes a acquired while b/2 believes"), std::string::npos);
  const std::string without_third = told(scenario::without_thread(the_story(), 1, 2));
  EXPECT_EQ(without_third.find("'acquire' from b"), std::string::npos);
  EXPECT_EQ(without_third.find("believes"), std::string::npos);
  EXPECT_EQ(steps_of(scenario::without_thread(the_story(), 1, 0), 1, 0), "write; ");
  EXPECT_FALSE(scenario::without_thread(the_story(), 0, 0)) << "a client has a thread";
}

TEST(Edits, MastersBehindOneThatGoesAreCountedAnew) {
  EXPECT_EQ(told(scenario::without_master(the_story(), 1)),
            R"(pause a or b for 1s to 9s at 3s to 4s
part a from b and n2 from c from the start
drop the 'acquire' from b/3 from the start
delay the 'reply to acquire' from n2 to c/2 by 1s to 2s from the start
stall the replication of n2-replica-2 for 1s from the start
let n1, n1-replica-1 and n1-replica-2 see a majority each from the start
n2 to n2-replica-2
node n2-replica-2
sometimes a acquired while b/3 believes
sometimes pause of b struck
sometimes n2 sent x after c/2 acquired
)");
  const scenario::Edited two = scenario::without_master(the_story(), 2);
  ASSERT_TRUE(two);
  EXPECT_EQ(two->redis.masters, 2U);
  EXPECT_NE(told(two).find("restart n2"), std::string::npos);
  const scenario::Edited one = scenario::without_master(*two, 0);
  ASSERT_TRUE(one);
  EXPECT_NE(told(one).find("restart n1"), std::string::npos);
  EXPECT_FALSE(scenario::without_master(*one, 0));
}

TEST(Edits, ReplicasBehindOneThatGoesAreCountedAnew) {
  const scenario::Edited one = scenario::without_replica(the_story(), 0);
  ASSERT_TRUE(one);
  EXPECT_EQ(one->redis.replicas, 1U);
  EXPECT_NE(told(one).find("stall the replication of n3-replica-1"), std::string::npos);
  EXPECT_NE(told(one).find("node n3-replica-1"), std::string::npos);
  EXPECT_EQ(told(one).find("majority"), std::string::npos) << "two are no ring";
  EXPECT_EQ(told(scenario::without_replica(the_story(), 1)).find("stall"), std::string::npos);
}

TEST(Edits, ASentinelGoesWithWhatNamesIt) {
  const scenario::Scenario watched = scenario::parse_scenario("s.toml", R"(title = "t"
lock = "plain"
expect = { holds = "harm" }
[redis]
topology = "sentinel"
replicas = 1
sentinel = { count = 3, quorum = 3 }
[[client]]
name = "a"
run = ["lock"]
[[fault]]
pause = "s3"
at = "1s"
[[fault]]
partition = [["a", "s2"], ["s3", "n1"]]
)");
  const scenario::Edited two = scenario::without_last_sentinel(watched);
  ASSERT_TRUE(two);
  EXPECT_EQ(two->redis.sentinel.quorum, 2U);
  EXPECT_EQ(told(two), "part a and s2 from n1 from the start\n");
  EXPECT_FALSE(scenario::without_master(*two, 0));
  EXPECT_FALSE(scenario::without_replica(*two, 0)) << "sentinels need one";
  EXPECT_FALSE(scenario::without_last_sentinel(the_story()));
}

TEST(Edits, AStepGoesWithTheOneThatGivesItBack) {
  const scenario::Scenario scenario = the_story();
  EXPECT_EQ(steps_of(scenario::without_step(scenario, 0, 0, 0), 0, 0),
            "lock; write; sleep 1s..2s; unlock; ");
  EXPECT_EQ(steps_of(scenario::without_step(scenario, 0, 0, 1), 0, 0),
            "lock lease=1s..9s; write; sleep 1s..2s; unlock; ");
  EXPECT_EQ(steps_of(scenario::without_step(scenario, 0, 0, 2), 0, 0),
            "lock lease=1s..9s; lock; sleep 1s..2s; unlock; unlock; ");
  EXPECT_EQ(steps_of(scenario::without_step(scenario, 0, 0, 5), 0, 0),
            "lock lease=1s..9s; lock; write; sleep 1s..2s; unlock; ");
  EXPECT_EQ(steps_of(scenario::without_step(scenario, 1, 2, 0), 1, 2), "sleep 1s; lock; unlock; ")
      << "nothing gives the outer one back";
  EXPECT_EQ(steps_of(scenario::without_step(scenario, 1, 1, 0), 1, 1), "impossible")
      << "the only one";
  EXPECT_EQ(told(scenario::without_step(scenario, 0, 0, 1)).find("crash"), std::string::npos)
      << "a does not acquire six times any more";
}

TEST(Edits, TakeAwayWhatTheySay) {
  const scenario::Scenario scenario = the_story();
  struct Case {
    const char* what;
    std::function<scenario::Edited(const scenario::Scenario&)> edit;
    const char* gone;  ///< a text of the story that is not there any more
  };
  const std::vector<Case> cases = {
      {"rounds", [](const scenario::Scenario& s) { return scenario::with_rounds(s, 0, 1); },
       "rounds"},
      {"turns", [](const scenario::Scenario& s) { return scenario::with_turns(s, 2, 0, 1); },
       "threads = 2"},
      {"fault", [](const scenario::Scenario& s) { return scenario::without_fault(s, 1); },
       "restart"},
      {"healing", [](const scenario::Scenario& s) { return scenario::without_healing(s); }, "heal"},
      {"link", [](const scenario::Scenario& s) { return scenario::without_link(s, 1); }, "6ms"},
      {"option",
       [](const scenario::Scenario& s) { return scenario::without_option(s, "timeout_ms"); },
       "timeout"},
      {"setting", [](const scenario::Scenario& s) { return scenario::without_setting(s, 0); },
       "appendonly"},
      {"node", [](const scenario::Scenario& s) { return scenario::without_node_table(s, 0); },
       "redis.nodes.n2"},
      {"clocks", [](const scenario::Scenario& s) { return scenario::with_exact_clocks(s, 0); },
       "2s\"\nrun"},
  };
  const std::string whole = scenario::write_scenario(scenario);
  for (const Case& each : cases) {
    const scenario::Edited edited = each.edit(scenario);
    ASSERT_TRUE(edited) << each.what;
    const std::string text = scenario::write_scenario(*edited);
    EXPECT_NE(text, whole) << each.what;
    EXPECT_EQ(text.find(each.gone), std::string::npos) << each.what << "\n" << text;
    EXPECT_EQ(edited->text, text) << "it is read from its own text";
  }
  EXPECT_FALSE(scenario::with_rounds(scenario, 0, 3)) << "the same";
  scenario::Scenario drawn = scenario;
  drawn.clients[0].rounds_max = 5;
  const scenario::Edited three = scenario::with_rounds(drawn, 0, 3);
  ASSERT_TRUE(three);
  EXPECT_FALSE(three->clients[0].rounds_max) << "three, and no more";
  EXPECT_FALSE(scenario::with_rounds(scenario, 0, 0));
  EXPECT_FALSE(scenario::with_turns(scenario, 0, 0, 1));
  EXPECT_FALSE(scenario::without_option(scenario, "none"));
  EXPECT_FALSE(scenario::with_latency(scenario, {}));
  const scenario::Edited slow =
      scenario::with_latency(scenario, {sim::millisecond_ns, sim::millisecond_ns});
  ASSERT_TRUE(slow);
  EXPECT_EQ(slow->latency.delay_ns_max, sim::millisecond_ns);
  EXPECT_EQ(
      steps_of(scenario::with_steps(scenario, 2, 1, scenario.clients[0].threads[0].steps), 2, 1),
      steps_of(scenario, 0, 0));
}

TEST(Edits, CloseWhatIsOpen) {
  scenario::Scenario scenario = the_story();
  std::size_t count = scenario::open_ranges(scenario).size();
  // Start, lease and sleep of a; think, lease and wait of each thread of c; four of faults.
  ASSERT_EQ(count, 3U + 6U + 3U);
  std::size_t number = 0;
  while (count > 0) {
    const scenario::OpenRange range = scenario::open_ranges(scenario)[0];
    const scenario::Edited closed = scenario::with_fixed_duration(
        scenario, 0, number++ % 2 == 0 ? range.least_ns : range.most_ns);
    ASSERT_TRUE(closed) << number;
    scenario = *closed;
    ASSERT_EQ(scenario::open_ranges(scenario).size(), --count);
  }
  EXPECT_EQ(scenario.text.find(".."), scenario.text.find("..7ms")) << scenario.text;
  EXPECT_NE(scenario.text.find("start       = \"1s\""), std::string::npos) << scenario.text;
  EXPECT_NE(scenario.text.find("lock lease=9s"), std::string::npos);
  scenario::Scenario story_again = the_story();
  const scenario::Edited last =
      scenario::with_fixed_duration(story_again, 11, 1'500 * sim::millisecond_ns);
  ASSERT_TRUE(last);
  EXPECT_NE(last->text.find("by    = \"1.5s\""), std::string::npos) << last->text;
}

/// Whatever can be taken away from the files of scenarios/ is, until nothing is left to take.
TEST(Edits, OfEveryFileAreAcceptedOrImpossible) {
  const std::filesystem::path root = std::filesystem::path(source_folder()) / "scenarios";
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(root)) {
    if (scenario::is_scenario_file(entry.path())) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  std::size_t edits_made = 0;
  for (std::size_t file = 0; file < files.size(); file += 5) {
    scenario::Scenario scenario = scenario::load_scenario(files[file]);
    const auto take = [&](const scenario::Edited& edited) {
      if (!edited) return false;
      ++edits_made;
      EXPECT_EQ(scenario::differences(*revalidated(*edited), *edited), std::vector<std::string>{});
      scenario = *edited;
      return true;
    };
    while (!scenario.faults.empty()) ASSERT_TRUE(take(scenario::without_fault(scenario, 0)));
    while (scenario.redis.replicas > 0 && take(scenario::without_replica(scenario, 0))) continue;
    while (take(scenario::without_master(scenario, 0))) continue;
    while (take(scenario::without_last_sentinel(scenario))) continue;
    while (scenario.clients.size() > 1) ASSERT_TRUE(take(scenario::without_client(scenario, 0)));
    while (take(scenario::without_thread(scenario, 0, 0))) continue;
    while (scenario.clients[0].threads[0].steps.size() > 1) {
      if (!take(scenario::without_step(scenario, 0, 0, 0))) break;
    }
    while (!scenario::open_ranges(scenario).empty()) {
      ASSERT_TRUE(take(
          scenario::with_fixed_duration(scenario, 0, scenario::open_ranges(scenario)[0].least_ns)));
    }
  }
  EXPECT_GT(edits_made, 200U);
}

// -- Numbers of which a file says only from where to where

constexpr std::string_view open_numbers = R"([[client]]
name    = "a"
threads = "1..3"
rounds  = "2..5"
run     = ["lock lease=10s", "unlock"]

[[fault]]
drop  = "reply to acquire"
nth   = "1..4"
times = "2..3"

[[fault]]
max_clients = "n1"
limit       = "0..2"
at          = "1s"

[[fault]]
pause = "n1"
when  = "a acquired"
for   = "1s"
times = "1..2"
)";

scenario::Scenario read(std::string_view text) {
  return scenario::parse_scenario("test.toml", std::string(head) + std::string(text));
}

TEST(NumberRanges, AreWrittenAsTheyWereRead) {
  const scenario::Scenario scenario = read(open_numbers);
  const std::string written = scenario::write_scenario(scenario, "test.toml");
  for (const std::string_view line :
       {"threads = \"1..3\"", "rounds  = \"2..5\"", "nth   = \"1..4\"", "times = \"2..3\"",
        "limit       = \"0..2\"", "times = \"1..2\""}) {
    EXPECT_NE(written.find(line), std::string::npos) << line << "\n" << written;
  }
  const scenario::Scenario again = scenario::parse_scenario("test.toml", written);
  EXPECT_EQ(again.faults, scenario.faults);
  EXPECT_EQ(scenario::write_scenario(again, "test.toml"), written);
}

TEST(NumberRanges, AreToldInWords) {
  const scenario::Scenario scenario = read(open_numbers);
  EXPECT_EQ(
      scenario.faults[0].describe(),
      "drop 2 to 3 times the 'reply to acquire' from one of the 1st to 4th on from the start");
  EXPECT_NE(scenario.faults[1].describe().find("0 to 2 connections at most"), std::string::npos);
  EXPECT_NE(scenario.faults[2].describe().find(", 1 to 2 times"), std::string::npos);
}

TEST(NumberRanges, AreClosedOneByOne) {
  scenario::Scenario scenario = read(open_numbers);
  std::size_t count = scenario::open_ranges(scenario).size();
  ASSERT_EQ(count, 6U);
  while (count > 0) {
    const scenario::OpenRange range = scenario::open_ranges(scenario).front();
    const scenario::Edited closed = scenario::with_fixed_duration(scenario, 0, range.most_ns);
    ASSERT_TRUE(closed) << count;
    scenario = *closed;
    ASSERT_EQ(scenario::open_ranges(scenario).size(), --count);
  }
  EXPECT_EQ(scenario.text.find(".."), std::string::npos) << scenario.text;
  EXPECT_EQ(scenario.clients[0].threads.size(), 3U);
  EXPECT_EQ(scenario.clients[0].rounds, 5U);
  EXPECT_EQ(scenario.faults[0].nth, 4U);
  EXPECT_EQ(scenario.faults[1].limit, 2U);
  EXPECT_EQ(scenario.faults[2].trigger.times, 2U);
}

/// What is wrong with the story where that key has this value.
std::string complaint_about(std::string_view key, std::string_view value) {
  std::string text(open_numbers);
  const std::size_t from = text.find('"', text.find(key));
  text.replace(from, text.find('"', from + 1) + 1 - from, value);
  try {
    static_cast<void>(read(text));
  } catch (const scenario::InputError& error) {
    return error.message();
  }
  return "none";
}

TEST(NumberRanges, ThatAreNoneAreRefused) {
  EXPECT_EQ(complaint_about("threads", "\"few\""),
            "'few' is no range; expected a whole number, or one as in \"1..3\"");
  EXPECT_NE(complaint_about("threads", "\"3..1\"").find("no whole number from 3 to "),
            std::string::npos);
  EXPECT_NE(complaint_about("rounds", "\"0..2\"").find("no whole number from 1 to "),
            std::string::npos);
  EXPECT_NE(complaint_about("nth", "\"..3\""), "none");
  EXPECT_NE(complaint_about("limit", "\"1..\""), "none");
  EXPECT_NE(complaint_about("times", "\"often\"").find("a range as in \"1..3\""),
            std::string::npos);
}

}  // namespace
}  // namespace lockstep::model::edits
