// A report to be looked at in a browser: one file, which needs nothing else and asks no network.
//
// It holds a table of all scenarios and, of the runs worth a look, everything that stepping
// through them takes: the timeline, the events, everybody's state at each, the history, the
// scenario. The page's script and style are files of their own (reports/page/), put in as they
// are; the browser is told to run nothing but them (Content-Security-Policy). What comes from
// scenarios is data in a JSON block, and only ever shown as text.
//
// The same runs give the same bytes.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "reports/formats/console.h"
#include "reports/run_artifacts.h"
#include "reports/states/states.h"
#include "reports/timeline/timeline.h"
#include "reports/trace/json_values.h"

namespace lockstep::scenario {
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::search {
struct RunRecord;
struct ScenarioOutcome;
enum class OutcomeKind : std::uint8_t;
}  // namespace lockstep::search

namespace lockstep::reports {

/// A run that can be stepped through. Does not own.
struct HtmlRun {
  const scenario::Scenario* scenario;
  const search::RunRecord* example;
  const States* states;
  RunArtifacts artifacts;
};

struct SurvivalReport;

struct HtmlLimits {
  /// Runs beyond so many events in all are left out, those as expected first; the table says so.
  std::size_t events_max = 60'000;
  std::size_t runs_max = 200;
  /// The first run is there up to so many events.
  std::size_t events_of_first_max = 250'000;
};

class HtmlReport {
 public:
  explicit HtmlReport(HtmlLimits limits = {}) : limits_(limits) {}

  /// A scenario with its example run; `states` may be null, then it can't be stepped through.
  /// `notes` stand below its complaints.
  void add(const search::ScenarioOutcome& outcome, const RunArtifacts& artifacts,
           const States* states, const std::vector<std::string>& notes = {});
  /// What a search found, small: an entry of the table, but no scenario that was asked about.
  void add_finding(const search::ScenarioOutcome& outcome, const RunArtifacts& artifacts,
                   const States* states);
  /// How many entries the table of scenarios has.
  [[nodiscard]] std::size_t entry_count() const { return scenarios_.size(); }
  /// What a lock survives: a table of its own. `entries` has for each finding its place among the
  /// scenarios, or none.
  void add(const SurvivalReport& report, const std::vector<std::optional<std::size_t>>& entries);
  /// A run alone.
  void add(const HtmlRun& run);
  void pass_over(const scenario::Scenario& scenario);
  void count_refused_file() { ++counts_.files_refused; }
  /// Whether a run of so many events still has room. What is not as expected always has, within
  /// twice the limits.
  [[nodiscard]] bool has_room(std::size_t events, search::OutcomeKind kind) const;
  [[nodiscard]] std::string text() const;

 private:
  [[nodiscard]] Json entry_of(const search::ScenarioOutcome& outcome, const RunArtifacts& artifacts,
                              const States* states) const;
  void add_entry(const Json& entry, const search::ScenarioOutcome& outcome,
                 const RunArtifacts& artifacts, const States* states);
  void add_run(const HtmlRun& run);

  HtmlLimits limits_;
  OutcomeCounts counts_;
  std::vector<std::string> survival_;     // each a JSON object
  std::vector<std::string> scenarios_;    // so too
  std::vector<std::string> runs_;         // so too
  std::vector<std::string> pictures_;     // SVG, of the runs
  std::vector<std::string> passed_over_;  // names
  std::size_t events_ = 0;                // of the runs
};

}  // namespace lockstep::reports
