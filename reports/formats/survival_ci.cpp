// What a CI server shows of a survival report: JUnit's test cases and annotations.
#include <fmt/format.h>

#include <algorithm>

#include "checker/property.h"
#include "reports/formats/annotations/annotation.h"
#include "reports/formats/junit.h"
#include "reports/formats/survival_report.h"
#include "reports/formats/survival_table.h"
#include "reports/text.h"

namespace lockstep::reports {
namespace {

constexpr std::size_t case_message_characters_max = 500;

bool breaks(const CampaignFinding& finding, checker::Property promise) {
  const std::vector<checker::Property>& also = finding.finding.also;
  return finding.finding.property == promise ||
         std::find(also.begin(), also.end(), promise) != also.end();
}

/// The cause in words, and how to see it again.
std::string why(const CampaignFinding& finding) {
  std::string text;
  if (!finding.violation.empty()) text += sanitized(finding.violation) + ". ";
  for (const std::string& sentence : causes_to_add(finding)) text += sanitized(sentence) + " ";
  if (!finding.known.empty()) text += sanitized(finding.known) + " ";
  if (!finding.artifacts.replay_command.empty()) {
    text += fmt::format("({})", sanitized(finding.artifacts.replay_command));
  }
  return text;
}

std::string case_tag(const SurvivalReport& report, std::string_view name) {
  return fmt::format("  <testcase classname=\"{}\" name=\"{}\" file=\"{}\">\n",
                     xml_escaped(sanitized(report.lock)), name,
                     xml_escaped(sanitized(report.name)));
}

std::string problem_tag(std::string_view element, std::string_view message,
                        std::string_view story) {
  return fmt::format("    <{0} message=\"{1}\">{2}</{0}>\n", element,
                     xml_escaped(shortened(sanitized(message), case_message_characters_max)),
                     xml_escaped(sanitized_lines(story)));
}

}  // namespace

void JunitReport::add(const SurvivalReport& report) {
  const std::vector<checker::Property> untested = untested_promises(report);
  for (const checker::Property promise : report.promises) {
    std::string element = case_tag(report, checker::to_string(promise));
    std::string message;
    std::string story;
    for (const std::size_t place : in_order(report, FindingKind::bug)) {
      const CampaignFinding& finding = report.findings[place];
      if (!breaks(finding, promise)) continue;
      message += (message.empty() ? "" : "; ") + headline_of(finding);
      story += fmt::format("{}\n{}\n", headline_of(finding), why(finding));
    }
    if (!message.empty()) {
      ++failures_;
      element += problem_tag("failure", message, story);
    } else if (std::find(untested.begin(), untested.end(), promise) != untested.end()) {
      ++skipped_;
      element += "    <skipped message=\"no run put it to the test\"/>\n";
    }
    cases_.push_back(element + "  </testcase>\n");
  }
  if (tested_no_asked_fault(report)) {
    ++skipped_;
    cases_.push_back(case_tag(report, "the faults that were asked after") +
                     "    <skipped message=\"they mattered in no run\"/>\n  </testcase>\n");
  }
  std::string element = case_tag(report, "every run was judged");
  if (!report.incidents.empty()) {
    ++errors_;
    std::string story;
    for (const SavedIncident& saved : report.incidents) story += incident_in_words(saved) + "\n";
    element += problem_tag("error", incident_in_words(report.incidents.front()), story);
  }
  cases_.push_back(element + "  </testcase>\n");
}

std::vector<Annotation> annotations_of(const SurvivalReport& report) {
  std::vector<Annotation> annotations;
  const auto add = [&](FindingKind kind, AnnotationLevel level, std::string_view label) {
    for (const std::size_t place : in_order(report, kind)) {
      const CampaignFinding& finding = report.findings[place];
      annotations.push_back({level, std::string(checker::to_string(finding.finding.property)),
                             finding.scenario_path, 0, 0, std::string(label) + headline_of(finding),
                             why(finding)});
    }
  };
  add(FindingKind::bug, AnnotationLevel::error, "");
  add(FindingKind::known, AnnotationLevel::notice, "known flaw: ");
  for (const SavedIncident& saved : report.incidents) {
    const bool is_unknown = saved.incident.kind == search::IncidentKind::unknown ||
                            saved.incident.kind == search::IncidentKind::script_failed;
    annotations.push_back({is_unknown ? AnnotationLevel::warning : AnnotationLevel::error,
                           std::string(search::to_string(saved.incident.kind)), saved.scenario_path,
                           0, 0, report.name, incident_in_words(saved)});
  }
  return annotations;
}

}  // namespace lockstep::reports
