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
      std::vector<std::size_t>& limits = limits_[node.host_id()];
      limits.push_back(fault.limit.value_or(static_cast<std::uint32_t>(node.client_count())));
      return node.limit_clients(*std::min_element(limits.begin(), limits.end()));
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
  std::vector<std::size_t>& limits = limits_[node.host_id()];
  const auto own =
      fault.limit ? std::find(limits.begin(), limits.end(), *fault.limit) : std::prev(limits.end());
  limits.erase(own);
  if (limits.empty()) return node.limit_clients(std::nullopt);
  node.limit_clients(*std::min_element(limits.begin(), limits.end()));
}

}  // namespace lockstep::model
