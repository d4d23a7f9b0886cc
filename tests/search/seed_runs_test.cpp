// Runs over seeds: expectations met and missed, probes, examples, replay.
#include "search/runs/seed_runs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "checker/property.h"
#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "search/property_runs.h"
#include "search/runs/run_record.h"
#include "search/runs/tally.h"
#include "sim/seeded_choices.h"
#include "tests/support/scenario_share.h"
#include "tests/support/script_folder.h"
#include "tests/support/source_folder.h"

namespace lockstep::search::seed_runs_test {
namespace {

constexpr std::string_view two_clients = R"(
[[client]]
name = "a"
run  = ["lock lease=10s", "write", "unlock"]

[[client]]
name  = "b"
start = "5ms"
run   = ["lock lease=10s", "write", "sleep 3s", "unlock"]
)";

constexpr std::string_view pause = R"(
[[fault]]
pause = "a"
when  = "a read"
for   = "15s"
)";

scenario::Scenario scenario(std::string_view expect, std::string_view rest) {
  std::string text = "title = \"t\"\nlock = \"plain\"\nexpect = ";
  text += expect;
  text += "\n";
  text += two_clients;
  text += rest;
  return scenario::parse_scenario("test.toml", text);
}

class SeedRuns : public testing::Test {
 protected:
  ScenarioOutcome run(std::string_view expect, std::string_view rest, std::uint64_t seeds = 3) {
    return run_scenario(scenario(expect, rest), {.first_seed = 1, .seeds = seeds}, engine_);
  }

  model::Engine engine_{{support::script_folder()}};
};

constexpr std::string_view short_pause = R"(
[[fault]]
pause = "a"
when  = "a read"
for   = "1s"
)";

const PropertySummary& summary_of(const ScenarioOutcome& outcome, checker::Property property) {
  return *std::find_if(
      outcome.properties.begin(), outcome.properties.end(),
      [property](const PropertySummary& each) { return each.property == property; });
}

TEST_F(SeedRuns, InPartsComeToTheSame) {
  const scenario::Scenario drawn = scenario(R"({ holds = "harm", wait_at_most = "1s" })",
                                            "[[fault]]\ndelay = \"any\"\nby = \"1s..20s\"\n");
  const auto told = [](const ScenarioOutcome& outcome) {
    std::string text = std::to_string(outcome.runs) + " " + std::to_string(outcome.example.seed);
    for (const std::string& each : outcome.complaints) text += "\n" + each;
    for (const PropertySummary& each : outcome.properties) {
      text += "\n" + std::to_string(each.held) + " " + std::to_string(each.put_to_the_test) + " " +
              std::to_string(each.first_violating_seed);
    }
    return text;
  };
  const SeedRunOptions all{.first_seed = 7, .seeds = 20};
  const std::string whole = told(run_scenario(drawn, all, engine_));
  for (const std::uint64_t first : {1U, 2U, 9U, 19U}) {
    CountedRuns runs = count_runs(drawn, {.first_seed = 7, .seeds = first}, engine_);
    add_runs(runs, count_runs(drawn, {.first_seed = 7 + first, .seeds = 20 - first}, engine_));
    EXPECT_EQ(told(conclude_runs(std::move(runs), all, engine_)), whole) << first;
  }
}

TEST_F(SeedRuns, IsUnknownWhereNoRunPutWhatItExpectsToTheTest) {
  const ScenarioOutcome outcome =
      run(R"({ holds = ["mutual-exclusion", "no-lost-wakeup"] })", short_pause);
  EXPECT_EQ(outcome.kind, OutcomeKind::unknown);
  EXPECT_TRUE(outcome.complaints.empty());
  EXPECT_EQ(outcome.probes[0].runs_struck, 3U);
  EXPECT_EQ(outcome.probes[0].runs_mattered, 0U);
  const PropertySummary& exclusion = summary_of(outcome, checker::Property::mutual_exclusion);
  EXPECT_EQ(exclusion.held, 3U);
  EXPECT_EQ(exclusion.could_break, 3U);
  EXPECT_EQ(exclusion.put_to_the_test, 0U);
  ASSERT_EQ(outcome.untested.size(), 2U);
  EXPECT_EQ(outcome.untested[0].property, checker::Property::mutual_exclusion);
  EXPECT_TRUE(
      outcome.untested[0].change.starts_with("# together:\nfor = \"21s\"  # beyond the lease\n"));
  EXPECT_EQ(outcome.untested[0].change, outcome.untested[1].change);
}

