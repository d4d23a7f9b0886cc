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
#include <vector>

namespace lockstep::checker {
enum class Property : std::uint8_t;
}  // namespace lockstep::checker

namespace lockstep::model {
struct RunResult;
}  // namespace lockstep::model

namespace lockstep::scenario {
enum class FaultGroup : std::uint8_t;
enum class FaultKind : std::uint8_t;
}  // namespace lockstep::scenario

namespace lockstep::search {

class Survival {
 public:
  Survival();
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
  static std::size_t row_of(std::optional<scenario::FaultKind> kind);
  static std::size_t row_of(scenario::FaultGroup group);

  // A row for each kind, each group of kinds, and no fault at all.
  std::vector<std::array<std::uint64_t, properties_max>> held_;
  std::vector<std::uint64_t> struck_;
};

}  // namespace lockstep::search
