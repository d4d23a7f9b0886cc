#include "search/contract/failed_servers.h"

#include <bit>

#include "checker/observations.h"
#include "model/engine/run_result.h"
#include "model/faults/strike_effects.h"
#include "model/lock/lock_package.h"
#include "scenario/cluster_spec.h"
#include "scenario/faults/fault_spec.h"
#include "scenario/scenario.h"
#include "search/contract/fault_sorts.h"

namespace lockstep::search {

void FailedServers::add_master(std::uint32_t master) {
  masters_ |= model::StrikeEffects::bit_of(master);
}

void FailedServers::add_nodes(std::uint64_t nodes) {
  const std::uint32_t nodes_of_a_master = 1 + redis_.replicas;
  for (std::uint32_t node = 0; node < redis_.masters * nodes_of_a_master; ++node) {
    const bool is_in_it = (nodes & model::StrikeEffects::bit_of(node)) != 0;
    if (is_in_it) add_master(node / nodes_of_a_master);
  }
}

bool FailedServers::are_a_minority() const {
  return 2 * static_cast<std::uint32_t>(std::popcount(masters_)) < redis_.masters;
}

bool have_servers_failed_after_healing(const scenario::Scenario& scenario,
                                       const model::RunResult& run, model::StateNodes nodes) {
  FailedServers late(scenario.redis);
  bool is_any = false;
  for (const model::StrikeSpan& span : run.strike_spans) {
    const sim::TimeNs late_ns = (*run.faults)[span.fault].by_ns;
    const bool is_late =
        delays_messages(span.kind) && span.from_ns + late_ns > run.observations->healed.at_ns;
    if (!is_late) continue;
    is_any = true;
    late.add_nodes(span.servers);
  }
  return is_any && !(nodes == model::StateNodes::quorum && late.are_a_minority());
}

}  // namespace lockstep::search
