// The resource that a lock protects, as [resource] has it.
#pragma once

namespace lockstep::scenario {

struct ResourceSpec {
  bool fencing = false;  ///< refuses a write whose token is lower than the highest seen
};

}  // namespace lockstep::scenario
