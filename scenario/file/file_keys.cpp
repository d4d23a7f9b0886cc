#include "scenario/file/file_keys.h"

#include <array>
#include <stdexcept>
#include <string>
#include <utility>

namespace lockstep::scenario {
namespace {

constexpr std::array file_keys = {
    KeyForm{"title", KeyType::text, "What the story is called", TableName::file, true},
    KeyForm{"base", KeyType::text, "A file that this one is laid over"},
    KeyForm{"parameters", KeyType::named, "Values over which the file is run: \"$name\""},
    KeyForm{"case", KeyType::tables, "Rows of parameters with expectations of their own",
            TableName::parameter_case},
    KeyForm{"lock", KeyType::text,
            "\"plain\", a variant \"plain/unlatched\", or a folder \"./mine\"", TableName::file,
            true},
    KeyForm{"lock_name", KeyType::text, "The name of the lock that steps mean when they name none"},
    KeyForm{"expect", KeyType::table, "What is expected of every run", TableName::expect, true},
    KeyForm{"redis", KeyType::table, "The Redis nodes", TableName::redis},
    KeyForm{"options", KeyType::named, "Options of the lock, over those of its lock.toml"},
    KeyForm{"scripts", KeyType::named, "Scripts in place of the lock's own, beside the file"},
    KeyForm{"resource", KeyType::table, "The protected resource", TableName::resource},
    KeyForm{"clocks", KeyType::table, "What clocks may do", TableName::clocks},
    KeyForm{"limits", KeyType::table, "When a run ends at the latest", TableName::limits},
    KeyForm{"liveness", KeyType::table, "What waiters may be asked to bear", TableName::liveness},
    KeyForm{"client", KeyType::tables, "A process that uses the lock", TableName::client, true},
    KeyForm{"link", KeyType::tables, "The latency from one host to another", TableName::link},
    KeyForm{"fault", KeyType::tables, "What goes wrong, and when", TableName::fault},
    KeyForm{"faults", KeyType::text_or_texts,
            "Kinds of fault that may strike besides, drawn in each run: \"any\", or some"},
    KeyForm{"budget", KeyType::named, "How many faults a run draws at most, in all and of a kind"},
    KeyForm{"heal", KeyType::table, "When the faults end", TableName::heal},
};

constexpr std::array expect_keys = {
    KeyForm{"violates", KeyType::text_or_texts, "Properties that are violated in every run"},
    KeyForm{"holds", KeyType::text_or_texts, "Properties that hold in every run"},
    KeyForm{"sometimes", KeyType::text_or_texts,
            "Moments that come, or faults that strike, in at least one run: \"b acquired while a "
            "believes\", \"pause of a struck\""},
    KeyForm{"overlap_at_most", KeyType::duration,
            "For how long two may believe at once that they have the lock"},
    KeyForm{"wait_at_most", KeyType::duration, "How long a thread may wait for the lock"},
};

constexpr std::array redis_keys = {
    KeyForm{"masters", KeyType::whole_number, "Masters n1, n2, …"},
    KeyForm{"replicas", KeyType::whole_number, "Replicas of each master: n1-replica-1, …"},
    KeyForm{"topology", KeyType::text, "How nodes belong together: \"independent\", …"},
    KeyForm{"sentinel", KeyType::table, "The sentinels", TableName::sentinel},
    KeyForm{"cluster", KeyType::table, "The cluster", TableName::cluster},
    KeyForm{"latency", KeyType::latency, "How long one hop takes"},
    KeyForm{"config", KeyType::named, "Settings under Redis's own names"},
    KeyForm{"version", KeyType::text, "The version that is simulated: \"7.0\""},
    KeyForm{"nodes", KeyType::named, "What single nodes have otherwise", TableName::node},
};

constexpr std::array sentinel_keys = {
    KeyForm{"count", KeyType::whole_number, "Sentinels s1, s2, …"},
    KeyForm{"quorum", KeyType::whole_number, "How many must agree that the master is down"},
    KeyForm{"down_after", KeyType::duration, "How long the master must be silent"},
    KeyForm{"failover_timeout", KeyType::duration, "As in sentinel.conf"},
};

constexpr std::array cluster_keys = {
    KeyForm{"node_timeout", KeyType::duration, "cluster-node-timeout"},
};

constexpr std::array node_keys = {
    KeyForm{"wall_offset", KeyType::duration, "By how much its wall clock is wrong"},
    KeyForm{"drift", KeyType::ppm, "Of both its clocks"},
    KeyForm{"latency", KeyType::latency, "Of each hop from and to it"},
    KeyForm{"config", KeyType::named, "Settings over those of [redis] config"},
    KeyForm{"version", KeyType::text, "The version that is simulated: \"7.0\""},
};

constexpr std::array resource_keys = {
    KeyForm{"fencing", KeyType::boolean, "Whether it refuses a stale token"},
};

constexpr std::array clocks_keys = {
    KeyForm{"declared_drift", KeyType::ppm,
            "How far clocks may drift without being the service's fault"},
};

constexpr std::array limits_keys = {
    KeyForm{"horizon", KeyType::duration, "When a run ends at the latest"},
    KeyForm{"events", KeyType::whole_number, "After how many events a run ends at the latest"},
};

constexpr std::array liveness_keys = {
    KeyForm{"progress", KeyType::duration, "How long there may be waiters and no grant"},
    KeyForm{"wakeup", KeyType::duration, "How long a waiter may sleep on while the lock is free"},
    KeyForm{"overtakings", KeyType::whole_number, "How many grants others may have during a wait"},
};

constexpr std::array heal_keys = {
    KeyForm{"at", KeyType::duration, "When every fault ends that does not stay", TableName::file,
            true},
};

constexpr std::array client_keys = {
    KeyForm{"name", KeyType::text, "A letter, then letters, digits, '-' and '_'", TableName::file,
            true},
    KeyForm{"count", KeyType::whole_number, "So many such clients: w1, w2, …"},
    KeyForm{"run", KeyType::texts, "Its steps, in order"},
    KeyForm{"generate", KeyType::table, "Steps that are drawn", TableName::generate},
    KeyForm{"thread", KeyType::tables, "Threads that differ", TableName::thread},
    KeyForm{"threads", KeyType::whole_number, "So many threads that do the same"},
    KeyForm{"rounds", KeyType::whole_number, "How often each thread runs its steps"},
    KeyForm{"start", KeyType::duration_range, "When its threads begin"},
    KeyForm{"wall_offset", KeyType::duration, "By how much its wall clock is wrong"},
    KeyForm{"drift", KeyType::ppm, "Of both its clocks"},
};

constexpr std::array thread_keys = {
    KeyForm{"run", KeyType::texts, "Its steps, in order"},
    KeyForm{"generate", KeyType::table, "Steps that are drawn", TableName::generate},
};

constexpr std::array generate_keys = {
    KeyForm{"steps", KeyType::whole_number, "How many turns a thread takes"},
    KeyForm{"mix", KeyType::named, "What is drawn in a turn, by weight", TableName::file, true},
    KeyForm{"think", KeyType::duration_range, "How long a thread does nothing before each turn"},
    KeyForm{"hold", KeyType::duration_range, "How long it keeps what it has taken"},
    KeyForm{"lease", KeyType::duration_range, "The leases that it asks for"},
    KeyForm{"wait", KeyType::duration_range, "How long a try_… waits"},
    KeyForm{"reentrancy", KeyType::whole_number, "How deep it takes what it has already"},
    KeyForm{"permits", KeyType::number_range, "How many permits it takes at once"},
    KeyForm{"locks", KeyType::text_or_texts, "The names of the locks, of which each turn has one"},
};

constexpr std::array link_keys = {
    KeyForm{"from", KeyType::text, "A host", TableName::file, true},
    KeyForm{"to", KeyType::text, "A host", TableName::file, true},
    KeyForm{"latency", KeyType::latency, "How long messages take in this direction",
            TableName::file, true},
};

constexpr std::array case_keys = {
    KeyForm{"expect", KeyType::table, "What is expected of these rows", TableName::expect},
    KeyForm{"title", KeyType::text, "What these rows are called"},
};

constexpr std::array<std::pair<std::string_view, KeyType>, 21> fault_key_types = {{
    {"at", KeyType::duration_range},
    {"when", KeyType::text},
    {"after", KeyType::duration_range},
    {"before", KeyType::duration_range},
    {"stays", KeyType::boolean},
    {"every", KeyType::duration_range},
    {"times", KeyType::setting},
    {"for", KeyType::duration_range},
    {"by", KeyType::duration_range},
    {"rate", KeyType::ppm},
    {"clock", KeyType::text},
    {"limit", KeyType::whole_number},
    {"task", KeyType::text},
    {"reply", KeyType::text},
    {"nth", KeyType::whole_number},
    {"from", KeyType::text},
    {"to", KeyType::text},
    {"behind", KeyType::text},
    {"at_most", KeyType::duration},
    {"on", KeyType::text},
    {"key", KeyType::text},
}};

}  // namespace

std::span<const KeyForm> keys_of(TableName table) {
  switch (table) {
    case TableName::file:
      return file_keys;
    case TableName::expect:
      return expect_keys;
    case TableName::redis:
      return redis_keys;
    case TableName::sentinel:
      return sentinel_keys;
    case TableName::cluster:
      return cluster_keys;
    case TableName::node:
      return node_keys;
    case TableName::resource:
      return resource_keys;
    case TableName::clocks:
      return clocks_keys;
    case TableName::limits:
      return limits_keys;
    case TableName::liveness:
      return liveness_keys;
    case TableName::heal:
      return heal_keys;
    case TableName::client:
      return client_keys;
    case TableName::thread:
      return thread_keys;
    case TableName::generate:
      return generate_keys;
    case TableName::link:
      return link_keys;
    case TableName::fault:
      return {};
    case TableName::parameter_case:
      return case_keys;
  }
  return {};
}

std::vector<std::string_view> key_names_of(TableName table) {
  std::vector<std::string_view> words;
  for (const KeyForm& form : keys_of(table)) words.push_back(form.key);
  return words;
}

KeyType type_of_fault_key(std::string_view key) {
  for (const auto& [word, type] : fault_key_types) {
    if (word == key) return type;
  }
  throw std::out_of_range("no type for the key of faults '" + std::string(key) +
                          "': add it to fault_key_types in keys.cpp");
}

}  // namespace lockstep::scenario
