// Faults of one thread of a client: an interrupt, or a caller that stops waiting.
//
// An interrupt ends what the thread waits for with the error INTERRUPTED, which the client model
// may catch; what was sent stays sent, and its answer is nobody's. Where the thread does not wait,
// its next interaction ends so. A caller that gives up goes on with its next step, as after an
// error, while the abandoned call goes on as a background task: if it takes the lock, nobody knows.
// Not covered: interrupting a background task, or an access to the resource.
#pragma once

#include <cstdint>
#include <vector>

#include "model/client/runtime/fiber.h"

namespace lockstep::model {

class Calls;
class ClientProcess;
class FiberScheduler;
class Postponements;
class ServiceOperations;
class Signals;
class Subscriptions;
class Tasks;
class Workload;

class ThreadFaults {
 public:
  /// Does not own; all outlive this.
  ThreadFaults(ClientProcess& process, Workload& workload, FiberScheduler& fibers, Calls& calls,
               Subscriptions& subscriptions, Signals& signals, ServiceOperations& operations,
               Tasks& tasks, Postponements& postponements)
      : process_(process),
        workload_(workload),
        fibers_(fibers),
        calls_(calls),
        subscriptions_(subscriptions),
        signals_(signals),
        operations_(operations),
        tasks_(tasks),
        postponements_(postponements) {}

  // Each takes effect at once; REQUIRES: the client runs, and none of its handlers is under way.
  void interrupt(std::uint32_t thread);
  void abandon(std::uint32_t thread);
  /// Whether the thread is in a call that could be abandoned.
  [[nodiscard]] bool is_in_call(std::uint32_t thread) const;

  /// The fiber asks for an interaction: true where an interrupt has been waiting for it, and the
  /// fiber goes on with the error.
  bool strikes(Fiber& fiber);
  /// The process died, or a new run begins.
  void forget_all() { pending_.clear(); }
  void digest_into(sim::Digest& digest) const;

 private:
  void end_waiting(Fiber& fiber);
  void raise(Fiber& fiber, CallEffect effect);

  ClientProcess& process_;
  Workload& workload_;
  FiberScheduler& fibers_;
  Calls& calls_;
  Subscriptions& subscriptions_;
  Signals& signals_;
  ServiceOperations& operations_;
  Tasks& tasks_;
  Postponements& postponements_;
  std::vector<std::uint32_t> pending_;  ///< threads that are interrupted and do not know yet
};

}  // namespace lockstep::model
