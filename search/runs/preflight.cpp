#include "search/runs/preflight.h"

#include <fmt/format.h>

#include <memory>

#include "model/engine/engine.h"
#include "model/program/program.h"
#include "scenario/scenario.h"
#include "scenario/text/input_error.h"
#include "search/runs/run_record.h"

namespace lockstep::search {

void require_reproducible(const scenario::Scenario& scenario, std::uint64_t seed,
                          model::Engine& engine, const model::ProgramLauncher* programs) {
  if (programs == nullptr || !scenario::has_program(scenario)) return;
  const std::unique_ptr<model::Simulation> simulation = engine.prepare(scenario);
  const RunRecord first = record_seed(*simulation, seed);
  const RunRecord second = record_seed(*simulation, seed);
  const std::string difference = first_difference(first.trace, second.trace);
  if (difference.empty()) return;
  for (const scenario::ClientSpec& client : scenario.clients) {
    if (!client.program) continue;
    throw scenario::InputError(
        client.program->place,
        fmt::format("its real clients don't do the same twice: seed {} gave two runs that differ, "
                    "so nothing that is found could be shown again; {}; likely sources: {}",
                    seed, difference, programs->likely_sources_of_differences()));
  }
}

}  // namespace lockstep::search
