// What every part of a simulation shares: time and what is to happen, the network, and what is
// written down of a run.
#pragma once

#include "model/messages.h"
#include "model/recorder.h"
#include "sim/event_queue.h"
#include "sim/network.h"
#include "sim/trace.h"

namespace lockstep::model {

struct RunContext {
  sim::EventQueue queue;
  sim::Trace trace;
  sim::Network network{queue, trace};
  MessagePool messages;
  Recorder recorder{queue, trace};
  /// The faults' lane. It is the first: hosts add theirs below it.
  const sim::ActorId faults_actor = trace.add_actor({"faults", "faults", "faults"});

  RunContext() = default;
  RunContext(const RunContext&) = delete;
  RunContext& operator=(const RunContext&) = delete;

  /// Forgets the last run, but for the network, which needs the run's choices (reset_run).
  void start_run() {
    queue.reset();
    trace.reset();
    messages.reset();
    recorder.reset();
  }
};

}  // namespace lockstep::model
