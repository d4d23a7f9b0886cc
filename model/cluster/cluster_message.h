// The messages that the nodes of a cluster exchange on the cluster bus.
//
// Messages name slots in ranges: a range holds the slots that one master has when the cluster
// is created. Nothing but a failover moves slots here (no resharding), and a failover moves all
// that a master has, so a range never splits: what Redis encodes in a map of 16,384
// bits takes one bit per range here.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::sim {
class Digest;
}

namespace lockstep::model {

/// Counts from 0 through a cluster's nodes, each master before its replicas.
using ClusterIndex = std::uint32_t;
inline constexpr ClusterIndex no_cluster_node = UINT32_MAX;

inline constexpr std::size_t cluster_masters_max = 100;
using SlotRangeSet = std::bitset<cluster_masters_max>;

struct ClusterMessage {
  enum class Kind : std::uint8_t {
    ping,
    pong,          ///< the answer to a ping, or news that a node spreads
    fail,          ///< most masters say that `about` does not answer
    vote_request,  ///< FAILOVER_AUTH_REQUEST
    vote,          ///< FAILOVER_AUTH_ACK
    update,        ///< whoever claims these slots is out of date: they are `about`'s
    publish,       ///< a PUBLISH somewhere in the cluster
  };
  /// What the sender thinks of another node.
  struct Gossip {
    ClusterIndex node = 0;
    bool is_suspected = false;  ///< PFAIL
    bool has_failed = false;    ///< FAIL
    std::int64_t pong_received_s = 0;
  };

  Kind kind = Kind::ping;
  ClusterIndex sender = 0;
  std::uint64_t current_epoch = 0;
  // A replica gives its master's epoch and slot ranges.
  std::uint64_t config_epoch = 0;
  SlotRangeSet slot_ranges;
  std::optional<ClusterIndex> master;  ///< the sender's; none: it is a master itself
  std::int64_t offset = 0;             ///< of the replication stream
  bool is_forced = false;  ///< vote_request: an operator wants it, the master need not have failed
  std::vector<Gossip> gossip;  ///< ping, pong

  ClusterIndex about = 0;          ///< fail, update
  std::uint64_t about_epoch = 0;   ///< update
  SlotRangeSet about_slot_ranges;  ///< update

  std::string channel;       ///< publish
  std::string text;          ///< publish
  bool is_of_shard = false;  ///< publish: it was an SPUBLISH

  void digest_into(sim::Digest& digest) const;  // cluster_digest.cpp
};

}  // namespace lockstep::model
