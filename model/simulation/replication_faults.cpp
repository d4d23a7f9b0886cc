#include "model/simulation/replication_faults.h"

namespace lockstep::model {

void ReplicationFaults::start_run(sim::ChoiceSource& /*choices*/) {}

void ReplicationFaults::strike(const Strike& strike) {
  environment_.masters.promote(environment_.node(strike.spec.target));
}

void ReplicationFaults::end(const Strike& /*strike*/, StrikeEnd /*why*/) {}

}  // namespace lockstep::model
