// What a scenario file asks for beyond properties: moments, bounds, drawn steps, nodes of their
// own.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "checker/property.h"
#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "scenario/text/input_error.h"
#include "search/runs/run_record.h"
#include "search/runs/seed_runs.h"
#include "tests/support/script_folder.h"

namespace lockstep::search::language {
namespace {

ScenarioOutcome run(const std::string& text, std::uint64_t seeds = 10) {
  model::Engine engine({support::script_folder()});
  return run_scenario(scenario::parse_scenario("s.toml", text), {.first_seed = 1, .seeds = seeds},
                      engine);
}

RunRecord one_run(const std::string& text, std::uint64_t seed) {
  model::Engine engine({support::script_folder()});
  return record_seed(*engine.prepare(scenario::parse_scenario("s.toml", text)), seed);
}

/// a oversleeps its lease of 5 s; b gets the lock and keeps it for 3 s.
std::string overslept(const std::string& expect) {
  return "title = \"t\"\nlock = \"plain\"\nexpect = { " + expect + " }\n" +
         R"([[client]]
name = "a"
run  = ["lock lease=5s", "write", "unlock"]
[[client]]
name  = "b"
start = "10ms"
run   = ["lock lease=30s", "sleep 3s", "unlock"]
[[fault]]
pause = "a"
when  = "a acquired"
for   = "6s"
)";
}

TEST(Sometimes, MomentsMustComeInARun) {
  const auto seen = run(overslept(R"(sometimes = ["b acquired while a believes", "a/1 wrote"])"));
  EXPECT_EQ(seen.kind, OutcomeKind::as_expected);
  ASSERT_EQ(seen.sometimes.size(), 2U);
  EXPECT_EQ(seen.sometimes[0].runs_seen, 10U);
  const auto missed = run(
      overslept(R"(sometimes = ["a acquired while b believes", "b finished while a believes"])"));
  EXPECT_EQ(missed.kind, OutcomeKind::not_as_expected);
  ASSERT_EQ(missed.complaints.size(), 2U);
  EXPECT_EQ(missed.complaints[0],
            "this was expected sometimes, but never happened in 10 runs: a acquired while b "
            "believes");
  EXPECT_EQ(run(overslept(R"(sometimes = "a sent acquire")")).kind, OutcomeKind::as_expected);
}

TEST(Sometimes, FaultsMustStrikeInARun) {
  const auto seen =
      run(overslept(R"(sometimes = ["pause struck", "pause of a struck while a believes"])"));
  EXPECT_EQ(seen.kind, OutcomeKind::as_expected);
  EXPECT_EQ(seen.sometimes[1].runs_seen, 10U);
  const auto missed = run(overslept(R"(sometimes = "pause of a struck while b believes")"));
  ASSERT_EQ(missed.complaints.size(), 1U);
  EXPECT_EQ(missed.complaints[0],
            "this was expected sometimes, but never happened in 10 runs: pause of a struck while b "
            "believes");
}

TEST(Sometimes, OneMomentComesAfterAnother) {
  const auto seen = run(overslept(
      R"(sometimes = ["b acquired after a acquired", "b acquired after pause of a struck",
         "a wrote after b acquired while b believes", "pause struck after a acquired"])"));
  EXPECT_EQ(seen.kind, OutcomeKind::as_expected);
  const auto missed = run(overslept(R"(sometimes = ["a acquired after b acquired",
                                      "a acquired after a acquired"])"));
  EXPECT_EQ(missed.complaints.size(), 2U);
}

TEST(Sometimes, ANodeExecutesWhatOneClientAskedFor) {
  const std::string asked = overslept(R"(sometimes = ["n1 executed acquire of a",
      "n1 executed acquire of b/1 after a acquired", "n1 executed release of a after a wrote"])");
  EXPECT_EQ(run(asked).kind, OutcomeKind::as_expected);
  EXPECT_EQ(run(overslept(R"(sometimes = "n1 executed acquire of a for the 2nd time")")).kind,
            OutcomeKind::not_as_expected);
  const std::string when_b_asks = std::string(asked).replace(
      asked.find("when  = \"a acquired\""), 20, "when  = \"n1 executed acquire of b\"");
  EXPECT_EQ(run(when_b_asks).probes.front().runs_struck, 10U);
  EXPECT_EQ(scenario::parse_scenario("s.toml", when_b_asks).faults[0].describe(),
            "pause a for 6s when n1 executed acquire of b");
}

