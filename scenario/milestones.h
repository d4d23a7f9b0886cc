// Moments of a run that a fault can be tied to ("when = "a acquired"") and a probe can count.
#pragma once

#include <cstddef>
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
  subjectively_down,  ///< a sentinel no longer reaches somebody; detail: whom
  objectively_down,   ///< enough sentinels agree that the master is down; detail: whom
  elected,            ///< a sentinel won the vote and carries out the failover
  switched,           ///< a sentinel takes another node for the master; detail: which
  logged,             ///< a client model logged something; detail: what
};

[[nodiscard]] std::span<const Milestone> all_milestones();
[[nodiscard]] std::string_view to_string(Milestone milestone);
[[nodiscard]] std::optional<Milestone> milestone_from(std::string_view word);

/// Whether a milestone of this actor is one of the host's, thread's or client's of that name: what
/// a thread does, its client does.
[[nodiscard]] bool is_or_belongs_to(const sim::Actor& actor, std::string_view name);

/// Whether the host or thread of that name asked for it; an empty name: whoever did.
[[nodiscard]] bool is_asked_by(const sim::Trace& trace, sim::ActorId actor, std::string_view name);

/// Told of every milestone as it happens, inside the event that caused it.
class MilestoneListener {
 public:
  /// `requested_by`: executed: the thread that sent it, or no_actor.
  virtual void on_milestone(Milestone milestone, sim::ActorId actor, std::string_view detail,
                            sim::ActorId requested_by) = 0;

 protected:
  ~MilestoneListener() = default;
};

/// Told of every fault as it strikes: its number in the scenario.
class StrikeListener {
 public:
  virtual void on_struck(std::size_t fault) = 0;

 protected:
  ~StrikeListener() = default;
};

}  // namespace lockstep::scenario
