// What a master knows of its replicas, as ROLE, WAIT and min-replicas-to-write need it.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::sim {
class Digest;
}

namespace lockstep::redis {

struct Config;

struct Replica {
  std::string host;
  std::int64_t port = 0;
  bool is_attached = true;
  std::int64_t acknowledged = -1;       ///< offset; -1: none yet
  std::int64_t synced = -1;             ///< up to this offset on its disk; -1: it said nothing
  std::int64_t acknowledged_at_ms = 0;  ///< or attached, if that was later
};

/// Replicas count from 0 in the order in which they were attached.
class Replicas {
 public:
  void clear() { replicas_.clear(); }
  [[nodiscard]] std::span<const Replica> all() const { return replicas_; }
  std::uint32_t attach(std::string_view host, std::int64_t port, std::int64_t now_ms);
  /// `synced`: -1 where the replica has no append-only file.
  void acknowledge(std::uint32_t replica, std::int64_t offset, std::int64_t synced,
                   std::int64_t now_ms);
  /// The link broke: the replica's acknowledgements no longer count.
  void drop(std::uint32_t replica);
  /// How many have everything up to `offset`; WAIT's answer.
  [[nodiscard]] std::int64_t count_acks_by_offset(std::int64_t offset) const;
  /// How many have it on their disks; WAITAOF's.
  [[nodiscard]] std::int64_t count_syncs_by_offset(std::int64_t offset) const;
  /// How many acknowledged within this many seconds; min-replicas-to-write asks for them.
  [[nodiscard]] std::int64_t count_good(std::int64_t max_lag_s, std::int64_t now_ms) const;
  void digest_into(sim::Digest& digest, const Config& config, std::int64_t now_ms) const;

 private:
  std::vector<Replica> replicas_;
};

}  // namespace lockstep::redis
