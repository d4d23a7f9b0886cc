#include "search/runs/with_programs.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "checker/property.h"
#include "model/engine/engine.h"
#include "model/lock/lock_package.h"
#include "model/program/program.h"
#include "scenario/scenario.h"
#include "scenario/steps.h"
#include "scenario/text/input_error.h"
#include "search/runs/run_record.h"

namespace lockstep::search {
namespace {

std::string steps_of(const scenario::ClientSpec& client, const std::string& lock_name) {
  if (client.threads.size() != 1) {
    throw scenario::InputError(
        client.place, fmt::format("the client '{}' has {} threads, which one program can't play; "
                                  "expected a scenario whose clients have one each",
                                  client.name, client.threads.size()));
  }
  const scenario::ThreadSpec& thread = client.threads.front();
  if (thread.is_open() || client.rounds_max) {
    throw scenario::InputError(
        client.place, fmt::format("the steps of '{}' are drawn in each run, which no program is "
                                  "told; expected closed ones, as a finding has them",
                                  client.name));
  }
  std::string text;
  for (std::uint32_t round = 0; round < client.rounds; ++round) {
    for (const scenario::Step& step : thread.steps) {
      if (!text.empty()) text += '\n';
      text += scenario::write_step(step, lock_name);
    }
  }
  return text;
}

/// As every program finds them (model/program/host_addresses.h).
std::string masters_of(const scenario::Scenario& scenario) {
  constexpr std::uint32_t first_port = 6'379;
  std::string text;
  for (std::uint32_t i = 0; i < scenario.redis.masters; ++i) {
    text += fmt::format("{}localhost:{}", i == 0 ? "" : " ", first_port + i);
  }
  return text;
}

void keep_judged(std::vector<checker::Property>& properties) {
  std::erase_if(properties, &model::needs_declared_operations);
}

}  // namespace

scenario::Scenario with_programs(scenario::Scenario scenario,
                                 const scenario::ProgramSpec& program) {
  for (scenario::ClientSpec& client : scenario.clients) {
    scenario::ProgramSpec played = program;
    played.env[std::string(steps_variable)] = steps_of(client, scenario.lock_name);
    played.env[std::string(lock_variable)] = scenario.lock_name;
    played.env[std::string(masters_variable)] = masters_of(scenario);
    played.place = client.place;
    client.program = std::move(played);
    client.threads.assign(1, {});
    client.rounds = 1;
    client.options.clear();
    client.option_places.clear();
  }
  keep_judged(scenario.expect.violates);
  keep_judged(scenario.expect.holds);
  return scenario;
}

void require_reproducible(const scenario::Scenario& scenario, std::uint64_t seed,
                          model::Engine& engine, const model::ProgramLauncher* programs) {
  if (programs == nullptr || !scenario::has_program(scenario)) return;
  const std::unique_ptr<model::Simulation> simulation = engine.prepare(scenario);
  const RunRecord first = record_seed(*simulation, seed);
  // To be stuck takes long each time, and the runs to come tell it.
  if (!stuck_program(first.trace).empty()) return;
  const RunRecord second = record_seed(*simulation, seed);
  if (first_difference(first.trace, second.trace).empty()) return;
  blame_programs(scenario, first, second,
                 "; likely sources: " + programs->likely_sources_of_differences());
}

void blame_programs(const scenario::Scenario& scenario, const RunRecord& first,
                    const RunRecord& second, std::string_view hint) {
  const std::string in_first = stuck_program(first.trace);
  const std::string stuck = in_first.empty() ? stuck_program(second.trace) : in_first;
  for (const scenario::ClientSpec& client : scenario.clients) {
    if (!client.program) continue;
    throw scenario::InputError(
        client.program->place,
        stuck.empty()
            ? fmt::format("its real clients don't do the same twice: seed {} gave two runs that "
                          "differ, so nothing that is found could be shown again; {}{}",
                          first.seed, first_difference(first.trace, second.trace), hint)
            : fmt::format("one of its real clients was stuck in one of two runs of seed {}: {}",
                          first.seed, stuck));
  }
}

}  // namespace lockstep::search
