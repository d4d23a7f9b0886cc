#include "checker/observations.h"

namespace lockstep::checker {

void Observations::clear() {
  beliefs.clear();
  grants.clear();
  hold_changes.clear();
  hold_checks.clear();
  accesses.clear();
  residues.clear();
  came_to_rest = false;
}

}  // namespace lockstep::checker
