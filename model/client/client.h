// A client of the locks as the rest of the simulation knows it: a process with threads.
//
// It is a client model (modelled_client.h) or a real program (model/program/program_client.h).
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/host.h"

namespace lockstep::checker {
enum class NameId : std::uint32_t;
}  // namespace lockstep::checker

namespace lockstep::scenario {
struct ClientSpec;
enum class StepKind : std::uint8_t;
enum class TopologyKind : std::uint8_t;
}  // namespace lockstep::scenario

namespace lockstep::sim {
class ChoiceSource;
class Network;
}  // namespace lockstep::sim

namespace lockstep::model {

class CallbackListener;
class ClientRuntime;
class LockTruth;
class MessagePool;
class PostponementListener;
class Recorder;
struct HostView;
struct Postponement;
struct Topology;

/// What a client shares with the rest of the simulation. Does not own; all outlive the client.
struct ClientEnvironment {
  sim::EventQueue& queue;
  sim::Trace& trace;
  sim::Network& network;
  MessagePool& messages;
  Recorder& recorder;
  LockTruth& truth;
  const Topology& topology;
  scenario::TopologyKind kind;                ///< how clients learn of the topology
  sim::HostId resource;                       ///< the protected resource's host
  const std::vector<sim::HostId>& sentinels;  ///< none: the topology is another
};

/// A fault of one thread of a client (thread_faults.h).
enum class ThreadFault : std::uint8_t {
  interrupt,  ///< what it waits for ends with an error
  abandon,    ///< its caller goes on without it
};

/// What became of the lock in a run; undisturbed: it was held, and no fault struck.
enum class LockUse : std::uint8_t { never_held, undisturbed, held };

/// A background task that has not ended.
struct LiveTask {
  std::string name;
  std::string channel;  ///< that it waits for a message of; empty: it does something else
};

class Client : public sim::Host {
 public:
  using Host::Host;

  /// Its id in the network, once added.
  virtual void set_host_id(sim::HostId id) = 0;
  /// Prepares a new run (after Host::reset): connections, subscriptions and threads are gone, the
  /// uuid is drawn anew. The threads begin at spec.start_ns.
  virtual void start_run(sim::ChoiceSource& choices) = 0;
  /// The run is judged: what it needed may go.
  virtual void end_run() = 0;

  /// REQUIRES: no handler of the client is under way. A paused process does so when it goes on; a
  /// crashed one never.
  virtual void order(ThreadFault order, std::size_t thread) = 0;
  /// Whether the thread is in a call of the lock that could be abandoned.
  [[nodiscard]] virtual bool is_in_call(std::size_t thread) const = 0;
  /// Whether a message with that label, sent for that thread, is of a call that only asks
  /// something.
  [[nodiscard]] virtual bool is_of_question(sim::ActorId /*thread*/,
                                            std::string_view /*label*/) const {
    return false;
  }
  /// Orders a callback to be held back in this run; `listener` is told when it is.
  virtual void postpone(const Postponement& postponement, PostponementListener& listener) = 0;
  /// Holds back no more callbacks for that fault; those held back continue at this instant.
  virtual void cancel_postponement(std::size_t fault) = 0;
  /// Sets the listener to all callbacks as they become due; nullptr clears it. Does not own it.
  virtual void set_callback_listener(CallbackListener* listener) = 0;

  /// Host and program, down to the client model's variables (client_digest.cpp).
  virtual void digest_into(sim::Digest& digest) const = 0;

  /// Shows where its threads are, and what they and its tasks wait for (client_view.cpp).
  virtual void look(HostView& view) const = 0;
  /// The code that its client model can reach in these steps: see ClientModel.
  [[nodiscard]] virtual std::string reachable_code(
      std::span<const scenario::StepKind> steps) const = 0;

  /// All threads have finished their steps (or the process died).
  [[nodiscard]] virtual bool finished() const = 0;
  /// Whether the thread has steps of a lock before it, or believes to have one.
  [[nodiscard]] virtual bool is_at_work(std::size_t thread) const = 0;
  // For no-leak: what is left once the run has come to rest.
  [[nodiscard]] virtual std::vector<LiveTask> live_tasks() const = 0;
  [[nodiscard]] virtual std::vector<std::string> live_subscriptions() const = 0;
  /// Mistakes that the client model made in this run ("a/1: plain/client.lua:12: …"), in order: the
  /// thread that makes one stops for good. Each is a `client-failed` event too.
  [[nodiscard]] virtual const std::vector<std::string>& failures() const = 0;
  /// The first mistake in one of the lock's server scripts or commands that it met in this run
  /// ("a/1: plain/take.lua:2: attempt to index …", "n1 answered a/1's set with 'ERR syntax error' 9
  /// times"), or, where nobody ever had the lock, the first error that it was answered; where no
  /// fault struck, also that data are not what the command takes them for. Empty: none. No event
  /// tells of it.
  [[nodiscard]] virtual std::string request_failure(LockUse) const { return {}; }
  /// Whether its client model asked in this run which of the clients it is.
  [[nodiscard]] virtual bool client_number_was_read() const = 0;
  /// Whether its client model asked what time it is, in this run.
  [[nodiscard]] virtual bool wall_clock_was_read() const = 0;
  [[nodiscard]] virtual std::size_t thread_count() const = 0;
  /// Whether no operation of this run has an unknown outcome so far.
  [[nodiscard]] virtual bool outcomes_are_known() const = 0;
  /// The owner of a thread as the recorder names it, and as the lock's keys do ("<uuid>:<thread>").
  [[nodiscard]] virtual checker::NameId owner(std::size_t thread) const = 0;
  /// The name of a thread.
  [[nodiscard]] virtual checker::NameId name_of(std::size_t thread) const = 0;
  /// Which thread an owner string in a key belongs to; no_name if none of this client's.
  [[nodiscard]] virtual checker::NameId owner_of_field(std::string_view field) const = 0;
};

}  // namespace lockstep::model