ScenarioOutcome outcome_of(std::string_view text, model::Engine& engine) {
  return run_scenario(scenario::parse_scenario("test.toml", std::string(text)),
                      {.first_seed = 1, .seeds = 2}, engine);
}

constexpr std::string_view closed_latch = R"(
title = "t"
lock = "latch"
expect = { holds = ["latch", "no-lost-wakeup"] }
[[client]]
name = "a"
run  = ["try_set_count count=2"]
[[client]]
name  = "b"
start = "10ms"
run   = ["await"]
)";

TEST_F(SeedRuns, SaysWhoCouldOpenALatchThatNobodyOpens) {
  const ScenarioOutcome outcome = outcome_of(closed_latch, engine_);
  EXPECT_EQ(outcome.kind, OutcomeKind::unknown);
  ASSERT_EQ(outcome.untested.size(), 1U);
  EXPECT_EQ(outcome.untested[0].property, checker::Property::no_lost_wakeup);
  EXPECT_EQ(outcome.untested[0].change,
            "[[client]]  # somebody who opens it\nname = \"another\"\nstart = \"5s\"\n"
            "run  = [\"count_down\", \"count_down\"]");
  EXPECT_EQ(outcome_of(std::string(closed_latch) + outcome.untested[0].change, engine_).kind,
            OutcomeKind::as_expected);
}

constexpr std::string_view all_late = R"(
[[fault]]
delay = "any"
by    = "100ms"
times = "always"
)";

/// Of a fault that is there all the time, one that never strikes, and one that is over when
/// everybody has been served.
TEST_F(SeedRuns, SaysWhichLinesWouldPutAPropertyToTheTest) {
  for (const auto& [expect, faults] :
       {std::pair(R"({ holds = "no-lost-wakeup" })", all_late),
        std::pair(R"({ holds = "mutual-exclusion" })",
                  std::string_view("[[fault]]\ndelay = \"no-such-label\"\nby = \"2s\"\n")),
        std::pair(R"({ holds = "no-lost-wakeup" })",
                  std::string_view(
                      "[[fault]]\npause = \"a\"\nwhen = \"a acquired\"\nfor = \"20s\"\n"))}) {
    SCOPED_TRACE(std::string(faults));
    const ScenarioOutcome outcome = run(expect, faults, 2);
    ASSERT_EQ(outcome.untested.size(), 1U);
    EXPECT_NE(outcome.untested[0].change, "") << outcome.untested[0].why;
  }
}

TEST_F(SeedRuns, SaysSoWhereNoChangeThatIsTriedHelps) {
  const ScenarioOutcome outcome = outcome_of(R"(
title = "t"
lock = "plain"
expect = { holds = "no-lost-wakeup" }
[[client]]
name = "a"
run  = ["is_locked"]
)",
                                             engine_);
  ASSERT_EQ(outcome.untested.size(), 1U);
  EXPECT_EQ(outcome.untested[0].change, "");
  EXPECT_NE(outcome.untested[0].why.find("none of the changes of the file that were tried"),
            std::string::npos)
      << outcome.untested[0].why;
}

TEST_F(SeedRuns, IsAsExpectedWithoutFaultsWhereTwoWroteUnderIt) {
  const ScenarioOutcome outcome = run(R"({ holds = "harm" })", "");
  EXPECT_EQ(outcome.kind, OutcomeKind::as_expected);
  EXPECT_EQ(summary_of(outcome, checker::Property::harm).put_to_the_test, 3U);
}

TEST_F(SeedRuns, CountsRunsInWhichSomethingBrokeAsTests) {
  const ScenarioOutcome outcome =
      run(R"({ violates = "mutual-exclusion", holds = "lease-linearizability" })", pause);
  EXPECT_EQ(outcome.kind, OutcomeKind::as_expected);
  EXPECT_EQ(outcome.probes[0].runs_mattered, 3U);
  EXPECT_EQ(summary_of(outcome, checker::Property::mutual_exclusion).put_to_the_test, 3U);
  EXPECT_EQ(summary_of(outcome, checker::Property::lease_linearizability).put_to_the_test, 3U);
}

