// The faults that an exhaustive search may inject: a list of closed faults without a time.
//
// Each kind that the scenario leaves open stands for one fault per possible target and,
// where it lasts, of two durations: half of the longest lease, and a quarter more than it. Messages
// are struck as the next of a direction between two hosts.
//
// Not covered: the kinds that are not among explored_kinds(), other durations, several of a row's
// equals in one fault (partition, ring, swizzle), parts of a lock's keys.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "scenario/faults/fault_forms.h"
#include "scenario/faults/fault_spec.h"
#include "search/explore/explore_bounds.h"

namespace lockstep::scenario {
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::search {

/// In the order of FaultKind.
[[nodiscard]] std::vector<scenario::FaultKind> explored_kinds();
/// Whether the menu has a fault of this explored kind twice: with a short and with a long duration.
[[nodiscard]] bool is_timed(const scenario::FaultForm& form);

class FaultMenu {
 public:
  struct Entry {
    scenario::FaultSpec fault;
    /// The hosts before whose steps it may strike, where places are `own`; empty: any.
    std::vector<std::string> hosts;
    /// The host that must be running, or down, for it to have an effect; empty: none.
    std::string running;
    std::string down;
  };

  /// Of a scenario whose faults are not open: an empty menu. Throws scenario::InputError where it
  /// names a kind of fault that is not explored.
  FaultMenu(const scenario::Scenario& scenario, sim::DurationNs longest_lease_ns);

  [[nodiscard]] const std::vector<Entry>& entries() const { return entries_; }
  /// The kinds that "any" allows and that are left out.
  [[nodiscard]] const std::vector<scenario::FaultKind>& left_out() const { return left_out_; }
  [[nodiscard]] sim::DurationNs short_ns() const { return short_ns_; }
  [[nodiscard]] sim::DurationNs long_ns() const { return long_ns_; }

 private:
  void add_kind(const scenario::Scenario& scenario, scenario::FaultKind kind);
  void add_for_hosts(const scenario::Scenario& scenario, scenario::FaultKind kind);
  void add_for_pairs(const scenario::Scenario& scenario, scenario::FaultKind kind);
  void add_extents(const Entry& entry);

  sim::DurationNs short_ns_ = 0;
  sim::DurationNs long_ns_ = 0;
  std::vector<Entry> entries_;
  std::vector<scenario::FaultKind> left_out_;
};

}  // namespace lockstep::search
