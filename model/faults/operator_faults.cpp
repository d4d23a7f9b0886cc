#include "model/faults/operator_faults.h"

#include <algorithm>
#include <optional>

#include "model/lock/lock_package.h"
#include "model/node/redis_node.h"
#include "scenario/faults/fault_spec.h"

namespace lockstep::model {

void OperatorFaults::start_run() {
  limits_.clear();
  script_hangs_.clear();
  for (RedisNode* node : environment_.nodes) node->limit_clients(std::nullopt);
}

std::string OperatorFaults::key_of(const scenario::FaultSpec& fault) const {
  const std::string& pattern =
      fault.key_pattern.empty() ? environment_.state_key : fault.key_pattern;
  return expand_pattern(pattern, fault.lock_name);
}

void OperatorFaults::delete_key(const Strike& strike) {
  environment_.node(strike.spec.target).delete_key(key_of(strike.spec));
}

void OperatorFaults::evict(const Strike& strike) {
  environment_.node(strike.spec.target).evict(key_of(strike.spec));
}

void OperatorFaults::flush_all(const Strike& strike) {
  environment_.node(strike.spec.target).flush_all();
}

void OperatorFaults::flush_scripts(const Strike& strike) {
  environment_.node(strike.spec.target).flush_scripts();
}

// -- a script that hangs --

void OperatorFaults::hang_in_script(const Strike& strike) {
  RedisNode& node = environment_.node(strike.spec.target);
  const sim::DurationNs for_ns = *strike.spec.for_ns;
  script_hangs_.push_back({strike.number, node.host_id(), environment_.queue.now() + for_ns});
  node.hang_in_script(for_ns);
}

/// One that ends in time is over already: the node sees to that.
void OperatorFaults::end_script_hang(const Strike& strike, StrikeEnd why) {
  std::erase_if(script_hangs_, [&](const ScriptHang& own) { return own.strike == strike.number; });
  if (why != StrikeEnd::healed) return;
  RedisNode& node = environment_.node(strike.spec.target);
  sim::TimeNs until = 0;
  for (const ScriptHang& other : script_hangs_) {
    if (other.node == node.host_id()) until = std::max(until, other.until);
  }
  node.end_script_hang_at(until);
}

// -- limits on connections --

/// Also where the process is down: the limit holds for the next one.
void OperatorFaults::limit_clients(const Strike& strike) {
  RedisNode& node = environment_.node(strike.spec.target);
  std::vector<Limit>& limits = limits_[node.host_id()];
  limits.push_back({strike.number, strike.spec.limit ? *strike.spec.limit : node.client_count()});
  apply(node, limits);
}

void OperatorFaults::end_client_limit(const Strike& strike, StrikeEnd /*why*/) {
  RedisNode& node = environment_.node(strike.spec.target);
  std::vector<Limit>& limits = limits_[node.host_id()];
  std::erase_if(limits, [&](const Limit& limit) { return limit.strike == strike.number; });
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
