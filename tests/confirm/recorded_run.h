// A scenario's run, recorded and then confirmed on real servers, for tests.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "confirm/confirmation.h"
#include "model/engine/engine.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "sim/seeded_choices.h"
#include "tests/support/script_folder.h"
#include "tests/support/source_folder.h"

namespace lockstep::confirm::test {

/// A scenario that comes with Lockstep: "known-bugs/gc-pause".
inline scenario::Scenario load_shipped(const std::string& name) {
  return scenario::load_scenario(source_folder() + "/scenarios/" + name + ".toml");
}

/// A scenario, and what happened to its nodes with one seed.
class RecordedRun {
 public:
  explicit RecordedRun(const scenario::Scenario& scenario)
      : engine_(std::make_unique<model::Engine>(
            std::vector<std::filesystem::path>{support::script_folder()})),
        simulation_(engine_->prepare(scenario)),
        settings_(scenario.redis.settings) {}

  void run(std::uint64_t seed) {
    recording_.events().clear();
    sim::SeededChoices choices(seed);
    simulation_->run(choices, nullptr, &recording_);
  }

  [[nodiscard]] Confirmation confirmed(bool (*interrupted)() = nullptr) const {
    return confirm(simulation_->actors(), recording_.events(), settings_, interrupted);
  }

  std::vector<redis::NodeEvent>& events() { return recording_.events(); }

  /// The nth event of a kind.
  template <typename What>
  What& event(std::size_t nth) {
    for (redis::NodeEvent& each : events()) {
      auto* what = std::get_if<What>(&each.what);
      if (what != nullptr && nth-- == 0) return *what;
    }
    throw std::out_of_range("there are not so many events");
  }

 private:
  std::unique_ptr<model::Engine> engine_;
  std::unique_ptr<model::Simulation> simulation_;
  Settings settings_;
  Recording recording_;
};

inline std::string describe_difference(const Difference& difference) {
  return "event " + std::to_string(difference.trace_event) + " on " + difference.node + ", " +
         difference.what + "\n  simulated  " + difference.simulated + "\n  real       " +
         difference.real;
}

inline void expect_confirmed(const Confirmation& confirmation) {
  if (confirmation.difference) ADD_FAILURE() << describe_difference(*confirmation.difference);
  EXPECT_FALSE(confirmation.interrupted);
  EXPECT_GT(confirmation.commands, 0U);
  EXPECT_EQ(confirmation.equal_replies + confirmation.not_compared + confirmation.unanswered,
            confirmation.commands);
}

}  // namespace lockstep::confirm::test