TEST_F(SeedRuns, IsNotAsExpectedWhereTheClientModelMakesAMistake) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "lockstep-seed-runs-mistaken-lock";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "lock.toml") << "title = \"t\"\nclient = \"client.lua\"\n"
                                         "[state]\nkey = \"{name}\"\n";
  std::ofstream(folder / "client.lua")
      << "local model = {}\nfunction model.lock() return true end\n"
         "function model.unlock()\n  error('boom')\nend\nreturn model\n";
  const ScenarioOutcome outcome = run_scenario(
      scenario::parse_scenario("test.toml", "title = \"t\"\nlock = \"" + folder.string() +
                                                "\"\nexpect = { holds = \"no-leak\" }\n[[client]]\n"
                                                "name = \"a\"\nrun = [\"lock\", \"unlock\"]\n"),
      {.first_seed = 1, .seeds = 3}, engine_);
  EXPECT_EQ(outcome.kind, OutcomeKind::not_as_expected);
  EXPECT_EQ(
      outcome.complaints,
      (std::vector<std::string>{"the client model failed in 3 of 3 runs (first with seed 1): a/1: "
                                "lockstep-seed-runs-mistaken-lock/client.lua:4: boom"}));
  std::filesystem::remove_all(folder);
}

TEST_F(SeedRuns, IsUnknownWhereAServerScriptMakesAMistakeAndNothingWasToBreak) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "lockstep-seed-runs-mistaken-script";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "lock.toml") << "title = \"t\"\nclient = \"client.lua\"\n"
                                         "[state]\nkey = \"{name}\"\n"
                                         "[scripts]\ntake = \"take.lua\"\n";
  std::ofstream(folder / "take.lua") << "local held = nil\nreturn held.by\n";
  std::ofstream(folder / "client.lua")
      << "local model = {}\nfunction model.lock(lock)\n"
         "  client.eval(1, 'take', {lock.name}, {})\n  return true\nend\n"
         "function model.unlock() return true end\nreturn model\n";
  const auto scenario_of = [&](std::string_view expect) {
    return scenario::parse_scenario(
        "test.toml", "title = \"t\"\nlock = \"" + folder.string() + "\"\nexpect = { " +
                         std::string(expect) +
                         " }\n[[client]]\nname = \"a\"\nrun = [\"lock\", \"unlock\"]\n"
                         "[[fault]]\npause = \"a\"\nwhen = \"a acquired\"\nfor = \"1s\"\n");
  };
  const auto outcome_of = [&](std::string_view expect) {
    return run_scenario(scenario_of(expect), {.first_seed = 1, .seeds = 3}, engine_);
  };
  const ScenarioOutcome outcome = outcome_of("holds = \"no-leak\"");
  EXPECT_EQ(outcome.kind, OutcomeKind::unknown);
  EXPECT_TRUE(outcome.complaints.empty()) << outcome.complaints.front();
  EXPECT_EQ(script_failures_in_words(outcome),
            "a request of the lock failed in 3 of 3 runs (first with seed 1): a/1: " +
                (folder / "take.lua").string() + ":2: attempt to index local 'held' (a nil value)");
  const ScenarioOutcome broken = outcome_of("violates = \"no-leak\"");
  EXPECT_NE(script_failures_in_words(broken), "") << "it may be why nothing broke";
  EXPECT_EQ(broken.complaints.size(), 2U);  // it held, and the fault never struck
  PropertyRuns runs(scenario_of("holds = \"no-leak\""), {support::script_folder()});
  EXPECT_TRUE(runs.draw(1).has_failed)
      << "a property test must not pass by a script that never runs";
  std::filesystem::remove_all(folder);
}

TEST_F(SeedRuns, ATryThatAFailoverOrSlownessHoldsUpIsNoLostWakeup) {
  const auto complaints_of = [&](const std::string& rest) {
    return run_scenario(scenario::parse_scenario("test.toml",
                                                 "title = \"t\"\nlock = \"plain\"\n"
                                                 "expect = { holds = \"no-lost-wakeup\" }\n" +
                                                     rest),
                        {.first_seed = 1, .seeds = 3}, engine_)
        .complaints;
  };
  EXPECT_EQ(complaints_of("[redis]\ntopology = \"sentinel\"\nreplicas = 1\n"
                          "sentinel = { count = 3, quorum = 2, down_after = \"5s\" }\n"
                          "[[client]]\nname = \"a\"\n"
                          "run = [\"sleep 2s\", \"try_lock wait=1s lease=10s\", \"unlock\"]\n"
                          "[[fault]]\ncrash = \"n1\"\nat = \"1s\"\n"),
            std::vector<std::string>{});
  EXPECT_EQ(complaints_of("[[client]]\nname = \"a\"\ncount = 4\n"
                          "run = [\"try_lock lease=10s\", \"unlock\"]\n"
                          "[[fault]]\nslow = \"n1\"\nby = \"200ms\"\nat = \"0s\"\n"),
            std::vector<std::string>{});
}

