// Scripts that were written a second time to the same KEYS and ARGV, in place of a lock's own: the
// scenarios go the same way, client by client, message by message, seed by seed.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "checker/history.h"
#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "scenario/cluster_spec.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "scenario/text/source_file.h"
#include "sim/seeded_choices.h"
#include "tests/support/script_folder.h"
#include "tests/support/source_folder.h"

namespace lockstep::search {
namespace {

namespace fs = std::filesystem;

/// One run as lines: its history, what was observed, what the events tell of data and messages, and
/// its verdicts. How many writes a script needed, how many bytes the replicas were sent and at
/// which line an error was raised is all that may differ.
class RunText final : public sim::TraceSink {
 public:
  explicit RunText(model::Simulation& simulation) : simulation_(simulation) {}

  std::string run(std::uint64_t seed) {
    text_.str({});
    sim::SeededChoices choices(seed);
    const model::RunResult& result = simulation_.run(choices, this);
    for (const checker::Operation& operation : result.history->operations) {
      write_operation(*result.names, operation);
    }
    const auto judged = simulation_.judged();
    for (std::size_t i = 0; i < judged.size(); ++i) {
      text_ << static_cast<int>((*result.verdicts)[i].kind) << (*result.verdicts)[i].summary
            << '\n';
    }
    return text_.str();
  }

  void on_event(const sim::EventView& event) override {
    if (event.kind == "stream-applied") return;
    text_ << event.at << ' ' << event.kind << ' ' << static_cast<std::uint32_t>(event.actor);
    for (const sim::Field& field : event.fields) {
      if (field.name == "writes" || field.name == "bytes" || field.name == "offset") continue;
      text_ << ' ' << field.name << '=';
      if (const auto* number = std::get_if<std::int64_t>(&field.value)) {
        text_ << *number;
      } else {
        const auto text = std::get<std::string_view>(field.value);
        text_ << text.substr(0, text.find(" script: "));  // an error: its digest and line follow
      }
    }
    text_ << '\n';
  }

 private:
  void write_operation(const checker::Names& names, const checker::Operation& operation) {
    text_ << static_cast<int>(operation.kind) << ' ' << names.text(operation.process) << ' '
          << names.text(operation.owner) << ' ' << names.text(operation.lock) << ' '
          << operation.invoked.order << ' ' << static_cast<int>(operation.outcome) << ' '
          << operation.lease_ns;
    if (operation.completed) text_ << ' ' << operation.completed->order;
    text_ << '\n';
  }

  model::Simulation& simulation_;
  std::ostringstream text_;
};

std::string first_difference(const std::string& expected, const std::string& found) {
  std::istringstream left(expected);
  std::istringstream right(found);
  std::string expected_line;
  std::string found_line;
  while (std::getline(left, expected_line)) {
    std::getline(right, found_line);
    if (expected_line != found_line) return expected_line + "\nis now\n" + found_line;
  }
  return {};
}

struct Swap {
  std::string lock;
  std::vector<std::string> scripts;
};

/// The scenarios in which a lock is used as it is. Where memory is short it matters how long a
/// script is; sentinels read in INFO how much a script has changed.
std::vector<scenario::Scenario> scenarios_of(const std::string& lock) {
  std::vector<scenario::Scenario> scenarios;
  const fs::path folder = fs::path(source_folder()) / "scenarios";
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!scenario::is_scenario_file(entry.path())) continue;
    scenario::Scenario scenario = scenario::load_scenario(entry.path().string());
    const bool is_short_of_memory = entry.path().stem().string().find("evict") != std::string::npos;
    const bool is_watched = scenario.redis.topology == scenario::TopologyKind::sentinel;
    if (scenario.lock != lock || is_short_of_memory || is_watched) continue;
    scenarios.push_back(std::move(scenario));
  }
  return scenarios;
}

class SwappedScripts : public testing::TestWithParam<Swap> {};

TEST_P(SwappedScripts, GoTheSameWay) {
  const std::vector<scenario::Scenario> scenarios = scenarios_of(GetParam().lock);
  EXPECT_GE(scenarios.size(), 8U);
  for (const scenario::Scenario& scenario : scenarios) {
    scenario::Scenario swapped = scenario;
    for (const std::string& script : GetParam().scripts) {
      swapped.scripts[script] =
          source_folder() + "/tests/scripts/independent/" + GetParam().lock + "-" + script + ".lua";
    }
    model::Engine engine({support::script_folder()});
    const auto ours = engine.prepare(scenario);
    const auto theirs = engine.prepare(swapped);
    EXPECT_NE(ours->lock_digest(), theirs->lock_digest()) << "the scripts were not swapped";
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      const std::string expected = RunText(*ours).run(seed);
      const std::string found = RunText(*theirs).run(seed);
      ASSERT_EQ(first_difference(expected, found), "") << scenario.path << " with seed " << seed;
      ASSERT_EQ(expected.size(), found.size()) << scenario.path << " with seed " << seed;
    }
  }
}

/// The oracle: a script that keeps no contract is noticed.
TEST(SwappedScript, ThatDoesSomethingElseShows) {
  const std::vector<scenario::Scenario> scenarios = scenarios_of("plain");
  scenario::Scenario swapped = scenarios.front();
  swapped.scripts["acquire"] = source_folder() + "/scripts/plain/force_release.lua";
  model::Engine engine({support::script_folder()});
  const auto ours = engine.prepare(scenarios.front());
  const auto theirs = engine.prepare(swapped);
  EXPECT_NE(first_difference(RunText(*ours).run(1), RunText(*theirs).run(1)), "");
}

INSTANTIATE_TEST_SUITE_P(Locks, SwappedScripts,
                         testing::Values(Swap{"plain", {"acquire", "release"}},
                                         Swap{"fair", {"acquire", "acquire_failed", "release"}},
                                         Swap{"redlock", {"extend", "release"}}),
                         [](const testing::TestParamInfo<Swap>& parameter) {
                           return parameter.param.lock;
                         });

}  // namespace
}  // namespace lockstep::search
