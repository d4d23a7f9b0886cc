// Which lanes a trace's actors have.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/recorded_trace.h"
#include "reports/scene/scene.h"

namespace lockstep::reports {

/// The lanes of all actors: faults, client threads, Redis nodes, the resource, in the order of the
/// actors. A client has no lane of its own, its threads stand for it.
class LaneMap {
 public:
  explicit LaneMap(const std::vector<sim::Actor>& actors);

  [[nodiscard]] const std::vector<Lane>& lanes() const { return lanes_; }
  /// The lanes that stand for an actor: several for a client, none for no_actor.
  [[nodiscard]] std::span<const LaneIndex> lanes_of(sim::ActorId actor) const;
  [[nodiscard]] std::span<const LaneIndex> lanes_of(std::string_view name) const;
  /// The lane of `thread` if it is one of the actor's, otherwise the actor's first.
  [[nodiscard]] std::optional<LaneIndex> lane_of(sim::ActorId actor,
                                                 std::string_view thread = {}) const;
  [[nodiscard]] std::optional<LaneIndex> lane_named(std::string_view name) const;

 private:
  std::vector<Lane> lanes_;
  std::vector<std::vector<LaneIndex>> by_actor_;
  std::map<std::string, std::size_t, std::less<>> actors_by_name_;
};

}  // namespace lockstep::reports
