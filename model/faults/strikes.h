// How each kind of fault strikes and ends: one row for each, in strikes.cpp.
#pragma once

#include "model/faults/client_faults.h"
#include "model/faults/clock_faults.h"
#include "model/faults/fault_environment.h"
#include "model/faults/message_faults.h"
#include "model/faults/network_faults.h"
#include "model/faults/operator_faults.h"
#include "model/faults/process_faults.h"
#include "model/faults/replication_faults.h"

namespace lockstep::model {

/// Those that carry out strikes, one for each family of kinds but messages.
struct StrikeHandlers {
  /// `environment` and `listener` outlive the handlers.
  StrikeHandlers(const FaultEnvironment& environment, DeferredStrikeListener& listener)
      : process(environment),
        network(environment),
        replication(environment),
        clock(environment),
        by_operator(environment),
        client(environment, listener) {}

  /// Forgets the last run. `choices` outlives the run: what a kind leaves open is drawn from it,
  /// with Purpose::fault and the fault's place.
  void start_run(sim::ChoiceSource& choices);

  ProcessFaults process;
  NetworkFaults network;
  ReplicationFaults replication;
  ClockFaults clock;
  OperatorFaults by_operator;
  ClientFaults client;
};

/// Whether there is something to strike: a process that is to be paused runs, say.
[[nodiscard]] bool can_strike(const scenario::FaultSpec& spec, const FaultEnvironment& environment);
/// REQUIRES: no message is struck (decision_on_message).
void begin_strike(const Strike& strike, StrikeHandlers& handlers);
/// What begin_strike() began is over. Called once for each strike of a kind that lasts, unless it
/// lasts for ever.
void end_strike(const Strike& strike, StrikeEnd why, StrikeHandlers& handlers);
/// What becomes of a message that is struck. REQUIRES: the kind's theme is `message`.
[[nodiscard]] sim::SendDecision decision_on_message(const scenario::FaultSpec& spec);

}  // namespace lockstep::model