TEST_F(SeedRuns, IsAsExpectedWhereEveryRunMeetsTheExpectation) {
  const ScenarioOutcome outcome =
      run(R"({ violates = "mutual-exclusion", holds = ["lease-linearizability"] })", pause);
  EXPECT_EQ(outcome.kind, OutcomeKind::as_expected);
  EXPECT_EQ(outcome.runs, 3U);
  EXPECT_TRUE(outcome.complaints.empty());
  EXPECT_EQ(outcome.properties[0].violated, 3U);
  EXPECT_EQ(outcome.probes.at(0).runs_struck, 3U);
}

TEST_F(SeedRuns, ComplainsThatAnExpectedViolationDidNotAppear) {
  const ScenarioOutcome outcome = run(R"({ violates = "mutual-exclusion" })", "");
  EXPECT_EQ(outcome.kind, OutcomeKind::not_as_expected);
  ASSERT_EQ(outcome.complaints.size(), 1U);
  EXPECT_EQ(outcome.complaints[0],
            "mutual-exclusion was expected to be violated, but it held in 3 of 3 runs");
}

/// What nobody asked for breaks in some runs only: one of them is shown, not the first of all.
TEST_F(SeedRuns, ShowsARunInWhichSomethingBroke) {
  constexpr std::string_view pause_for_about_a_lease = R"(
[[fault]]
pause = "a"
when  = "a read"
for   = "9800ms..10050ms"
)";
  for (const std::string_view expect :
       {R"({ sometimes = ["a acquired"] })", R"({ violates = "no-deadlock" })"}) {
    const ScenarioOutcome outcome = run(expect, pause_for_about_a_lease, 30);
    const auto overlap =
        std::find_if(outcome.properties.begin(), outcome.properties.end(), [](const auto& summary) {
          return summary.property == checker::Property::mutual_exclusion;
        });
    ASSERT_NE(overlap, outcome.properties.end());
    EXPECT_GT(overlap->held, 0U) << expect;
    ASSERT_GT(overlap->violated, 0U) << expect;
    ASSERT_GT(overlap->first_violating_seed, 1U) << "the first run must show nothing";
    EXPECT_EQ(outcome.example.seed, overlap->first_violating_seed) << expect;
  }
}

TEST_F(SeedRuns, ComplainsOfAViolationAndSaysWhatHappened) {
  const ScenarioOutcome outcome = run(R"({ holds = "mutual-exclusion" })", pause);
  EXPECT_EQ(outcome.kind, OutcomeKind::not_as_expected);
  ASSERT_EQ(outcome.complaints.size(), 1U);
  EXPECT_NE(outcome.complaints[0].find("was violated in 3 of 3 runs (first with seed 1): "),
            std::string::npos);
  EXPECT_NE(outcome.complaints[0].find("a/1"), std::string::npos);
}

TEST_F(SeedRuns, ComplainsOfAFaultThatNeverStruck) {
  const ScenarioOutcome outcome = run(R"({ holds = "mutual-exclusion" })",
                                      "[[fault]]\ndrop = \"reply to acquire\"\nnth = 50\n");
  EXPECT_EQ(outcome.kind, OutcomeKind::not_as_expected);
  ASSERT_EQ(outcome.complaints.size(), 1U);
  EXPECT_NE(outcome.complaints[0].find("a fault never struck: "), std::string::npos);
}

TEST_F(SeedRuns, IsUnknownWhereTheRunEndsTooSoonToTell) {
  const ScenarioOutcome outcome = run(R"({ holds = "no-leak" })", "[limits]\nhorizon = \"1s\"\n");
  EXPECT_EQ(outcome.kind, OutcomeKind::unknown);
}

TEST_F(SeedRuns, StopsBetweenRunsWhenInterrupted) {
  const SeedRunOptions options{.first_seed = 1, .seeds = 5, .interrupted = [] { return true; }};
  const ScenarioOutcome outcome =
      run_scenario(scenario(R"({ holds = "harm" })", ""), options, engine_);
  EXPECT_TRUE(outcome.interrupted);
  EXPECT_EQ(outcome.runs, 0U);
  EXPECT_EQ(outcome.kind, OutcomeKind::unknown);
}

