#include "scenario/cluster_spec.h"

#include <cassert>

#include "redis/server/config.h"

namespace lockstep::scenario {
namespace {

void apply(const ConfigSettings& settings, redis::Config& config) {
  for (const auto& [name, value] : settings) {
    [[maybe_unused]] const std::string refusal = config.set(name, value);
    assert(refusal.empty() && "the reader of scenarios refuses what Redis refuses");
  }
}

}  // namespace

redis::Config config_of(const RedisSpec& redis) {
  redis::Config config;
  config.save = {};
  apply(redis.settings, config);
  return config;
}

redis::Config config_of(const RedisSpec& redis, const NodeSpec& node) {
  redis::Config config = config_of(redis);
  apply(node.settings, config);
  return config;
}

}  // namespace lockstep::scenario
