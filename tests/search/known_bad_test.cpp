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

#include "model/client/lock_package.h"
#include "model/scenario/scenario_file.h"
#include "search/campaign.h"
#include "tests/support/script_folder.h"

namespace lockstep::search {
namespace {

constexpr std::uint64_t seeds = 10;

std::vector<model::Scenario> all_scenarios() {
  std::vector<model::Scenario> scenarios;
  const std::filesystem::path folder = std::filesystem::path(LOCKSTEP_SOURCE_DIR) / "scenarios";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (entry.path().extension() == ".toml") {
      scenarios.push_back(model::load_scenario(entry.path()));
    }
  }
  return scenarios;
}

std::string base_of(const std::string& lock) { return lock.substr(0, lock.find('/')); }

model::LockPackage package_of(const std::string& lock) {
  model::Scenario scenario;
  scenario.lock = lock;
  return model::load_lock(scenario, {support::script_folder()});
}

/// The properties that are expected to break and do, in any run.
std::vector<std::string> broken(const model::Scenario& scenario, model::Engine& engine) {
  std::vector<std::string> names;
  for (const PropertySummary& summary : run_scenario(scenario, {1, seeds}, engine).properties) {
    if (summary.expected == Expected::violated && summary.violated > 0) {
      names.emplace_back(checker::to_string(summary.property));
    }
  }
  return names;
}

TEST(ScenariosOfLocks, TellWhatHoldsAndWhatHappensUnderFaults) {
  std::map<std::string, std::size_t> all;
  std::map<std::string, std::size_t> holding_without_faults;
  std::map<std::string, std::size_t> with_faults;
  for (const model::Scenario& scenario : all_scenarios()) {
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

/// Some story breaks with the variant what does not break with the lock itself, in no run.
TEST_P(KnownBadVariant, IsCaughtWhereTheGoodLockIsNot) {
  model::Engine engine({support::script_folder()});
  std::size_t stories = 0;
  std::string also_broken;
  for (model::Scenario& scenario : all_scenarios()) {
    if (scenario.lock != GetParam() || scenario.expect.violates.empty()) continue;
    EXPECT_EQ(broken(scenario, engine).size(), scenario.expect.violates.size()) << scenario.path;
    scenario.lock = base_of(scenario.lock);
    const std::vector<std::string> of_good_lock = broken(scenario, engine);
    if (of_good_lock.empty()) ++stories;
    also_broken += fmt::format("{}: {}\n", scenario.path, fmt::join(of_good_lock, ", "));
  }
  EXPECT_GE(stories, 1U) << "no story tells it from the good lock\n" << also_broken;
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
}  // namespace lockstep::search
