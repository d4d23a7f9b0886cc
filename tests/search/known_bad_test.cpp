// What scenarios/ must have of every lock, and that each known-bad variant is caught where the good
// lock is not.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "checker/history.h"
#include "checker/property.h"
#include "model/engine/engine.h"
#include "model/lock/lock_package.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "search/runs/seed_runs.h"
#include "tests/support/script_folder.h"
#include "tests/support/source_folder.h"

namespace lockstep::search::known_bad {
namespace {

constexpr std::uint64_t seeds = 10;

std::vector<scenario::Scenario> all_scenarios() {
  std::vector<scenario::Scenario> scenarios;
  const std::filesystem::path folder = std::filesystem::path(source_folder()) / "scenarios";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!scenario::is_scenario_file(entry.path())) continue;
    for (scenario::Scenario& row : scenario::load_scenarios(entry.path())) {
      scenarios.push_back(std::move(row));
    }
  }
  return scenarios;
}

std::string base_of(const std::string& lock) { return lock.substr(0, lock.find('/')); }

model::LockPackage package_of(const std::string& lock) {
  scenario::Scenario scenario;
  scenario.lock = lock;
  return model::load_lock(scenario, {support::script_folder()});
}

struct Outcome {
  std::vector<std::string>
      broken;  ///< the properties that are expected to break and do, in any run
  bool all_faults_struck = true;
};

Outcome outcome_of(const scenario::Scenario& scenario, model::Engine& engine) {
  const ScenarioOutcome found = run_scenario(scenario, {1, seeds}, engine);
  Outcome outcome;
  for (const PropertySummary& summary : found.properties) {
    if (summary.expected == Expected::violated && summary.violated > 0) {
      outcome.broken.emplace_back(checker::to_string(summary.property));
    }
  }
  for (const ProbeSummary& probe : found.probes) outcome.all_faults_struck &= probe.runs_struck > 0;
  return outcome;
}

/// Stories whose fault strikes a message that the good lock does not send, and the story of the
/// same fault on a lock that does it right. That those hold, and that their faults strike, is for
/// Scenario.IsAsExpected to see.
const std::map<std::string, std::string>& twins() {
  static const std::map<std::string, std::string> twins = {
      {"plain/dead-renewal-entry", "plain/renewal-entry-made-anew"},
      {"known-bugs/failed-renewal-dropped", "known-bugs/failed-renewal-retried"},
      {"setnx/late-extension-takes-lock", "setnx/late-extension-compared"},
      {"known-bugs/unlock-by-force", "known-bugs/unlock-by-owner"},
      {"known-bugs/delete-without-token", "known-bugs/delete-with-token"},
      {"known-bugs/get-then-del", "known-bugs/get-and-del"},
      {"known-bugs/setnx-then-expire", "known-bugs/set-with-expire"},
  };
  return twins;
}

std::string name_of(const scenario::Scenario& scenario) {
  const std::filesystem::path path(scenario.path);
  return (path.parent_path().filename() / path.stem()).string();
}

/// Whether the story's twin holds everything that the story breaks.
bool has_twin_that_holds(const scenario::Scenario& story) {
  const auto twin = twins().find(name_of(story));
  if (twin == twins().end()) return false;
  const scenario::Scenario other = scenario::load_scenario(std::filesystem::path(source_folder()) /
                                                           "scenarios" / (twin->second + ".toml"));
  const auto& holds = other.expect.holds;
  return !other.faults.empty() && other.lock != story.lock &&
         std::all_of(story.expect.violates.begin(), story.expect.violates.end(),
                     [&](checker::Property property) {
                       return std::find(holds.begin(), holds.end(), property) != holds.end();
                     });
}

TEST(ScenariosOfLocks, TellWhatHoldsAndWhatHappensUnderFaults) {
  std::map<std::string, std::size_t> all;
  std::map<std::string, std::size_t> holding_without_faults;
  std::map<std::string, std::size_t> with_faults;
  for (const scenario::Scenario& scenario : all_scenarios()) {
    const std::string lock = base_of(scenario.lock);
    ++all[lock];
    if (!scenario.faults.empty()) ++with_faults[lock];
    if (scenario.faults.empty() && scenario.expect.violates.empty()) ++holding_without_faults[lock];
  }
  for (const std::string& lock : model::list_locks({support::script_folder()})) {
    if (base_of(lock) != lock) continue;
    EXPECT_GE(holding_without_faults[lock], 1U) << lock;
    EXPECT_GE(with_faults[lock], 1U) << lock;
  }
  for (const char* lock : {"plain", "fair", "redlock"}) EXPECT_GE(all[lock], 8U) << lock;
}

std::vector<std::string> known_bad_variants() {
  std::vector<std::string> variants;
  for (const std::string& lock : model::list_locks({support::script_folder()})) {
    if (!package_of(lock).flaw.empty()) variants.push_back(lock);
  }
  return variants;
}

class KnownBadVariant : public testing::TestWithParam<std::string> {};

/// Some story breaks with the variant what, under the same faults, does not break with the lock
/// itself, in no run.
TEST_P(KnownBadVariant, IsCaughtWhereTheGoodLockIsNot) {
  model::Engine engine({support::script_folder()});
  std::size_t stories = 0;
  std::string others;
  for (scenario::Scenario& scenario : all_scenarios()) {
    if (scenario.lock != GetParam() || scenario.expect.violates.empty()) continue;
    if (scenario.open_faults) continue;  // it need not break in every run
    EXPECT_EQ(outcome_of(scenario, engine).broken.size(), scenario.expect.violates.size())
        << scenario.path;
    if (has_twin_that_holds(scenario)) {
      ++stories;
      continue;
    }
    scenario.lock = base_of(scenario.lock);
    const Outcome good = outcome_of(scenario, engine);
    if (good.broken.empty() && good.all_faults_struck) ++stories;
    others += fmt::format("{}: {} {}\n", scenario.path, fmt::join(good.broken, ", "),
                          good.all_faults_struck ? "" : "(a fault never struck)");
  }
  EXPECT_GE(stories, 1U) << "no story tells it from the good lock\n" << others;
}

INSTANTIATE_TEST_SUITE_P(Variants, KnownBadVariant, testing::ValuesIn(known_bad_variants()),
                         [](const auto& test) {
                           std::string name = test.param;
                           for (char& letter : name) {
                             if (letter == '-' || letter == '/') letter = '_';
                           }
                           return name;
                         });

}  // namespace
}  // namespace lockstep::search::known_bad
