// Called between the events of a run, where its whole state is in data and none on a stack.
#pragma once

#include <cstdint>
#include <string_view>

#include "sim/time.h"

namespace lockstep::model {

class StepListener {
 public:
  enum class Next : std::uint8_t {
    go_on,
    end_run,  ///< the run is judged as far as it got
  };

  /// Called before each event, including the first. May ask the simulation for its digest and its
  /// next step, and make faults strike.
  virtual Next before_step() = 0;

 protected:
  ~StepListener() = default;
};

/// The event that comes next.
struct NextStep {
  sim::TimeNs at = 0;  ///< never_ns: there is none; a fault has removed it
  /// Nothing has happened yet at that instant.
  bool is_first_of_instant = false;
  /// The host that handles it: a message or a timer is for it. Empty: none (the end of a lease in a
  /// node's keys, the end of a fault).
  std::string_view host;
};

}  // namespace lockstep::model