TEST(Promotion, BehindTheBackOfSentinelsIsUndone) {
  const auto outcome = run(R"(
title  = "t"
lock   = "plain"
expect = { sometimes = "a wrote" }
[redis]
topology = "sentinel"
replicas = 2
[[client]]
name = "a"
run  = ["sleep 30s", "lock lease=10s", "write", "unlock"]
[[fault]]
promote = "n1-replica-1"
at      = "1s"
)");
  EXPECT_EQ(outcome.kind, OutcomeKind::as_expected)
      << fmt::format("{}", fmt::join(outcome.complaints, "\n"));
}

TEST(Bounds, OfOverlapsAndWaits) {
  const std::string within =
      R"(violates = "mutual-exclusion", overlap_at_most = "2s", wait_at_most = "6s")";
  const auto good = run(overslept(within));
  EXPECT_EQ(good.kind, OutcomeKind::as_expected);
  ASSERT_EQ(good.bounds.size(), 2U);
  EXPECT_GT(good.bounds[0].most, 990 * sim::millisecond_ns);
  EXPECT_LT(good.bounds[0].most, 1'010 * sim::millisecond_ns);
  EXPECT_GT(good.bounds[1].most, 4'980 * sim::millisecond_ns);
  EXPECT_LT(good.bounds[1].most, 5'000 * sim::millisecond_ns);
  const auto over = run(overslept(R"(overlap_at_most = "900ms", wait_at_most = "4s")"));
  EXPECT_EQ(over.kind, OutcomeKind::not_as_expected);
  ASSERT_EQ(over.complaints.size(), 2U);
  EXPECT_EQ(over.complaints[0].substr(0, 103),
            "overlap_at_most is 900ms, but two believed at once that they had the lock for longer "
            "in 10 of 10 runs (");
}

TEST(Bounds, OfTheRequestsOfAClientInASecond) {
  // A spin lock's waiter asks again after 1, 2, 4, … 128 ms; it waits for five seconds.
  const std::string story = R"([[client]]
name = "a"
run  = ["lock lease=30s", "sleep 5s", "unlock"]
[[client]]
name  = "b"
start = "1s"
run   = ["lock lease=30s", "unlock"]
)";
  const auto with_bound = [&](int requests) {
    return run(
        fmt::format("title = \"t\"\nlock = \"spin\"\nexpect = {{ "
                    "requests_per_second_at_most = {} }}\n{}",
                    requests, story));
  };
  const auto good = with_bound(20);
  EXPECT_EQ(good.kind, OutcomeKind::as_expected);
  ASSERT_EQ(good.bounds.size(), 1U);
  EXPECT_GE(good.bounds[0].most, 12);
  EXPECT_LE(good.bounds[0].most, 16);
  const auto over = with_bound(5);
  ASSERT_EQ(over.complaints.size(), 1U);
  EXPECT_EQ(
      over.complaints[0].substr(0, 103),
      "requests_per_second_at_most is 5, but a client sent more requests in a second in 10 of "
      "10 runs (first w");
}

// The head of a fair lock's queue is dead, and the script tells those behind it to come back at
// once, for as long as the head keeps its place.
TEST(Bounds, ShowAWaiterThatAsksAgainAndAgain) {
  const auto outcome = run(R"(
title  = "t"
lock   = "fair"
expect = { requests_per_second_at_most = 100, violates = "no-lost-wakeup" }
[[client]]
name = "a"
run  = ["lock lease=30s", "sleep 2s", "unlock"]
[[client]]
name  = "b"
start = "500ms"
run   = ["lock lease=30s", "unlock"]
[[client]]
name  = "c"
start = "1s"
run   = ["lock lease=30s", "unlock"]
[[fault]]
crash = "b"
at    = "1500ms"
[options]
wait = "60s"
)",
                           1);
  ASSERT_EQ(outcome.complaints.size(), 1U);
  EXPECT_NE(outcome.complaints[0].find("but a client sent more requests in a second"),
            std::string::npos);
  ASSERT_FALSE(outcome.example.verdicts.empty());
  for (const checker::Verdict& verdict : outcome.example.verdicts) {
    if (verdict.property != checker::Property::no_lost_wakeup) continue;
    EXPECT_EQ(verdict.summary.find("slept"), std::string::npos) << verdict.summary;
    EXPECT_NE(verdict.summary.find("c/1 waited on for "), std::string::npos) << verdict.summary;
    EXPECT_NE(verdict.summary.find(" requests meanwhile; "), std::string::npos) << verdict.summary;
  }
}

TEST(Bounds, AWaitThatNeverEndsIsLongerThanAnyBound) {
  const auto outcome = run(R"(
title  = "t"
lock   = "semaphore"
expect = { wait_at_most = "8h" }
[[client]]
name = "a"
run  = ["try_set_permits permits=1", "acquire", "crash"]
[[client]]
name  = "b"
start = "1s"
run   = ["acquire"]
)");
  ASSERT_EQ(outcome.complaints.size(), 1U);
  EXPECT_NE(outcome.complaints[0].find("longest: for ever"), std::string::npos)
      << outcome.complaints[0];
}

TEST(Bounds, OfOverlapsAreRefusedWhereSeveralMayHold) {
  EXPECT_THROW(run("title = \"t\"\nlock = \"semaphore\"\nexpect = { overlap_at_most = \"0s\" }\n"
                   "[[client]]\nname = \"a\"\nrun = [\"try_set_permits permits=1\"]\n"),
               scenario::InputError);
}

/// The steps that a run's threads invoked, by thread.
std::map<std::string, std::vector<std::string>> steps_of(const RunRecord& example) {
  std::map<std::string, std::vector<std::string>> steps;
  for (const model::RecordedEvent& event : example.trace.events) {
    if (event.kind != "step-invoked") continue;
    const auto& actor = example.trace.actors[static_cast<std::uint32_t>(event.actor)].name;
    for (const auto& [name, value] : event.fields) {
      if (name == "step") steps[actor].push_back(std::get<std::string>(value));
    }
  }
  return steps;
}

const std::string drawn = R"(
title  = "t"
lock   = "plain"
[expect]
holds     = ["mutual-exclusion", "harm", "hold-count", "no-leak", "no-deadlock"]
sometimes = "w2 refused"
[[client]]
name     = "w"
count    = 2
threads  = 2
rounds   = 2
start    = "0ms..20ms"
run      = ["sleep 1ms..9ms"]
generate = { steps = 6, mix = { lock = 2, try_lock = 3, is_locked = 1, write = 5 }, think = "1ms..9ms", hold = "2ms..5ms", lease = "20s..30s", wait = "1ms..4ms", reentrancy = 3, locks = ["x", "y"] }
)";

