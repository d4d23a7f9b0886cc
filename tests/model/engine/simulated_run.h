// Runs a scenario given as text once, with its trace, for tests of the simulated cluster.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "model/recorded_trace.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "sim/seeded_choices.h"
#include "tests/support/script_folder.h"

namespace lockstep::model::test {

class SimulatedRun {
 public:
  explicit SimulatedRun(std::string_view text, std::uint64_t seed = 1) {
    simulation_ = engine_.prepare(scenario::parse_scenario("test.toml", std::string(text)));
    sim::SeededChoices choices(seed);
    TraceRecorder sink(trace_.events);
    result_ = &simulation_->run(choices, &sink);
    trace_.actors = simulation_->actors();
  }

  [[nodiscard]] const RunResult& result() const { return *result_; }
  [[nodiscard]] const RecordedTrace& trace() const { return trace_; }

  /// The events of one kind, of one actor (empty: of any).
  [[nodiscard]] std::vector<const RecordedEvent*> events(std::string_view kind,
                                                         std::string_view actor = {}) const {
    std::vector<const RecordedEvent*> found;
    for (const RecordedEvent& event : trace_.events) {
      if (event.kind == kind && (actor.empty() || actor_name(event) == actor)) {
        found.push_back(&event);
      }
    }
    return found;
  }

  /// When they happened.
  [[nodiscard]] std::vector<sim::TimeNs> times_of(std::string_view kind,
                                                  std::string_view actor = {}) const {
    std::vector<sim::TimeNs> times;
    for (const RecordedEvent* event : events(kind, actor)) times.push_back(event->at);
    return times;
  }

  [[nodiscard]] std::string_view actor_name(const RecordedEvent& event) const {
    if (event.actor == sim::no_actor) return {};
    return trace_.actors[static_cast<std::uint32_t>(event.actor)].name;
  }

  [[nodiscard]] const checker::Verdict& verdict(checker::Property property) const {
    return *std::find_if(
        result_->verdicts->begin(), result_->verdicts->end(),
        [&](const checker::Verdict& candidate) { return candidate.property == property; });
  }

  [[nodiscard]] bool violates(checker::Property property) const {
    return verdict(property).kind == checker::VerdictKind::violated;
  }

 private:
  Engine engine_{{support::script_folder()}};
  std::unique_ptr<Simulation> simulation_;
  RecordedTrace trace_;
  const RunResult* result_ = nullptr;
};

}  // namespace lockstep::model::test
