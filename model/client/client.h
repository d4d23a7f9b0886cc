// A client process: threads that run a workload through a lock's client model, and everything a
// client library brings: connections with time-outs and retries, subscriptions, background tasks.
//
// The client model is Lua (model/client/runtime/runtime.h); each of its threads is a coroutine that
// gives up control at every interaction. A client's whole state is Lua values and the tables here:
// it can be paused or crashed at every interaction, and digested by a later search. Not covered:
// RESP3 push connections.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
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

class Client final : public sim::Host {
 public:
  /// `threads` are the actors "name/1", … in order. The client does not start by itself.
  Client(const scenario::ClientSpec& spec, sim::ActorId actor, std::vector<sim::ActorId> threads,
         const ClientEnvironment& environment, ClientRuntime& runtime);
  ~Client() override;

  /// Its id in the network, once added.
  void set_host_id(sim::HostId id);
  /// Prepares a new run (after Host::reset): connections, subscriptions and threads are gone, the
  /// uuid is drawn anew. The threads begin at spec.start_ns.
  void start_run(sim::ChoiceSource& choices);

  /// REQUIRES: no handler of the client is under way. A paused process does so when it goes on; a
  /// crashed one never.
  void order(ThreadFault order, std::size_t thread);
  /// Whether the thread is in a call of the lock that could be abandoned.
  [[nodiscard]] bool is_in_call(std::size_t thread) const;
  /// Orders a callback to be held back in this run; `listener` is told when it is.
  void postpone(const Postponement& postponement, PostponementListener& listener);
  /// Holds back no more callbacks for that fault; those held back continue at this instant.
  void cancel_postponement(std::size_t fault);
  /// Sets the listener to all callbacks as they become due; nullptr clears it. Does not own it.
  void set_callback_listener(CallbackListener* listener);

  /// Host and program, down to the client model's variables (client_digest.cpp).
  void digest_into(sim::Digest& digest) const;

  /// Shows where its threads are, and what they and its tasks wait for (client_view.cpp).
  void look(HostView& view) const;
  /// The code that its client model can reach in these steps: see ClientModel.
  [[nodiscard]] std::string reachable_code(std::span<const scenario::StepKind> steps) const;

  /// All threads have finished their steps (or the process died).
  [[nodiscard]] bool finished() const;
  /// Whether the thread has steps of a lock before it, or believes to have one.
  [[nodiscard]] bool is_at_work(std::size_t thread) const;
  // For no-leak: what is left once the run has come to rest.
  [[nodiscard]] std::vector<std::string> live_tasks() const;
  [[nodiscard]] std::vector<std::string> live_subscriptions() const;
  /// Mistakes that the client model made in this run ("a/1: plain/client.lua:12: …"), in order: the
  /// thread that makes one stops for good. Each is a `client-failed` event too.
  [[nodiscard]] const std::vector<std::string>& failures() const;
  /// Whether its client model asked in this run which of the clients it is.
  [[nodiscard]] bool client_number_was_read() const;
  [[nodiscard]] std::size_t thread_count() const;
  /// Whether no operation of this run has an unknown outcome so far.
  [[nodiscard]] bool outcomes_are_known() const;
  /// The owner of a thread as the recorder names it, and as the lock's keys do ("<uuid>:<thread>").
  [[nodiscard]] checker::NameId owner(std::size_t thread) const;
  /// The name of a thread.
  [[nodiscard]] checker::NameId name_of(std::size_t thread) const;
  /// Which thread an owner string in a key belongs to; no_name if none of this client's.
  [[nodiscard]] checker::NameId owner_of_field(std::string_view field) const;

 private:
  void on_incoming(const sim::Incoming& incoming) override;
  void on_dropped(sim::Payload payload) override;
  void on_start() override;
  void on_crash() override;
  void digest_cookie(sim::Digest& digest, std::uint64_t cookie) const override;
  void digest_payload(sim::Digest& digest, sim::ConnectionId connection,
                      sim::Payload payload) const override;

  struct Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace lockstep::model
