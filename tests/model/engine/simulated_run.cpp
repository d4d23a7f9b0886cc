#include "tests/model/engine/simulated_run.h"

#include <algorithm>

#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "sim/seeded_choices.h"
#include "tests/support/script_folder.h"

namespace lockstep::model::test {

SimulatedRun::SimulatedRun(std::string_view text, std::uint64_t seed)
    : engine_(
          std::make_unique<Engine>(std::vector<std::filesystem::path>{support::script_folder()})) {
  simulation_ = engine_->prepare(scenario::parse_scenario("test.toml", std::string(text)));
  sim::SeededChoices choices(seed);
  TraceRecorder sink(trace_.events);
  result_ = &simulation_->run(choices, &sink);
  trace_.actors = simulation_->actors();
}

SimulatedRun::~SimulatedRun() = default;

std::vector<const RecordedEvent*> SimulatedRun::events(std::string_view kind,
                                                       std::string_view actor) const {
  std::vector<const RecordedEvent*> found;
  for (const RecordedEvent& event : trace_.events) {
    if (event.kind == kind && (actor.empty() || actor_name(event) == actor)) {
      found.push_back(&event);
    }
  }
  return found;
}

std::vector<sim::TimeNs> SimulatedRun::times_of(std::string_view kind,
                                                std::string_view actor) const {
  std::vector<sim::TimeNs> times;
  for (const RecordedEvent* event : events(kind, actor)) times.push_back(event->at);
  return times;
}

std::string_view SimulatedRun::actor_name(const RecordedEvent& event) const {
  if (event.actor == sim::no_actor) return {};
  return trace_.actors[static_cast<std::uint32_t>(event.actor)].name;
}

const checker::Verdict& SimulatedRun::verdict(checker::Property property) const {
  return *std::find_if(
      result_->verdicts->begin(), result_->verdicts->end(),
      [&](const checker::Verdict& candidate) { return candidate.property == property; });
}

bool SimulatedRun::violates(checker::Property property) const {
  return verdict(property).kind == checker::VerdictKind::violated;
}

}  // namespace lockstep::model::test
