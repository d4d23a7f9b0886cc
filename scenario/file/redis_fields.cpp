#include "scenario/file/redis_fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>

#include "redis/server/config.h"
#include "redis/server/config_parameters.h"
#include "redis/server/server_version.h"
#include "scenario/cluster_spec.h"
#include "scenario/scenario.h"
#include "scenario/text/durations.h"
#include "scenario/text/in_quotes.h"
#include "scenario/text/input_error.h"
#include "scenario/text/suggest.h"

namespace lockstep::scenario {
namespace {

constexpr std::array<std::pair<std::string_view, TopologyKind>, 3> topology_words = {
    {{"independent", TopologyKind::independent},
     {"sentinel", TopologyKind::sentinel},
     {"cluster", TopologyKind::cluster}}};

/// Fewer can't vote, and redis-cli --cluster create refuses them.
constexpr std::uint32_t cluster_masters_min = 3;
/// Each node has a link to each other.
constexpr std::uint32_t cluster_nodes_max = 100;
/// Sentinel counts in whole milliseconds.
constexpr sim::DurationNs sentinel_time_min_ns = 10 * sim::millisecond_ns;
/// Nodes look after each other ten times a second.
constexpr sim::DurationNs node_timeout_min_ns = 200 * sim::millisecond_ns;
constexpr std::size_t digits_of_number_max = 18;

TopologyKind topology_of(const LocatedText& word) {
  std::array<std::string_view, topology_words.size()> words;
  for (std::size_t i = 0; i < topology_words.size(); ++i) {
    words[i] = topology_words[i].first;
    if (words[i] == word.text) return topology_words[i].second;
  }
  word.complain(fmt::format("there is no topology {}{} (there are {})", in_quotes(word.text),
                            did_you_mean(word.text, words), listed(words)));
}

std::uint32_t default_master_count(TopologyKind kind) {
  return kind == TopologyKind::cluster ? cluster_masters_min : RedisSpec{}.masters;
}

/// `duration_ns`: as the key says it, or as by default.
void require_milliseconds(const TableReader& table, std::string_view key,
                          sim::DurationNs duration_ns, sim::DurationNs min_ns) {
  if (duration_ns % sim::millisecond_ns == 0 && duration_ns >= min_ns) return;
  table.text(key)->complain(fmt::format("'{}' is {}; expected whole milliseconds, {} or more", key,
                                        format_duration(duration_ns), format_duration(min_ns)));
}

void require_one_master(const TableReader& redis_table, const RedisSpec& redis) {
  if (redis.masters > 1) {
    throw InputError(redis_table.value_place(masters_key),
                     fmt::format("sentinels watch one master here, not {}; expected masters = 1",
                                 redis.masters));
  }
  if (redis.replicas == 0) {
    throw InputError(redis_table.value_place(topology_key),
                     "sentinels have no replica to promote; expected 'replicas', as in "
                     "replicas = 2");
  }
}

void require_size(const TableReader& redis_table, const RedisSpec& redis) {
  if (redis.masters < cluster_masters_min) {
    throw InputError(
        redis_table.value_place(masters_key),
        fmt::format("{} {} can't agree on a failover; expected masters = {} or more", redis.masters,
                    redis.masters == 1 ? "master" : "masters", cluster_masters_min));
  }
  const std::uint32_t nodes = redis.masters * (1 + redis.replicas);
  if (nodes > cluster_nodes_max) {
    throw InputError(
        redis_table.value_place(topology_key),
        fmt::format("this cluster has {} nodes; expected {} at most", nodes, cluster_nodes_max));
  }
}

/// A whole number stands there as one.
std::string write_setting(const std::string& value) {
  const bool is_number = !value.empty() && value.size() <= digits_of_number_max &&
                         value.find_first_not_of("0123456789") == std::string::npos &&
                         (value.front() != '0' || value.size() == 1);
  return is_number ? value : toml_string(value);
}

void write_settings(const ConfigSettings& settings, TomlTable& table) {
  for (const auto& [name, value] : settings) table.add(name, write_setting(value));
}

}  // namespace

std::string_view to_string(TopologyKind kind) {
  const auto* const found = std::find_if(topology_words.begin(), topology_words.end(),
                                         [kind](const auto& each) { return each.second == kind; });
  return found->first;
}

void require_no_sentinel(const LocatedText& client_name, const RedisSpec& redis) {
  if (redis.topology != TopologyKind::sentinel) return;
  const std::string_view text = client_name.text;
  const bool looks_like_one = text.size() > 1 && text[0] == 's' &&
                              text.find_first_not_of("0123456789", 1) == std::string_view::npos;
  if (!looks_like_one) return;
  client_name.complain(fmt::format("{} is taken: sentinels are named s1, s2 …", in_quotes(text)));
}

void require_reachable_quorum(const TableReader& table, const Field<SentinelSpec>& self,
                              const SentinelSpec& spec) {
  if (spec.quorum <= spec.count) return;
  throw InputError(
      table.value_place(self.form.key),
      fmt::format("a quorum of {} among {} sentinels is never reached; expected {} at most",
                  spec.quorum, spec.count, spec.count));
}

void require_sentinel_time(const TableReader& table, const Field<SentinelSpec>& self,
                           const SentinelSpec&) {
  const auto duration_ns = table.duration(self.form.key, self.limits.sign);
  if (duration_ns) {
    require_milliseconds(table, self.form.key, *duration_ns, sentinel_time_min_ns);
  }
}

void require_cluster_time(const TableReader& table, const Field<ClusterSpec>& self,
                          const ClusterSpec& spec) {
  require_milliseconds(table, self.form.key, spec.node_timeout_ns, node_timeout_min_ns);
}

void read_topology(const TableReader& table, const Field<Scenario>& self, const ReadContext&,
                   Scenario& scenario) {
  if (const auto word = table.text(self.form.key)) scenario.redis.topology = topology_of(*word);
}

void write_topology(const Field<Scenario>& self, const Scenario& scenario, const WriteContext&,
                    TableText& text) {
  const TopologyKind kind = scenario.redis.topology;
  if (kind != RedisSpec{}.topology) text.keys.add_text(self.form.key, to_string(kind));
}

void write_masters(const Field<Scenario>& self, const Scenario& scenario, const WriteContext&,
                   TableText& text) {
  const RedisSpec& redis = scenario.redis;
  if (redis.masters == default_master_count(redis.topology)) return;
  text.keys.add_number(self.form.key, redis.masters);
}

void read_sentinel(const TableReader& redis_table, const Field<Scenario>& self,
                   const ReadContext& context, Scenario& scenario) {
  RedisSpec& redis = scenario.redis;
  const auto table = redis_table.table(self.form.key);
  if (table && redis.topology != TopologyKind::sentinel) {
    throw InputError(redis_table.key_place(self.form.key),
                     "there are no sentinels to set; expected topology = \"sentinel\" too");
  }
  if (redis.topology != TopologyKind::sentinel) return;
  require_one_master(redis_table, redis);
  if (table) read_fields(sentinel_fields, *table, context, redis.sentinel);
}

void read_cluster(const TableReader& redis_table, const Field<Scenario>& self,
                  const ReadContext& context, Scenario& scenario) {
  RedisSpec& redis = scenario.redis;
  const bool is_cluster = redis.topology == TopologyKind::cluster;
  const auto table = redis_table.table(self.form.key);
  if (table && !is_cluster) {
    throw InputError(redis_table.key_place(self.form.key),
                     "there is no cluster to set; expected topology = \"cluster\" too");
  }
  if (!is_cluster) return;
  if (!redis_table.has(masters_key)) redis.masters = cluster_masters_min;
  require_size(redis_table, redis);
  if (table) read_fields(cluster_fields, *table, context, redis.cluster);
}

void read_config(const TableReader& table, const Field<Scenario>& self, const ReadContext&,
                 Scenario& scenario) {
  if (const auto config = table.table(self.form.key)) {
    scenario.redis.settings = read_redis_config(*config);
  }
}

void write_config(const Field<Scenario>& self, const Scenario& scenario, const WriteContext&,
                  TableText& text) {
  TableText config = text.below_key(self.form.key);
  write_settings(scenario.redis.settings, config.keys);
  text.add(self.form.key, config);
}

void read_node_config(const TableReader& table, const Field<NodeSpec>& self, const ReadContext&,
                      NodeSpec& node) {
  if (const auto config = table.table(self.form.key)) node.settings = read_redis_config(*config);
}

void write_node_config(const Field<NodeSpec>& self, const NodeSpec& node, const WriteContext&,
                       TableText& text) {
  TableText config = text.below_key(self.form.key);
  write_settings(node.settings, config.keys);
  text.add(self.form.key, config);
}

void read_nodes(const TableReader& redis_table, const Field<Scenario>& self,
                const ReadContext& context, Scenario& scenario) {
  if (const toml::node* const value = redis_table.node(self.form.key);
      value != nullptr && value->is_integer()) {
    throw InputError(redis_table.value_place(self.form.key),
                     fmt::format("'{}' is a table of the nodes by name; how many there are is said "
                                 "as in {} = {}",
                                 self.form.key, masters_key, *value->value<std::int64_t>()));
  }
  const auto nodes = redis_table.table(self.form.key);
  if (!nodes) return;
  const Participants participants(scenario.redis, {});
  for (const LocatedText& name : nodes->keys()) {
    static_cast<void>(participants.node(name));
    NodeSpec node;
    node.name = name.text;
    read_fields(node_fields, *nodes->table(name.text), context, node);
    scenario.redis.nodes.push_back(std::move(node));
  }
}

void write_nodes(const Field<Scenario>& self, const Scenario& scenario, const WriteContext& context,
                 TableText& text) {
  for (const NodeSpec& node : scenario.redis.nodes) {
    TableText table = text.below_key(self.form.key).below_key(node.name);
    write_fields(node_fields, node, context, table);
    text.below += table.as_table();
  }
}

void compare_nodes(const Field<Scenario>& self, const Scenario& one, const Scenario& other,
                   Differences& differences) {
  const std::vector<NodeSpec>& nodes = one.redis.nodes;
  const std::vector<NodeSpec>& others = other.redis.nodes;
  compare_each(node_fields, self.form.key, nodes, others, differences);
  const bool have_same_names =
      std::equal(nodes.begin(), nodes.end(), others.begin(), others.end(),
                 [](const NodeSpec& node, const NodeSpec& same) { return node.name == same.name; });
  if (!have_same_names) differences.add(self.form.key);
}

namespace {

std::optional<redis::ServerVersion> version_at(const TableReader& table, std::string_view key) {
  const auto word = table.text(key);
  if (!word) return std::nullopt;
  if (const auto version = redis::find_version(word->text)) return version;
  word->complain(fmt::format("the version {} is not simulated; {}", in_quotes(word->text),
                             redis::versions_near(word->text)));
}

}  // namespace

void read_version(const TableReader& table, const Field<Scenario>& self, const ReadContext&,
                  Scenario& scenario) {
  if (const auto version = version_at(table, self.form.key)) scenario.redis.version = *version;
}

void write_version(const Field<Scenario>& self, const Scenario& scenario, const WriteContext&,
                   TableText& text) {
  const redis::ServerVersion version = scenario.redis.version;
  if (version != redis::default_version) {
    text.keys.add_text(self.form.key, redis::to_string(version));
  }
}

void read_node_version(const TableReader& table, const Field<NodeSpec>& self, const ReadContext&,
                       NodeSpec& node) {
  node.version = version_at(table, self.form.key);
}

void write_node_version(const Field<NodeSpec>& self, const NodeSpec& node, const WriteContext&,
                        TableText& text) {
  if (node.version) text.keys.add_text(self.form.key, redis::to_string(*node.version));
}

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
