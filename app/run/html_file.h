// An HTML report on its way to a file: runs are made again for their states, and written at the
// end.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/context.h"
#include "model/engine/engine.h"
#include "reports/html/html_report.h"
#include "reports/trace/trace_file.h"

namespace lockstep::app {

class HtmlFile {
 public:
  /// Throws model::InputError where the path is no name.
  explicit HtmlFile(std::string path);

  /// With its example run, where there is one and room for it.
  void add(const search::ScenarioOutcome& outcome, const reports::RunArtifacts& artifacts,
           model::Engine& engine);
  /// What a search came to, with what else is to be said of it; its runs are its findings'.
  void add_search(const search::ScenarioOutcome& outcome, const std::vector<std::string>& notes);
  void add_finding(const search::ScenarioOutcome& small, const reports::RunArtifacts& artifacts,
                   model::Engine& engine);
  void pass_over(const scenario::Scenario& scenario) { report_.pass_over(scenario); }
  void count_refused_file() { report_.count_refused_file(); }
  /// Throws model::InputError where it can't be written.
  void write() const;

 private:
  /// None where the run has no events, or there is no room.
  std::optional<reports::CapturedStates> states_of(const search::ScenarioOutcome& outcome,
                                                   model::Engine& engine) const;

  std::string path_;
  reports::HtmlReport report_;
};

/// The report of a saved run alone. Throws model::InputError where its run is another by now, or
/// the file can't be written.
void write_html(const std::string& path, const reports::TraceFile& file, const Context& context);

}  // namespace lockstep::app
