#include "scenario/milestones.h"

#include <array>
#include <cstddef>

namespace lockstep::scenario {
namespace {

constexpr std::array milestones = {Milestone::acquired,
                                   Milestone::refused,
                                   Milestone::releasing,
                                   Milestone::released,
                                   Milestone::read,
                                   Milestone::wrote,
                                   Milestone::executed,
                                   Milestone::sent,
                                   Milestone::finished,
                                   Milestone::paused,
                                   Milestone::resumed,
                                   Milestone::crashed,
                                   Milestone::restarted,
                                   Milestone::promoted,
                                   Milestone::stopped,
                                   Milestone::subjectively_down,
                                   Milestone::objectively_down,
                                   Milestone::elected,
                                   Milestone::switched,
                                   Milestone::logged};
constexpr std::array<std::string_view, milestones.size()> milestone_words = {"acquired",
                                                                             "refused",
                                                                             "releasing",
                                                                             "released",
                                                                             "read",
                                                                             "wrote",
                                                                             "executed",
                                                                             "sent",
                                                                             "finished",
                                                                             "paused",
                                                                             "resumed",
                                                                             "crashed",
                                                                             "restarted",
                                                                             "promoted",
                                                                             "stopped",
                                                                             "subjectively-down",
                                                                             "objectively-down",
                                                                             "elected",
                                                                             "switched",
                                                                             "logged"};

}  // namespace

bool is_or_belongs_to(const sim::Actor& actor, std::string_view name) {
  return actor.name == name || (actor.kind == "client-thread" && actor.group == name);
}

bool is_asked_by(const sim::Trace& trace, sim::ActorId actor, std::string_view name) {
  if (name.empty()) return true;
  return actor != sim::no_actor && is_or_belongs_to(trace.actor(actor), name);
}

std::span<const Milestone> all_milestones() { return milestones; }

std::string_view to_string(Milestone milestone) {
  return milestone_words[static_cast<std::size_t>(milestone)];
}

std::optional<Milestone> milestone_from(std::string_view word) {
  for (std::size_t i = 0; i < milestone_words.size(); ++i) {
    if (milestone_words[i] == word) return milestones[i];
  }
  return std::nullopt;
}

}  // namespace lockstep::scenario
