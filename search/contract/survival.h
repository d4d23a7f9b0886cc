// What a lock has survived: in how many runs each of its promises held though a fault of each kind
// mattered to it.
//
// A run counts for a kind of fault where one of that kind mattered (model/faults/strike_effects.h),
// and for a promise where it was put to the test and held. It counts once for a group of kinds,
// however many of them mattered. Runs in which no fault struck have a row of their own. What broke
// is not counted here: a violation is looked at closely, and is a finding.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "scenario/faults/fault_group.h"
#include "scenario/faults/fault_kind.h"

namespace lockstep::checker {
enum class Property : std::uint8_t;
}  // namespace lockstep::checker

namespace lockstep::model {
struct RunResult;
}  // namespace lockstep::model

namespace lockstep::search {

class Survival {
 public:
  /// Adds a run.
  void add(const model::RunResult& run);
  /// Adds the runs of another.
  void add(const Survival& other);

  /// In how many runs the property held though a fault of the kind mattered; none: in how many
  /// without any fault.
  [[nodiscard]] std::uint64_t held(std::optional<scenario::FaultKind> kind,
                                   checker::Property property) const;
  [[nodiscard]] std::uint64_t held(scenario::FaultGroup group, checker::Property property) const;
  /// In how many runs a fault of the kind struck, whether it mattered or not; none: none did.
  [[nodiscard]] std::uint64_t struck(std::optional<scenario::FaultKind> kind) const;
  [[nodiscard]] std::uint64_t struck(scenario::FaultGroup group) const;

 private:
  static constexpr std::size_t properties_max = 16;
  // Kinds, groups of them, and no fault at all.
  static constexpr std::size_t rows = scenario::fault_kind_count + scenario::fault_group_count + 1;
  static std::size_t row_of(std::optional<scenario::FaultKind> kind);
  static std::size_t row_of(scenario::FaultGroup group);

  std::array<std::array<std::uint64_t, properties_max>, rows> held_{};
  std::array<std::uint64_t, rows> struck_{};
};

}  // namespace lockstep::search
