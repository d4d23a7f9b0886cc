// A server's configuration under Redis's own names, as redis.conf and CONFIG have it.
//
// Parameters that the model acts on are fields. Every other parameter of Redis 7.0 is kept as text,
// so that CONFIG SET and GET agree, and has no effect. Defaults are those of Debian's 7.0.15
// started without a file. The parameters, with their limits: config_parameters.cpp.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "redis/pubsub/keyspace_events.h"

namespace lockstep::redis {

enum class AppendFsync : std::uint8_t { everysec, always, no };

enum class EvictionPolicy : std::uint8_t {
  volatile_lru,
  volatile_lfu,
  volatile_random,
  volatile_ttl,
  allkeys_lru,
  allkeys_lfu,
  allkeys_random,
  no_eviction,
};

/// A snapshot is due when so many changes are older than so many seconds.
struct SavePoint {
  std::int64_t seconds = 0;
  std::int64_t changes = 0;
  friend bool operator==(const SavePoint&, const SavePoint&) = default;
};

/// Save points, kept in place so that a Config costs no memory of its own.
class SavePoints {
 public:
  static constexpr std::size_t size_max = 16;

  constexpr SavePoints() = default;
  constexpr SavePoints(std::initializer_list<SavePoint> points) {
    for (const SavePoint& point : points) add(point);
  }
  /// REQUIRES: fewer than size_max points so far.
  constexpr void add(const SavePoint& point) { points_[size_++] = point; }
  [[nodiscard]] constexpr std::size_t size() const { return size_; }
  [[nodiscard]] constexpr bool empty() const { return size_ == 0; }
  [[nodiscard]] constexpr const SavePoint* begin() const { return points_.data(); }
  [[nodiscard]] constexpr const SavePoint* end() const { return points_.data() + size_; }
  friend bool operator==(const SavePoints&, const SavePoints&) = default;

 private:
  std::array<SavePoint, size_max> points_{};
  std::size_t size_ = 0;
};

/// When a client that does not read its replies is disconnected; 0: never.
struct OutputBufferLimit {
  std::uint64_t hard_bytes = 0;
  std::uint64_t soft_bytes = 0;
  std::int64_t soft_seconds = 0;
  friend bool operator==(const OutputBufferLimit&, const OutputBufferLimit&) = default;
};

struct ConfigParameter;
struct VersionTraits;

inline constexpr SavePoints default_save_points{{3600, 1}, {300, 100}, {60, 10000}};

struct Config {
  // Persistence.
  bool append_only = false;
  AppendFsync append_fsync = AppendFsync::everysec;
  SavePoints save = default_save_points;
  bool stop_writes_on_bgsave_error = true;
  std::string directory = "/var/lib/redis";  ///< dir
  std::string db_filename = "dump.rdb";

  // Memory.
  std::uint64_t max_memory_bytes = 0;  ///< 0: no limit
  EvictionPolicy max_memory_policy = EvictionPolicy::no_eviction;
  bool replica_ignore_max_memory = true;
  bool lazy_free_eviction = false;
  bool lazy_free_expire = false;
  bool lazy_free_server_del = false;
  bool lazy_free_user_del = false;
  bool lazy_free_user_flush = false;
  std::int64_t hash_max_listpack_entries = 512;
  std::uint64_t hash_max_listpack_value_bytes = 64;
  std::int64_t list_max_listpack_size = -2;  ///< negative: a class of sizes in bytes
  std::int64_t set_max_intset_entries = 512;
  std::int64_t zset_max_listpack_entries = 128;
  std::uint64_t zset_max_listpack_value_bytes = 64;

  // Replication.
  std::int64_t min_replicas_to_write = 0;
  std::int64_t min_replicas_max_lag_s = 10;
  std::uint64_t repl_backlog_size_bytes = 1'048'576;
  std::int64_t repl_backlog_ttl_s = 3600;
  std::int64_t repl_ping_replica_period_s = 10;
  std::int64_t repl_timeout_s = 60;
  bool replica_read_only = true;
  bool replica_serve_stale_data = true;
  std::int64_t replica_priority = 100;

  // Clients and scripts.
  std::int64_t busy_reply_threshold_ms = 5000;  ///< lua-time-limit
  std::string notify_keyspace_events;           ///< as CONFIG GET tells it
  KeyspaceEvents keyspace_events;               ///< what it stands for
  std::uint64_t proto_max_bulk_len_bytes = 536'870'912;
  std::uint64_t client_query_buffer_limit_bytes = 1'073'741'824;
  /// Of clients, replicas and subscribers.
  std::array<OutputBufferLimit, 3> client_output_buffer_limits{
      {{0, 0, 0}, {268'435'456, 67'108'864, 60}, {33'554'432, 8'388'608, 60}}};
  std::int64_t timeout_s = 0;  ///< of idle clients; 0: none
  std::int64_t max_clients = 10'000;
  std::int64_t hz = 10;

  // Fixed while the server runs.
  std::int64_t port = 6379;
  std::string unix_socket;

  /// What has no effect and differs from its default, by parameter.
  std::vector<std::pair<const ConfigParameter*, std::string>> others;

  /// Sets a parameter as a line of redis.conf does, including those that a running server refuses
  /// to change. Returns Redis's error text, empty on success.
  std::string set(std::string_view name, std::string_view value);
  /// A parameter's value as CONFIG GET writes it. REQUIRES: the parameter exists.
  [[nodiscard]] std::string get(std::string_view name) const;

  friend bool operator==(const Config&, const Config&) = default;
};

/// The configuration of a server of this version that is given none.
[[nodiscard]] Config config_of(const VersionTraits& version);

}  // namespace lockstep::redis
