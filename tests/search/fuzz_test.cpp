// Searching in batches: a batch is the same whatever ran before, its findings are told apart
// and replay, and batches add up.
#include "search/fuzz/fuzz.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "search/runs/rerun.h"
#include "search/runs/run_record.h"
#include "search/runs/seed_runs.h"
#include "sim/recorded_choices.h"
#include "tests/support/script_folder.h"

namespace lockstep::search::fuzz_test {
namespace {

using checker::Property;

constexpr std::string_view open = R"(
title  = "t"
lock   = "plain"
expect = { holds = ["mutual-exclusion", "lease-linearizability"] }
faults = ["pause", "evict", "clock_step"]
[budget]
faults = 2
[[client]]
name = "a"
run  = ["lock lease=10s", "write", "unlock"]
[[client]]
name  = "b"
start = "0ms..5ms"
run   = ["lock lease=10s", "write", "unlock"]
)";

class Fuzzing : public testing::Test {
 protected:
  /// The runs of a batch that has but so many.
  BatchResult batch_of(std::uint64_t number, std::uint64_t runs, FuzzPlan plan = {}) {
    plan.runs = number * runs_per_batch + runs;
    return fuzz_batch(scenario_, plan, number, engine_, *simulation_, nullptr);
  }
  static FuzzPlan going_on() {
    FuzzPlan plan;
    plan.after_finding = FuzzPlan::AfterFinding::go_on;
    return plan;
  }