// Nobody can blame a scenario for what it had no time for.
TEST_F(SeedRuns, WhatWasNeverSeenInRunsThatWereCutShortIsUnknown) {
  for (const std::string_view expect :
       {R"({ sometimes = ["a acquired"] })", R"({ violates = "no-deadlock" })"}) {
    ScenarioOutcome outcome = run(expect, "");
    outcome.scenario->open_faults.emplace();
    outcome.complaints.clear();
    for (SometimesSummary& each : outcome.sometimes) each.runs_seen = 0;
    for (PropertySummary& each : outcome.properties) each.violated = 0;
    conclude(outcome);
    EXPECT_EQ(outcome.kind, OutcomeKind::not_as_expected) << expect;
    outcome.complaints.clear();
    outcome.interrupted = true;
    conclude(outcome);
    EXPECT_EQ(outcome.kind, OutcomeKind::unknown) << expect;
    EXPECT_EQ(outcome.complaints, std::vector<std::string>()) << expect;
  }
}

TEST_F(SeedRuns, RunsThatWereNotMadeShowNothing) {
  const ScenarioOutcome once = run(R"({ holds = "harm" })", "");
  ScenarioOutcome none = empty_outcome(*once.scenario, {});
  conclude(none);
  EXPECT_EQ(none.kind, OutcomeKind::unknown);
}

TEST_F(SeedRuns, ReplaysItsExample) {
  const ScenarioOutcome outcome = run(R"({ violates = "mutual-exclusion" })", pause);
  const ReplayResult result = replay(*outcome.scenario, outcome.example, engine_);
  EXPECT_TRUE(result.same) << result.difference;
  EXPECT_EQ(result.example.trace.hash, outcome.example.trace.hash);
}

TEST_F(SeedRuns, ReplayNamesTheFirstEventThatDiffers) {
  const ScenarioOutcome outcome = run(R"({ violates = "mutual-exclusion" })", pause);
  RunRecord damaged = outcome.example;
  ASSERT_GT(damaged.trace.choices.size(), 3U);
  damaged.trace.choices[3].value =
      (damaged.trace.choices[3].value + 1) % damaged.trace.choices[3].count;
  const ReplayResult result = replay(*outcome.scenario, damaged, engine_);
  EXPECT_FALSE(result.same);
  EXPECT_NE(result.difference.find("The first event that differs: expected \""), std::string::npos)
      << result.difference;
}

TEST_F(SeedRuns, ReplaySaysThatTheScenarioAsksForOtherChoices) {
  const ScenarioOutcome outcome = run(R"({ violates = "mutual-exclusion" })", pause);
  RunRecord damaged = outcome.example;
  damaged.trace.choices.resize(damaged.trace.choices.size() / 2);
  const ReplayResult result = replay(*outcome.scenario, damaged, engine_);
  EXPECT_FALSE(result.same);
  EXPECT_FALSE(result.difference.empty());
}

}  // namespace

}  // namespace lockstep::search::seed_runs_test

// Engines share nothing: two in two threads of one process make the runs that one makes alone.
// Meant for ThreadSanitizer too: build with -fsanitize=thread and run this test.

namespace lockstep {
namespace {

constexpr std::uint64_t seeds = 50;

std::vector<std::uint64_t> hashes_of(const char* scenario) {
  const std::filesystem::path source = source_folder();
  model::Engine engine({source / "scripts"});
  const auto simulation = engine.prepare(scenario::load_scenario(source / scenario));
  sim::SeededChoices choices(1);
  std::vector<std::uint64_t> hashes;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    choices.reset(seed);
    hashes.push_back(simulation->run(choices).hash);
  }
  return hashes;
}

TEST(TwoEngines, InTwoThreadsMakeTheRunsOfOne) {
  constexpr std::array scenarios = {"bench/reference.toml", "bench/reference_redlock.toml",
                                    "scenarios/fair/contention.toml"};
  for (const char* scenario : scenarios) {
    std::array<std::vector<std::uint64_t>, 2> hashes;
    {
      std::jthread first([&] { hashes[0] = hashes_of(scenario); });
      std::jthread second([&] { hashes[1] = hashes_of(scenario); });
    }
    const std::vector<std::uint64_t> alone = hashes_of(scenario);
    EXPECT_EQ(hashes[0], alone) << scenario;
    EXPECT_EQ(hashes[1], alone) << scenario;
  }
}

}  // namespace
}  // namespace lockstep

