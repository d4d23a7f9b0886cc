// Shrinking known stories that were bloated: extra clients, faults, nodes and rounds, odd numbers,
// drawn ones. What is left is about as small as the story was, breaks with other seeds, and does
// not without any one of its faults.
#include "search/shrink/shrink.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checker/property.h"
#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "model/lock/lock_package.h"
#include "scenario/edits.h"
#include "scenario/file/scenario_file.h"
#include "search/contract/contract_judge.h"
#include "search/fuzz/fuzz.h"
#include "search/runs/rerun.h"
#include "search/runs/run_record.h"
#include "search/runs/seed_runs.h"
#include "search/shrink/passing_scenario.h"
#include "search/shrink/shrink_edits.h"
#include "sim/recorded_choices.h"
#include "sim/seeded_choices.h"
#include "tests/support/script_folder.h"

namespace lockstep::search::shrink_test {
namespace {

using checker::Property;

constexpr std::uint64_t seeds_checked = 20;

struct Story {
  std::string_view about;
  std::string_view text;
  Property property;
  // What it comes down to, at most.
  std::size_t faults;
  std::size_t clients;
  std::size_t steps;  // of all clients
  std::uint64_t runs = 200;
};

constexpr Story stories[] = {
    {"a pause, among harmless faults and bystanders", R"(
title  = "t"
lock   = "plain"
expect = { holds = ["mutual-exclusion"] }
[redis]
replicas = 2
[[client]]
name   = "a"
rounds = 2
run    = ["lock lease=10s", "sleep 1s", "write", "unlock"]
[[client]]
name  = "b"
start = "5ms..9ms"
run   = ["lock lease=10s", "write", "sleep 3s", "unlock"]
[[client]]
name  = "c"
start = "50s"
run   = ["lock lease=10s", "write", "unlock"]
[[fault]]
delay = "release"
by    = "10ms"
[[fault]]
pause = "a"
when  = "a read"
after = "713us"
for   = "15.371s"
[[fault]]
pause = "c"
when  = "c acquired"
for   = "1.7s"
)",
     Property::mutual_exclusion, 1, 2, 6},
    {"a failover", R"(
title  = "t"
lock   = "plain"
expect = { holds = ["mutual-exclusion"] }
[redis]
replicas = 2
[[client]]
name = "a"
run  = ["lock lease=30s", "sleep 5s", "write", "unlock"]
[[client]]
name  = "b"
start = "10ms"
run   = ["lock lease=30s", "sleep 5s", "write", "unlock"]
[[client]]
name  = "c"
start = "90s"
run   = ["lock lease=30s", "unlock"]
[[fault]]
cut = ["n1", "n1-replica-1"]
at  = "0s"
[[fault]]
delay = "release"
by    = "17ms"
[[fault]]
crash = "n1"
when  = "a acquired"
after = "1.234ms"
[[fault]]
promote = "n1-replica-1"
when    = "n1 crashed"
after   = "1.017s"
)",
     Property::mutual_exclusion, 3, 2, 5, 260},
    {"a clock that jumps, on one node", R"(
title  = "t"
lock   = "plain"
expect = { holds = ["lease-linearizability"] }
[[client]]
name   = "a"
rounds = 3
run    = ["lock lease=10s", "sleep 3s", "write", "unlock"]
[[client]]
name   = "b"
start  = "5ms"
rounds = 2
run    = ["lock lease=10s", "sleep 2s", "write", "unlock"]
[[fault]]
clock_step = "n1"
by         = "11.7s"
when       = "a acquired"
after      = "1.3ms"
[[fault]]
pause = "b"
when  = "b acquired"
for   = "1.1s"
)",
     Property::lease_linearizability, 1, 2, 5},
    {"a key that is evicted", R"(
title  = "t"
lock   = "plain"
expect = { holds = ["valid-grant"] }
[redis]
replicas = 1
[[client]]
name   = "a"
rounds = 2
run    = ["lock lease=10s", "write", "sleep 1s", "unlock"]
[[client]]
name  = "b"
start = "0ms..5ms"
run   = ["lock lease=10s", "write", "sleep 1s", "unlock"]
[[fault]]
evict = "lock"
on    = "n1"
when  = "a acquired"
after = "333.3ms"
[[fault]]
delay = "release"
by    = "7ms"
)",
     Property::lease_linearizability, 1, 1, 2},
    {"a pause within generated work", R"(
title  = "t"
lock   = "plain"
expect = { holds = ["mutual-exclusion"] }
[[client]]
name = "a"
run  = ["lock lease=10s", "write", "unlock"]
[[client]]
name     = "b"
start    = "5ms"
generate = { steps = 3, mix = { lock = 1, write = 1 }, think = "0s..10ms", hold = "1s..2s", lease = "10s" }
[[fault]]
pause = "a"
when  = "a read"
for   = "15.1s"
)",
     Property::mutual_exclusion, 1, 2, 5},
};

