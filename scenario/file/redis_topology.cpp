#include "scenario/file/redis_topology.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string_view>

#include "redis/values/key_slot.h"
#include "scenario/file/cluster_table.h"
#include "scenario/file/file_keys.h"
#include "scenario/sentinel_names.h"
#include "scenario/text/durations.h"
#include "scenario/text/suggest.h"

namespace lockstep::scenario {
namespace {

struct KindWord {
  std::string_view word;
  TopologyKind kind;
};
constexpr std::array<KindWord, 3> kind_words = {{{"independent", TopologyKind::independent},
                                                 {"sentinel", TopologyKind::sentinel},
                                                 {"cluster", TopologyKind::cluster}}};

constexpr std::int64_t sentinels_max = 9;
constexpr sim::DurationNs down_after_min_ns = 10 * sim::millisecond_ns;

TopologyKind read_kind(const LocatedText& word) {
  std::array<std::string_view, kind_words.size()> words;
  for (std::size_t i = 0; i < kind_words.size(); ++i) {
    if (kind_words[i].word == word.text) return kind_words[i].kind;
    words[i] = kind_words[i].word;
  }
  word.complain(fmt::format("there is no topology {}{} (there are {})", in_quotes(word.text),
                            did_you_mean(word.text, words), listed(words)));
}

/// Sentinel counts in whole milliseconds.
void require_milliseconds(const TableReader& table, std::string_view key,
                          sim::DurationNs duration_ns) {
  if (duration_ns % sim::millisecond_ns == 0 && duration_ns >= down_after_min_ns) return;
  table.text(key)->complain(fmt::format("'{}' is {}; expected whole milliseconds, 10ms or more",
                                        key, format_duration(duration_ns)));
}

void read_sentinel(const TableReader& table, SentinelSpec& spec) {
  table.allow_only(key_names_of(TableName::sentinel));
  spec.count = static_cast<std::uint32_t>(
      table.whole_number("count", {1, sentinels_max}).value_or(spec.count));
  spec.quorum = static_cast<std::uint32_t>(
      table.whole_number("quorum", {1, sentinels_max}).value_or(spec.quorum));
  if (spec.quorum > spec.count) {
    throw InputError(table.value_place("quorum"),
                     fmt::format("a quorum of {} among {} sentinels is never reached; expected {} "
                                 "at most",
                                 spec.quorum, spec.count, spec.count));
  }
  if (const auto down_after = table.duration("down_after", DurationSign::positive)) {
    spec.down_after_ns = *down_after;
    require_milliseconds(table, "down_after", *down_after);
  }
  if (const auto timeout = table.duration("failover_timeout", DurationSign::positive)) {
    spec.failover_timeout_ns = *timeout;
    require_milliseconds(table, "failover_timeout", *timeout);
  }
}

void require_one_master(const TableReader& redis_table, const RedisSpec& redis) {
  if (redis.masters > 1) {
    throw InputError(redis_table.value_place("masters"),
                     fmt::format("sentinels watch one master here, not {}; expected masters = 1",
                                 redis.masters));
  }
  if (redis.replicas == 0) {
    throw InputError(redis_table.value_place("topology"),
                     "sentinels have no replica to promote; expected 'replicas', as in "
                     "replicas = 2");
  }
}

}  // namespace

std::string_view to_string(TopologyKind kind) {
  for (const KindWord& each : kind_words) {
    if (each.kind == kind) return each.word;
  }
  return {};
}

std::uint32_t default_master_count(TopologyKind kind) {
  return kind == TopologyKind::cluster ? cluster_masters_min : RedisSpec{}.masters;
}

std::string explain_topology(const RedisSpec& redis, std::string_view lock_name) {
  if (redis.topology == TopologyKind::cluster) {
    const std::size_t master = redis::master_of_slot(redis::key_slot(lock_name), redis.masters);
    return fmt::format("cluster: node timeout {}; '{}' is in a slot of n{}\n",
                       format_duration(redis.cluster.node_timeout_ns), lock_name, master + 1);
  }
  if (redis.topology != TopologyKind::sentinel) return {};
  const SentinelSpec& spec = redis.sentinel;
  return fmt::format("sentinels: {}, quorum {}; down after {}, failover timeout {}\n", spec.count,
                     quorum_of(spec), format_duration(spec.down_after_ns),
                     format_duration(spec.failover_timeout_ns));
}

void require_no_sentinel(const LocatedText& client_name, const RedisSpec& redis) {
  if (redis.topology != TopologyKind::sentinel) return;
  const std::string_view text = client_name.text;
  const bool looks_like_one = text.size() > 1 && text[0] == 's' &&
                              text.find_first_not_of("0123456789", 1) == std::string_view::npos;
  if (!looks_like_one) return;
  client_name.complain(fmt::format("{} is taken: sentinels are named s1, s2 …", in_quotes(text)));
}

void read_topology(const TableReader& redis_table, RedisSpec& redis) {
  if (const auto word = redis_table.text("topology")) redis.topology = read_kind(*word);
  read_cluster(redis_table, redis);
  const auto sentinel = redis_table.table("sentinel");
  if (sentinel && redis.topology != TopologyKind::sentinel) {
    throw InputError(redis_table.key_place("sentinel"),
                     "there are no sentinels to set; expected topology = \"sentinel\" too");
  }
  if (redis.topology != TopologyKind::sentinel) return;
  require_one_master(redis_table, redis);
  if (sentinel) read_sentinel(*sentinel, redis.sentinel);
}

}  // namespace lockstep::scenario