// Every scenario of scenarios/ is as it expects, and runs the same whatever ran before it.

namespace lockstep::search::scenarios {
namespace {

std::vector<std::string> scenario_files() {
  std::vector<std::string> files;
  const std::filesystem::path folder = std::filesystem::path(source_folder()) / "scenarios";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (scenario::is_scenario_file(entry.path())) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::uint64_t hash_of(model::Engine& engine, const std::string& file, std::uint64_t seed) {
  const auto simulation = engine.prepare(scenario::load_scenario(file));
  sim::SeededChoices choices(seed);
  return simulation->run(choices).hash;
}

std::vector<std::string> some_scenario_files() {
  const std::size_t step = support::scenario_step();
  const std::vector<std::string> all = scenario_files();
  std::vector<std::string> some;
  for (std::size_t i = 0; i < all.size(); i += step) some.push_back(all[i]);
  return some;
}

class Scenario : public testing::TestWithParam<std::string> {};

TEST_P(Scenario, IsAsExpected) {
  model::Engine engine({support::script_folder()});
  for (scenario::Scenario& row : scenario::load_scenarios(GetParam())) {
    // Breaks in one of many runs: that it is found at all is measured by tools/league.
    if (row.open_faults) row.expect.violates.clear();
    const ScenarioOutcome outcome = run_scenario(
        row, {.first_seed = 1, .seeds = row.open_faults ? 3 : support::scenario_seeds()}, engine);
    for (const std::string& complaint : outcome.complaints) ADD_FAILURE() << complaint;
    if (row.open_faults) continue;  // three runs need not put it to the test
    EXPECT_EQ(outcome.kind, OutcomeKind::as_expected) << row.row;
    for (const Untested& untested : outcome.untested) ADD_FAILURE() << untested.why;
    // As a user runs it who has just read of it: once.
    EXPECT_EQ(run_scenario(row, {.first_seed = 1, .seeds = 1}, engine).kind,
              OutcomeKind::as_expected)
        << row.row;
  }
}

TEST_P(Scenario, RunsTwiceEventByEventTheSame) {
  model::Engine engine({support::script_folder()});
  const auto simulation = engine.prepare(scenario::load_scenario(GetParam()));
  const RunRecord first = record_seed(*simulation, 7);
  const RunRecord second = record_seed(*simulation, 7);
  EXPECT_EQ(first_difference(first.trace, second.trace), "");
  EXPECT_EQ(first.trace.hash, second.trace.hash);
}

TEST_P(Scenario, ReplaysFromItsChoices) {
  model::Engine engine({support::script_folder()});
  const scenario::Scenario scenario = scenario::load_scenario(GetParam());
  const auto simulation = engine.prepare(scenario);
  const RunRecord recorded = record_seed(*simulation, 11);
  const ReplayResult result = replay(scenario, recorded, engine);
  EXPECT_TRUE(result.same) << result.difference;
}

INSTANTIATE_TEST_SUITE_P(Files, Scenario, testing::ValuesIn(scenario_files()),
                         [](const testing::TestParamInfo<std::string>& parameter) {
                           const std::filesystem::path path(parameter.param);
                           std::string name =
                               path.parent_path().filename().string() + "_" + path.stem().string();
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(Scenarios, HashesDependNeitherOnOrderNorOnWhatRanBefore) {
  const std::vector<std::string> files = some_scenario_files();
  ASSERT_GE(files.size(), 10U);
  std::map<std::string, std::uint64_t> alone;
  for (const std::string& file : files) {
    model::Engine engine({support::script_folder()});
    alone[file] = hash_of(engine, file, 3);
  }
  model::Engine shared({support::script_folder()});
  for (auto file = files.rbegin(); file != files.rend(); ++file) {
    EXPECT_EQ(hash_of(shared, *file, 3), alone[*file]) << *file;
  }
  for (const std::string& file : files) {
    hash_of(shared, file, 99);
    EXPECT_EQ(hash_of(shared, file, 3), alone[file]) << file;
  }
}

TEST(Scenarios, AnotherSeedIsAnotherRun) {
  model::Engine engine({support::script_folder()});
  for (const std::string& file : some_scenario_files()) {
    EXPECT_NE(hash_of(engine, file, 1), hash_of(engine, file, 2)) << file;
  }
}

}  // namespace
}  // namespace lockstep::search::scenarios
