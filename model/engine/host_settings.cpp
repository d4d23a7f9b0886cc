#include "model/engine/host_settings.h"

#include <algorithm>
#include <optional>

#include "scenario/cluster_spec.h"
#include "scenario/scenario.h"

namespace lockstep::model {
namespace {

std::optional<sim::Latency> slower(const std::optional<sim::Latency>& one,
                                   const std::optional<sim::Latency>& other) {
  if (!one || !other) return one ? one : other;
  return one->delay_ns_max < other->delay_ns_max ? other : one;
}

}  // namespace

const scenario::NodeSpec& settings_of(const scenario::RedisSpec& redis, std::string_view node) {
  static const scenario::NodeSpec none;
  const auto found =
      std::find_if(redis.nodes.begin(), redis.nodes.end(),
                   [node](const scenario::NodeSpec& each) { return each.name == node; });
  return found == redis.nodes.end() ? none : *found;
}

sim::DurationNs slowest_hop_ns(const scenario::Scenario& scenario) {
  sim::DurationNs slowest_ns = scenario.latency.delay_ns_max;
  for (const scenario::NodeSpec& node : scenario.redis.nodes) {
    if (node.latency) slowest_ns = std::max(slowest_ns, node.latency->delay_ns_max);
  }
  for (const scenario::LinkSpec& link : scenario.links) {
    slowest_ns = std::max(slowest_ns, link.latency.delay_ns_max);
  }
  return slowest_ns;
}

void set_latencies(const scenario::Scenario& scenario, sim::Network& network) {
  network.set_default_latency(scenario.latency);
  const bool all_alike = scenario.redis.nodes.empty() && scenario.links.empty();
  if (all_alike) return;
  const auto count = static_cast<std::uint32_t>(network.host_count());
  for (std::uint32_t from = 0; from < count; ++from) {
    for (std::uint32_t to = 0; to < count; ++to) {
      const std::string& sender = network.host(sim::HostId{from}).name();
      const std::string& receiver = network.host(sim::HostId{to}).name();
      std::optional<sim::Latency> latency = slower(settings_of(scenario.redis, sender).latency,
                                                   settings_of(scenario.redis, receiver).latency);
      for (const scenario::LinkSpec& link : scenario.links) {
        if (link.from == sender && link.to == receiver) latency = link.latency;
      }
      if (latency) network.set_latency(sim::HostId{from}, sim::HostId{to}, *latency);
    }
  }
}

}  // namespace lockstep::model
