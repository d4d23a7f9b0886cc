// A host between two events of a run, for a person to look at: its process, its clocks, what it
// stores, what it waits for.
//
// Views are for reports: nothing in a run depends on them, and taking one changes nothing. Names
// and values are bytes as they are in the run, long ones cut off.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sim/clock.h"
#include "sim/time.h"
#include "sim/trace.h"

namespace lockstep::model {

/// A clock at an instant.
struct ClockView {
  sim::DurationNs ahead_ns = 0;  ///< of true time, from which all clocks are set as a run begins
  std::int64_t rate_ppm = 0;     ///< how much faster than true time; −1,000,000: it stands still

  friend bool operator==(const ClockView&, const ClockView&) = default;
};

struct ViewItem {
  sim::ActorId of;                      ///< the host, or one of its threads
  std::string name;                     ///< "key lock:{orders}"; unique of those `of` the same
  std::string value;                    ///< "hash {9f…:1: 1}"
  sim::TimeNs ends_ns = sim::never_ns;  ///< when it expires by itself, in true time

  friend bool operator==(const ViewItem&, const ViewItem&) = default;
};

struct HostView {
  sim::TimeNs at_ns = 0;  ///< when it was looked at
  std::vector<ViewItem> items;
  ClockView wall;
  ClockView monotonic;

  void clear() { items.clear(); }
  void add(sim::ActorId of, std::string name, std::string value,
           sim::TimeNs ends_ns = sim::never_ns) {
    items.push_back({of, std::move(name), std::move(value), ends_ns});
  }
};

}  // namespace lockstep::model
