#include "reports/formats/junit.h"

#include <fmt/format.h>

#include "reports/formats/console.h"
#include "reports/text.h"
#include "scenario/scenario.h"
#include "search/runs/scenario_outcome.h"
#include "search/runs/tally.h"

namespace lockstep::reports {
namespace {

constexpr std::size_t message_characters_max = 500;

/// "scenarios/known-bugs/gc-pause.toml" → "scenarios.known-bugs": how dashboards group test cases.
std::string class_name(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  std::string name =
      slash == std::string_view::npos ? "scenarios" : std::string(path.substr(0, slash));
  for (char& character : name) {
    if (character == '/') character = '.';
  }
  return name;
}

/// The title, and which row of a file with parameters it is.
std::string case_name(const scenario::Scenario& scenario) {
  return scenario.row.empty() ? scenario.title : fmt::format("{} {}", scenario.title, scenario.row);
}

std::string problem_element(std::string_view element, const search::ScenarioOutcome& outcome,
                            const RunArtifacts& artifacts) {
  std::string message = sanitized(search::script_failures_in_words(outcome));
  for (const std::string& complaint : outcome.complaints) {
    message += (message.empty() ? "" : "; ") + sanitized(complaint);
  }
  for (const search::Untested& each : outcome.untested) {
    message += (message.empty() ? "" : "; ") + sanitized(each.why);
  }
  if (message.empty()) message = search::to_string(outcome.kind);
  const std::string report = console_report(outcome, Style::plain, artifacts);
  return fmt::format("    <{0} message=\"{1}\">{2}</{0}>\n", element,
                     xml_escaped(shortened(message, message_characters_max)),
                     xml_escaped(sanitized_lines(report)));
}

std::string opening_tag(const scenario::Scenario& scenario) {
  const std::string path = sanitized(scenario.path);
  return fmt::format("  <testcase classname=\"{}\" name=\"{}\" file=\"{}\">\n",
                     xml_escaped(class_name(path)), xml_escaped(sanitized(case_name(scenario))),
                     xml_escaped(path));
}

}  // namespace

void JunitReport::add(const search::ScenarioOutcome& outcome, const RunArtifacts& artifacts) {
  std::string element = opening_tag(*outcome.scenario);
  switch (outcome.kind) {
    case search::OutcomeKind::as_expected:
      break;
    case search::OutcomeKind::not_as_expected:
      ++failures_;
      element += problem_element("failure", outcome, artifacts);
      break;
    case search::OutcomeKind::unknown:
      ++errors_;
      element += problem_element("error", outcome, artifacts);
      break;
  }
  cases_.push_back(element + "  </testcase>\n");
}

void JunitReport::pass_over(const scenario::Scenario& scenario) {
  ++skipped_;
  cases_.push_back(opening_tag(scenario) +
                   "    <skipped message=\"open, and expects a violation in some run: it is for "
                   "lockstep fuzz\"/>\n  </testcase>\n");
}

std::string JunitReport::text() const {
  const std::string counts =
      fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\"", cases_.size(), failures_, errors_);
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format("<testsuites {0}>\n<testsuite name=\"lockstep\" {0} skipped=\"{1}\">\n",
                      counts, skipped_);
  for (const std::string& element : cases_) text += element;
  return text + "</testsuite>\n</testsuites>\n";
}

}  // namespace lockstep::reports
