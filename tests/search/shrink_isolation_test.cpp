// A bug that was found beside a limit is shrunk to a story in which it breaks its property alone:
// the lock without the bug breaks nothing in it.
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "checker/property.h"
#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "model/lock/lock_package.h"
#include "scenario/file/scenario_file.h"
#include "search/contract/contract_judge.h"
#include "search/fuzz/fuzz.h"
#include "search/shrink/shrink.h"
#include "sim/recorded_choices.h"
#include "sim/seeded_choices.h"
#include "tests/support/script_folder.h"

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
