// The interface that is called as soon as a milestone is reached or a fault strikes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "sim/trace.h"

namespace lockstep::scenario {

enum class Milestone : std::uint8_t;

/// Receives every milestone, within the event that caused it.
class MilestoneListener {
 public:
  /// `requested_by`: executed: the thread that sent it, or no_actor.
  virtual void on_milestone(Milestone milestone, sim::ActorId actor, std::string_view detail,
                            sim::ActorId requested_by) = 0;

 protected:
  ~MilestoneListener() = default;
};

/// Receives the index of each fault that strikes.
class StrikeListener {
 public:
  virtual void on_struck(std::size_t fault) = 0;

 protected:
  ~StrikeListener() = default;
};

}  // namespace lockstep::scenario
