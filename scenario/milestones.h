// Events of a run that trigger faults (when = "a acquired") and that `sometimes` counts.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "sim/trace.h"

namespace lockstep::scenario {

enum class Milestone : std::uint8_t {
  acquired,   ///< a thread's lock or try_lock returned ok; detail: the lock
  refused,    ///< a thread's try_lock returned false; detail: the lock
  releasing,  ///< a thread invoked unlock; detail: the lock
  released,   ///< a thread's unlock returned; detail: the lock
  read,       ///< a thread's read of the resource returned
  wrote,      ///< a thread's write was accepted
  executed,   ///< a node executed a script or command; detail: its label
  sent,       ///< a message was sent; detail: its label
  finished,   ///< a thread finished its steps
  paused,
  resumed,
  crashed,
  restarted,
  promoted,
  stopped,            ///< a node shut down
  subjectively_down,  ///< a sentinel can't reach a node; detail: the node
  objectively_down,   ///< a quorum agrees that the master is down; detail: the master
  elected,            ///< a sentinel won the vote and carries out the failover
  switched,           ///< a sentinel accepts another master; detail: the master
  logged,             ///< a client model logged a message; detail: the message
};

[[nodiscard]] std::span<const Milestone> all_milestones();
[[nodiscard]] std::string_view to_string(Milestone milestone);
[[nodiscard]] std::optional<Milestone> milestone_from(std::string_view word);

/// Whether the actor has that name or is a thread of the client of that name.
[[nodiscard]] bool is_or_belongs_to(const sim::Actor& actor, std::string_view name);

/// Whether the host or thread of that name requested it; an empty name matches all.
[[nodiscard]] bool is_asked_by(const sim::Trace& trace, sim::ActorId actor, std::string_view name);

}  // namespace lockstep::scenario
