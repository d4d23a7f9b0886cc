// A machine of the cluster with the one process on it: its clocks, its timers, and whether it runs.
//
// Subclasses implement what the process does (a Redis node, a client program, a resource). This
// class implements what happens *to* it. A paused process neither runs nor reads its sockets:
// messages, connection events and timers wait in its inbox in order of arrival until it resumes. A
// crashed process loses its inbox, its timers and its connections. A slow process takes a while to
// handle each item, one at a time; meanwhile the others wait in its inbox.
//
// Timers run on the monotonic clock and are re-armed when that clock changes.
// Not covered: several processes on a host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/clock.h"
#include "sim/event_queue.h"
#include "sim/time.h"
#include "sim/trace.h"

namespace lockstep::sim {

enum class HostId : std::uint32_t {};
/// Counts up from 1 within a run; 0 names none.
enum class ConnectionId : std::uint32_t {};
/// 0 names none; the id of a timer that fired or was cancelled is stale and harmless.
enum class TimerId : std::uint32_t {};
/// One pause of a host. Counts up from 1 within a run; 0 names none, one that is over is harmless.
enum class PauseId : std::uint32_t {};
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
  ~Host() override = default;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] ActorId actor() const { return actor_; }
  [[nodiscard]] HostState state() const { return state_; }
  /// Whether the event is one of its own: a timer, the end of a pause.
  [[nodiscard]] bool handles(const PendingEvent& event) const { return event.target == this; }
  [[nodiscard]] Clock& wall_clock() { return wall_clock_; }
  [[nodiscard]] const Clock& wall_clock() const { return wall_clock_; }
  [[nodiscard]] const Clock& monotonic_clock() const { return monotonic_clock_; }
  [[nodiscard]] std::int64_t wall_ns() const { return wall_clock_.reading_at(queue_.now()); }
  [[nodiscard]] std::int64_t monotonic_ns() const {
    return monotonic_clock_.reading_at(queue_.now());
  }

  // Changes of the clocks, at this instant. A monotonic clock never goes back; each change re-arms
  // every timer.
  void set_monotonic_drift(std::int64_t drift_ppm);
  /// REQUIRES: by_ns ≥ 0. Timers that it steps over are due at this instant.
  void step_monotonic(DurationNs by_ns);
  void freeze_monotonic();
  void thaw_monotonic();
  /// Call it after changing wall_clock(), so that the subclass can reschedule.
  void wall_clock_was_changed() { on_wall_clock_changed(); }

  /// Hands over something that reached the host: at once if it runs, later if it is paused, never
  /// if it has crashed. A payload that is dropped is given to on_dropped. While the inbox is being
  /// drained everything goes behind what waits there.
  void deliver(const Incoming& incoming);

  /// Gives `cookie` back as resumed_work: at once if the host runs, else when it resumes. A process
  /// calls this between two steps of its own, so that a pause can strike between them.
  void run_or_defer(std::uint64_t cookie) {
    deliver({Incoming::Kind::resumed_work, ConnectionId{}, cookie});
  }

  /// Starts a timer that gives `cookie` back after a span of this host's monotonic clock (≥ 0).
  /// A span of 0 fires at this instant, after what is already scheduled for it; never_ns never
  /// fires. A crashed host starts none and answers TimerId{0}. REQUIRES: at most 65,536 at a time.
  TimerId start_timer(DurationNs after_ns, std::uint64_t cookie,
                      EventKind kind = EventKind::normal);
  /// Cancels a timer, even if it is due and waits in the inbox.
  void cancel_timer(TimerId timer);

  /// Stops the process where it stands; with a duration (true time, > 0) it resumes by itself.
  /// A handler that is running goes on to its end. Of several pauses the latest end counts; a
  /// crashed process stays as it is.
  PauseId pause(DurationNs for_ns = never_ns);
  /// Ends one pause before its time: the process goes on, or waits for the latest end of the
  /// others. Nothing happens where that pause is over.
  void end_pause(PauseId id);
  /// Ends all pauses: the process handles its inbox at this instant, until it is empty or the
  /// process is paused or crashes again. Nothing happens where it is not paused.
  void resume();
  /// Sets the time (true time, ≥ 0) that each item takes before it is handled. The item under way
  /// is finished at the old speed. A crashed process keeps the setting for its next start.
  void set_slowness(DurationNs by_ns);
  /// Kills the process: inbox, timers and volatile state are gone. on_crash() runs. Its connections
  /// are the network's: call Network::drop_connections_of too. Nothing happens where it has
  /// crashed.
  void crash();
  /// Starts a crashed process anew. on_start() runs. Nothing happens where it has not crashed.
  void restart();
  /// Back to a running host at time 0 with an empty inbox and clocks as given. Payloads in the
  /// inbox are not given back, on_start() does not run: the subclass is reset too.
  void reset(Clock wall, Clock monotonic);

  /// Digests process, clocks, inbox and timers (host_digest.cpp); the subclass digests its own
  /// state.
  void digest_into(Digest& digest) const;
  /// Digests a timer by its name; all that fired or were cancelled are alike.
  void digest_timer(Digest& digest, TimerId timer) const;
  /// Digests a message's contents; `connection` brings it. By default, states with one are never
  /// merged.
  virtual void digest_payload(Digest& digest, ConnectionId connection, Payload payload) const;
  /// Digests what a timer, or deferred work, is for. By default the number itself.
  virtual void digest_cookie(Digest& digest, std::uint64_t cookie) const;
  virtual void digest_work(Digest& digest, std::uint64_t cookie) const;

  /// For the network: a payload that this host sent is lost. Works on a crashed host too.
  void return_undelivered(Payload payload) { on_dropped(payload); }

 protected:
  [[nodiscard]] EventQueue& queue() { return queue_; }
  [[nodiscard]] const EventQueue& queue() const { return queue_; }
  [[nodiscard]] Trace& trace() { return trace_; }
  [[nodiscard]] TimeNs now() const { return queue_.now(); }

  /// Handles what reached the running process.
  virtual void on_incoming(const Incoming& incoming) = 0;
  /// A payload will not be handled: release what it names and do nothing else. Called for payloads
  /// that were to be given to this host, and for those it sent that were lost; also when crashed.
  virtual void on_dropped(Payload payload) = 0;
  virtual void on_start() {}
  virtual void on_crash() {}
  virtual void on_wall_clock_changed() {}

 private:
  enum class TimerState : std::uint8_t {
    unused,
    armed,    // its event is scheduled, or it never fires
    waiting,  // due, and in the inbox
  };
  struct Timer {
    std::int64_t deadline_reading_ns = 0;
    std::uint64_t cookie = 0;
    std::uint64_t sequence = 0;  // the order of the starts
    EventHandle event = {};
    std::uint16_t generation = 1;
    EventKind kind = EventKind::normal;
    TimerState state = TimerState::unused;
  };
  struct Waiting {
    Incoming incoming;
    TimerId timer;  // 0 where it is not one
  };
  struct Pause {
    PauseId id;
    TimeNs until;
  };

  void on_event(std::uint32_t code, std::uint64_t argument) override;
  void digest_event(Digest& digest, std::uint32_t code, std::uint64_t argument) const override;
  void arm(std::uint32_t slot);
  void rearm_timers();
  void timer_is_due(TimerId id);
  [[nodiscard]] Timer* find(TimerId id);
  [[nodiscard]] const Timer* find(TimerId id) const;
  void release(std::uint32_t slot);
  void release_all_timers();
  void handle_or_enqueue(const Incoming& incoming, TimerId timer);
  [[nodiscard]] bool handles_at_once() const {
    return state_ == HostState::running && !draining_ && slowness_ns_ == 0;
  }
  void drain_inbox();
  bool handle_next();
  void go_on();
  void plan_work(EventKind kind);
  void work_is_done();
  void stop_work();
  [[nodiscard]] EventKind kind_of(TimerId timer);
  [[nodiscard]] bool is_cancelled(const Waiting& waiting);
  void drop_inbox();
  void resume_at(TimeNs until);
  void forget_pauses();

  std::string name_;
  ActorId actor_;
  EventQueue& queue_;
  Trace& trace_;
  HostState state_ = HostState::running;
  Clock wall_clock_;
  Clock monotonic_clock_;
  std::vector<Pause> pauses_;  // of a paused process; some may be over
  std::uint32_t last_pause_ = 0;
  TimeNs paused_until_ = 0;
  EventHandle resume_event_;
  DurationNs slowness_ns_ = 0;
  EventHandle work_event_;  // a slow process is done with the next thing in its inbox
  TimeNs work_at_ = 0;
  EventKind work_kind_ = EventKind::normal;
  std::vector<Waiting> inbox_;  // from inbox_next_ on it still waits
  std::size_t inbox_next_ = 0;
  bool draining_ = false;
  std::vector<Timer> timers_;  // a TimerId is a place here and the generation of what is there
  std::vector<std::uint32_t> free_timers_;
  std::vector<std::uint32_t> rearmed_;  // memory for rearm_timers
  std::uint64_t next_timer_sequence_ = 0;
};

}  // namespace lockstep::sim