/// The first run that breaks it, as a request.
ShrinkRequest request_of(const scenario::Scenario& scenario, Property property,
                         model::Engine& engine) {
  ShrinkRequest request;
  request.property = property;
  const auto simulation = engine.prepare(scenario);
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    sim::SeededChoices choices(seed);
    sim::RecordingChoices recording(choices);
    const model::RunResult& result = simulation->run(recording);
    for (const checker::Verdict& verdict : *result.verdicts) {
      if (verdict.property != property || verdict.kind != checker::VerdictKind::violated) continue;
      request.scenario = close_faults(scenario, *result.faults);
      request.choices = recording.record();
      request.seed = seed;
      return request;
    }
  }
  ADD_FAILURE() << "it never breaks";
  return request;
}

std::size_t steps_of(const scenario::Scenario& scenario) {
  std::size_t steps = 0;
  for (const scenario::ClientSpec& client : scenario.clients) {
    for (const scenario::ThreadSpec& thread : client.threads) {
      steps += thread.steps.size() * client.rounds;
      EXPECT_FALSE(thread.generate);
    }
  }
  return steps;
}

std::string faults_of(const scenario::Scenario& scenario) {
  std::string text;
  for (const scenario::FaultSpec& fault : scenario.faults)
    text.append(fault.describe()).append("; ");
  return text;
}

class Shrinking : public testing::Test {
 protected:
  Shrunk shrunk(std::string_view text, Property property) {
    return shrink(
        request_of(scenario::parse_scenario("t.toml", std::string(text)), property, engine_),
        engine_);
  }

  model::Engine engine_{{support::script_folder()}};
};

TEST_F(Shrinking, EndsWithAboutTheStoryThatWasBloated) {
  for (const Story& story : stories) {
    SCOPED_TRACE(story.about);
    const Shrunk small = shrunk(story.text, story.property);
    SCOPED_TRACE(faults_of(small.scenario));
    EXPECT_TRUE(small.breaks_always);
    EXPECT_EQ(small.scenario.faults.size(), story.faults);
    EXPECT_EQ(small.needs, std::vector<Need>(story.faults, Need::always));
    EXPECT_LE(small.scenario.clients.size(), story.clients);
    EXPECT_LE(steps_of(small.scenario), story.steps);
    EXPECT_LE(small.runs, story.runs);
    EXPECT_TRUE(scenario::open_ranges(small.scenario).empty());
    EXPECT_EQ(small.scenario.expect.violates, std::vector<Property>{story.property});
    const ScenarioOutcome outcome = run_scenario(small.scenario, {1, seeds_checked}, engine_);
    EXPECT_EQ(outcome.kind, OutcomeKind::as_expected)
        << (outcome.complaints.empty() ? "" : outcome.complaints[0]);
    for (std::size_t i = 0; i < small.scenario.faults.size(); ++i) {
      const scenario::Edited without = scenario::without_fault(small.scenario, i);
      if (!without) continue;
      const ScenarioOutcome rest = run_scenario(*without, {1, seeds_checked}, engine_);
      EXPECT_NE(rest.kind, OutcomeKind::as_expected)
          << "without " << small.scenario.faults[i].describe();
    }
  }
}

