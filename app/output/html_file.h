// An HTML report in the making. Runs are made again to capture their states; the file is written at
// the end.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/html/html_report.h"

namespace lockstep::model {
class Engine;
}

namespace lockstep::reports {
struct SurvivalReport;
struct TraceFile;
}  // namespace lockstep::reports

namespace lockstep::app {

struct Context;

class HtmlFile {
 public:
  HtmlFile(std::string path, const Context& context);

  /// Adds a scenario's outcome, with its example run if there is one and room for it.
  void add(const search::ScenarioOutcome& outcome, const reports::RunArtifacts& artifacts,
           model::Engine& engine);
  /// Adds the outcome of a search, with notes; add_finding adds its runs.
  void add_search(const search::ScenarioOutcome& outcome, const std::vector<std::string>& notes);
  void add_finding(const search::ScenarioOutcome& small, const reports::RunArtifacts& artifacts,
                   model::Engine& engine);
  /// Adds what a lock survives, with the runs of the findings that are saved.
  void add(reports::SurvivalReport report, model::Engine& engine);
  void pass_over(const scenario::Scenario& scenario) { report_.pass_over(scenario); }
  void count_refused_file() { report_.count_refused_file(); }
  /// Throws scenario::InputError if it can't be written.
  void write() const;

 private:
  /// Returns nothing if the run has no events, or there is no room.
  std::optional<reports::CapturedStates> states_of(const search::ScenarioOutcome& outcome,
                                                   model::Engine& engine) const;

  std::string path_;
  const Context& context_;
  reports::HtmlReport report_;
};

/// Writes a report of one saved run. Throws scenario::InputError if the run is no longer the same,
/// or the file can't be written.
void write_html(const std::string& path, const reports::TraceFile& file, const Context& context);

}  // namespace lockstep::app
