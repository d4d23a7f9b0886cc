// Which assumptions of a lock's contract a violating run did not keep: none, and the lock is at
// fault.
//
// An assumption about one hold excuses only a violation in which that hold is a party: that a slept
// past its lease says nothing of an overlap of b and c. Of several violations of a property the one
// counts that the fewest assumptions excuse.
//
// Not covered: whether the violation needs what was not kept; making the run again with less of it
// does (attribution.h).
#pragma once

#include <optional>

#include "model/lock/assumption.h"

namespace lockstep::checker {
struct Verdict;
enum class Property : std::uint8_t;
}  // namespace lockstep::checker

namespace lockstep::model {
struct LockPackage;
struct RunResult;
}  // namespace lockstep::model

namespace lockstep::scenario {
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::search {

class ContractJudge {
 public:
  /// Does not own; the lock outlives this.
  explicit ContractJudge(const model::LockPackage& lock) : lock_(lock) {}

  /// Of the assumptions that the promise makes, those that the run did not keep; none where it is
  /// no promise. REQUIRES: the property is violated in the run, which is one of the scenario.
  [[nodiscard]] std::optional<model::AssumptionSet> broken(const scenario::Scenario& scenario,
                                                           const model::RunResult& run,
                                                           checker::Property property) const;

  /// The verdict on that violation of the property which counted: of several overlaps not the
  /// first, but the one that the fewest assumptions excuse. REQUIRES: as for broken.
  [[nodiscard]] checker::Verdict told(const scenario::Scenario& scenario,
                                      const model::RunResult& run,
                                      checker::Property property) const;

 private:
  const model::LockPackage& lock_;
};

}  // namespace lockstep::search
