// The workloads of every lock, run: they come to an end, use all that the lock offers, and accuse
// no lock that is sound.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "checker/property.h"
#include "checker/verdict.h"
#include "checker/verdict_kind.h"
#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "model/lock/usage.h"
#include "model/trace_vocabulary.h"
#include "reports/cause/cause.h"
#include "reports/cause/known_flaws.h"
#include "reports/cause/story.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "scenario/step_forms.h"
#include "scenario/steps.h"
#include "search/campaign/campaign.h"
#include "search/campaign/workloads.h"
#include "search/contract/contract_judge.h"
#include "search/fuzz/fuzz.h"
#include "search/runs/run_record.h"
#include "sim/recorded_choices.h"
#include "sim/seeded_choices.h"
#include "sim/trace.h"
#include "tests/search/drawn_workloads.h"
#include "tests/support/script_folder.h"
#include "tests/support/source_folder.h"

namespace lockstep::search::campaign_workloads {
namespace {

constexpr std::uint64_t seeds = 20;

/// The first words of all steps that threads began.
class StepWords final : public sim::TraceSink {
 public:
  void on_event(const sim::EventView& event) override {
    if (event.kind != model::trace_kind::step_invoked) return;
    for (const sim::Field& field : event.fields) {
      if (field.name != "step") continue;
      const auto text = std::get<std::string_view>(field.value);
      seen_.emplace(text.substr(0, text.find(' ')));
    }
  }
  [[nodiscard]] const std::set<std::string>& seen() const { return seen_; }

 private:
  std::set<std::string> seen_;
};

/// Is told what happened in the runs of all workloads.
template <typename Visitor>
void run_all(const std::string& name, std::uint64_t runs, sim::TraceSink* sink, Visitor visit) {
  model::Engine engine({support::script_folder()});
  const Drawn drawn = drawn_for(name, engine);
  for (const Workload& workload : drawn.workloads) {
    SCOPED_TRACE(workload.name + "\n" + workload.text);
    const scenario::Scenario scenario = scenario::parse_scenario("drawn.toml", workload.text);
    EXPECT_TRUE(scenario.faults.empty());
    const auto simulation = engine.prepare(scenario);
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
      sim::SeededChoices choices(seed);
      const model::RunResult& result = simulation->run(choices, sink);
      EXPECT_TRUE(result.client_failures.empty())
          << "seed " << seed << ": " << result.client_failures.front();
      visit(drawn, workload, *simulation, result, seed);
    }
  }
}

/// Whether it broke by a defect that the lock's contract names.
bool is_by_known_flaw(const Drawn& drawn, model::Simulation& simulation, sim::ChoiceSource& choices,
                      checker::Property property) {
  const RunRecord run = record_run(simulation, choices);
  return reports::known_flaw_of(drawn.lock.contract, property, reports::causes_of(run, property)) !=
         nullptr;
}

class EveryLock : public testing::TestWithParam<std::string> {};

TEST_P(EveryLock, HasWorkloadsThatRun) {
  std::uint64_t runs = 0;
  std::uint64_t at_rest = 0;
  run_all(GetParam(), 2, nullptr,
          [&](const Drawn&, const Workload&, model::Simulation&, const model::RunResult& result,
              std::uint64_t) {
            ++runs;
            at_rest += result.end == model::RunEnd::at_rest ? 1U : 0U;
          });
  EXPECT_GE(runs, 2U * 8U);
  EXPECT_GE(at_rest, runs * 9 / 10) << "of " << runs << " runs";
}
INSTANTIATE_TEST_SUITE_P(CampaignWorkloads, EveryLock, testing::ValuesIn(locks(true)), test_name);

// One that is told to wait for no time at all asks on and on, until the place before it is over.
TEST(CampaignWorkloads, ComeToRestWhereAWaiterAsksOnAndOn) {
  model::Engine engine({support::script_folder()});
  const Drawn drawn = drawn_for("fair", engine);
  const auto outlived = std::ranges::find(drawn.workloads, "a watchdog outlived", &Workload::name);
  ASSERT_NE(outlived, drawn.workloads.end());
  const auto simulation = engine.prepare(scenario::parse_scenario("w.toml", outlived->text));
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    sim::SeededChoices choices(seed);
    EXPECT_EQ(simulation->run(choices, nullptr).end, model::RunEnd::at_rest) << "seed " << seed;
  }
}

