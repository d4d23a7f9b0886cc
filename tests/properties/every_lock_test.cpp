// Whatever up to eight clients with four threads each do with a lock, in whatever order their
// messages travel: without faults, every property that the lock promises holds, everything comes to
// rest, and no client model makes a mistake.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "checker/observations.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "generated_workload.h"
#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "model/lock/lock_package.h"
#include "model/trace_vocabulary.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "scenario/text/input_error.h"
#include "sim/seeded_choices.h"
#include "sim/trace.h"
#include "tests/support/script_folder.h"

namespace lockstep::test {
namespace {

model::LockPackage package_of(const std::string& lock) {
  scenario::Scenario scenario;
  scenario.lock = lock;
  return model::load_lock(scenario, {support::script_folder()});
}

std::vector<checker::Property> promises_of(const std::string& lock) {
  return package_of(lock).promises;
}

/// All locks, and their variants that are not known to be bad.
std::vector<std::string> good_locks() {
  std::vector<std::string> names = model::list_locks({support::script_folder()});
  std::erase_if(names, [](const std::string& name) { return !package_of(name).flaw.empty(); });
  return names;
}

/// Keeps what client models did wrong.
class FailureSink final : public sim::TraceSink {
 public:
  void on_event(const sim::EventView& event) override {
    if (event.kind == model::trace_kind::client_failed) failed = true;
  }
  bool failed = false;
};

struct Judged {
  std::string complaints;  ///< one a line; empty where all is well
  std::size_t grants = 0;
};

Judged judge(model::Engine& engine, const std::string& text, std::uint64_t seed,
             const std::vector<checker::Property>& promises) {
  std::unique_ptr<model::Simulation> simulation;
  try {
    simulation = engine.prepare(scenario::parse_scenario("generated.toml", text));
  } catch (const scenario::InputError& error) {
    return {std::string(error.what()) + "\n", 0};
  }
  sim::SeededChoices choices(seed);
  FailureSink sink;
  const model::RunResult& result = simulation->run(choices, &sink);
  Judged judged;
  judged.grants = result.observations->grants.size() + result.observations->latch_events.size();
  if (sink.failed) judged.complaints += "a client model made a mistake\n";
  if (result.end != model::RunEnd::at_rest) judged.complaints += "it did not come to rest\n";
  for (const checker::Verdict& verdict : *result.verdicts) {
    const bool is_promised =
        std::find(promises.begin(), promises.end(), verdict.property) != promises.end();
    if (!is_promised || verdict.kind == checker::VerdictKind::holds) continue;
    judged.complaints += fmt::format("{}: {}\n", to_string(verdict.property), verdict.summary);
  }
  return judged;
}

class EveryLock : public testing::TestWithParam<std::string> {
 protected:
  /// A variant's is that of its lock.
  static LockGrammar grammar() {
    const auto grammars = lock_grammars();
    const std::string& name = GetParam();
    const auto found = std::find_if(grammars.begin(), grammars.end(), [&](const LockGrammar& each) {
      return each.lock == name.substr(0, name.find('/'));
    });
    if (found == grammars.end()) throw std::invalid_argument("no grammar for the lock " + name);
    LockGrammar grammar = *found;
    grammar.lock = name;
    return grammar;
  }
};

TEST_P(EveryLock, KeepsItsPromisesWhereNothingGoesWrong) {
  const LockGrammar of_lock = grammar();
  const std::vector<checker::Property> promises = promises_of(of_lock.lock);
  std::string names;
  for (const checker::Property property : promises) {
    names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", checker::to_string(property));
  }
  model::Engine engine({support::script_folder()});
  std::size_t grants = 0;
  const bool held = rc::check([&] {
    const GeneratedWorkload workload = *generated_workload();
    const std::string text = scenario_text(of_lock, workload, names);
    if (text.empty()) return;
    const Judged judged = judge(engine, text, workload.seed, promises);
    grants += judged.grants;
    if (!judged.complaints.empty()) RC_FAIL(judged.complaints + text);
  });
  EXPECT_TRUE(held);
  EXPECT_GT(grants, 500U) << "hardly anybody got the lock: nothing was tested";
}

// The oracle of all this: a lock that grants whatever it is asked is found out at once.
TEST(GeneratedWorkload, FindsALockThatIsNone) {
  const std::filesystem::path script =
      std::filesystem::path(testing::TempDir()) / "lockstep-grants-always.lua";
  std::ofstream(script) << "redis.call('hincrby', KEYS[1], ARGV[2], 1)\n"
                           "redis.call('pexpire', KEYS[1], ARGV[1])\nreturn nil\n";
  const auto grammars = lock_grammars();
  const auto plain = std::find_if(grammars.begin(), grammars.end(),
                                  [](const LockGrammar& each) { return each.lock == "plain"; });
  GeneratedWorkload workload;
  for (std::uint32_t i = 0; i < 2; ++i) {
    workload.clients.push_back({{{{.holding = 0, .lease = 0, .name = 0, .under = {2}}}}, 0});
  }
  model::Engine engine({support::script_folder()});
  const std::string text = scenario_text(*plain, workload, "\"mutual-exclusion\"") +
                           "[scripts]\nacquire = \"" + std::filesystem::relative(script).string() +
                           "\"\n";
  const Judged judged = judge(engine, text, 1, promises_of("plain"));
  EXPECT_NE(judged.complaints.find("mutual-exclusion: "), std::string::npos) << judged.complaints;
  std::filesystem::remove(script);
}

INSTANTIATE_TEST_SUITE_P(Locks, EveryLock, testing::ValuesIn(good_locks()), [](const auto& test) {
  std::string name = test.param;
  for (char& letter : name) {
    if (letter == '-' || letter == '/') letter = '_';
  }
  return name;
});

TEST(LockGrammars, AreOfLocksThatThereAre) {
  const std::vector<std::string> locks = good_locks();
  for (const LockGrammar& grammar : lock_grammars()) {
    EXPECT_NE(std::find(locks.begin(), locks.end(), grammar.lock), locks.end()) << grammar.lock;
  }
}

}  // namespace
}  // namespace lockstep::test
