#include "scenario/cluster_spec.h"

#include <cassert>

#include "redis/server/config.h"
#include "redis/server/version_traits.h"

namespace lockstep::scenario {
namespace {

static_assert(version_by_default == redis::default_version);

void apply(const ConfigSettings& settings, redis::Config& config) {
  for (const auto& [name, value] : settings) {
    [[maybe_unused]] const std::string refusal = config.set(name, value);
    assert(refusal.empty() && "the reader of scenarios refuses what Redis refuses");
  }
}

}  // namespace

redis::Config config_of(const RedisSpec& redis) { return config_of(redis, NodeSpec{}); }

redis::Config config_of(const RedisSpec& redis, const NodeSpec& node) {
  const lockstep::redis::ServerVersion version = node.version.value_or(redis.version);
  lockstep::redis::Config config = lockstep::redis::config_of(lockstep::redis::traits_of(version));
  config.save = {};
  apply(redis.settings, config);
  apply(node.settings, config);
  return config;
}

}  // namespace lockstep::scenario
