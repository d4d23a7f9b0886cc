// Faults that are drawn in each run: within the budget, of every kind, and the same as if the file
// had said them; numbers that are drawn.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "model/trace_vocabulary.h"
#include "scenario/faults/fault_forms.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "scenario/text/input_error.h"
#include "search/runs/seed_runs.h"
#include "sim/seeded_choices.h"
#include "tests/model/engine/simulated_run.h"
#include "tests/support/script_folder.h"

namespace lockstep::model::test::open_faults {
namespace {

constexpr std::string_view story = R"(title = "t"
lock = "plain"
expect = { holds = "harm" }
{faults}
[redis]
replicas = 2
[[client]]
name = "a"
rounds = 2
run = ["lock lease=2s", "write", "unlock"]
[[client]]
name = "b"
run = ["lock lease=2s", "write", "unlock"]
)";

scenario::Scenario scenario_with(std::string_view faults, std::string_view rest = "") {
  std::string text(story);
  text.replace(text.find("{faults}"), 8, faults);
  text += rest;
  return scenario::parse_scenario("test.toml", text);
}

/// Calls with the result of each run, until there have been so many or `is_enough`.
template <typename Visitor, typename Condition>
void run_until(const scenario::Scenario& scenario, std::uint64_t runs_max, Visitor visit,
               Condition is_enough) {
  Engine engine({support::script_folder()});
  const auto simulation = engine.prepare(scenario);
  for (std::uint64_t seed = 1; seed <= runs_max && !is_enough(); ++seed) {
    sim::SeededChoices choices(seed);
    visit(seed, simulation->run(choices));
  }
}

/// Calls with the result of each run.
template <typename Visitor>
void run_many(const scenario::Scenario& scenario, std::uint64_t runs, Visitor visit) {
  run_until(scenario, runs, visit, [] { return false; });
}

TEST(DrawnFaults, AreOfEveryKindAndEachKindStrikes) {
  std::set<scenario::FaultKind> struck;
  const auto all = scenario_with(R"(faults = ["any", "delete", "evict", "flush_all"])");
  const auto count = [&](std::uint64_t, const RunResult& result) {
    ASSERT_EQ(result.faults->size(), result.fault_strikes.size());
    for (std::size_t i = 0; i < result.faults->size(); ++i) {
      if (result.fault_strikes[i] > 0) struck.insert((*result.faults)[i].kind);
    }
  };
  run_until(all, 1'500, count, [&] { return struck.size() == scenario::fault_forms().size(); });
  for (const scenario::FaultForm& form : scenario::fault_forms())
    EXPECT_TRUE(struck.contains(form.kind)) << form.word;
}

// A waiter in the fair lock's queue is waited for 300 s, ten times its lease.
TEST(DrawnFaults, ReachAsFarAsTheLocksOwnTimes) {
  std::string text(story);
  text.replace(text.find("\"plain\""), 7, "\"fair\"");
  text.replace(text.find("{faults}"), 8, "faults = [\"pause\", \"clock_step\"]");
  std::map<scenario::FaultKind, sim::DurationNs> longest;
  run_many(scenario::parse_scenario("test.toml", text), 300,
           [&](std::uint64_t, const RunResult& result) {
             for (const scenario::FaultSpec& fault : *result.faults) {
               sim::DurationNs& most = longest[fault.kind];
               most = std::max({most, fault.for_ns.value_or(0), fault.by_ns});
             }
           });
  EXPECT_GT(longest[scenario::FaultKind::pause], 300 * sim::second_ns);
  EXPECT_GT(longest[scenario::FaultKind::clock_step], 300 * sim::second_ns);
}

// A scenario that holds because nothing could strike says nothing.
TEST(DrawnFaults, EachKindAloneIsDrawnOrRefused) {
  for (const scenario::FaultForm& form : scenario::fault_forms()) {
    const std::string faults = fmt::format("faults = [\"{}\"]", form.word);
    std::size_t drawn = 0;
    const auto count = [&](std::uint64_t, const RunResult& result) {
      drawn += result.faults->size();
    };
    if (form.kind == scenario::FaultKind::restart) {
      EXPECT_THROW(run_many(scenario_with(faults), 1, count), scenario::InputError);
      continue;
    }
    run_many(scenario_with(faults), 30, count);
    EXPECT_GT(drawn, 0U) << form.word;
  }
}

TEST(DrawnFaults, WhatIsNamedAndCannotStrikeIsRefused) {
  const auto error_of = [](std::string_view faults) -> std::string {
    std::string text(story);
    text.replace(text.find("{faults}"), 8, faults);
    text.replace(text.find("replicas = 2"), 12, "replicas = 0");
    try {
      run_many(scenario::parse_scenario("test.toml", text), 1,
               [](std::uint64_t, const RunResult&) {});
    } catch (const scenario::InputError& error) {
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(error_of("faults = [\"pause\", \"promote\"]"),
            "test.toml:4:12: error: no promote can strike here: the scenario has nobody for it");
  EXPECT_EQ(error_of("faults = [\"restart\", \"crash\"]\n[budget]\ncrash = 0"),
            "test.toml:4:12: error: no restart can strike here: nobody restarts who has not ended; "
            "allow crash or power_loss too");
  EXPECT_EQ(error_of("faults = [\"restart\", \"crash\"]"), "accepted");
}

TEST(DrawnFaults, KeepToTheBudget) {
  const scenario::Scenario scenario = scenario_with(
      "faults = [\"pause\", \"crash\", \"restart\", \"drop\"]\n[budget]\nfaults = 4\ndrop = "
      "1\ncrash = 2");
  std::size_t most = 0;
  run_many(scenario, 300, [&](std::uint64_t seed, const RunResult& result) {
    std::map<scenario::FaultKind, std::uint64_t> drawn;
    for (const scenario::FaultSpec& fault : *result.faults) ++drawn[fault.kind];
    EXPECT_LE(result.faults->size(), 4U) << seed;
    EXPECT_LE(drawn[scenario::FaultKind::drop], 1U) << seed;
    EXPECT_LE(drawn[scenario::FaultKind::crash], 2U) << seed;
    EXPECT_EQ(drawn.count(scenario::FaultKind::promote), 0U) << seed;
    most = std::max(most, result.faults->size());
  });
  EXPECT_EQ(most, 4U);
}

TEST(DrawnFaults, ComeBesidesThoseOfTheFile) {
  const scenario::Scenario scenario = scenario_with(
      "faults = [\"drop\"]", "[[fault]]\npause = \"a\"\nfor = \"5s\"\nwhen = \"a acquired\"\n");
  run_many(scenario, 50, [&](std::uint64_t, const RunResult& result) {
    ASSERT_GE(result.faults->size(), 2U);
    EXPECT_EQ(result.faults->front().kind, scenario::FaultKind::pause);
    EXPECT_GT(result.fault_strikes.front(), 0U);
  });
}

// What search finds is saved as a closed scenario: it has to be the same run.
TEST(DrawnFaults, AreTheSameWhenTheScenarioIsClosedWithThem) {
  const scenario::Scenario open = scenario_with("faults = \"any\"");
  Engine engine({support::script_folder()});
  const auto simulation = engine.prepare(open);
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    sim::SeededChoices choices(seed);
    const RunResult& result = simulation->run(choices);
    const std::uint64_t hash = result.hash;
    const auto closed = engine.prepare(search::close_faults(open, *result.faults));
    sim::SeededChoices again(seed);
    EXPECT_EQ(closed->run(again).hash, hash) << seed;
  }
}

TEST(DrawnFaults, DoNotDependOnTheRunsBefore) {
  const scenario::Scenario open = scenario_with("faults = \"any\"");
  std::map<std::uint64_t, std::uint64_t> hashes;
  run_many(open, 20,
           [&](std::uint64_t seed, const RunResult& result) { hashes[seed] = result.hash; });
  Engine engine({support::script_folder()});
  for (std::uint64_t seed = 20; seed >= 1; --seed) {
    sim::SeededChoices choices(seed);
    EXPECT_EQ(engine.prepare(open)->run(choices).hash, hashes[seed]) << seed;
  }
}

// Quorums are lost where the same happens to several nodes: few runs would do that by chance alone.
TEST(DrawnFaults, StrikeSeveralEquals) {
  std::string text(story);
  text.replace(
      text.find("{faults}"), 8,
      "faults = [\"crash\", \"restart\", \"cut\", \"drop\", \"pause\"]\n[budget]\nfaults = 6");
  text.replace(text.find("lock = \"plain\""), 14, "lock = \"redlock\"");
  text.replace(text.find("replicas = 2"), 12, "masters = 3");
  constexpr std::uint64_t runs = 400;
  std::uint64_t restarted = 0;
  std::uint64_t cut_off = 0;
  std::uint64_t unheard = 0;
  run_many(scenario::parse_scenario("test.toml", text), runs,
           [&](std::uint64_t, const RunResult& result) {
             std::set<std::string> nodes;
             std::map<std::string, std::set<std::string>> peers;
             std::map<std::string, std::set<std::string>> receivers;
             for (const scenario::FaultSpec& fault : *result.faults) {
               if (fault.kind == scenario::FaultKind::restart) nodes.insert(fault.target);
               if (fault.kind == scenario::FaultKind::cut) peers[fault.target].insert(fault.other);
               if (fault.kind == scenario::FaultKind::drop) {
                 receivers[fault.message_from + fault.message_label].insert(fault.message_to);
               }
             }
             const auto has_two = [](const auto& entry) { return entry.second.size() >= 2; };
             restarted += nodes.size() >= 2 ? 1 : 0;
             cut_off += std::any_of(peers.begin(), peers.end(), has_two) ? 1 : 0;
             unheard += std::any_of(receivers.begin(), receivers.end(), has_two) ? 1 : 0;
           });
  EXPECT_GT(restarted, runs / 50);
  EXPECT_GT(cut_off, runs / 50);
  EXPECT_GT(unheard, runs / 50);
}

TEST(DrawnFaults, MustHaveSomebodyToStrike) {
  const scenario::Scenario scenario = scenario::parse_scenario("test.toml", R"(title = "t"
lock = "plain"
expect = { holds = "harm" }
faults = ["promote"]
[[client]]
name = "a"
run = ["lock lease=2s", "unlock"]
)");
  Engine engine({support::script_folder()});
  EXPECT_THROW((void)engine.prepare(scenario), scenario::InputError);
}

// -- Numbers that a file leaves open: each run draws them, all that are allowed and no other

std::string story_of(const std::string& client, const std::string& fault = "") {
  return "title = \"t\"\nlock = \"plain\"\nexpect = { holds = \"harm\" }\n[[client]]\n"
         "name = \"a\"\nrun = [\"lock lease=10s\", \"unlock\"]\n" +
         client + fault;
}

/// How many events of the kind each of some runs has.
std::set<std::size_t> counts_of(std::string_view kind, const std::string& text) {
  std::set<std::size_t> counts;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    counts.insert(SimulatedRun(text, seed).events(kind).size());
  }
  return counts;
}

TEST(DrawnNumbers, SayHowManyRoundsThereAre) {
  EXPECT_EQ(counts_of(trace_kind::belief_began, story_of("rounds = \"2..4\"\n")),
            (std::set<std::size_t>{2, 3, 4}));
}

TEST(DrawnNumbers, SayHowManyThreadsTakePart) {
  EXPECT_EQ(counts_of(trace_kind::belief_began, story_of("threads = \"1..3\"\n")),
            (std::set<std::size_t>{1, 2, 3}));
}

TEST(DrawnNumbers, SayHowOftenAFaultStrikes) {
  const std::string delay = "[[fault]]\ndelay = \"acquire\"\nby = \"1ms\"\n";
  EXPECT_EQ(
      counts_of(trace_kind::fault_struck, story_of("rounds = 5\n", delay + "times = \"1..3\"\n")),
      (std::set<std::size_t>{1, 2, 3}));
  // From the second to the fourth of five on.
  EXPECT_EQ(counts_of(trace_kind::fault_struck,
                      story_of("rounds = 5\n", delay + "nth = \"2..4\"\ntimes = \"always\"\n")),
            (std::set<std::size_t>{2, 3, 4}));
  EXPECT_EQ(counts_of(trace_kind::fault_struck, story_of("rounds = 5\n",
                                                         "[[fault]]\nscript_flush = \"n1\"\nwhen = "
                                                         "\"a acquired\"\ntimes = \"1..3\"\n")),
            (std::set<std::size_t>{1, 2, 3}));
}

TEST(DrawnNumbers, AreToldAsTheyWereDrawn) {
  const std::string text =
      story_of("rounds = 5\n",
               "[[fault]]\nscript_flush = \"n1\"\nwhen = \"a acquired\"\ntimes = \"2..4\"\n");
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const SimulatedRun run(text, seed);
    const auto struck = run.events(trace_kind::fault_struck);
    ASSERT_GE(struck.size(), 2U);
    for (const RecordedEvent* const event : struck) {
      EXPECT_TRUE(event->text("what").ends_with(fmt::format(", {} times", struck.size())))
          << event->text("what");
    }
  }
}

}  // namespace
}  // namespace lockstep::model::test::open_faults
