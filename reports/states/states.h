// What everybody's state was at each event of a run: what stepping through it shows.
//
// A trace tells what happened, not what a node stored meanwhile, so the run is made again with its
// choices, and its hosts are looked at between its steps. Kept are changes only. What changes
// within a step counts from that of its events on which tells of it: at a node the first that is
// not the arrival of a message, at a client its last.
// Who believes in a lock and who truly holds it is taken from the trace itself.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "model/host_view.h"
#include "model/recorded_trace.h"
#include "reports/scene/scene.h"

namespace lockstep::model {
class Engine;
}  // namespace lockstep::model
namespace lockstep::scenario {
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::search {
struct RunRecord;
}  // namespace lockstep::search

namespace lockstep::reports {

/// Something that has a value or is not there: a key of a node, what a thread waits for, who holds
/// a lock. All text is sanitized and short.
struct StateItem {
  std::string subject;  ///< "n1", "a/1", "lock orders"
  std::string name;     ///< "key orders", "waits for", "held by"
};

struct StateChange {
  EventIndex event;  ///< from this event on
  std::uint32_t item;
  std::uint32_t value;  ///< 0: it is not there
  sim::TimeNs ends_ns;  ///< when it ends of itself; never_ns: it does not

  friend bool operator==(const StateChange&, const StateChange&) = default;
};

/// The clocks of a host from an event on, until its next.
struct ClockChange {
  EventIndex event;
  std::string host;
  sim::TimeNs at_ns;
  model::ClockView wall;
  model::ClockView monotonic;
};

struct StateLine {
  std::string subject;
  std::string name;
  std::string value;
  sim::TimeNs ends_ns;
  bool is_new;  ///< it changed at this event
};

/// Sorted by their events.
struct States {
  std::vector<StateItem> items;  ///< the locks' first, then by actor
  std::vector<std::string> values;
  std::vector<StateChange> changes;
  std::vector<ClockChange> clocks;

  /// Everything that is there once the event has happened, in the order of the items.
  [[nodiscard]] std::vector<StateLine> at(EventIndex event) const;
  /// What changed at the event, with empty values for what went.
  [[nodiscard]] std::vector<StateLine> changed_at(EventIndex event) const;
  /// The host's clocks at an event; none where it has no clocks of its own.
  [[nodiscard]] const ClockChange* clocks_at(std::string_view host, EventIndex event) const;
};

/// How far a clock is ahead of true time at an instant not before the change.
[[nodiscard]] sim::DurationNs ahead_at(const ClockChange& change, const model::ClockView& clock,
                                       sim::TimeNs at_ns);

struct CapturedStates {
  States states;
  std::string difference;  ///< empty: the run was the same as the recorded one
};

/// Makes the run again. REQUIRES: the example has its choices.
[[nodiscard]] CapturedStates capture_states(const scenario::Scenario& scenario,
                                            const search::RunRecord& example,
                                            model::Engine& engine);

}  // namespace lockstep::reports
