// What a cluster node needs from outside: connections, random numbers, its own replication, and an
// observer.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/cluster/cluster_message.h"

namespace lockstep::model {

/// Something that a node learned or did.
struct ClusterStep {
  enum class Kind : std::uint8_t {
    suspected,       ///< PFAIL: `about` has not answered for the node timeout
    trusted,         ///< it answers again, before it counted as failed
    failed,          ///< FAIL: most masters say so, or somebody said that they do
    recovered,       ///< a failed node answers again
    ineligible,      ///< the node may not stand for election: it has not heard of its master
                     ///< (`about`) for too long
    standing,        ///< it will ask for votes in `number` ms
    vote_requested,  ///< it asks for votes in epoch `number`
    voted,           ///< for `about`, in epoch `number`
    elected,         ///< it takes over from `about` with epoch `number`
    slots_moved,     ///< the node learns that `about` has slots, which it took for those of `from`
                     ///< (or of no_cluster_node), epoch `number`
    state_changed,   ///< `number`: 1 where it serves requests from now on, 0 where not
  };
  Kind kind;
  ClusterIndex about = 0;
  ClusterIndex from = 0;
  std::int64_t number = 0;
};

class ClusterPort {
 public:
  /// Begins to open this node's own link to another.
  virtual void open_link(ClusterIndex to) = 0;
  virtual void close_link(ClusterIndex to) = 0;
  /// On this node's own link.
  virtual void send(ClusterIndex to, const ClusterMessage& message) = 0;
  /// On the connection that brought the message being handled.
  virtual void answer(const ClusterMessage& message) = 0;
  /// In [0, bound). REQUIRES: bound ≥ 1.
  virtual std::uint64_t random_below(std::uint64_t bound) = 0;

  [[nodiscard]] virtual std::int64_t replication_offset() const = 0;
  /// Replica: the time since its master was last heard, on the link or before the link broke.
  [[nodiscard]] virtual std::int64_t master_silent_ms() const = 0;
  /// The node has become a master.
  virtual void become_master() = 0;
  /// The node is this one's replica from now on.
  virtual void follow(ClusterIndex master) = 0;
  /// Delivers a PUBLISH from elsewhere to this node's own subscribers.
  virtual void on_published(std::string_view channel, std::string_view text) = 0;
  virtual void on_published_to_shard(std::string_view channel, std::string_view text) = 0;
  virtual void on_step(const ClusterStep& step) = 0;

 protected:
  ~ClusterPort() = default;
};

}  // namespace lockstep::model
