#include "model/simulation/network_faults.h"

namespace lockstep::model {

void NetworkFaults::start_run(sim::ChoiceSource& /*choices*/) {}

void NetworkFaults::strike(const Strike& strike) {
  const FaultSpec& fault = strike.spec;
  environment_.network.cut(environment_.host_id(fault.target), environment_.host_id(fault.other));
}

void NetworkFaults::end(const Strike& strike, StrikeEnd /*why*/) {
  const FaultSpec& fault = strike.spec;
  environment_.network.heal(environment_.host_id(fault.target), environment_.host_id(fault.other));
}

}  // namespace lockstep::model
