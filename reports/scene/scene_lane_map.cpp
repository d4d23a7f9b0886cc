#include "reports/scene/scene_lane_map.h"

#include <algorithm>
#include <cstddef>

#include "reports/text.h"

namespace lockstep::reports {
namespace {

constexpr std::size_t name_characters_max = 24;
constexpr std::size_t lane_characters_max = 30;

LaneKind kind_of(const sim::Actor& actor) {
  if (actor.kind == "faults") return LaneKind::faults;
  if (actor.kind == "client-thread") return LaneKind::client_thread;
  if (actor.kind == "redis") return LaneKind::redis;
  if (actor.kind == "sentinel") return LaneKind::sentinel;
  if (actor.kind == "resource") return LaneKind::resource;
  return LaneKind::other;
}

std::ptrdiff_t threads_of(const std::string& client, const std::vector<sim::Actor>& all) {
  return std::count_if(all.begin(), all.end(), [&](const sim::Actor& actor) {
    return actor.kind == "client-thread" && actor.group == client;
  });
}

std::string title_of(const sim::Actor& actor, const std::vector<sim::Actor>& all) {
  switch (kind_of(actor)) {
    case LaneKind::faults:
      return "what struck";
    case LaneKind::client_thread:
      return threads_of(actor.group, all) == 1 ? "client" : "thread of " + actor.group;
    case LaneKind::redis:
      return actor.group == actor.name ? "Redis master" : "replica of " + actor.group;
    case LaneKind::sentinel:
      return "sentinel";
    case LaneKind::resource:
      return "protected by the lock";
    case LaneKind::other:
      return actor.kind;
  }
  return actor.kind;
}

}  // namespace

LaneMap::LaneMap(const std::vector<sim::Actor>& actors) : by_actor_(actors.size()) {
  std::map<std::string, std::size_t, std::less<>> clients;
  for (std::size_t i = 0; i < actors.size(); ++i) {
    const sim::Actor& actor = actors[i];
    actors_by_name_.emplace(actor.name, i);
    if (actor.kind == "client") {
      clients.emplace(actor.group, i);
      continue;
    }
    const LaneIndex lane = lanes_.size();
    lanes_.push_back({actor.name,
                      brief(actor.name, name_characters_max),
                      brief(title_of(actor, actors), lane_characters_max),
                      {},
                      actor.group,
                      kind_of(actor)});
    by_actor_[i].push_back(lane);
    if (actor.kind == "client-thread") {
      const auto client = clients.find(actor.group);
      if (client != clients.end()) by_actor_[client->second].push_back(lane);
    }
  }
}

std::span<const LaneIndex> LaneMap::lanes_of(sim::ActorId actor) const {
  const auto index = static_cast<std::size_t>(actor);
  if (index >= by_actor_.size()) return {};
  return by_actor_[index];
}

std::span<const LaneIndex> LaneMap::lanes_of(std::string_view name) const {
  const auto found = actors_by_name_.find(name);
  if (found == actors_by_name_.end()) return {};
  return by_actor_[found->second];
}

std::optional<LaneIndex> LaneMap::lane_of(sim::ActorId actor, std::string_view thread) const {
  const std::span<const LaneIndex> lanes = lanes_of(actor);
  if (lanes.empty()) return std::nullopt;
  for (const LaneIndex lane : lanes) {
    if (lanes_[lane].name == thread) return lane;
  }
  return lanes.front();
}

std::optional<LaneIndex> LaneMap::lane_named(std::string_view name) const {
  const std::span<const LaneIndex> lanes = lanes_of(name);
  if (lanes.size() != 1) return std::nullopt;
  return lanes.front();
}

}  // namespace lockstep::reports
