#include "model/faults/fault_environment.h"

#include <algorithm>
#include <cassert>

#include "model/node/redis_node.h"
#include "model/observers/lock_observer.h"
#include "sim/network.h"

namespace lockstep::model {

sim::HostId FaultEnvironment::host_id(std::string_view name) const {
  const std::optional<sim::HostId> found = network.find_host(name);
  assert(found && "a fault names a host that is not there");
  return found.value_or(sim::HostId{0});
}

sim::Host& FaultEnvironment::host(std::string_view name) const {
  return network.host(host_id(name));
}

RedisNode& FaultEnvironment::node(std::string_view name) const {
  const auto found = std::find_if(nodes.begin(), nodes.end(),
                                  [&](const RedisNode* node) { return node->name() == name; });
  assert(found != nodes.end());
  return **found;
}

void FaultEnvironment::tell_of_restart(const sim::Host& restarted) const {
  for (const RedisNode* each : nodes) {
    if (each == &restarted) return observer.on_takeover(TakeoverKind::restart, *each, nullptr);
  }
  observer.on_failover();
}

}  // namespace lockstep::model
