// Faults that a scenario leaves open: `faults = "any"`, or kinds of fault, and [budget].
//
// "any" is every kind but those that take the lock's key away, which no lock survives: they have to
// be named, beside it or alone.
//
// Which of them strike, whom and when is drawn anew in each run
// (model/faults/fault_generator.h). A scenario that leaves its faults open is searched: a
// property that it expects to be violated need not break in every run, but in one of them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "scenario/faults/fault_kind.h"
#include "scenario/text/source_location.h"
#include "sim/time.h"

namespace lockstep::scenario {

class TableReader;
struct Scenario;

struct OpenFaults {
  static constexpr std::uint32_t default_at_most = 3;

  bool any = false;              ///< "any": what can't strike in the scenario is passed over
  std::vector<FaultKind> kinds;  ///< those that may strike, in the order of FaultKind, each once
  std::uint32_t at_most = default_at_most;  ///< faults of a run
  /// Of each kind, in a run.
  std::array<std::uint32_t, fault_kind_count> at_most_of = unlimited();
  Origin place;

  [[nodiscard]] static constexpr std::array<std::uint32_t, fault_kind_count> unlimited() {
    std::array<std::uint32_t, fault_kind_count> each{};
    each.fill(UINT32_MAX);
    return each;
  }
  [[nodiscard]] bool allows(FaultKind kind) const;

  friend bool operator==(const OpenFaults&, const OpenFaults&) = default;
};

/// When all faults end where a scenario leaves its faults open and has no [heal] of its own:
/// liveness is judged from then on.
inline constexpr sim::DurationNs open_faults_heal_ns = 120 * sim::second_ns;

/// Reads `faults` and [budget]. Throws InputError. REQUIRES: [heal] and the limits are read.
void read_open_faults(const TableReader& file, Scenario& scenario);

}  // namespace lockstep::scenario