TEST_F(Shrinking, RoundsNumbers) {
  const Shrunk small = shrunk(stories[0].text, Property::mutual_exclusion);
  ASSERT_EQ(small.scenario.faults.size(), 1U);
  EXPECT_EQ(small.scenario.faults[0].trigger.after_ns, 0);
  EXPECT_EQ(small.scenario.faults[0].for_ns.value_or(0) % sim::second_ns, 0);
}

/// A sleep before each of several rounds is no later start.
TEST(ShrinkEdits, MergeNoSleepThatComesInEachRound) {
  const auto merged = [](const std::string& rounds) {
    return with_merged_sleeps(scenario::parse_scenario(
        "t.toml",
        "title = \"t\"\nlock = \"plain\"\nexpect = { holds = \"harm\" }\n[[client]]\n"
        "name = \"a\"\nrun = [\"sleep 1s\", \"lock\", \"unlock\"]\nrounds = " +
            rounds + "\n"));
  };
  EXPECT_EQ(merged("1")->clients[0].start_ns, sim::second_ns);
  for (const char* const rounds : {"3", "\"1..3\""}) {
    const scenario::Edited edited = merged(rounds);
    EXPECT_TRUE(!edited || edited->clients[0].start_ns == 0) << rounds;
  }
}

/// A hold that may outlast its lease by itself: what the fault does is another story.
constexpr std::string_view long_hold = R"(
title  = "t"
lock   = "plain"
expect = { holds = ["mutual-exclusion"] }
[[client]]
name = "a"
run  = ["lock lease=10s", "sleep 4s..15s", "write", "unlock"]
[[client]]
name  = "b"
start = "5ms"
run   = ["lock lease=10s", "sleep 1s", "unlock"]
[[fault]]
pause = "a"
when  = "a acquired"
after = "5s"
for   = "16s"
)";

TEST_F(Shrinking, DoesNotTurnItIntoAnotherStory) {
  const scenario::Scenario scenario = scenario::parse_scenario("t.toml", std::string(long_hold));
  scenario::Scenario quiet = scenario;
  quiet.faults.clear();
  const auto simulation = engine_.prepare(scenario);
  std::size_t shrunk_runs = 0;
  for (std::uint64_t seed = 1; seed <= 20 && shrunk_runs < 3; ++seed) {
    sim::SeededChoices choices(seed);
    sim::RecordingChoices recording(choices);
    (void)simulation->run(recording);
    ShrinkRequest request{scenario, Property::mutual_exclusion, recording.record(), seed};
    Rerun rerun(engine_, seed, request.choices);
    const bool needs_fault =
        rerun.breaks(scenario, request.property) && !rerun.breaks(quiet, request.property);
    if (!needs_fault) continue;
    ++shrunk_runs;
    const Shrunk small = shrink(request, engine_);
    ASSERT_EQ(small.scenario.faults.size(), 1U) << "seed " << seed;
    EXPECT_EQ(small.needs, std::vector<Need>{Need::always}) << "seed " << seed;
  }
  EXPECT_GT(shrunk_runs, 0U);
}

TEST_F(Shrinking, TellsThatAFaultIsNotNeededWhereItBreaksAnyway) {
  // a holds longer than its lease, whatever happens to the others.
  const Shrunk small = shrunk(R"(
title  = "t"
lock   = "plain"
expect = { holds = ["mutual-exclusion"] }
[[client]]
name = "a"
run  = ["lock lease=1s", "sleep 3s", "unlock"]
[[client]]
name  = "b"
start = "5ms"
run   = ["lock lease=10s", "unlock"]
[[fault]]
pause = "b"
when  = "b acquired"
for   = "1ms"
)",
                              Property::mutual_exclusion);
  EXPECT_TRUE(small.scenario.faults.empty());
  EXPECT_TRUE(small.breaks_always);
}

