// The bounds within which `explore` is exhaustive, and to which a certificate applies.
#pragma once

#include <cstdint>
#include <optional>

#include "sim/time.h"

namespace lockstep::search {

/// Where faults may strike: always just before a step, at its instant, and only before the first
/// step of an instant.
enum class FaultPlaces : std::uint8_t {
  own,    ///< before a step of the fault's target
  every,  ///< before every step
};

/// Whether runs continue from states that were reached before.
enum class Merging : std::uint8_t {
  states,  ///< a state is gone on from once
  none,    ///< each run is made to its end: judges what depends on all of a run's past
};

/// What spares runs without leaving any out (docs/explore.md).
enum class Reduction : std::uint8_t {
  all,
  none,  ///< slow, and to compare with
};

struct ExploreBounds {
  /// The number of values, from least to most, that stand for a range of delays; 1: the least only.
  std::uint32_t delay_steps = 2;
  /// The same for other ranges: waits, durations, starts.
  std::uint32_t range_steps = 2;
  /// Faults of a run, within the scenario's budget; none: as many as that.
  std::optional<std::uint32_t> faults_max;
  /// The most choices of a run that may deviate from the first alternative; none: all.
  std::optional<std::uint32_t> deviations_max;
  FaultPlaces places = FaultPlaces::own;
  Merging merging = Merging::states;
  Reduction reduction = Reduction::all;

  /// Whether what other delays lead to is looked at ahead of the runs that they make.
  [[nodiscard]] bool looks_ahead() const {
    return merging == Merging::states && reduction == Reduction::all;
  }
};

/// What a choice between few alternatives has, it has whole; ranges that are wider are cut into
/// steps.
inline constexpr std::uint64_t alternatives_max = 8;

}  // namespace lockstep::search
