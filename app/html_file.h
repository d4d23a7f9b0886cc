// An HTML report on its way to a file: runs are made again for their states, and written at the
// end.
#pragma once

#include <string>

#include "app/context.h"
#include "model/simulation/engine.h"
#include "reports/html_report.h"
#include "reports/trace_file.h"

namespace lockstep::app {

class HtmlFile {
 public:
  explicit HtmlFile(std::string path) : path_(std::move(path)) {}

  /// With its example run, where there is one and room for it.
  void add(const search::ScenarioOutcome& outcome, const reports::ReportPlaces& places,
           model::Engine& engine);
  /// Only what it came to.
  void add_outcome(const search::ScenarioOutcome& outcome);
  void pass_over(const model::Scenario& scenario) { report_.pass_over(scenario); }
  void count_refused_file() { report_.count_refused_file(); }
  /// Throws model::InputError where it can't be written.
  void write() const;

 private:
  std::string path_;
  reports::HtmlReport report_;
};

/// The report of a saved run alone. Throws model::InputError where its run is another by now, or
/// the file can't be written.
void write_html(const std::string& path, const reports::TraceFile& file, const Context& context);

}  // namespace lockstep::app
