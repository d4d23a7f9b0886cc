// Callbacks of one client that run in an unusual order: a spawned task, or the continuation of a
// call whose replies have arrived, is held back for a while, and later ones run before it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sim/time.h"

namespace lockstep::scenario {
enum class CallbackKind : std::uint8_t;
}  // namespace lockstep::scenario

namespace lockstep::sim {
class Digest;
}  // namespace lockstep::sim

namespace lockstep::model {

class ClientProcess;
class FiberScheduler;
struct Fiber;

/// Which callback is to be postponed.
struct Postponement {
  std::size_t fault = 0;          ///< as the listener is told
  scenario::CallbackKind kind{};  ///< a task
  std::string name;
  std::uint32_t nth = 1;  ///< of those from now on
  sim::DurationNs by_ns = 0;
};

/// Told when a callback is held back.
class PostponementListener {
 public:
  virtual void on_postponed(std::size_t fault) = 0;

 protected:
  ~PostponementListener() = default;
};

/// Told of every callback as it is due.
class CallbackListener {
 public:
  virtual void on_due(std::string_view client, scenario::CallbackKind kind,
                      std::string_view name) = 0;

 protected:
  ~CallbackListener() = default;
};

class Postponements {
 public:
  /// Does not own; all outlive this.
  Postponements(ClientProcess& process, FiberScheduler& fibers)
      : process_(process), fibers_(fibers) {}

  void set_listener(PostponementListener* listener) { listener_ = listener; }
  /// Sets the listener to all callbacks; nullptr clears it. Does not own it.
  void set_callback_listener(CallbackListener* listener) { callback_listener_ = listener; }
  void order(const Postponement& order) { orders_.push_back(order); }

  /// A callback is due, with `results` values on the fiber's stack: true where it is held back.
  bool hold_back(Fiber& fiber, scenario::CallbackKind kind, std::string_view name, int results);
  void on_postponement_over(Fiber& fiber);
  /// Ends the fault: what it holds back continues.
  void cancel(std::size_t fault);
  /// The fiber continues in another way, or not at all.
  void forget(Fiber& fiber);
  /// The process died, or a new run begins.
  void forget_all() { orders_.clear(); }
  void digest_into(sim::Digest& digest) const;

 private:
  ClientProcess& process_;
  FiberScheduler& fibers_;
  PostponementListener* listener_ = nullptr;
  CallbackListener* callback_listener_ = nullptr;
  std::vector<Postponement> orders_;
};

}  // namespace lockstep::model
