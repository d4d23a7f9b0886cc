#include "model/simulation/clock_faults.h"

#include <cassert>

#include "model/trace_vocabulary.h"

namespace lockstep::model {

void ClockFaults::start_run(sim::ChoiceSource& /*choices*/) {}

void ClockFaults::strike(const Strike& strike) {
  const FaultSpec& fault = strike.spec;
  const sim::TimeNs now = environment_.queue.now();
  sim::Host& host = environment_.host(fault.target);
  switch (fault.kind) {
    case FaultKind::clock_step:
      host.wall_clock().step(now, fault.by_ns);
      environment_.trace.emit(now, trace_kind::clock_changed, host.actor(),
                              {{"by_ns", fault.by_ns}});
      break;
    case FaultKind::clock_drift:
      host.wall_clock().set_drift(now, fault.drift_ppm);
      host.set_monotonic_drift(fault.drift_ppm);
      environment_.trace.emit(now, trace_kind::clock_changed, host.actor(),
                              {{"drift_ppm", fault.drift_ppm}});
      break;
    default:
      assert(false && "no fault of a clock");
  }
  environment_.observer.on_clock_changed();
}

void ClockFaults::end(const Strike& /*strike*/, StrikeEnd /*why*/) {}

}  // namespace lockstep::model