TEST(DrawnSteps, AreWellFormedAndConcrete) {
  const auto outcome = run(drawn, 30);
  EXPECT_EQ(outcome.kind, OutcomeKind::as_expected);
  for (const std::string& complaint : outcome.complaints) ADD_FAILURE() << complaint;
  std::set<std::string> words;
  for (const auto& [thread, steps] : steps_of(one_run(drawn, 3))) {
    int depth = 0;
    for (const std::string& step : steps) {
      const std::string word = step.substr(0, step.find(' '));
      words.insert(word);
      EXPECT_EQ(step.find(".."), std::string::npos) << step;
      if (word == "lock") ++depth;
      if (word == "unlock") --depth;
      EXPECT_LE(depth, 3);
    }
  }
  EXPECT_EQ(words,
            (std::set<std::string>{"is_locked", "lock", "sleep", "try_lock", "unlock", "write"}));
}

TEST(DrawnSteps, DifferFromSeedToSeedAndReplay) {
  EXPECT_NE(steps_of(one_run(drawn, 1)), steps_of(one_run(drawn, 2)));
  model::Engine engine({support::script_folder()});
  const scenario::Scenario scenario = scenario::parse_scenario("s.toml", drawn);
  const RunRecord recorded = record_seed(*engine.prepare(scenario), 5);
  const ReplayResult again = replay(scenario, recorded, engine);
  EXPECT_TRUE(again.same) << again.difference;
}

