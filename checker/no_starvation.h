// no-starvation: nobody waits while others are granted the lock again and again.
//
// During one wait, after the last fault was over and with the waiter's process running, at most so
// many grants go to others on the same lock, in either mode. A grant is the beginning of a belief;
// a re-entry begins none, and nobody could have been served in its stead. A wait that was still
// under way when the run was cut off leaves the verdict unknown.
//
// Algorithm. The grants in a stretch of waiting are counted by binary search: all of the lock,
// minus the waiter's own. O(n log n); nothing is allocated once warm while the property holds.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "checker/check.h"
#include "checker/stretches.h"
#include "checker/wait_findings.h"

namespace lockstep::checker {

class NoStarvation {
 public:
  /// REQUIRES: `verdict` is fresh (holds, empty).
  void judge(const Run& run, Verdict& verdict);

 private:
  /// A lock, whose grants are counted (no_name: everybody's), and the order of a moment.
  using Place = std::tuple<NameId, NameId, std::uint64_t>;

  void load(const Observations& observations);
  [[nodiscard]] std::int64_t grants_within(const Span& span, NameId lock, NameId owner) const;
  [[nodiscard]] std::int64_t grants_to_others(const Wait& wait) const;
  [[nodiscard]] static std::string describe(const Run& run, const WaitFinding& finding);

  std::vector<Place> grants_;  ///< sorted; each twice, as its owner's and as everybody's
  Stretches stretches_;
  WaitFindings findings_;
};

}  // namespace lockstep::checker
