#include "model/faults/operator_faults.h"

#include <algorithm>
#include <optional>

#include "model/lock/lock_package.h"

namespace lockstep::model {

void OperatorFaults::start_run(sim::ChoiceSource& /*choices*/) {
  limits_.clear();
  script_hangs_.clear();
  for (RedisNode* node : environment_.nodes) node->limit_clients(std::nullopt);
}

/// A limit holds for the next process too.
bool OperatorFaults::can_strike(const scenario::FaultSpec& spec) const {
  return spec.kind == scenario::FaultKind::max_clients ||
         environment_.node(spec.target).state() != sim::HostState::crashed;
}

void OperatorFaults::strike(const Strike& strike) {
  const scenario::FaultSpec& fault = strike.spec;
  RedisNode& node = environment_.node(fault.target);
  const auto key = [&] {
    const std::string& pattern =
        fault.key_pattern.empty() ? environment_.state_key : fault.key_pattern;
    return expand_pattern(pattern, fault.lock_name);
  };
  switch (fault.kind) {
    case scenario::FaultKind::evict:
      return node.evict(key());
    case scenario::FaultKind::flush_all:
      return node.flush_all();
    case scenario::FaultKind::script_flush:
      return node.flush_scripts();
    case scenario::FaultKind::busy:
      return hang_in_script(node, strike);
    case scenario::FaultKind::max_clients: {
      std::vector<Limit>& limits = limits_[node.host_id()];
      limits.push_back({strike.number, fault.limit ? *fault.limit : node.client_count()});
      return apply(node, limits);
    }
    default:
      return node.delete_key(key());
  }
}

void OperatorFaults::end(const Strike& strike, StrikeEnd why) {
  const scenario::FaultSpec& fault = strike.spec;
  RedisNode& node = environment_.node(fault.target);
  if (fault.kind == scenario::FaultKind::busy) return end_script_hang(node, strike, why);
  std::vector<Limit>& limits = limits_[node.host_id()];
  std::erase_if(limits, [&](const Limit& limit) { return limit.strike == strike.number; });
  apply(node, limits);
}

void OperatorFaults::hang_in_script(RedisNode& node, const Strike& strike) {
  const sim::DurationNs for_ns = *strike.spec.for_ns;
  script_hangs_.push_back({strike.number, node.host_id(), environment_.queue.now() + for_ns});
  node.hang_in_script(for_ns);
}

/// One that ends in time is over already: the node sees to that.
void OperatorFaults::end_script_hang(RedisNode& node, const Strike& strike, StrikeEnd why) {
  std::erase_if(script_hangs_, [&](const ScriptHang& own) { return own.strike == strike.number; });
  if (why != StrikeEnd::healed) return;
  sim::TimeNs until = 0;
  for (const ScriptHang& other : script_hangs_) {
    if (other.node == node.host_id()) until = std::max(until, other.until);
  }
  node.end_script_hang_at(until);
}

void OperatorFaults::apply(RedisNode& node, const std::vector<Limit>& limits) {
  const auto lowest = std::min_element(
      limits.begin(), limits.end(),
      [](const Limit& one, const Limit& other) { return one.clients < other.clients; });
  if (lowest == limits.end()) return node.limit_clients(std::nullopt);
  node.limit_clients(lowest->clients);
}

}  // namespace lockstep::model
