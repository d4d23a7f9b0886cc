// Who is asked between the events of a run: there all of its state lies in data, and nothing of it
// on a stack.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/time.h"

namespace lockstep::model {

class StepListener {
 public:
  enum class Next : std::uint8_t {
    go_on,
    end_run,  ///< with what there is: the run is judged up to here
  };

  /// Called before each event, the first one included. It may ask the simulation for its digest and
  /// for the next step, and have faults strike.
  virtual Next before_step() = 0;

 protected:
  ~StepListener() = default;
};

/// The event that comes next.
struct NextStep {
  sim::TimeNs at = 0;  ///< never_ns: there is none; a fault has taken away what there was
  /// Nothing has happened yet at that instant.
  bool is_first_of_instant = false;
  /// Who handles it: the host that a message or a timer is for. Empty: nobody's (the end of a lease
  /// in a node's keys, the end of a fault).
  std::string_view host;
};

}  // namespace lockstep::model
