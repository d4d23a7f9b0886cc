#include "model/simulation/operator_faults.h"

#include <algorithm>
#include <iterator>
#include <optional>

#include "model/client/lock_package.h"

namespace lockstep::model {

void OperatorFaults::start_run(sim::ChoiceSource& /*choices*/) {
  limits_.clear();
  for (RedisNode* node : environment_.nodes) node->limit_clients(std::nullopt);
}

void OperatorFaults::strike(const Strike& strike) {
  const FaultSpec& fault = strike.spec;
  RedisNode& node = environment_.node(fault.target);
  const auto key = [&] {
    const std::string& pattern =
        fault.key_pattern.empty() ? environment_.state_key : fault.key_pattern;
    return expand_pattern(pattern, fault.lock_name);
  };
  switch (fault.kind) {
    case FaultKind::evict:
      return node.evict(key());
    case FaultKind::flush_all:
      return node.flush_all();
    case FaultKind::script_flush:
      return node.flush_scripts();
    case FaultKind::busy:
      return node.run_away(*fault.for_ns);
    case FaultKind::max_clients: {
      std::vector<Limit>& limits = limits_[node.host_id()];
      limits.push_back({strike.fault, fault.limit ? *fault.limit : node.client_count()});
      return apply(node, limits);
    }
    default:
      return node.delete_key(key());
  }
}

void OperatorFaults::end(const Strike& strike, StrikeEnd why) {
  const FaultSpec& fault = strike.spec;
  RedisNode& node = environment_.node(fault.target);
  if (fault.kind == FaultKind::busy) {
    if (why == StrikeEnd::healed) node.end_run_away();
    return;
  }
  std::vector<Limit>& limits = limits_[node.host_id()];
  // The oldest strike of a fault ends first.
  const auto own = std::find_if(limits.begin(), limits.end(),
                                [&](const Limit& limit) { return limit.fault == strike.fault; });
  if (own != limits.end()) limits.erase(own);
  apply(node, limits);
}

void OperatorFaults::apply(RedisNode& node, const std::vector<Limit>& limits) {
  const auto lowest = std::min_element(
      limits.begin(), limits.end(),
      [](const Limit& one, const Limit& other) { return one.clients < other.clients; });
  if (lowest == limits.end()) return node.limit_clients(std::nullopt);
  node.limit_clients(lowest->clients);
}

}  // namespace lockstep::model
