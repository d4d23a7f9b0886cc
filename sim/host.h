// A machine of the cluster with the one process on it: its clocks, its timers, and whether it runs.
//
// What the process does is a subclass's matter (a Redis node, a client program, a resource). What
// happens *to* it is handled here: a paused process neither runs nor reads its sockets, so whatever
// reaches it (messages, connection events, timers) waits in its inbox in order of arrival and is
// handled when it resumes; a crashed process loses its inbox, its timers and its connections.
//
// Timers run on the monotonic clock and are re-armed when that clock changes.
// Not covered: several processes on a host, slow processes (only stopped ones).
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "sim/clock.h"
#include "sim/event_queue.h"
#include "sim/time.h"
#include "sim/trace.h"

namespace lockstep::sim {

enum class HostId : std::uint32_t {};
enum class ConnectionId : std::uint32_t {};
enum class TimerId : std::uint32_t {};
/// What a message carries, as a number that only its sender and receiver can read (sim/network.h).
using Payload = std::uint64_t;

enum class HostState : std::uint8_t { running, paused, crashed };

/// What waits in a host's inbox, and what a running host is given.
struct Incoming {
  enum class Kind : std::uint8_t {
    message,             ///< argument: the payload
    connection_opened,   ///< both ends are told
    connection_refused,  ///< the process at the other end is not running
    connection_closed,   ///< the other end closed it, crashed, or it was reset
    timer,               ///< argument: the cookie given to start_timer
    resumed_work,        ///< argument: the cookie given to run_or_defer
  };
  Kind kind;
  ConnectionId connection{};
  std::uint64_t argument = 0;
};

class Host : private EventTarget {
 public:
  Host(std::string name, ActorId actor, EventQueue& queue, Trace& trace);
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;
  virtual ~Host() = default;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] ActorId actor() const { return actor_; }
  [[nodiscard]] HostState state() const { return state_; }
  [[nodiscard]] Clock& wall_clock() { return wall_clock_; }
  [[nodiscard]] const Clock& wall_clock() const { return wall_clock_; }
  [[nodiscard]] const Clock& monotonic_clock() const { return monotonic_clock_; }
  [[nodiscard]] std::int64_t wall_ns() const { return wall_clock_.reading_at(queue_.now()); }
  [[nodiscard]] std::int64_t monotonic_ns() const {
    return monotonic_clock_.reading_at(queue_.now());
  }

  /// Changes the rate of the monotonic clock and re-arms every timer.
  void set_monotonic_drift(std::int64_t drift_ppm);

  /// Hands over something that reached the host: at once if it runs, later if it is paused, never if
  /// it has crashed. A payload that is dropped is given to on_dropped.
  void deliver(const Incoming& incoming);

  /// Gives `cookie` back as resumed_work: at once if the host runs, else when it resumes. A process
  /// calls this between two steps of its own, so that a pause can strike between them.
  void run_or_defer(std::uint64_t cookie) {
    deliver({Incoming::Kind::resumed_work, ConnectionId{}, cookie});
  }

  /// Starts a timer that gives `cookie` back after a span of this host's monotonic clock (≥ 0).
  /// A span of 0 fires at this instant, after what is already scheduled for it.
  TimerId start_timer(DurationNs after_ns, std::uint64_t cookie,
                      EventKind kind = EventKind::normal);
  void cancel_timer(TimerId timer);

  /// Stops the process where it stands; with a duration (true time, > 0) it resumes by itself.
  void pause(DurationNs for_ns = never_ns);
  void resume();
  /// Kills the process: inbox, timers and volatile state are gone. on_crash() runs.
  void crash();
  /// Starts a crashed process anew. on_start() runs.
  void restart();
  /// Back to a running host at time 0 with an empty inbox and clocks as given.
  void reset(Clock wall, Clock monotonic);

 protected:
  [[nodiscard]] EventQueue& queue() { return queue_; }
  [[nodiscard]] const EventQueue& queue() const { return queue_; }
  [[nodiscard]] Trace& trace() { return trace_; }
  [[nodiscard]] TimeNs now() const { return queue_.now(); }

  /// Handles what reached the running process.
  virtual void on_incoming(const Incoming& incoming) = 0;
  /// A payload will not be handled: release what it names.
  virtual void on_dropped(Payload payload) = 0;
  virtual void on_start() {}
  virtual void on_crash() {}

 private:
  struct Timer {
    std::int64_t deadline_reading_ns;
    std::uint64_t cookie;
    EventHandle event;
    EventKind kind;
    bool active;
  };

  void on_event(std::uint32_t code, std::uint64_t argument) override;
  void arm(std::uint32_t timer);
  void drain_inbox();

  std::string name_;
  ActorId actor_;
  EventQueue& queue_;
  Trace& trace_;
  HostState state_ = HostState::running;
  Clock wall_clock_;
  Clock monotonic_clock_;
  EventHandle resume_event_;
  std::deque<Incoming> inbox_;
  std::vector<Timer> timers_;
  std::vector<std::uint32_t> free_timers_;
  bool draining_ = false;
};

}  // namespace lockstep::sim
