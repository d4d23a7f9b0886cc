// Every parameter of Redis 7.0, with its limits and, where the model does not act on it, its value
// (measured on Debian's 7.0.15). A new field of Config takes the place of such a value here.
#include "redis/server/config_parameters.h"

#include <array>
#include <limits>

#include "redis/protocol/letter_case.h"

namespace lockstep::redis {
namespace {

using enum ConfigAccess;

constexpr std::int64_t int_min = std::numeric_limits<std::int32_t>::min();
constexpr std::uint64_t int_max = std::numeric_limits<std::int32_t>::max();
constexpr std::uint64_t unsigned_max = std::numeric_limits<std::uint32_t>::max();
constexpr std::uint64_t long_max = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

/// A name, and perhaps an older one.
struct Names {
  constexpr Names(const char* first) : name(first) {}
  constexpr Names(const char* first, const char* second) : name(first), alias(second) {}
  std::string_view name;
  std::string_view alias;
};

/// Where a value is kept: in a field, or as a text that begins as this one.
struct Place {
  constexpr Place(const char* initial) : text(initial) {}
  template <class Value>
  constexpr Place(Value Config::*member) : field(member) {}
  ConfigField field;
  std::string_view text;
};

constexpr ConfigParameter row(Names names, ConfigKind kind, ConfigAccess access, Place place) {
  return {names.name, names.alias, kind, access, 0, 0, {}, place.field, place.text};
}
constexpr ConfigParameter yes_no(Names names, Place place) {
  return row(names, ConfigKind::yes_no, modifiable, place);
}
constexpr ConfigParameter text(Names names, Place place) {
  return row(names, ConfigKind::text, modifiable, place);
}
constexpr ConfigParameter fixed(Names names, Place place) {
  return row(names, ConfigKind::text, immutable, place);
}
constexpr ConfigParameter guarded(Names names, Place place) {
  return row(names, ConfigKind::text, is_protected, place);
}
constexpr ConfigParameter special(Names names, ConfigKind kind) {
  return row(names, kind, modifiable, "");
}
constexpr ConfigParameter integer(Names names, std::int64_t least, std::uint64_t most,
                                  Place place) {
  return {names.name, names.alias, ConfigKind::integer, modifiable, least,
          most,       {},          place.field,         place.text};
}
constexpr ConfigParameter memory(Names names, std::int64_t least, std::uint64_t most, Place place) {
  return {names.name, names.alias, ConfigKind::memory, modifiable, least,
          most,       {},          place.field,        place.text};
}
/// So many bytes, or a percentage of maxmemory.
constexpr ConfigParameter share(Names names, Place place) {
  ConfigParameter parameter = memory(names, 0, unlimited, place);
  parameter.kind = ConfigKind::memory_or_percent;
  return parameter;
}
constexpr ConfigParameter word(Names names, std::span<const std::string_view> words, Place place) {
  return {names.name, names.alias, ConfigKind::word, modifiable, 0,
          0,          words,       place.field,      place.text};
}

constexpr std::array<std::string_view, 2> acl_pubsub_default_words{"allchannels", "resetchannels"};
constexpr std::array<std::string_view, 3> appendfsync_words{"everysec", "always", "no"};
constexpr std::array<std::string_view, 3> cluster_preferred_endpoint_type_words{"ip", "hostname",
                                                                                "unknown-endpoint"};
constexpr std::array<std::string_view, 4> loglevel_words{"debug", "verbose", "notice", "warning"};
constexpr std::array<std::string_view, 8> maxmemory_policy_words{
    "volatile-lru", "volatile-lfu", "volatile-random", "volatile-ttl",
    "allkeys-lru",  "allkeys-lfu",  "allkeys-random",  "noeviction"};
constexpr std::array<std::string_view, 4> oom_score_adj_words{"no", "yes", "relative", "absolute"};
constexpr std::array<std::string_view, 3> propagation_error_behavior_words{"ignore", "panic",
                                                                           "panic-on-replicas"};
constexpr std::array<std::string_view, 3> repl_diskless_load_words{"disabled", "on-empty-db",
                                                                   "swapdb"};
constexpr std::array<std::string_view, 3> sanitize_dump_payload_words{"no", "yes", "clients"};
constexpr std::array<std::string_view, 5> shutdown_words{"default", "save", "nosave", "now",
                                                         "force"};
constexpr std::array<std::string_view, 3> tls_auth_clients_words{"no", "yes", "optional"};

constexpr std::array parameters{
    word("acl-pubsub-default", acl_pubsub_default_words, "resetchannels"),
    fixed("aclfile", ""),
    integer("acllog-max-len", 0, long_max, "128"),
    integer("active-defrag-cycle-max", 1, 99, "25"),
    integer("active-defrag-cycle-min", 1, 99, "1"),
    memory("active-defrag-ignore-bytes", 1, long_max, "104857600"),
    integer("active-defrag-max-scan-fields", 1, long_max, "1000"),
    integer("active-defrag-threshold-lower", 0, 1000, "10"),
    integer("active-defrag-threshold-upper", 0, 1000, "100"),
    integer("active-expire-effort", 1, 10, "1"),
    yes_no("activedefrag", "no"),
    yes_no("activerehashing", "yes"),
    fixed("always-show-logo", "no"),
    yes_no("aof-disable-auto-gc", "no"),
    yes_no("aof-load-truncated", "yes"),
    yes_no("aof-rewrite-incremental-fsync", "yes"),
    yes_no("aof-timestamp-enabled", "no"),
    yes_no("aof-use-rdb-preamble", "yes"),
    fixed("aof_rewrite_cpulist", ""),
    fixed("appenddirname", "appendonlydir"),
    fixed("appendfilename", "appendonly.aof"),
    word("appendfsync", appendfsync_words, &Config::append_fsync),
    yes_no("appendonly", &Config::append_only),
    memory("auto-aof-rewrite-min-size", 0, long_max, "67108864"),
    integer("auto-aof-rewrite-percentage", 0, int_max, "100"),
    fixed("bgsave_cpulist", ""),
    text("bind", "* -::*"),
    text("bind-source-addr", ""),
    fixed("bio_cpulist", ""),
    integer({"busy-reply-threshold", "lua-time-limit"}, 0, long_max,
            &Config::busy_reply_threshold_ms),
    special("client-output-buffer-limit", ConfigKind::buffer_limits),
    memory("client-query-buffer-limit", 1'048'576, long_max,
           &Config::client_query_buffer_limit_bytes),
    yes_no("cluster-allow-pubsubshard-when-down", "yes"),
    yes_no("cluster-allow-reads-when-down", "no"),
    yes_no("cluster-allow-replica-migration", "yes"),
    integer("cluster-announce-bus-port", 0, 65535, "0"),
    text("cluster-announce-hostname", ""),
    text("cluster-announce-ip", ""),
    integer("cluster-announce-port", 0, 65535, "0"),
    integer("cluster-announce-tls-port", 0, 65535, "0"),
    fixed("cluster-config-file", "nodes.conf"),
    fixed("cluster-enabled", "no"),
    memory("cluster-link-sendbuf-limit", 0, unlimited, "0"),
    integer("cluster-migration-barrier", 0, int_max, "1"),
    integer("cluster-node-timeout", 0, long_max, "15000"),
    fixed("cluster-port", "0"),
    word("cluster-preferred-endpoint-type", cluster_preferred_endpoint_type_words, "ip"),
    yes_no({"cluster-replica-no-failover", "cluster-slave-no-failover"}, "no"),
    integer({"cluster-replica-validity-factor", "cluster-slave-validity-factor"}, 0, int_max, "10"),
    yes_no("cluster-require-full-coverage", "yes"),
    yes_no("crash-log-enabled", "yes"),
    yes_no("crash-memcheck-enabled", "yes"),
    fixed("daemonize", "no"),
    fixed("databases", "16"),
    guarded("dbfilename", &Config::db_filename),
    guarded("dir", &Config::directory),
    fixed("disable-thp", "yes"),
    yes_no("dynamic-hz", "yes"),
    fixed("enable-debug-command", "yes"),
    fixed("enable-module-command", "no"),
    fixed("enable-protected-configs", "no"),
    integer({"hash-max-listpack-entries", "hash-max-ziplist-entries"}, 0, long_max,
            &Config::hash_max_listpack_entries),
    memory({"hash-max-listpack-value", "hash-max-ziplist-value"}, 0, long_max,
           &Config::hash_max_listpack_value_bytes),
    memory("hll-sparse-max-bytes", 0, long_max, "3000"),
    integer("hz", 0, int_max, &Config::hz),
    text("ignore-warnings", ""),
    fixed("io-threads", "1"),
    fixed("io-threads-do-reads", "no"),
    yes_no("jemalloc-bg-thread", "yes"),
    integer("latency-monitor-threshold", 0, long_max, "0"),
    yes_no("latency-tracking", "yes"),
    text("latency-tracking-info-percentiles", "50 99 99.9"),
    yes_no("lazyfree-lazy-eviction", &Config::lazy_free_eviction),
    yes_no("lazyfree-lazy-expire", &Config::lazy_free_expire),
    yes_no("lazyfree-lazy-server-del", &Config::lazy_free_server_del),
    yes_no("lazyfree-lazy-user-del", &Config::lazy_free_user_del),
    yes_no("lazyfree-lazy-user-flush", &Config::lazy_free_user_flush),
    integer("lfu-decay-time", 0, int_max, "1"),
    integer("lfu-log-factor", 0, int_max, "10"),
    integer("list-compress-depth", 0, int_max, "0"),
    integer({"list-max-listpack-size", "list-max-ziplist-size"}, int_min, int_max,
            &Config::list_max_listpack_size),
    text("logfile", ""),
    word("loglevel", loglevel_words, "notice"),
    text("masterauth", ""),
    text("masteruser", ""),
    integer("maxclients", 1, unsigned_max, &Config::max_clients),
    memory("maxmemory", 0, unlimited, &Config::max_memory_bytes),
    share("maxmemory-clients", "0"),
    integer("maxmemory-eviction-tenacity", 0, 100, "10"),
    word("maxmemory-policy", maxmemory_policy_words, &Config::max_memory_policy),
    integer("maxmemory-samples", 1, int_max, "5"),
    integer({"min-replicas-max-lag", "min-slaves-max-lag"}, 0, int_max,
            &Config::min_replicas_max_lag_s),
    integer({"min-replicas-to-write", "min-slaves-to-write"}, 0, int_max,
            &Config::min_replicas_to_write),
    yes_no("no-appendfsync-on-rewrite", "no"),
    special("notify-keyspace-events", ConfigKind::keyspace_events),
    word("oom-score-adj", oom_score_adj_words, "no"),
    text("oom-score-adj-values", "0 200 800"),
    fixed("pidfile", ""),
    fixed("port", &Config::port),
    text("proc-title-template", "{title} {listen-addr} {server-mode}"),
    word("propagation-error-behavior", propagation_error_behavior_words, "ignore"),
    yes_no("protected-mode", "yes"),
    memory("proto-max-bulk-len", 1'048'576, long_max, &Config::proto_max_bulk_len_bytes),
    yes_no("rdb-del-sync-files", "no"),
    yes_no("rdb-save-incremental-fsync", "yes"),
    fixed("rdbchecksum", "yes"),
    yes_no("rdbcompression", "yes"),
    memory("repl-backlog-size", 1, long_max, &Config::repl_backlog_size_bytes),
    integer("repl-backlog-ttl", 0, long_max, &Config::repl_backlog_ttl_s),
    yes_no("repl-disable-tcp-nodelay", "no"),
    word("repl-diskless-load", repl_diskless_load_words, "disabled"),
    yes_no("repl-diskless-sync", "yes"),
    integer("repl-diskless-sync-delay", 0, int_max, "5"),
    integer("repl-diskless-sync-max-replicas", 0, int_max, "0"),
    integer({"repl-ping-replica-period", "repl-ping-slave-period"}, 1, int_max,
            &Config::repl_ping_replica_period_s),
    integer("repl-timeout", 1, int_max, &Config::repl_timeout_s),
    text({"replica-announce-ip", "slave-announce-ip"}, ""),
    integer({"replica-announce-port", "slave-announce-port"}, 0, 65535, "0"),
    yes_no("replica-announced", "yes"),
    yes_no("replica-ignore-disk-write-errors", "no"),
    yes_no({"replica-ignore-maxmemory", "slave-ignore-maxmemory"},
           &Config::replica_ignore_max_memory),
    yes_no({"replica-lazy-flush", "slave-lazy-flush"}, "no"),
    integer({"replica-priority", "slave-priority"}, 0, int_max, &Config::replica_priority),
    yes_no({"replica-read-only", "slave-read-only"}, &Config::replica_read_only),
    yes_no({"replica-serve-stale-data", "slave-serve-stale-data"},
           &Config::replica_serve_stale_data),
    fixed({"replicaof", "slaveof"}, ""),
    text("requirepass", ""),
    word("sanitize-dump-payload", sanitize_dump_payload_words, "no"),
    special("save", ConfigKind::save_points),
    fixed("server_cpulist", ""),
    integer("set-max-intset-entries", 0, long_max, &Config::set_max_intset_entries),
    fixed("set-proc-title", "yes"),
    word("shutdown-on-sigint", shutdown_words, "default"),
    word("shutdown-on-sigterm", shutdown_words, "default"),
    integer("shutdown-timeout", 0, int_max, "10"),
    integer("slowlog-log-slower-than", -1, long_max, "10000"),
    integer("slowlog-max-len", 0, long_max, "128"),
    fixed("socket-mark-id", "0"),
    yes_no("stop-writes-on-bgsave-error", &Config::stop_writes_on_bgsave_error),
    memory("stream-node-max-bytes", 0, long_max, "4096"),
    integer("stream-node-max-entries", 0, long_max, "100"),
    fixed("supervised", "no"),
    fixed("syslog-enabled", "no"),
    fixed("syslog-facility", "local0"),
    fixed("syslog-ident", "redis"),
    fixed("tcp-backlog", "511"),
    integer("tcp-keepalive", 0, int_max, "300"),
    integer("timeout", 0, int_max, &Config::timeout_s),
    word("tls-auth-clients", tls_auth_clients_words, "yes"),
    text("tls-ca-cert-dir", ""),
    text("tls-ca-cert-file", ""),
    text("tls-cert-file", ""),
    text("tls-ciphers", ""),
    text("tls-ciphersuites", ""),
    text("tls-client-cert-file", ""),
    text("tls-client-key-file", ""),
    text("tls-client-key-file-pass", ""),
    yes_no("tls-cluster", "no"),
    text("tls-dh-params-file", ""),
    text("tls-key-file", ""),
    text("tls-key-file-pass", ""),
    integer("tls-port", 0, 65535, "0"),
    yes_no("tls-prefer-server-ciphers", "no"),
    text("tls-protocols", ""),
    yes_no("tls-replication", "no"),
    integer("tls-session-cache-size", 0, int_max, "20480"),
    integer("tls-session-cache-timeout", 0, int_max, "300"),
    yes_no("tls-session-caching", "yes"),
    integer("tracking-table-max-keys", 0, long_max, "1000000"),
    fixed("unixsocket", &Config::unix_socket),
    fixed("unixsocketperm", "0"),
    integer({"zset-max-listpack-entries", "zset-max-ziplist-entries"}, 0, long_max,
            &Config::zset_max_listpack_entries),
    memory({"zset-max-listpack-value", "zset-max-ziplist-value"}, 0, long_max,
           &Config::zset_max_listpack_value_bytes)};

}  // namespace

bool ConfigParameter::has_no_effect() const {
  const bool is_special = kind == ConfigKind::save_points || kind == ConfigKind::keyspace_events ||
                          kind == ConfigKind::buffer_limits;
  return !is_special && std::holds_alternative<std::monostate>(field);
}

std::span<const ConfigParameter> config_parameters() { return parameters; }

const ConfigParameter* find_config_parameter(std::string_view name) {
  for (const ConfigParameter& parameter : parameters) {
    if (equals_ignoring_case(name, parameter.name)) return &parameter;
    if (!parameter.alias.empty() && equals_ignoring_case(name, parameter.alias)) return &parameter;
  }
  return nullptr;
}

}  // namespace lockstep::redis
