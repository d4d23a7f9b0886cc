#include "checker/observations.h"

namespace lockstep::checker {

void Observations::clear() {
  beliefs.clear();
  grants.clear();
  hold_changes.clear();
  hold_checks.clear();
  accesses.clear();
  residues.clear();
  waits.clear();
  stops.clear();
  requests.clear();
  asked_leases.clear();
  repeated_writes.clear();
  calls_given_up.clear();
  availability.clear();
  number_changes.clear();
  queue_events.clear();
  permits_set.clear();
  permits_left.clear();
  ended_permits_removed.clear();
  latch_events.clear();
  answers.clear();
  lease_changes.clear();
  at_work.clear();
  healed = {};
  has_fault_struck = false;
  ended = {};
  came_to_rest = false;
}

}  // namespace lockstep::checker
