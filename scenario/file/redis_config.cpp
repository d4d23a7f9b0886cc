#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>

#include "redis/server/config.h"
#include "redis/server/config_parameters.h"
#include "scenario/cluster_spec.h"
#include "scenario/file/redis_fields.h"
#include "scenario/text/in_quotes.h"
#include "scenario/text/input_error.h"
#include "scenario/text/suggest.h"

namespace lockstep::scenario {
namespace {

/// What a simulated node acts on. Another setting would seem to be simulated, and is refused.
constexpr std::array<std::string_view, 22> config_settings = {
    "appendonly",
    "appendfsync",
    "save",
    "maxmemory",
    "maxmemory-policy",
    "min-replicas-to-write",
    "min-replicas-max-lag",
    "repl-backlog-size",
    "replica-ignore-maxmemory",
    "busy-reply-threshold",
    "lazyfree-lazy-eviction",
    "lazyfree-lazy-expire",
    "lazyfree-lazy-user-del",
    "hash-max-listpack-entries",
    "hash-max-listpack-value",
    "set-max-intset-entries",
    "zset-max-listpack-entries",
    "zset-max-listpack-value",
    "cluster-allow-reads-when-down",
    "cluster-replica-no-failover",
    "cluster-replica-validity-factor",
    "cluster-require-full-coverage",
};

void require_setting(const LocatedText& key) {
  if (std::find(config_settings.begin(), config_settings.end(), key.text) != config_settings.end())
    return;
  const bool is_redis_setting = redis::find_config_parameter(key.text) != nullptr;
  const std::string_view what = is_redis_setting
                                    ? "is a setting of Redis that the simulation does not act on"
                                    : "is no setting of Redis";
  key.complain(fmt::format("{} {}{} (expected one of {})", in_quotes(key.text), what,
                           did_you_mean(key.text, config_settings), listed(config_settings, "or")));
}

/// "yes", 1 and true as redis.conf would have them.
std::string value_of(const TableReader& table, std::string_view key) {
  const toml::node& node = *table.node(key);
  if (const auto* text = node.as_string()) return text->get();
  if (const auto* number = node.as_integer()) return std::to_string(number->get());
  if (const auto* yes = node.as_boolean()) return yes->get() ? "yes" : "no";
  throw InputError(
      table.value_place(key),
      fmt::format("the setting {} is {}; expected a string, a whole number or true or false",
                  in_quotes(key), type_in_words(node)));
}

}  // namespace

ConfigSettings read_redis_config(const TableReader& table) {
  redis::Config config;
  ConfigSettings settings;
  for (const LocatedText& key : table.keys()) {
    require_setting(key);
    const std::string value = value_of(table, key.text);
    const std::string refusal = config.set(key.text, value);
    if (refusal.empty()) {
      settings.emplace_back(key.text, value);
      continue;
    }
    throw InputError(table.value_place(key.text),
                     fmt::format("Redis refuses {} = {}: {}", key.text, in_quotes(value), refusal));
  }
  return settings;
}

}  // namespace lockstep::scenario