/// Every kind of lock: what is drawn for it is offered, and given back.
TEST(DrawnSteps, SuitEveryKindOfLock) {
  struct Kind {
    std::string lock;
    std::string run;
    std::string generate;
    std::string holds;
  };
  const std::vector<Kind> kinds = {
      {"readwrite", "",
       R"(mix = { read_lock = 5, write_lock = 2, try_read_lock = 1, try_write_lock = 1, write = 1 }, lease = "10s", wait = "1ms..5ms")",
       "mutual-exclusion\", \"harm\", \"no-deadlock"},
      {"semaphore", "\"try_set_permits permits=4\"",
       R"(mix = { acquire = 1, try_acquire = 1 }, permits = "1..3", wait = "1ms..5ms")", "permits"},
      {"latch", "\"try_set_count count=3\"",
       R"(mix = { count_down = 1, await = 1 }, wait = "1ms..5ms")", "latch"},
      {"multi", "",
       R"(mix = { lock_all = 1, try_lock_all = 2, write = 1 }, locks = ["x", "y"], lease = "10s", wait = "1ms..5ms")",
       "mutual-exclusion\", \"harm"},
  };
  for (const Kind& kind : kinds) {
    const auto outcome =
        run("title = \"t\"\nlock = \"" + kind.lock + "\"\nexpect = { holds = [\"" + kind.holds +
            "\"] }\n[[client]]\nname = \"w\"\ncount = 3\nrun = [" + kind.run +
            "]\ngenerate = { steps = 8, think = \"1ms..5ms\", " + kind.generate + " }\n");
    EXPECT_EQ(outcome.kind, OutcomeKind::as_expected) << kind.lock;
    for (const std::string& complaint : outcome.complaints) ADD_FAILURE() << complaint;
  }
}

/// a dies with the lock; b, which asks a second later, waits for as long as it is told.
TEST(Nodes, HaveClocksAndLatenciesOfTheirOwn) {
  const auto wait_ms_of = [](const std::string& more) {
    const auto outcome =
        run("title = \"t\"\nlock = \"plain\"\nexpect = { wait_at_most = \"1h\" }\n" + more + R"(
[[client]]
name = "a"
run  = ["lock lease=12s", "crash"]
[[client]]
name  = "b"
start = "1s"
run   = ["lock lease=1s", "unlock"]
)",
            1);
    return outcome.bounds.at(0).most / sim::millisecond_ns;
  };
  const std::int64_t usual_ms = wait_ms_of("");
  EXPECT_NEAR(static_cast<double>(usual_ms), 11'000, 20);
  // The clock of n1 runs half as fast again: 12 s less 1.5 s are left when b asks.
  EXPECT_NEAR(static_cast<double>(wait_ms_of("[redis.nodes.n1]\ndrift = \"500000ppm\"\n")), 10'500,
              20);
  EXPECT_GT(wait_ms_of("[redis.nodes.n1]\nlatency = \"300ms\"\n"), usual_ms + 800);
  EXPECT_GT(wait_ms_of("[[link]]\nfrom = \"n1\"\nto = \"b\"\nlatency = \"400ms\"\n"),
            usual_ms + 300);
}

}  // namespace
}  // namespace lockstep::search::language
