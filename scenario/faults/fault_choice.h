// Which kinds of fault a search may use, as somebody asks for on a command line: --faults,
// --except.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::scenario {

enum class FaultKind : std::uint8_t;
struct Scenario;

struct FaultChoice {
  bool any = false;                ///< --faults any: also where a scenario leaves none open
  std::vector<FaultKind> only;     ///< --faults; none: those that the scenario leaves open
  std::vector<FaultKind> without;  ///< --except

  [[nodiscard]] bool is_given() const { return any || !only.empty() || !without.empty(); }
  [[nodiscard]] bool allows(FaultKind kind) const;
  /// " --faults pause,crash --except drop"; empty where nothing is asked for.
  [[nodiscard]] std::string in_words() const;
};

/// The scenario with no other faults left open. One that leaves none open is opened by --faults.
/// Throws InputError where no fault is left.
[[nodiscard]] Scenario narrowed(const Scenario& scenario, const FaultChoice& choice);

}  // namespace lockstep::scenario
