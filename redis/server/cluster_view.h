// What a cluster node's server needs to know of its cluster: slot owners, the cluster state, and
// what CLUSTER reports.
//
// The process around the server provides it. A server without one is not in cluster mode, at no
// cost. The cluster bus is not the server's concern (model/cluster/cluster_node.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace lockstep::redis {

/// A node as CLUSTER NODES shows it.
struct ClusterMember {
  std::string_view id;  ///< 40 hexadecimal digits
  std::string_view host;
  std::int64_t port = 0;
  std::optional<std::size_t> master;  ///< none: it is a master
  bool is_suspected = false;          ///< fail?
  bool has_failed = false;            ///< fail
  bool is_connected = true;
  std::int64_t ping_sent_ms = 0;
  std::int64_t pong_received_ms = 0;
  std::uint64_t config_epoch = 0;  ///< of a replica: its master's
  std::int64_t offset = 0;
};

struct SlotRange {
  std::uint32_t first;
  std::uint32_t last;
  std::optional<std::size_t> owner;  ///< none: no known owner
};

enum class FailoverOption : std::uint8_t { force, takeover };

class ClusterView {
 public:
  [[nodiscard]] virtual std::size_t self() const = 0;
  [[nodiscard]] virtual std::size_t size() const = 0;
  /// Views are valid for as long as the cluster.
  [[nodiscard]] virtual ClusterMember member(std::size_t index) const = 0;
  /// None if no owner is known.
  [[nodiscard]] virtual std::optional<std::size_t> owner_of_slot(std::uint32_t slot) const = 0;
  /// In the order of the slots.
  [[nodiscard]] virtual std::size_t range_count() const = 0;
  [[nodiscard]] virtual SlotRange range(std::size_t index) const = 0;
  [[nodiscard]] virtual bool is_up() const = 0;
  [[nodiscard]] virtual std::uint64_t current_epoch() const = 0;
  /// A message for the other nodes' subscribers.
  virtual void publish(std::string_view channel, std::string_view message) = 0;
  /// The same for those of the node's own shard.
  virtual void publish_to_shard(std::string_view channel, std::string_view message) = 0;
  /// CLUSTER FAILOVER on a replica; begins after this call.
  virtual void fail_over(FailoverOption option) = 0;

 protected:
  ~ClusterView() = default;
};

}  // namespace lockstep::redis
