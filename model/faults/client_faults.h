// Faults within one client's process: interrupts, abandoned calls, callbacks in another order.
//
// They strike between two handlers of the client: a trigger may come in the midst of its work. A
// paused client is struck when it goes on. A call that is not there can't be abandoned: then
// nothing strikes.
#pragma once

#include <vector>

#include "model/client/client.h"
#include "model/client/postponements.h"
#include "model/faults/fault_environment.h"
#include "model/faults/message_faults.h"

namespace lockstep::model {

class ClientFaults final : private sim::EventTarget, private PostponementListener {
 public:
  /// The listener is told of each strike.
  ClientFaults(const FaultEnvironment& environment, DeferredStrikeListener& listener)
      : environment_(environment), listener_(listener) {}

  /// Forgets the last run.
  void start_run() { orders_.clear(); }
  // Arms the fault: it strikes later at this instant, or when its callback comes.
  void interrupt(const Strike& strike) { plan_order(strike, ThreadFault::interrupt); }
  void abandon(const Strike& strike) { plan_order(strike, ThreadFault::abandon); }
  void postpone(const Strike& strike);
  /// It postpones nothing any more, and what it holds back goes on.
  void cancel(std::size_t fault);

 private:
  struct Order {
    std::size_t fault;
    ThreadFault what;
    Client* client;
    std::size_t thread;
  };

  [[nodiscard]] Client& client_of(const scenario::FaultSpec& fault) const;
  void plan_order(const Strike& strike, ThreadFault what);
  void on_event(std::uint32_t code, std::uint64_t argument) override;
  void digest_event(sim::Digest& digest, std::uint32_t code, std::uint64_t argument) const override;
  void on_postponed(std::size_t fault) override { listener_.on_struck(fault); }

  const FaultEnvironment& environment_;
  DeferredStrikeListener& listener_;
  std::vector<Order> orders_;  // of this run
};

}  // namespace lockstep::model