  model::Engine engine_{{support::script_folder()}};
  scenario::Scenario scenario_ = scenario::parse_scenario("t.toml", std::string(open));
  std::unique_ptr<model::Simulation> simulation_ = engine_.prepare(scenario_);
};

void expect_the_same(const BatchResult& one, const BatchResult& other) {
  EXPECT_EQ(one.states, other.states);
  EXPECT_EQ(one.outcome.runs, other.outcome.runs);
  ASSERT_EQ(one.findings.size(), other.findings.size());
  for (std::size_t i = 0; i < one.findings.size(); ++i) {
    EXPECT_EQ(one.findings[i].run, other.findings[i].run);
    EXPECT_EQ(one.findings[i].strategy, other.findings[i].strategy);
    EXPECT_EQ(one.findings[i].choices, other.findings[i].choices);
    EXPECT_EQ(one.findings[i].hash, other.findings[i].hash);
    EXPECT_EQ(one.findings[i].seen, other.findings[i].seen);
    EXPECT_EQ(one.findings[i].kinds, other.findings[i].kinds);
  }
}

TEST_F(Fuzzing, AStretchIsTheSameWhateverRanBefore) {
  const BatchResult first = batch_of(3, 40, going_on());
  ASSERT_FALSE(first.findings.empty());
  (void)batch_of(0, 20, going_on());
  const auto other = engine_.prepare(
      scenario::parse_scenario("u.toml",
                               "title = \"u\"\nlock = \"fair\"\nexpect = { holds = \"fifo\" "
                               "}\n[[client]]\nname = \"a\"\nrun = [\"lock\", \"unlock\"]\n"));
  sim::SeededChoices choices(1);
  (void)other->run(choices);
  expect_the_same(first, batch_of(3, 40, going_on()));
  model::Engine engine({support::script_folder()});
  FuzzPlan plan = going_on();
  plan.runs = 3 * runs_per_batch + 40;
  const auto simulation = engine.prepare(scenario_);
  expect_the_same(first, fuzz_batch(scenario_, plan, 3, engine, *simulation, nullptr));
}

TEST_F(Fuzzing, AStretchOfAnotherSeedIsAnother) {
  FuzzPlan plan = going_on();
  plan.root_seed = 2;
  EXPECT_NE(batch_of(0, 20, going_on()).states, batch_of(0, 20, plan).states);
}

TEST_F(Fuzzing, StopsAfterTheFirstFinding) {
  const BatchResult all = batch_of(0, 100, going_on());
  ASSERT_GT(all.findings.size(), 1U);
  const BatchResult first = batch_of(0, 100);
  ASSERT_EQ(first.findings.size(), 1U);
  EXPECT_EQ(first.findings[0].hash, all.findings[0].hash);
  EXPECT_EQ(first.outcome.runs, first.findings[0].run);
}

TEST_F(Fuzzing, GoesOnUntilAllBrokeThatWasToBreak) {
  std::string text(open);
  const std::string_view holds = "holds = [\"mutual-exclusion\", \"lease-linearizability\"]";
  text.replace(text.find(holds), holds.size(),
               "violates = [\"mutual-exclusion\", \"lease-linearizability\"]");
  scenario_ = scenario::parse_scenario("t.toml", text);
  simulation_ = engine_.prepare(scenario_);
  const BatchResult result = batch_of(0, 500);
  EXPECT_TRUE(is_enough(result.outcome));
  EXPECT_GT(result.findings.size(), 1U);
  EXPECT_LT(result.outcome.runs, 500U);
  EXPECT_FALSE(is_enough(batch_of(0, 20).outcome));
}

TEST_F(Fuzzing, StopsWhereItIsAskedTo) {
  FuzzPlan plan = going_on();
  int asked = 0;
  const BatchResult result =
      fuzz_batch(scenario_, plan, 0, engine_, *simulation_, [&asked] { return ++asked == 6; });
  EXPECT_EQ(result.outcome.runs, 5U);
  EXPECT_TRUE(result.outcome.interrupted);
}

TEST_F(Fuzzing, TellsFindingsApartByWhatBrokeAndTheFaultsItNeeds) {
  const BatchResult result = batch_of(0, 100, going_on());
  std::uint64_t seen = 0;
  for (const Finding& finding : result.findings) {
    seen += finding.seen;
    const auto alike =
        std::count_if(result.findings.begin(), result.findings.end(),
                      [&](const Finding& each) { return each.is_the_same(finding); });
    EXPECT_EQ(alike, 1);
    EXPECT_FALSE(finding.kinds.empty()) << "without faults the lock works";
    for (const scenario::FaultKind kind : finding.kinds) {
      EXPECT_TRUE(
          std::any_of(finding.faults.begin(), finding.faults.end(),
                      [kind](const scenario::FaultSpec& fault) { return fault.kind == kind; }));
    }
  }
  std::uint64_t broken = 0;
  for (const PropertySummary& each : result.outcome.properties) {
    if (each.expected != Expected::nothing) broken = std::max(broken, each.violated);
  }
  EXPECT_GE(seen, broken);
  EXPECT_GT(result.findings.size(), 1U);
}

// The same property breaks by faults of the same kinds, but not for the same reason.
TEST_F(Fuzzing, TellsFindingsApartByTheirCause) {
  scenario_.open_faults->kinds = {scenario::FaultKind::pause};
  simulation_ = engine_.prepare(scenario_);
  FuzzPlan plan = going_on();
  std::size_t told = 0;
  plan.story_of = [&told](const RunRecord& record, Property property) {
    EXPECT_FALSE(record.trace.events.empty());
    if (property != Property::mutual_exclusion) return std::string("it was told so");
    return std::string(told++ % 2 == 0 ? "it slept" : "it was late");
  };
  BatchResult batch = batch_of(0, 300, plan);
  std::erase_if(batch.findings, [](const Finding& finding) {
    return finding.property != Property::mutual_exclusion;
  });
  ASSERT_EQ(batch.findings.size(), 2U);
  EXPECT_EQ(batch.findings[0].kinds, batch.findings[1].kinds);
  EXPECT_NE(batch.findings[0].story, batch.findings[1].story);
  FuzzResult result = empty_result(scenario_, plan, simulation_->judged());
  add_batch(result, batch);
  EXPECT_EQ(result.findings.size(), 2U);
}

TEST_F(Fuzzing, FindingsReplay) {
  const BatchResult result = batch_of(0, 100, going_on());
  ASSERT_FALSE(result.findings.empty());
  for (const Finding& finding : result.findings) {
    sim::ReplayedChoices choices(finding.choices);
    EXPECT_EQ(simulation_->run(choices).hash, finding.hash);
    EXPECT_EQ(choices.divergence(), std::nullopt);
    EXPECT_EQ(choices.unread_count(), 0U);
    // Closed, it breaks as well.
    Rerun rerun(engine_, 1, finding.choices);
    EXPECT_TRUE(rerun.breaks(close_faults(scenario_, finding.faults), finding.property));
  }
}

TEST(FuzzPlan, CutsRunsIntoStretchesAndDealsThemToShards) {
  FuzzPlan plan;
  for (const auto& [runs, batches] : {std::pair{1U, 1U}, {500U, 1U}, {501U, 2U}, {10'000U, 20U}}) {
    plan.runs = runs;
    EXPECT_EQ(plan.batches(), batches) << runs;
  }
  plan.shards = 3;
  for (std::uint64_t batch = 0; batch < 10; ++batch) {
    int owners = 0;
    for (plan.shard = 0; plan.shard < plan.shards; ++plan.shard) {
      owners += plan.is_mine(batch) ? 1 : 0;
    }
    EXPECT_EQ(owners, 1) << batch;
  }
}

Finding finding(std::uint64_t run, Property property, std::vector<scenario::FaultKind> kinds,
                std::uint64_t seen) {
  Finding made;
  made.run = run;
  made.property = property;
  made.kinds = std::move(kinds);
  made.seen = seen;
  return made;
}

TEST_F(Fuzzing, StretchesAddUp) {
  FuzzResult result;
  BatchResult first = batch_of(0, 10, going_on());
  BatchResult second = batch_of(1, 7, going_on());
  using scenario::FaultKind;
  first.findings = {finding(3, Property::harm, {FaultKind::pause}, 2),
                    finding(5, Property::harm, {}, 1)};
  second.findings = {finding(501, Property::harm, {FaultKind::pause, FaultKind::crash}, 4),
                     finding(502, Property::harm, {FaultKind::pause}, 3),
                     finding(503, Property::fifo, {FaultKind::pause}, 1)};
  first.states = {1, 4, 9};
  second.states = {2, 4, 10};
  add_batch(result, first);
  add_batch(result, second);
  EXPECT_EQ(result.outcome.runs, 17U);
  EXPECT_EQ(result.states, (std::vector<std::uint64_t>{1, 2, 4, 9, 10}));
  std::vector<std::pair<std::uint64_t, std::uint64_t>> found;
  for (const Finding& each : result.findings) found.emplace_back(each.run, each.seen);
  EXPECT_EQ(found, (std::vector<std::pair<std::uint64_t, std::uint64_t>>{
                       {3, 5}, {5, 1}, {501, 4}, {503, 1}}));
}

}  // namespace
}  // namespace lockstep::search::fuzz_test