TEST_F(Shrinking, SaysWhatTheClientsDrew) {
  const Shrunk small = shrunk(stories[std::size(stories) - 1].text, Property::mutual_exclusion);
  for (const scenario::ClientSpec& client : small.scenario.clients) {
    EXPECT_FALSE(client.threads.front().generate) << client.name;
  }
}

/// Of a story and of each of the changes by which it passes.
TEST_F(Shrinking, KnowsTheNearestThatPasses) {
  for (const auto& [story, change] : {std::pair(stories[0], "with pause a for "),
                                      std::pair(stories[3], "without evict 'lock'")}) {
    SCOPED_TRACE(story.about);
    const Shrunk small = shrunk(story.text, story.property);
    const RunRecord failing = record_seed(*engine_.prepare(small.scenario), 1);
    const PassingScenarioResult found = nearest_passing_scenario(
        {small.scenario, story.property, small.needs, small.breaks_always, &failing, nullptr},
        engine_);
    ASSERT_TRUE(found.passing_scenario);
    EXPECT_EQ(found.passing_scenario->change.rfind(change, 0), 0U)
        << found.passing_scenario->change;
    EXPECT_GT(found.passing_scenario->events_alike, 0U);
    EXPECT_LE(found.runs, 60U);
    const scenario::Scenario& passing = found.passing_scenario->scenario;
    // It holds, though perhaps because its faults no longer matter.
    EXPECT_TRUE(run_scenario(passing, {1, seeds_checked}, engine_).complaints.empty());
    EXPECT_TRUE(replay(passing, found.passing_scenario->example, engine_).same);
  }
}

TEST_F(Shrinking, TakesSentinelsAwayThatNothingNeeds) {
  const scenario::Scenario scenario = scenario::parse_scenario("t.toml", R"(
title  = "A pause, watched by three"
lock   = "plain"
expect = { violates = "mutual-exclusion" }
[redis]
topology = "sentinel"
replicas = 2
sentinel = { count = 3, quorum = 2 }
[[client]]
name = "a"
run  = ["lock lease=10s", "write", "unlock"]
[[client]]
name  = "b"
start = "5ms"
run   = ["lock lease=10s", "write", "sleep 3s", "unlock"]
[[fault]]
pause = "a"
when  = "a acquired"
for   = "15s"
)");
  const Shrunk small = shrink(request_of(scenario, Property::mutual_exclusion, engine_), engine_);
  EXPECT_EQ(small.scenario.redis.sentinel.count, 1U);
  EXPECT_EQ(small.scenario.redis.replicas, 1U);
  EXPECT_TRUE(small.breaks_always);
}

TEST_F(Shrinking, KeepsNoNeedlessFaultThoughItsRunsAreSpent) {
  ShrinkRequest request = request_of(scenario::parse_scenario("t.toml", R"(
title  = "t"
lock   = "plain"
expect = { holds = ["mutual-exclusion"] }
[[client]]
name = "a"
run  = ["lock lease=10s", "write", "unlock"]
[[client]]
name  = "b"
start = "5ms"
run   = ["lock lease=10s", "write", "sleep 3s", "unlock"]
[[fault]]
pause = "b"
when  = "b finished"
for   = "20s"
[[fault]]
pause = "a"
when  = "a acquired"
for   = "20s"
)"),
                                     Property::mutual_exclusion, engine_);
  request.runs_max = 1;
  const Shrunk small = shrink(request, engine_);
  ASSERT_EQ(small.scenario.faults.size(), 1U);
  EXPECT_EQ(small.scenario.faults[0].target, "a");
  EXPECT_EQ(small.needs, std::vector<Need>{Need::always});
}

