#include "redis/replication/replicas.h"

#include <algorithm>

namespace lockstep::redis {

std::uint32_t Replicas::attach(std::string_view host, std::int64_t port, std::int64_t now_ms) {
  Replica& replica = replicas_.emplace_back();
  replica.host = host;
  replica.port = port;
  replica.acknowledged = 0;
  replica.acknowledged_at_ms = now_ms;
  return static_cast<std::uint32_t>(replicas_.size() - 1);
}

void Replicas::acknowledge(std::uint32_t replica, std::int64_t offset, std::int64_t synced,
                           std::int64_t now_ms) {
  if (replica >= replicas_.size()) replicas_.resize(replica + 1);
  Replica& known = replicas_[replica];
  known.acknowledged = std::max(known.acknowledged, offset);
  known.synced = std::max(known.synced, synced);
  known.acknowledged_at_ms = now_ms;
}

void Replicas::drop(std::uint32_t replica) {
  if (replica >= replicas_.size()) return;
  replicas_[replica].is_attached = false;
  replicas_[replica].acknowledged = -1;
  replicas_[replica].synced = -1;
}

std::int64_t Replicas::count_acks_by_offset(std::int64_t offset) const {
  return std::count_if(replicas_.begin(), replicas_.end(),
                       [offset](const Replica& replica) { return replica.acknowledged >= offset; });
}

std::int64_t Replicas::count_syncs_by_offset(std::int64_t offset) const {
  return std::count_if(replicas_.begin(), replicas_.end(), [offset](const Replica& replica) {
    return replica.is_attached && std::max<std::int64_t>(replica.synced, 0) >= offset;
  });
}

std::int64_t Replicas::count_good(std::int64_t max_lag_s, std::int64_t now_ms) const {
  const auto seconds = [](std::int64_t unix_time_ms) { return unix_time_ms / 1000; };
  return std::count_if(replicas_.begin(), replicas_.end(), [&](const Replica& replica) {
    const std::int64_t lag_s = seconds(now_ms) - seconds(replica.acknowledged_at_ms);
    return replica.is_attached && lag_s <= max_lag_s;
  });
}

}  // namespace lockstep::redis