class SoundLock : public testing::TestWithParam<std::string> {};

TEST_P(SoundLock, KeepsItsPromisesAndIsAskedForAllThatItOffers) {
  StepWords words;
  std::vector<scenario::StepKind> offered;
  std::set<checker::Property> tested;
  std::vector<checker::Property> promises;
  run_all(GetParam(), seeds, &words,
          [&](const Drawn& drawn, const Workload& workload, model::Simulation& simulation,
              const model::RunResult& result, std::uint64_t seed) {
            promises = drawn.lock.promises;
            offered = drawn.offered;
            if (workload.breaks.empty()) {
              EXPECT_EQ(result.end, model::RunEnd::at_rest) << "seed " << seed;
            }
            const auto judged = simulation.judged();
            // What happens again for its cause overwrites it.
            const std::vector<checker::Verdict> verdicts = *result.verdicts;
            for (std::size_t i = 0; i < judged.size(); ++i) {
              if (std::find(promises.begin(), promises.end(), judged[i]) == promises.end())
                continue;
              const checker::Verdict& verdict = verdicts[i];
              if (verdict.put_to_the_test) tested.insert(judged[i]);
              const bool is_asked_too_much = std::any_of(
                  workload.breaks.begin(), workload.breaks.end(), [&](model::Usage usage) {
                    return drawn.lock.contract.asks_for(usage, judged[i]);
                  });
              if (is_asked_too_much) continue;
              // Who provokes a lock may be cut off.
              if (!workload.breaks.empty() && verdict.kind == checker::VerdictKind::unknown)
                continue;
              sim::SeededChoices again(seed);
              if (verdict.kind == checker::VerdictKind::violated &&
                  is_by_known_flaw(drawn, simulation, again, judged[i]))
                continue;
              EXPECT_EQ(verdict.kind, checker::VerdictKind::holds)
                  << checker::to_string(judged[i]) << ", seed " << seed << ": " << verdict.summary;
            }
          });
  for (const checker::Property promise : promises) {
    EXPECT_TRUE(tested.contains(promise))
        << checker::to_string(promise) << " was never put to the test";
  }
  ASSERT_FALSE(offered.empty());
  for (const scenario::StepKind kind : offered) {
    EXPECT_TRUE(words.seen().contains(std::string(scenario::to_string(kind))))
        << scenario::to_string(kind);
  }
}

INSTANTIATE_TEST_SUITE_P(CampaignWorkloads, SoundLock, testing::ValuesIn(locks(false)), test_name);

/// So many runs of each part of a campaign: ten seconds for all locks together.
constexpr std::uint64_t runs_of_part = 4;

