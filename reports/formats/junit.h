// The outcomes of a command as JUnit XML, for continuous integration.
//
// A test case for each scenario: passed where it went as expected, a failure with the complaints
// where it did not, an error where the outcome is unknown, skipped where it is for a search. No
// times are given: a run's own time is virtual, and the same input gives the same bytes. The XML is
// well-formed whatever the names hold: characters that XML does not allow are replaced by U+FFFD.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "reports/run_artifacts.h"

namespace lockstep::scenario {
struct Scenario;
}  // namespace lockstep::scenario
namespace lockstep::search {
struct ScenarioOutcome;
}  // namespace lockstep::search

namespace lockstep::reports {

struct SurvivalReport;

/// Collects outcomes one by one; keeps none of their traces.
class JunitReport {
 public:
  void add(const search::ScenarioOutcome& outcome, const RunArtifacts& artifacts);
  /// What a lock survives: a test case for each promise, which fails where it has a bug and is
  /// skipped where nothing put it to the test, and one for the runs that could not be judged.
  void add(const SurvivalReport& report);
  /// A scenario that is to be searched, not run.
  void pass_over(const scenario::Scenario& scenario);
  [[nodiscard]] std::string text() const;

 private:
  std::vector<std::string> cases_;  // each a <testcase> element
  std::uint64_t failures_ = 0;
  std::uint64_t errors_ = 0;
  std::uint64_t skipped_ = 0;
};

}  // namespace lockstep::reports
