// Of a lock that counts majorities: which owner has the key on which node.
//
// A trace tells of such a lock only when a majority comes or goes. What one node has follows from
// what it answered: the command that asks for a key is the first of all that wrote it, those that
// give it back are called so ("release", "unlock"), any other that writes sets its lease anew,
// whoever sends it. A key ends with its lease by the node's clock (drift is not counted: it moves
// an end by less than a row), with its node, or by a fault that deletes it. Locks on one node at a
// time have no parts.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/recorded_trace.h"
#include "reports/scene/scene_lane_map.h"

namespace lockstep::reports {

/// What became of a node's key.
struct NodeKeyChange {
  LaneIndex node;
  std::string key;
  std::string ended;                ///< its owner until now; empty: nobody
  std::string began;                ///< its owner from now on; empty: nobody
  std::int64_t lease_ends_ns = -1;  ///< of the new owner; -1: not known
  sim::TimeNs ended_ns = -1;        ///< when its lease ended; -1: with the event
  bool is_renewal = false;          ///< its owner stays, its lease is set anew
  std::string by = {};              ///< of a renewal: who did it
  bool is_shorter = false;          ///< … and its lease ends sooner than before
  bool by_clock = false;            ///< a step of the node's clock ended it
};

class QuorumKeys {
 public:
  /// REQUIRES: both outlive it.
  QuorumKeys(const model::RecordedTrace& trace, const LaneMap& lane_map);

  /// Whether an owner's key stands on several masters at once.
  [[nodiscard]] bool count() const { return counts_; }
  /// What this event changes. Events must come in their order; every one of them.
  [[nodiscard]] std::vector<NodeKeyChange> see(const model::RecordedEvent& event);
  /// Who has this key on this node; empty: nobody.
  [[nodiscard]] std::string owner(LaneIndex node, std::string_view key) const;

 private:
  using Event = model::RecordedEvent;
  struct NodeKey {
    std::string owner;
    std::int64_t holds = 1;
    sim::TimeNs ends_ns = -1;
  };
  using Place = std::pair<LaneIndex, std::string>;  // node and key

  void end_leases(sim::TimeNs now, std::vector<NodeKeyChange>& changes);
  void on_command(LaneIndex node, const Event& event, std::vector<NodeKeyChange>& changes);
  void on_clock_step(LaneIndex node, const Event& event, std::vector<NodeKeyChange>& changes);
  void on_fault(const Event& event, std::vector<NodeKeyChange>& changes);
  void end_all(LaneIndex node, std::vector<NodeKeyChange>& changes);
  void restore(LaneIndex node, const Event& event, std::vector<NodeKeyChange>& changes);

  const LaneMap& lane_map_;
  bool counts_ = false;
  std::string asking_;  // the command that asks for a key
  std::map<Place, NodeKey> quorum_keys_;
};

}  // namespace lockstep::reports
