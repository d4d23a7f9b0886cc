// Faults within one client's process: interrupts, abandoned calls, callbacks in another order.
//
// They strike between two handlers of the client: a trigger may come in the midst of its work. A
// paused client is struck when it goes on. A call that is not there can't be abandoned: then
// nothing strikes.
#pragma once

#include <vector>

#include "model/client/client.h"
#include "model/faults/fault_environment.h"
#include "model/faults/message_faults.h"

namespace lockstep::model {

class ClientFaults final : public FaultHandler,
                           private sim::EventTarget,
                           private PostponementListener {
 public:
  /// The listener is told of each strike.
  ClientFaults(const FaultEnvironment& environment, DeferredStrikeListener& listener)
      : environment_(environment), listener_(listener) {}

  void start_run(sim::ChoiceSource& choices) override;
  /// Arms the fault: it strikes later at this instant, or when its callback comes.
  void strike(const Strike& strike) override;
  void end(const Strike& /*strike*/, StrikeEnd /*why*/) override {}
  /// It postpones nothing any more, and what it holds back goes on.
  void cancel(std::size_t fault);

 private:
  struct Order {
    std::size_t fault;
    scenario::FaultKind kind;
    Client* client;
    std::size_t thread;
  };

  void on_event(std::uint32_t code, std::uint64_t argument) override;
  void digest_event(sim::Digest& digest, std::uint32_t code, std::uint64_t argument) const override;
  void on_postponed(std::size_t fault) override { listener_.on_struck(fault); }

  const FaultEnvironment& environment_;
  DeferredStrikeListener& listener_;
  std::vector<Order> orders_;  // of this run
};

}  // namespace lockstep::model