/// What the faults that `lockstep fuzz LOCK` draws find in a lock's own workloads.
std::vector<std::string> bugs_with_faults(const std::string& name) {
  model::Engine engine({support::script_folder()});
  const Drawn drawn = drawn_for(name, engine);
  const ContractJudge judge(drawn.lock);
  FuzzPlan plan;
  plan.after_finding = FuzzPlan::AfterFinding::go_on;
  plan.contract = &judge;
  plan.story_of = &reports::story_of;
  plan.sizes.runs = runs_of_part;
  std::vector<std::string> bugs;
  std::uint64_t struck = 0;
  for (const CampaignPart& part : parts_of(drawn.lock, drawn.workloads)) {
    if (part.tier == Tier::without_faults) continue;
    const scenario::Scenario scenario = scenario::parse_scenario("drawn.toml", part.text);
    plan.limits_untold = part.limits_untold;
    const auto simulation = engine.prepare(scenario);
    const BatchResult batch = fuzz_batch(scenario, plan, 0, engine, *simulation, {});
    EXPECT_EQ(batch.outcome.runs, runs_of_part) << part.workload;
    for (const DrawnKindSummary& kind : batch.outcome.drawn_kinds) struck += kind.struck;
    for (const Finding& finding : batch.findings) {
      if (!is_bug(finding)) continue;
      sim::ReplayedChoices choices(finding.choices);
      if (is_by_known_flaw(drawn, *simulation, choices, finding.property)) continue;
      bugs.push_back(part.workload + ": " + finding.story);
    }
  }
  EXPECT_GT(struck, 0U);
  return bugs;
}

TEST_P(SoundLock, HasNoBugWithFaults) {
  EXPECT_EQ(bugs_with_faults(GetParam()), std::vector<std::string>{});
}

// And one that counts its holds in its client, which no shipped lock does.
TEST(SoundLockOfTests, HasNoBugWithFaultsAndItsMistakenSiblingHasOne) {
  const std::string counts_in_client = source_folder() + "/tests/search/locks/counts-in-client";
  EXPECT_EQ(bugs_with_faults(counts_in_client), std::vector<std::string>{});
  EXPECT_FALSE(bugs_with_faults(counts_in_client + "/frees-at-first").empty());
  const std::string for_process = source_folder() + "/tests/search/locks/counts-for-process";
  EXPECT_EQ(bugs_with_faults(for_process), std::vector<std::string>{});
}

/// Of 100 runs of the workload, those that broke the promise. REQUIRES: it is judged there.
std::size_t runs_that_broke(const std::string& lock, std::string_view workload,
                            checker::Property property) {
  model::Engine engine({support::script_folder()});
  const Drawn drawn = drawn_for(lock, engine);
  const auto found = std::ranges::find(drawn.workloads, workload, &Workload::name);
  if (found == drawn.workloads.end()) throw std::invalid_argument("no such workload");
  const scenario::Scenario scenario = scenario::parse_scenario("w.toml", found->text);
  if (std::ranges::count(scenario.expect.holds, property) == 0) {
    throw std::invalid_argument("the promise is not judged there");
  }
  const auto simulation = engine.prepare(scenario);
  std::size_t broke = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    sim::SeededChoices choices(seed);
    const model::RunResult& result = simulation->run(choices, nullptr);
    const auto judged = simulation->judged();
    for (std::size_t i = 0; i < judged.size(); ++i) {
      if (judged[i] == property && (*result.verdicts)[i].kind == checker::VerdictKind::violated) {
        ++broke;
      }
    }
  }
  return broke;
}

// Who has all of the locks takes them together once more, and works on after the inner release.
TEST(CampaignWorkloads, TakeTogetherWhatIsHeldAlready) {
  const std::string counts_once = source_folder() + "/tests/search/locks/counts-together-once";
  constexpr auto property = checker::Property::mutual_exclusion;
  EXPECT_GT(runs_that_broke(counts_once, "together inside one", property), 0U);
  EXPECT_EQ(runs_that_broke("multi", "together inside one", property), 0U);
}

// A lock that counts holds keeps the lease of each, unless it asks its callers for no such thing.
TEST(CampaignWorkloads, UseUpALongerLeaseInsideAShorterOne) {
  const std::string cuts_lease = source_folder() + "/tests/search/locks/cuts-readers-lease";
  constexpr auto property = checker::Property::mutual_exclusion;
  EXPECT_GT(runs_that_broke(cuts_lease, "a longer lease inside", property), 0U);
  EXPECT_EQ(runs_that_broke("readwrite", "a longer lease inside", property), 0U);
}

}  // namespace
}  // namespace lockstep::search::campaign_workloads
