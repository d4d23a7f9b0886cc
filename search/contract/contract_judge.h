// Which assumptions of a lock's contract a violating run broke: if none, the lock is at
// fault.
//
// An assumption about one hold excuses only a violation that involves that hold: if a slept
// past its lease, that does not excuse an overlap of b and c. Of several violations of a property
// the one with the fewest broken assumptions counts.
//
// Not covered: whether the violation needs what was not kept; making the run again with less of it
// does (needed_faults.h).
#pragma once

#include <optional>
#include <vector>

#include "model/lock/assumption.h"

namespace lockstep::checker {
enum class Property : std::uint8_t;
struct Verdict;
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
  /// no promise, or where callers wait for permits that none of them tried to set. REQUIRES: the
  /// property is violated in the run, which is one of the scenario.
  [[nodiscard]] std::optional<model::AssumptionSet> broken(const scenario::Scenario& scenario,
                                                           const model::RunResult& run,
                                                           checker::Property property) const;

  /// Whether something breaks in the run that what was not kept excuses: a promise, or one of
  /// several overlaps. A lock without a bug would break it, too.
  [[nodiscard]] bool shows_limit(const scenario::Scenario& scenario,
                                 const model::RunResult& run) const;

  /// Makes each verdict that has several violations (overlaps, grants, answers) tell of the one
  /// that counts first: a report is to tell of the bug, and not of a limit before it.
  void tell_what_counts(const scenario::Scenario& scenario, const model::RunResult& run,
                        std::vector<checker::Verdict>& verdicts) const;

 private:
  const model::LockPackage& lock_;
};

}  // namespace lockstep::search
