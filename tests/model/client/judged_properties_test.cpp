// What is judged of a lock, what can be expected of it, and what it could promise.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "checker/property.h"
#include "lock_run.h"
#include "model/lock/lock_package.h"
#include "scenario/scenario.h"
#include "scenario/text/input_error.h"
#include "scenario/text/source_location.h"

namespace lockstep::model {
namespace {

scenario::Scenario scenario_of(std::string lock) {
  scenario::Scenario scenario;
  scenario.path = "some/scenario.toml";
  scenario.lock = std::move(lock);
  return scenario;
}

TEST(JudgedProperties, AreThoseThatSaySomethingOfTheShape) {
  const auto names = [](const char* lock, std::vector<checker::Property> holds) {
    scenario::Scenario scenario = scenario_of(lock);
    scenario.expect.holds = std::move(holds);
    std::string text;
    const LockPackage package = load_lock(scenario, {test::scripts_folder()});
    for (const checker::Property property : judged_properties(package, scenario)) {
      text += std::string(checker::to_string(property)) + " ";
    }
    return text;
  };
  EXPECT_EQ(names("latch", {}), "no-leak latch no-lost-wakeup truthful-answers ");
  EXPECT_EQ(names("semaphore", {}),
            "no-leak permits no-deadlock no-lost-wakeup no-starvation truthful-answers ");
  EXPECT_EQ(names("readwrite", {}),
            "mutual-exclusion valid-grant harm hold-count no-leak no-deadlock no-lost-wakeup "
            "no-starvation truthful-answers ");
  EXPECT_EQ(
      names("plain", {}),
      "mutual-exclusion valid-grant lease-linearizability harm hold-count no-leak no-deadlock "
      "no-lost-wakeup no-starvation truthful-answers ");
  EXPECT_NE(names("plain", {checker::Property::fencing}).find("fencing"), std::string::npos);
  EXPECT_NE(names("fenced", {}).find("fencing"), std::string::npos) << "it promises it";
  EXPECT_NE(names("fair", {}).find("fifo"), std::string::npos);
}

TEST(JudgedProperties, KnowWhatALockCouldPromiseAndDoesNot) {
  const auto names = [](const char* lock) {
    std::string text;
    const LockPackage package = load_lock(scenario_of(lock), {test::scripts_folder()});
    for (const checker::Property property : properties_not_promised(package)) {
      text += std::string(checker::to_string(property)) + " ";
    }
    return text;
  };
  EXPECT_EQ(names("plain"), "");
  EXPECT_EQ(names("fair"), "");
  EXPECT_EQ(names("readwrite"), "no-lost-wakeup ");
  EXPECT_EQ(names("semaphore"), "no-leak ");
}

TEST(JudgedProperties, CanBeExpectedAndNoOthers) {
  scenario::Scenario scenario = scenario_of("latch");
  scenario.expect.violates = {checker::Property::mutual_exclusion};
  scenario.expect.place = scenario::SourceLocation{"some/scenario.toml", 3, 1};
  const LockPackage package = load_lock(scenario, {test::scripts_folder()});
  try {
    static_cast<void>(judged_properties(package, scenario));
    ADD_FAILURE() << "was accepted";
  } catch (const scenario::InputError& error) {
    EXPECT_STREQ(error.what(),
                 "some/scenario.toml:3:1: error: 'mutual-exclusion' says nothing of the lock "
                 "'latch', whose state is 'count' (what can be expected of it: no-leak, latch, "
                 "no-lost-wakeup and truthful-answers)");
  }
}

}  // namespace
}  // namespace lockstep::model
