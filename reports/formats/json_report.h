// The outcomes of a command as one JSON document, for programs. docs/reports.md has the schema.
//
// Whole numbers beyond ±2^53 are written as strings.
#pragma once

#include <string>
#include <vector>

#include "reports/formats/console.h"
#include "reports/run_artifacts.h"

namespace lockstep::scenario {
class InputError;
struct Scenario;
}  // namespace lockstep::scenario
namespace lockstep::search {
struct ScenarioOutcome;
}  // namespace lockstep::search

namespace lockstep::reports {

/// Collects outcomes one by one; keeps none of their traces.
class JsonReport {
 public:
  void add(const search::ScenarioOutcome& outcome, const RunArtifacts& artifacts);
  /// Of which nothing, or not every row, could be run.
  void refuse(const scenario::InputError& error);
  /// A scenario that is to be searched, not run.
  void pass_over(const scenario::Scenario& scenario);
  /// The document, indented, with a line feed at the end. Bytes that are not UTF-8 are replaced.
  [[nodiscard]] std::string text() const;

 private:
  OutcomeCounts counts_;
  std::vector<std::string> scenarios_;    // each a JSON object
  std::vector<std::string> refused_;      // each a JSON object: a mistake
  std::vector<std::string> passed_over_;  // their names
};

/// The object of one scenario.
[[nodiscard]] std::string scenario_json(const search::ScenarioOutcome& outcome,
                                        const RunArtifacts& artifacts);

/// The document for one outcome alone.
[[nodiscard]] std::string json_report(const search::ScenarioOutcome& outcome,
                                      const RunArtifacts& artifacts);

}  // namespace lockstep::reports
