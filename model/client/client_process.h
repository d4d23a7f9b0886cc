// A client's process as all of its components know it: its host and clocks, its random numbers,
// the names of its threads, and the mistakes of its client model.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/client/client.h"
#include "model/client/runtime/lua_reference.h"
#include "model/client/runtime/runtime_implementation.h"
#include "sim/choice_source.h"
#include "sim/event_queue.h"
#include "sim/host.h"

namespace lockstep::scenario {
struct Options;
}  // namespace lockstep::scenario

namespace lockstep::model {

/// What a timer is for: the high 32 bits of its cookie. The low 32 bits say whose it is.
enum class TimerUse : std::uint32_t {
  call_timeout,       // fiber
  call_retry,         // fiber
  call_reconnect,     // shard
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

/// When and how often calls are retried: options of every lock.
struct RetrySettings {
  sim::DurationNs timeout_ns;
  std::int64_t attempts;  ///< after the first
  sim::DurationNs interval_ns;
  sim::DurationNs jitter_ns;
};

/// How a client library connects: options of every lock (docs/locks.md). Pub/sub is apart.
struct ConnectionSettings {
  enum class Kind : std::uint8_t {
    pool,  ///< a connection for each call under way
    one,   ///< all calls to a shard share one
  };
  /// What becomes of the calls whose one connection breaks, and of those that come before it is
  /// open again.
  enum class Reconnect : std::uint8_t {
    resend,  ///< all wait; what was sent and is not answered is sent again first
    queue,   ///< what was sent fails, the others wait
    drop,    ///< all fail
  };
  Kind kind;
  Reconnect reconnect;
  std::int64_t pool_size;  ///< 0: as many as there are calls
  sim::DurationNs pool_timeout_ns;
};

class ClientProcess {
 public:
  /// Does not own; all outlive this.
  ClientProcess(sim::Host& client_host, const ClientEnvironment& client_environment,
                ClientRuntime::Implementation& client_runtime, std::size_t thread_count);

  void start_run(sim::ChoiceSource& choices);
  /// Draws the uuid of this run.
  void draw_names();
  void on_crash();

  [[nodiscard]] sim::TimeNs now() const { return environment.queue.now(); }
  [[nodiscard]] std::int64_t wall_ms() const { return sim::floor_to_ms(host.wall_ns()); }
  [[nodiscard]] std::int64_t monotonic_ms() const { return sim::floor_to_ms(host.monotonic_ns()); }
  /// Starts a timer; it comes back to the component that the use names.
  sim::TimerId start_timer(sim::DurationNs after_ns, TimerUse use, std::size_t whose,
                           sim::EventKind kind = sim::EventKind::normal) {
    return host.start_timer(after_ns, timer_cookie(use, whose), kind);
  }

  /// The source of this run's decisions.
  [[nodiscard]] sim::ChoiceSource& choices() { return *choices_; }
  /// A random number from 1 to count.
  [[nodiscard]] std::int64_t random(std::int64_t count);
  /// The wait before the next attempt of a call.
  [[nodiscard]] sim::DurationNs retry_wait_ns();
  /// 32 random hexadecimal digits.
  [[nodiscard]] std::string_view make_token();

  [[nodiscard]] std::string_view uuid() const { return uuid_; }
  [[nodiscard]] std::string_view owner_text(std::uint32_t thread) const { return owners_[thread]; }
  /// Pushes it onto any coroutine of the runtime. Most calls of a client model name the owner.
  void push_owner(lua_State* onto, std::uint32_t thread) const {
    owner_strings_[thread].push(onto);
  }
  /// Whether the process is the owner of what its threads hold.
  [[nodiscard]] bool owns_as_one() const;
  /// The thread that an owner's text belongs to; where the process is the owner, its first.
  [[nodiscard]] std::optional<std::uint32_t> thread_of_owner(std::string_view text) const;

  /// Changes when the process dies: what was under way before that must not continue.
  [[nodiscard]] std::uint32_t incarnation() const { return incarnation_; }
  [[nodiscard]] bool is_dead() const { return is_dead_; }
  /// The client model made a mistake of its own: `client-failed`.
  void report_failure(sim::ActorId actor, std::string_view what);
  /// The mistakes of this run.
  [[nodiscard]] const std::vector<std::string>& failures() const { return failures_; }
  /// A script of the lock was answered with an error; kept if it is its author's mistake. No event,
  /// and no part of the state: what the client does next depends on the reply alone.
  void report_script_failure(sim::ActorId actor, std::size_t script, std::string_view error);
  /// A server answered a request of the client model with an error; as above.
  void report_error(sim::ActorId actor, sim::HostId server, std::string_view label,
                    std::string_view error);
  /// An error left the function that a step, or a task, had called: nobody handled it.
  void report_uncaught(sim::ActorId actor, std::string_view error);
  /// See Client::request_failure.
  [[nodiscard]] std::string request_failure(LockUse use) const;

  // client_digest.cpp
  void digest_into(sim::Digest& digest) const;
  /// A coroutine by its name.
  void digest_fiber(sim::Digest& digest, std::uint32_t fiber) const;
  void digest_fibers(sim::Digest& digest, const std::vector<std::uint32_t>& fibers) const;

  sim::Host& host;
  sim::HostId id{};
  const ClientEnvironment environment;
  ClientRuntime::Implementation& runtime;
  const scenario::Options& options;  ///< of the lock, as this client has them
  const RetrySettings retry;
  const ConnectionSettings connections;

 private:
  void append_hexadecimal(std::string& text);
  [[nodiscard]] sim::Stream random_stream() const {
    return {sim::Purpose::client_random, static_cast<std::uint32_t>(id)};
  }

  sim::ChoiceSource* choices_ = nullptr;
  std::string uuid_;
  std::string token_;
  std::vector<std::string> owners_;          // by thread: "<uuid>:<thread>", or the uuid
  std::vector<LuaReference> owner_strings_;  // the same
  std::uint32_t incarnation_ = 0;
  bool is_dead_ = false;
  std::vector<std::string> failures_;
  std::string script_failure_;
  struct Refused {
    sim::ActorId actor;
    sim::HostId server;
    std::string label;
    std::string error;
    std::uint64_t times;
    bool is_uncaught = false;
  };
  std::vector<Refused> refused_;  // each once, in the order in which they came first
};

}  // namespace lockstep::model
