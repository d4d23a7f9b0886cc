// Runs confirmed on real servers, and differences that are planted in them and found.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "confirm/confirmation.h"
#include "confirm/recording.h"
#include "model/scenario/scenario_file.h"
#include "model/simulation/engine.h"
#include "sim/seeded_choices.h"
#include "tests/support/script_folder.h"

namespace lockstep::confirm::test {
namespace {

using namespace model::node_event;

/// A scenario, and what happened to its nodes with one seed.
class RecordedRun {
 public:
  explicit RecordedRun(const model::Scenario& scenario) : simulation_(engine_.prepare(scenario)) {}

  void run(std::uint64_t seed) {
    recording_.events().clear();
    sim::SeededChoices choices(seed);
    simulation_->run(choices, nullptr, &recording_);
  }

  [[nodiscard]] Confirmation confirmed() const {
    return confirm(simulation_->actors(), recording_.events());
  }

  std::vector<model::NodeEvent>& events() { return recording_.events(); }

  /// The nth event of a kind.
  template <typename What>
  What& event(std::size_t nth) {
    for (model::NodeEvent& each : events()) {
      auto* what = std::get_if<What>(&each.what);
      if (what != nullptr && nth-- == 0) return *what;
    }
    throw std::out_of_range("there are not so many events");
  }

 private:
  model::Engine engine_{{support::script_folder()}};
  std::unique_ptr<model::Simulation> simulation_;
  Recording recording_;
};

model::Scenario shipped(const std::string& name) {
  return model::load_scenario(std::string(LOCKSTEP_SOURCE_DIR) + "/scenarios/" + name + ".toml");
}

std::string told(const Difference& difference) {
  return "event " + std::to_string(difference.trace_event) + " on " + difference.node + ", " +
         difference.what + "\n  simulated  " + difference.simulated + "\n  real       " +
         difference.real;
}

void expect_confirmed(const Confirmation& confirmation) {
  if (confirmation.difference) ADD_FAILURE() << told(*confirmation.difference);
  EXPECT_FALSE(confirmation.interrupted);
  EXPECT_GT(confirmation.commands, 0U);
  EXPECT_EQ(confirmation.equal_replies + confirmation.not_compared + confirmation.unanswered,
            confirmation.commands);
}

// -- the scenarios that come with Lockstep --

class ShippedScenario : public ::testing::TestWithParam<std::string> {};

TEST_P(ShippedScenario, IsConfirmed) {
  RecordedRun run(shipped(GetParam()));
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    run.run(seed);
    const Confirmation confirmation = run.confirmed();
    expect_confirmed(confirmation);
    EXPECT_EQ(confirmation.not_compared, 0U);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Scenarios, ShippedScenario,
    ::testing::Values("fenced/contention", "fenced/gc-pause", "plain/contention",
                      "plain/failover-after-wait", "plain/failover-before-replication",
                      "plain/gc-pause", "plain/lost-acquire-reply",
                      "plain/lost-release-reply-latched", "plain/lost-release-reply",
                      "plain/watchdog", "setnx/contention", "setnx/delete-with-token",
                      "setnx/delete-without-token", "setnx/fixed-value", "setnx/get-then-del",
                      "setnx/setnx-then-expire", "setnx/timestamp"),
    [](const ::testing::TestParamInfo<std::string>& info) {
      std::string name = info.param;
      std::replace_if(
          name.begin(), name.end(), [](char each) { return each == '/' || each == '-'; }, '_');
      return name;
    });

}  // namespace
}  // namespace lockstep::confirm::test
