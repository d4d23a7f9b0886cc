#include "search/contract/failed_servers.h"

#include <bit>

#include "model/faults/strike_effects.h"
#include "scenario/cluster_spec.h"

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

}  // namespace lockstep::search
