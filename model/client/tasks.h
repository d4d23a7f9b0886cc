// Background tasks of a client model: the watchdog, above all.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/client/runtime/fiber.h"

namespace lockstep::model {

class ClientProcess;
class FiberScheduler;
class ServiceOperations;
struct LiveTask;
class Signals;
class Subscriptions;

class Tasks {
 public:
  /// Does not own; all outlive this.
  Tasks(ClientProcess& process, FiberScheduler& fibers, Subscriptions& subscriptions,
        Signals& signals, ServiceOperations& operations)
      : process_(process),
        fibers_(fibers),
        subscriptions_(subscriptions),
        signals_(signals),
        operations_(operations) {}

  /// Makes a task of a fiber that lies ready to start; returns its number, counted from 1.
  std::uint32_t add(Fiber& fiber, std::string_view name);
  /// Takes back a task that has not begun, sleeps, or waits for a message: true, and it is gone.
  /// False where it is over, or in the midst of a call or of its own work: that goes on.
  bool cancel(std::uint32_t task);
  /// A task's coroutine returned or raised.
  void ended(Fiber& fiber, std::string_view why);
  void on_crash();
  void start_run();
  void digest_into(sim::Digest& digest) const;
  [[nodiscard]] const std::vector<std::uint32_t>& live_fibers() const { return live_fibers_; }
  [[nodiscard]] std::vector<LiveTask> live() const;

 private:
  [[nodiscard]] Fiber* find(std::uint32_t task);

  ClientProcess& process_;
  FiberScheduler& fibers_;
  Subscriptions& subscriptions_;
  Signals& signals_;
  ServiceOperations& operations_;
  std::uint32_t last_ = 0;
  std::vector<std::uint32_t> live_fibers_;  ///< of the tasks that live
};

}  // namespace lockstep::model
