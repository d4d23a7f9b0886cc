// The parts of a client, put together: each part reaches the others through here.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/client/calls.h"
#include "model/client/client.h"
#include "model/client/discovery.h"
#include "model/client/postponements.h"
#include "model/client/runtime/client_model.h"
#include "model/client/runtime/fiber_scheduler.h"
#include "model/client/service_operations.h"
#include "model/client/signals.h"
#include "model/client/subscriptions.h"
#include "model/client/tasks.h"
#include "model/client/thread_faults.h"
#include "model/client/workload.h"

namespace lockstep::model {

/// What a timer is for: the high 32 bits of its cookie. The low 32 bits say whose it is.
enum class TimerUse : std::uint32_t {
  call_timeout,       // fiber
  call_retry,         // fiber
  sleep,              // fiber
  message_timeout,    // fiber
  subscribe_timeout,  // fiber
  signal_timeout,     // fiber
  reconnect,          // shard
  start,              // 0
  step_sleep,         // thread
  validity,           // thread and lock
  discovery,          // its own
  postponed,          // fiber
};
[[nodiscard]] constexpr std::uint64_t timer_cookie(TimerUse use, std::size_t whose) {
  return (static_cast<std::uint64_t>(use) << 32U) | whose;
}

class ClientComponents final : public FiberListener {
 public:
  ClientComponents(sim::Host& client_host, const scenario::ClientSpec& spec,
                   std::vector<sim::ActorId> threads, const ClientEnvironment& client_environment,
                   ClientRuntime::Implementation& runtime_parts);

  void start_run(sim::ChoiceSource& run_choices);
  void on_incoming(const sim::Incoming& incoming);
  void on_crash();
  /// Does it when no handler of the client is under way: at once, or when a paused process goes on.
  void order(ThreadFault order, std::uint32_t thread);

  // For the functions of `client`.
  [[nodiscard]] std::int64_t wall_ms() const;
  [[nodiscard]] std::int64_t monotonic_ms() const;
  /// 1 … count.
  [[nodiscard]] std::int64_t random(std::int64_t count);
  /// 32 hexadecimal digits.
  [[nodiscard]] std::string_view make_token();
  [[nodiscard]] std::string_view owner_text(std::uint32_t thread) const { return owners_[thread]; }
  /// Which thread an owner's text belongs to.
  [[nodiscard]] std::optional<std::uint32_t> thread_of_owner(std::string_view text) const;

  [[nodiscard]] sim::TimeNs now() const { return environment.queue.now(); }
  /// Starts a timer; it comes back to the part that the use names.
  sim::TimerId start_timer(sim::DurationNs after_ns, TimerUse use, std::size_t whose,
                           sim::EventKind kind = sim::EventKind::normal) {
    return host.start_timer(after_ns, timer_cookie(use, whose), kind);
  }
  /// The wait before the next attempt of a call.
  [[nodiscard]] sim::DurationNs retry_wait_ns();
  /// Where this run's decisions come from.
  [[nodiscard]] sim::ChoiceSource& choices() { return *choices_; }
  /// Changes when the process dies: what was under way before that must not go on.
  [[nodiscard]] std::uint32_t incarnation() const { return incarnation_; }
  /// All of the client but its host (client_digest.cpp).
  void digest_into(sim::Digest& digest);
  void look(HostView& view) const;  // client_view.cpp
  /// What a coroutine waits for, in words; empty: nothing.
  [[nodiscard]] std::string waits_for(const Fiber& fiber) const;
  /// A coroutine by its name.
  void digest_fiber(sim::Digest& digest, std::uint32_t fiber) const;
  void digest_cookie(sim::Digest& digest, std::uint64_t cookie) const;
  [[nodiscard]] bool is_dead() const { return is_dead_; }
  /// The client model made a mistake of its own: `client-failed`.
  void report_failure(sim::ActorId actor, std::string_view what);

  sim::Host& host;
  sim::HostId id{};
  const ClientEnvironment environment;
  ClientRuntime::Implementation& runtime;
  const RetrySettings retry;
  ClientModel client_model;
  FiberScheduler fibers;
  std::unique_ptr<MasterDiscovery> discovery;
  Calls calls;
  Subscriptions subscriptions;
  Signals signals;
  ServiceOperations service_operations;
  Tasks tasks;
  Workload workload;
  ThreadFaults thread_faults;
  Postponements postponements;
  std::vector<std::string> failures;    ///< of this run
  bool client_number_was_read = false;  ///< by its client model, in this run

 private:
  void on_interaction(Fiber& fiber) override;
  void on_returned(Fiber& fiber) override;
  void on_raised(Fiber& fiber) override;
  void on_next_step(std::uint32_t thread) override { workload.on_next_step(thread); }
  void on_timer(std::uint64_t cookie);
  void carry_out(std::uint64_t cookie);
  void on_message(const sim::Incoming& incoming);
  void append_hexadecimal(std::string& text);
  void digest_contents(sim::Digest& digest, const Fiber& fiber) const;
  [[nodiscard]] lua::ValueDigest::Values digest_values(const sim::Digest& digest);
  [[nodiscard]] lua::ValueDigest& values() const;

  sim::ChoiceSource* choices_ = nullptr;
  std::string uuid_;
  std::string token_;
  std::vector<std::string> owners_;  // by thread: "<uuid>:<thread>"
  std::uint32_t incarnation_ = 0;
  bool is_dead_ = false;
  bool constants_are_registered_ = false;  // its client model's constants, to the digest of values
  // The last digest of values, and what they were then.
  lua::ValueDigest::Values values_;
  std::uint64_t values_changes_ = 0;
};

}  // namespace lockstep::model
