#include "search/runs/other_targets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <utility>

#include "scenario/faults/fault_forms.h"
#include "scenario/faults/fault_spec.h"
#include "scenario/scenario.h"

namespace lockstep::search {
namespace {

bool is_aside(const scenario::Scenario& scenario, const std::string& host) {
  const bool is_sentinel = scenario.redis.topology == scenario::TopologyKind::sentinel &&
                           host.size() == 2 && host.front() == 's';
  return is_sentinel || host.find("-replica-") != std::string::npos;
}

}  // namespace

void retarget(scenario::Scenario& changed, std::size_t fault, const std::string& other) {
  const std::string before = std::exchange(changed.faults[fault].target, other);
  for (scenario::FaultSpec& each : changed.faults) {
    if (each.trigger.when && each.trigger.when->actor == before) each.trigger.when->actor = other;
  }
}

std::vector<LikelyChange> changes_to_masters(const scenario::Scenario& scenario, std::size_t index,
                                             const std::string& of_fault) {
  constexpr std::uint32_t masters_max = 6;
  std::vector<LikelyChange> changes;
  const scenario::FaultSpec& fault = scenario.faults[index];
  const scenario::FaultForm& form = scenario::form_of(fault.kind);
  const bool is_pair = !fault.other.empty();
  if (form.target.kind == scenario::TargetKind::replica) return changes;
  const bool is_of_shard = is_pair && scenario.redis.topology == scenario::TopologyKind::cluster;
  if (!is_of_shard && !is_aside(scenario, is_pair ? fault.other : fault.target)) return changes;
  for (std::uint32_t n = 1; n <= std::min(scenario.redis.masters, masters_max); ++n) {
    const std::string master = fmt::format("n{}", n);
    if (is_pair && (fault.target == master || fault.other == master)) continue;
    const std::string value = is_pair ? fmt::format("[\"{}\", \"{}\"]", fault.target, master)
                                      : fmt::format("\"{}\"", master);
    changes.push_back({LikelyChange::Part::target, index,
                       fmt::format("{} = {}  # {}a master", form.word, value, of_fault),
                       [index, master, is_pair](scenario::Scenario& changed) {
                         if (!is_pair) return retarget(changed, index, master);
                         changed.faults[index].other = master;
                       }});
  }
  return changes;
}

}  // namespace lockstep::search
