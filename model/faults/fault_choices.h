// Drawing one fault: the streams of its place among a run's faults, and what is drawn in general.
//
// Durations are drawn over orders of magnitude, in units of the lease: what breaks a lock is a
// pause longer than its lease, or a failover within the microseconds before a write reaches a
// replica. They have two digits that matter, so that a person can read them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sim/choice_source.h"
#include "sim/time.h"

namespace lockstep::model {

class FaultChoices {
 public:
  FaultChoices(sim::ChoiceSource& choices, std::uint32_t place)
      : choices_(choices), place_(place) {}

  // In [0, count); see sim::Purpose. REQUIRES: count ≥ 1.
  [[nodiscard]] std::size_t kind(std::size_t count) {
    return draw(sim::Purpose::fault_kind, count);
  }
  [[nodiscard]] std::size_t moment(std::size_t count) {
    return draw(sim::Purpose::fault_moment, count);
  }
  [[nodiscard]] std::size_t extent(std::size_t count) {
    return draw(sim::Purpose::fault_extent, count);
  }

  /// One of them, as an extent. REQUIRES: there is one.
  template <typename Member>
  [[nodiscard]] const Member& one_of(const std::vector<Member>& members) {
    return members[extent(members.size())];
  }

  /// For how long something lasts: half of the time longer than the unit, a little over four times
  /// at most.
  [[nodiscard]] sim::DurationNs lasting_ns(sim::DurationNs unit_ns);
  /// So many units at least may be drawn.
  static constexpr std::int64_t units_reached = 4;
  /// How long after its moment something strikes: at once, or from a 65,536th of the unit up to the
  /// unit.
  [[nodiscard]] sim::DurationNs after_ns(sim::DurationNs unit_ns);
  /// In [1, most], early ones as often as late ones.
  [[nodiscard]] std::uint32_t nth(std::uint32_t most);

 private:
  [[nodiscard]] std::size_t draw(sim::Purpose purpose, std::size_t count) {
    return static_cast<std::size_t>(choices_.choose({purpose, place_}, count));
  }

  sim::ChoiceSource& choices_;
  std::uint32_t place_;
};

/// With two digits that matter: 13,437 ms → 13 s. Never 0.
[[nodiscard]] sim::DurationNs readable_ns(sim::DurationNs duration_ns);

}  // namespace lockstep::model
