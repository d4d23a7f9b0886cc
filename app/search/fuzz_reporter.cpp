#include "app/search/fuzz_reporter.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <system_error>
#include <utility>

#include "app/context.h"
#include "app/findings/finding_saver.h"
#include "app/output/output_file.h"
#include "app/output/output_place.h"
#include "app/search/fuzz_output.h"
#include "app/search/fuzz_targets.h"
#include "app/search/saving_time.h"
#include "checker/property.h"
#include "model/engine/engine.h"
#include "scenario/faults/fault_kind.h"
#include "search/runs/tally.h"

namespace lockstep::app {
namespace {

/// "mutual-exclusion-pause-promote"
std::string short_name(const search::Finding& finding) {
  std::string name(checker::to_string(finding.property));
  for (const scenario::FaultKind kind : finding.kinds) {
    name += '-';
    name += scenario::to_string(kind);
  }
  return name;
}

}  // namespace

FuzzReporter::FuzzReporter(const FuzzOutput& output, const Context& context)
    : output_(output), context_(context), annotations_(output.annotations, context) {
  if (output.html) html_.emplace(*output.html, context);
  if (output.against) before_ = reports::read_survival(*output.against);
  require_writable_folder(output.folder);
}

void FuzzReporter::report(reports::FuzzReport report) {
  judge(report.result.outcome.kind);
  junit_.add(report.result.outcome, {});
  if (html_) add_to_html(report);
  annotations_.add(reports::annotations_of(report));
  if (output_.format == OutputFormat::text) {
    if (!reports_.empty()) context_.output << '\n';
    context_.output << reports::fuzz_console(report, context_.style);
    context_.output.flush();
  }
  reports_.push_back(std::move(report));
}

/// Adds the outcome of the search, and below it the small scenarios of its findings.
void FuzzReporter::add_to_html(const reports::FuzzReport& report) {
  std::vector<std::string> notes;
  for (const reports::SavedIncident& saved : report.incidents) {
    notes.push_back(reports::incident_in_words(saved));
  }
  html_->add_search(report.result.outcome, notes);
  model::Engine engine(context_.script_folders, context_.programs);
  for (const reports::SavedFinding& saved : report.saved) {
    html_->add_finding(saved.shrunk, saved.artifacts, engine);
  }
}

void FuzzReporter::save(const FuzzTarget& target, reports::FuzzReport& report, SavingTime& time) {
  model::Engine engine(context_.script_folders, context_.programs);
  FindingSaver saver(*target.scenario, output_.folder, context_, engine,
                     [&time] { return time.is_over(); });
  saver.set_command(report.command);
  const auto name_of = [&](const search::Finding& finding) {
    return names_.take(fmt::format("{}-{}", target.file_name, short_name(finding)));
  };
  std::size_t left = report.result.findings.size() + report.result.incidents.size();
  for (const search::Finding& finding : report.result.findings) {
    time.begin_one_of(left--);
    report.saved.push_back(saver.save(finding, name_of, report.root_seed));
  }
  if (!report.result.findings.empty()) {
    report.result.outcome.example =
        saver.example_of(report.result.findings.front(), report.root_seed);
  }
  search::conclude(report.result.outcome);
  for (const search::Incident& incident : report.result.incidents) {
    const std::string name =
        fmt::format("{}-{}", target.file_name, search::to_string(incident.kind));
    report.incidents.push_back(saver.save(incident, names_.take(name), report.root_seed));
  }
  if (report.result.findings.empty() && !report.incidents.empty()) {
    report.result.outcome.example =
        saver.example_of(report.incidents.front().incident, report.root_seed);
  }
}

void FuzzReporter::judge(search::OutcomeKind kind) {
  switch (kind) {
    case search::OutcomeKind::as_expected:
      break;
    case search::OutcomeKind::not_as_expected:
      exit_code_ = worse(exit_code_, ExitCode::not_as_expected);
      break;
    case search::OutcomeKind::unknown:
      exit_code_ = worse(exit_code_, ExitCode::unknown);
      break;
  }
}

void FuzzReporter::require_comparable(const std::string& lock) const {
  if (output_.against) (void)reports::summary_of_lock(before_, lock, *output_.against);
}

void FuzzReporter::report(reports::SurvivalReport report) {
  judge(report);
  junit_.add(report);
  if (html_) {
    model::Engine engine(context_.script_folders, context_.programs);
    html_->add(report, engine);
  }
  annotations_.add(reports::annotations_of(report));
  if (output_.format == OutputFormat::text) {
    if (!survivals_.empty() || !reports_.empty()) context_.output << '\n';
    context_.output << reports::survival_console(report, context_.style);
    context_.output.flush();
  }
  if (output_.against) compare(report);
  survivals_.push_back(std::move(report));
}

void FuzzReporter::judge(const reports::SurvivalReport& report) {
  const auto has = [&report](search::IncidentKind kind) {
    return std::any_of(report.incidents.begin(), report.incidents.end(),
                       [kind](const auto& each) { return each.incident.kind == kind; });
  };
  if (reports::bug_count(report) > 0 || has(search::IncidentKind::client_failed)) {
    return judge(search::OutcomeKind::not_as_expected);
  }
  if (has(search::IncidentKind::script_failed) || !reports::untested_promises(report).empty() ||
      reports::tested_no_asked_fault(report) || reports::was_mostly_cut_off(report)) {
    judge(search::OutcomeKind::unknown);
  }
}

void FuzzReporter::compare(const reports::SurvivalReport& report) {
  const reports::SurvivalSummary& before =
      reports::summary_of_lock(before_, report.lock, *output_.against);
  const std::vector<std::string> worse =
      reports::what_got_worse(before, reports::summary_of(report));
  context_.errors << reports::comparison_console(worse, *output_.against);
  comparisons_ += reports::comparison_markdown(worse, *output_.against);
  if (!worse.empty()) judge(search::OutcomeKind::not_as_expected);
}

void FuzzReporter::finish() {
  if (output_.format == OutputFormat::json) {
    if (!reports_.empty() || survivals_.empty()) context_.output << reports::fuzz_json(reports_);
    if (!survivals_.empty()) context_.output << reports::survival_json(survivals_);
  }
  if (output_.junit) {
    write_file(*output_.junit, [this](std::ostream& stream) { stream << junit_.text(); });
  }
  if (output_.markdown) {
    write_file(*output_.markdown, [this](std::ostream& stream) {
      stream << reports::survival_markdown(survivals_) << comparisons_;
    });
  }
  annotations_.finish();
  if (html_) html_->write();
}

}  // namespace lockstep::app
