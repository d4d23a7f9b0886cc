// no-starvation: no thread waits while others are granted the lock again and again.
//
// During one wait, after the last fault was over and with the waiter's process running, at most so
// many grants go to others on the same lock, in either mode. A re-entry, granted to who went on
// believing meanwhile, is none: nobody could have been served in its stead. A wait that was still
// under way when the run was cut off leaves the verdict unknown.
//
// Algorithm. The grants in a span of waiting are counted by binary search: all of the lock,
// minus the waiter's own. A re-entry is found among its owner's beliefs, of which in one lock and
// mode never two are open: by binary search too. O(n log n); nothing is allocated once warm while
// the property holds.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "checker/observations.h"
#include "checker/properties/wait_anomalies.h"
#include "checker/properties/wait_spans.h"

namespace lockstep::checker {

struct Run;
struct Verdict;

class NoStarvation {
 public:
  /// REQUIRES: `verdict` is fresh (holds, empty).
  void judge(const Run& run, Verdict& verdict);

 private:
  /// A lock, whose grants are counted (no_name: everybody's), and the order of a moment.
  using EventPosition = std::tuple<NameId, NameId, std::uint64_t>;

  void load(const Observations& observations);
  void judge_wait(const Run& run, Request request);
  [[nodiscard]] bool is_reentry(const Grant& grant) const;
  [[nodiscard]] std::int64_t grants_within(const Span& span, NameId lock, NameId owner) const;
  [[nodiscard]] std::int64_t grants_to_others(const Wait& wait) const;
  [[nodiscard]] static std::string describe(const Run& run, const WaitAnomaly& finding);

  std::vector<EventPosition> grants_;   ///< sorted; each twice, as its owner's and as everybody's
  std::vector<const Belief*> beliefs_;  ///< by lock, owner, mode, then from
  WaitSpans wait_spans_;
  WaitAnomalies anomalies_;
};

}  // namespace lockstep::checker
