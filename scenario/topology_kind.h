// How the Redis nodes of a scenario are organized.
#pragma once

#include <cstdint>

namespace lockstep::scenario {

/// How nodes are organized, and how clients find the master.
enum class TopologyKind : std::uint8_t {
  independent,  ///< masters that know nothing of each other; an operator promotes replicas
  sentinel,     ///< one master with replicas, watched and failed over by sentinels s1, s2, …
  cluster,      ///< masters that share the slots, watch each other and vote for replicas
};

}  // namespace lockstep::scenario