TEST_F(Shrinking, StopsWhereItIsAskedTo) {
  ShrinkRequest request =
      request_of(scenario::parse_scenario("t.toml", std::string(stories[0].text)),
                 Property::mutual_exclusion, engine_);
  request.interrupted = [] { return true; };
  const Shrunk small = shrink(request, engine_);
  EXPECT_EQ(small.scenario.clients.size(), 3U);
  EXPECT_LE(small.runs, 60U);
  EXPECT_TRUE(small.is_cut_short);
  EXPECT_FALSE(small.breaks_always);
  EXPECT_EQ(small.needs, std::vector<Need>(small.scenario.faults.size(), Need::untried));
  request.interrupted = nullptr;
  EXPECT_FALSE(shrink(request, engine_).is_cut_short);
  for (const std::uint64_t runs_max : {1U, 30U}) {
    request.runs_max = runs_max;
    EXPECT_LE(shrink(request, engine_).runs, runs_max + 60);
  }
}

}  // namespace

}  // namespace lockstep::search::shrink_test

// A bug that was found beside a limit is shrunk to a story in which it breaks its property alone:
// the lock without the bug breaks nothing in it.

namespace lockstep::search::shrink_isolation_test {
namespace {

using checker::Property;

class Isolation : public testing::Test {
 protected:
  [[nodiscard]] static std::string told_of(std::string_view lock, std::string_view story) {
    return "title = \"t\"\nlock = \"" + std::string(lock) +
           "\"\nexpect = { holds = \"no-leak\" }\n" + std::string(story);
  }

  /// Of the run with seed 1, which breaks the property by a bug.
  Shrunk shrunk(std::string_view lock, std::string_view story, Property property) {
    const scenario::Scenario scenario = scenario::parse_scenario("t.toml", told_of(lock, story));
    const model::LockPackage package = model::load_lock(scenario, {support::script_folder()});
    const ContractJudge judge(package);
    sim::SeededChoices seeded(1);
    sim::RecordingChoices recording(seeded);
    const auto simulation = engine_.prepare(scenario);
    const model::RunResult& run = simulation->run(recording);
    Finding finding;
    finding.property = property;
    finding.broken = model::AssumptionSet{};
    ShrinkRequest request;
    request.filter = filter_of(judge, finding);
    request.isolates = without_limits(judge);
    EXPECT_TRUE(request.filter(scenario, run)) << "it is no bug";
    EXPECT_FALSE(request.isolates(scenario, run)) << "there is nothing to isolate";
    request.scenario = scenario;
    request.property = property;
    request.choices = recording.record();
    return shrink(request, engine_);
  }

  /// What breaks in the scenario with that lock instead, in some of its runs.
  std::string broken_with(std::string_view lock, const scenario::Scenario& scenario) {
    scenario::Scenario other = scenario;
    other.lock = lock;
    const auto simulation = engine_.prepare(other);
    std::string broken;
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      sim::SeededChoices choices(seed);
      for (const checker::Verdict& verdict : *simulation->run(choices).verdicts) {
        if (verdict.kind == checker::VerdictKind::violated) broken += verdict.summary + "\n";
      }
    }
    return broken;
  }

  model::Engine engine_{{support::script_folder()}};
};

constexpr std::string_view stale_release = R"(
[[client]]
name  = "a"
start = "10ms"
run   = ["lock lease=279ms", "sleep 400ms", "unlock", "lock lease=300ms", "unlock"]
[[client]]
name  = "b"
start = "100ms"
run   = ["lock lease=4s", "sleep 1s", "unlock"]
)";

TEST_F(Isolation, LeavesNoOverlapOfAHoldThatOutlastsItsLease) {
  for (const Property property : {Property::mutual_exclusion, Property::lease_linearizability}) {
    SCOPED_TRACE(checker::to_string(property));
    const Shrunk small = shrunk("setnx/delete-without-token", stale_release, property);
    EXPECT_TRUE(small.is_isolated) << small.scenario.text;
    EXPECT_EQ(broken_with("setnx", small.scenario), "") << small.scenario.text;
    EXPECT_NE(broken_with("setnx/delete-without-token", small.scenario), "");
  }
}

}  // namespace
}  // namespace lockstep::search::shrink_isolation_test
