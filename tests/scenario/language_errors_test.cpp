// What is wrong in what a file expects, draws, and says of single nodes and links; the types of
// keys.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "scenario/faults/fault_forms.h"
#include "scenario/file/file_keys.h"
#include "scenario/scenario.h"
#include "scenario/text/error_collector.h"
#include "tests/scenario/invalid_scenarios.h"

namespace lockstep::model::language_errors {
namespace {

TEST(ScenarioErrors, InExpectations) {
  constexpr std::string_view before = "title = \"t\"\nlock = \"plain\"\n";
  constexpr InvalidScenario cases[] = {
      {"expect = { sometimes = [\"⟦c acquired\"] }\n",
       "there is no client, thread or node 'c' (there are a, a/1, b, b/1, n1 and resource)"},
      {"expect = { sometimes = \"b acquired while ⟦n1 believes\" }\n",
       "'n1' believes nothing; expected a client or a thread"},
      {"expect = { sometimes = \"b acquired while ⟦a\" }\n",
       "expected who believes to have a lock, as in 'while a believes'"},
      {"expect = { sometimes = \"b acquired ⟦while\" }\n",
       "expected who believes to have a lock, as in 'while a believes'"},
      {"expect = { sometimes = \"⟦pauze struck\" }\n",
       "there is no fault 'pauze'; did you mean 'pause'?"},
      {"expect = { sometimes = \"⟦crash struck while a believes\" }\n",
       "this never strikes; expected a [[fault]] crash"},
      {"expect = { sometimes = \"⟦pause of b struck\" }\n",
       "this never strikes; expected a [[fault]] pause = \"b\""},
      {"expect = { sometimes = \"⟦pause struck for the 3rd time\" }\n",
       "this strikes 2 times at most; 'times' lets a [[fault]] strike again"},
      {"expect = { sometimes = \"⟦b wrote\" }\n",
       "this moment never comes: no step of 'b' brings about 'wrote'"},
      {"expect = { sometimes = \"⟦a acquired for the 2nd time\" }\n",
       "this moment never comes: the steps of 'a' bring about 'acquired' 1 time at most"},
      {"expect = { sometimes = \"⟦a finished for the 2nd time\" }\n",
       "this moment never comes: 'a' finishes once"},
      {"expect = { sometimes = \"⟦n1 crashed\" }\n",
       "this moment never comes: n1 is never crashed; expected a [[fault]] crash = \"n1\" or a "
       "step "
       "'crash'"},
      {"expect = { sometimes = \"b acquired while a believes ⟦orders\" }\n",
       "this never happens: no step of 'a' takes 'orders'"},
      {"expect = { sometimes = \"b acquired after ⟦a crashed\" }\n",
       "this moment never comes: a is never crashed; expected a [[fault]] crash = \"a\" or a step "
       "'crash'"},
      {"expect = { sometimes = \"b acquired ⟦after a\" }\n",
       "expected what has happened before, as in 'b acquired after a crashed'"},
      {"expect = { sometimes = \"⟦crash of n1 struck after a acquired\" }\n",
       "this never strikes; expected a [[fault]] crash = \"n1\""},
      {"expect = { sometimes = \"b acquired after ⟦reset struck\" }\n",
       "this never strikes; expected a [[fault]] reset"},
      {"expect = { sometimes = \"pause struck ⟦twice\" }\n",
       "unexpected 'twice' after 'struck'; expected nothing more, or as in 'for the 2nd time'"},
      {"expect = { overlap_at_most = \"⟦5\" }\n",
       "'5' is no duration: the unit is missing: one of ns, us, ms, s, m or h"},
      {"expect = { wait_at_most = \"⟦-1s\" }\n", "'-1s' is out of range; expected zero or more"},
      {"expect = { requests_per_second_at_most = ⟦\"5\" }\n",
       "'requests_per_second_at_most' is a string; expected a whole number from 0 to 1000000000"},
      {"expect = { wait_at_most = ⟦1 }\n",
       "'wait_at_most' is a whole number; expected a duration in quotes, as in \"250ms\" or "
       "\"10s\""},
  };
  const std::string after = std::string(clients).append(
      "[[fault]]\npause = \"a\"\nat = \"1s\"\nfor = \"1s\"\nevery = \"9s\"\ntimes = 2\n");
  for (const InvalidScenario& wrong : cases) expect_invalid(before, wrong, after);
}

TEST(ScenarioErrors, OfPartsThatHaveNothingToDoWithEachOtherAreToldTogether) {
  const auto complaints = [](const std::string& text) {
    std::vector<std::string> told;
    try {
      static_cast<void>(scenario::parse_scenario("s.toml", text));
    } catch (const scenario::InputError& error) {
      told.emplace_back(error.what());
      for (const scenario::InputError& other : error.also()) told.emplace_back(other.what());
    }
    for (std::string& each : told) each.resize(each.find(' '));
    return told;
  };
  const std::string wrong_parts =
      "lock = 5\nexpect = { hold = \"harm\" }\n[redis]\nmaster = 1\n[[client]]\nname = \"a\"\n"
      "run = [\"lokc\", \"wirte\"]\n[[client]]\nname = \"a b\"\nrun = [\"lock\"]\n";
  const std::vector<std::string> expected = {
      "s.toml:1:8:", "s.toml:2:12:", "s.toml:4:1:", "s.toml:7:9:", "s.toml:9:9:", "s.toml:1:1:"};
  EXPECT_EQ(complaints(wrong_parts), expected);
  std::string story = std::string(head).append(clients);
  EXPECT_EQ(complaints(story + "[[fault]]\npause = \"c\"\nat = \"1s\"\n[[fault]]\nat = \"1s\"\n"),
            (std::vector<std::string>{"s.toml:11:10:", "s.toml:13:1:"}));
  EXPECT_EQ(complaints(story + "[[fault]]\npause = \"a\"\nwhen = \"b wrote\"\n"
                               "[[fault]]\nrestart = \"n1\"\nat = \"1s\"\n"),
            (std::vector<std::string>{"s.toml:12:9:", "s.toml:14:1:"}));
  for (int i = 0; i < 20; ++i) story += "[[fault]]\npause = \"c\"\nat = \"1s\"\n";
  EXPECT_EQ(complaints(story).size(), scenario::ErrorCollector::reported_max);
}

TEST(ScenarioErrors, InNodesAndLinks) {
  constexpr InvalidScenario cases[] = {
      {"[redis.nodes.⟦n2]\ndrift = \"1ppm\"\n", "there is no node 'n2' (there is n1)"},
      {"[redis.nodes.n1]\n⟦offset = \"1s\"\n",
       "unknown key 'offset' ([redis.nodes.n1] has wall_offset, drift, latency, config and "
       "version)"},
      {"[redis.nodes.n1]\nversion = \"⟦6.2\"\n",
       "the version '6.2' is not simulated; the nearest are redis-6.0 and redis-7.0; there are "
       "redis-6.0, redis-7.0, redis-8.0, valkey-8.0, valkey-8.1, valkey-9.1"},
      {"[redis]\nversion = \"⟦8\"\n",
       "the version '8' is not simulated; the nearest is redis-8.0; there are redis-6.0, "
       "redis-7.0, redis-8.0, valkey-8.0, valkey-8.1, valkey-9.1"},
      {"⟦[[link]]\nfrom = \"a\"\nto = \"n1\"\n",
       "[[link]] lacks the key 'latency', as in latency = \"20ms..30ms\""},
      {"[[link]]\nfrom = \"a\"\nto = \"⟦b\"\nlatency = \"1ms\"\n",
       "'a' and 'b' never talk to each other; expected two hosts that do"},
      {"[[link]]\nfrom = \"a\"\nto = \"n1\"\nlatency = \"1ms\"\n"
       "[[link]]\nfrom = \"⟦a\"\nto = \"n1\"\nlatency = \"1ms\"\n",
       "there is a [[link]] from 'a' to 'n1' already"},
  };
  for (const InvalidScenario& wrong : cases)
    expect_invalid(std::string(head).append(clients), wrong, "");
}

TEST(ScenarioErrors, InDrawnSteps) {
  constexpr std::string_view before =
      "title = \"t\"\nlock = \"plain\"\nexpect = { holds = \"harm\" }\n[[client]]\nname = \"c\"\n";
  constexpr InvalidScenario cases[] = {
      {"⟦generate = { steps = 5 }\n",
       "[client.generate] lacks the key 'mix', as in mix = { lock = 5, try_lock = 3, write = 8 }"},
      {"generate = { mix = { lock = ⟦0 } }\n",
       "'lock' is 0; expected a whole number from 1 to 1000"},
      {"generate = { mix = ⟦{ write = 1 } }\n",
       "nothing here takes a lock; expected as in mix = { lock = 5, try_lock = 3, write = 8 }"},
      {"generate = { mix = ⟦{ is_locked = 1, write = 1 } }\n",
       "'write' and 'extend' need something that takes a lock; expected lock, try_lock or the like "
       "too"},
      {"generate = { mix = { lock = 1 }, ⟦wait = \"1s\" }\n",
       "nothing of the mix has use for 'wait'; expected try_lock, try_acquire, await or the like "
       "in "
       "it"},
      {"generate = { mix = { lock = 1 }, ⟦permits = 3 }\n",
       "nothing of the mix has use for 'permits'; expected acquire or try_acquire in it"},
      {"generate = { mix = { acquire = 1 }, permits = \"3..⟦1\" }\n",
       "'1' is no whole number from 3 to 1000000"},
      {"generate = { mix = { lock = 1 }, hold = \"5ms..⟦1ms\" }\n",
       "'5ms..1ms' ends before it begins; expected least..most"},
      {"generate = { mix = { lock = 1 }, steps = ⟦10001 }\n",
       "'steps' is 10001; expected a whole number from 1 to 10000"},
      {"generate = { mix = { lock = 1 }, locks = [\"x\", \"⟦x\"] }\n", "'x' is named twice"},
      {"generate = { mix = { ⟦\"lock wait=5s\" = 1 } }\n",
       "'lock' has no option 'wait' (its options are lease and name)"},
      {"generate = { mix = { ⟦\"lock name=x\" = 1 } }\n",
       "which lock is drawn; expected the names in 'locks'"},
      {"generate = { mix = { ⟦\"acquire permits=2\" = 1 } }\n",
       "how many is drawn; expected 'permits' beside the mix"},
      {"generate = { mix = { lock = 1 }, spread = \"⟦lag\" }\n",
       "unknown spread 'lag'; did you mean 'log'? (it is even or log)"},
      {"generate = { mix = { lock = 1 }, nesting = ⟦0 }\n",
       "'nesting' is 0; expected a whole number from 1 to 20"},
      {"run = [\"lock lease=5s..⟦1s\"]\n", "'5s..1s' ends before it begins; expected least..most"},
      {"run = [\"sleep 1ms..⟦\"]\n",
       "'' is no duration: a duration begins with digits, as in 250ms, 1.5s or 10m"},
      {"count = ⟦101\nrun = [\"lock\"]\n", "'count' is 101; expected a whole number from 1 to 100"},
      {"⟦run = [\"lock\"]\n[[client.thread]]\nrun = [\"lock\"]\n",
       "a client has 'run' for itself, or [[client.thread]] for several threads that differ, not "
       "both"},
  };
  for (const InvalidScenario& wrong : cases) expect_invalid(before, wrong, "");
}

/// Of three holds inside one another each is used, and the outer two again after the next one.
TEST(ScenarioErrors, CountEachUseOfNestedHolds) {
  const auto text = [](int nth) {
    return fmt::format(
        "title = \"t\"\nlock = \"plain\"\nexpect = {{ holds = \"harm\" }}\n"
        "[[client]]\nname = \"a\"\n"
        "generate = {{ steps = 2, nesting = 3, mix = {{ lock = 1, write = 1 }} }}\n"
        "[[fault]]\npause = \"a\"\nfor = \"1s\"\nwhen = \"⟦a wrote for the {}th time\"\n",
        nth);
  };
  std::string most = text(10);
  most.erase(most.find(mark), mark.size());
  EXPECT_NO_THROW(static_cast<void>(scenario::parse_scenario("s.toml", most)));
  const std::string more = text(11);
  expect_invalid(
      "", {more, "this moment never comes: the steps of 'a' bring about 'wrote' 10 times at most"},
      "");
}

TEST(ScenarioErrors, OfTooMuch) {
  const auto complaint = [](const std::string& text) {
    try {
      static_cast<void>(scenario::parse_scenario("s.toml", text));
    } catch (const scenario::InputError& error) {
      return error.message();
    }
    return std::string("accepted");
  };
  std::string many(head);
  for (int i = 0; i < 201; ++i) {
    many += "[[client]]\nname = \"c" + std::to_string(i) + "\"\nrun = [\"lock\"]\n";
  }
  EXPECT_EQ(complaint(many), "this makes more than 200 clients or 1000 threads in all");
  std::string steps;
  for (int i = 0; i < 1'001; ++i) steps += "\"write\", ";
  EXPECT_EQ(complaint(std::string(head) + "[[client]]\nname = \"a\"\nrun = [" + steps + "]\n"),
            "a thread has at most 1000 steps; 'rounds' repeats them, and 'generate' draws more");
  std::string dots = "a";
  for (int i = 0; i < 300'000; ++i) dots += ".a";
  EXPECT_EQ(complaint(dots + " = 1\n"), "too many dots on one line; a key has at most 64 parts");
}

TEST(Faults, MayComeAtOnceOrLater) {
  const scenario::Scenario scenario = scenario::parse_scenario(
      "s.toml", std::string(head).append(clients) +
                    "[[fault]]\npause = \"a\"\nwhen = \"a acquired\"\nafter = \"0s..1s\"\n");
  EXPECT_EQ(scenario.faults[0].describe(), "pause a 0s to 1s after a acquired");
}

TEST(Keys, OfFaultsHaveTypes) {
  for (const scenario::FaultForm& form : scenario::fault_forms()) {
    for (const std::string_view key : form.keys) {
      EXPECT_NO_THROW(static_cast<void>(scenario::type_of_fault_key(key))) << key;
    }
  }
  for (const std::string_view key : scenario::repetition_keys(scenario::fault_forms().front())) {
    EXPECT_NO_THROW(static_cast<void>(scenario::type_of_fault_key(key))) << key;
  }
  for (const std::string_view key : scenario::trigger_keys()) {
    EXPECT_NO_THROW(static_cast<void>(scenario::type_of_fault_key(key))) << key;
  }
  EXPECT_ANY_THROW(static_cast<void>(scenario::type_of_fault_key("none")));
}

}  // namespace
}  // namespace lockstep::model::language_errors
