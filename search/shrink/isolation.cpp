#include "search/shrink/isolation.h"

#include <cstddef>
#include <memory>
#include <set>

#include "checker/history.h"
#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "scenario/edits.h"
#include "scenario/revalidation.h"
#include "sim/seeded_choices.h"
#include "sim/time.h"

namespace lockstep::search {
namespace {

void add_revalidated(const scenario::Scenario& candidate, std::vector<scenario::Scenario>& all) {
  if (const scenario::Edited edited = scenario::revalidated(candidate)) all.push_back(*edited);
}

/// Leases that no hold outlasts.
void add_longer_leases(const scenario::Scenario& scenario, std::vector<scenario::Scenario>& all) {
  constexpr sim::DurationNs long_ns = 60 * sim::second_ns;
  for (std::size_t client = 0; client < scenario.clients.size(); ++client) {
    scenario::Scenario candidate = scenario;
    bool is_longer = false;
    for (scenario::ThreadSpec& thread : candidate.clients[client].threads) {
      for (scenario::Step& step : thread.steps) {
        if (!step.lease_ns || *step.lease_ns >= long_ns) continue;
        step.lease_ns = long_ns;
        step.lease_ns_max.reset();
        is_longer = true;
      }
    }
    if (is_longer) add_revalidated(candidate, all);
  }
}

/// At which somebody begins an operation in its run.
std::set<sim::TimeNs> instants_of(const scenario::Scenario& scenario, model::Engine& engine) {
  constexpr std::size_t instants_max = 24;
  const std::unique_ptr<model::Simulation> simulation = engine.prepare(scenario);
  sim::SeededChoices choices(1);
  std::set<sim::TimeNs> instants;
  for (const checker::Operation& each : simulation->run(choices).history->operations) {
    instants.insert(each.invoked.at_ns);
    if (instants.size() == instants_max) break;
  }
  return instants;
}

}  // namespace

std::vector<scenario::Scenario> isolating_scenarios(const scenario::Scenario& scenario,
                                                    model::Engine& engine) {
  // A request is a few hundred microseconds under way, the first one behind a handshake.
  constexpr sim::DurationNs offsets_ns[] = {-900 * sim::microsecond_ns, -750 * sim::microsecond_ns,
                                            -150 * sim::microsecond_ns, 0};
  const std::set<sim::TimeNs> instants = instants_of(scenario, engine);
  std::vector<scenario::Scenario> all;
  add_longer_leases(scenario, all);
  for (std::size_t client = 0; client < scenario.clients.size(); ++client) {
    if (scenario.clients[client].start_ns_max) continue;
    for (const sim::TimeNs instant_ns : instants) {
      for (const sim::DurationNs offset_ns : offsets_ns) {
        if (instant_ns + offset_ns < 0) continue;
        scenario::Scenario candidate = scenario;
        candidate.clients[client].start_ns = instant_ns + offset_ns;
        add_revalidated(candidate, all);
      }
    }
  }
  return all;
}

}  // namespace lockstep::search
