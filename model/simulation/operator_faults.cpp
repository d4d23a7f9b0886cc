#include "model/simulation/operator_faults.h"

#include "model/client/lock_package.h"

namespace lockstep::model {

void OperatorFaults::start_run(sim::ChoiceSource& /*choices*/) {}

void OperatorFaults::strike(const Strike& strike) {
  const FaultSpec& fault = strike.spec;
  const std::string& pattern =
      fault.key_pattern.empty() ? environment_.state_key : fault.key_pattern;
  environment_.node(fault.target).delete_key(expand_pattern(pattern, fault.lock_name));
}

void OperatorFaults::end(const Strike& /*strike*/, StrikeEnd /*why*/) {}

}  // namespace lockstep::model
