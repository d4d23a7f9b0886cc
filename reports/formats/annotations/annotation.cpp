#include "reports/formats/annotations/annotation.h"

#include "reports/cause/cause.h"
#include "reports/shown_run.h"
#include "reports/text.h"
#include "scenario/scenario.h"
#include "search/runs/scenario_outcome.h"
#include "search/runs/tally.h"

namespace lockstep::reports {
namespace {

constexpr std::size_t message_title_characters_max = 200;

void add_line(std::string& text, std::string_view line) {
  if (!text.empty()) text += '\n';
  text += line;
}

}  // namespace

std::vector<Annotation> annotations_of(const search::ScenarioOutcome& outcome) {
  if (outcome.kind == search::OutcomeKind::as_expected) return {};
  std::string message;
  const std::string failures = search::script_failures_in_words(outcome);
  if (!failures.empty()) add_line(message, failures);
  for (const std::string& complaint : outcome.complaints) add_line(message, complaint);
  if (outcome.kind == search::OutcomeKind::unknown) {
    for (const std::string& end : cut_off_runs(outcome)) add_line(message, "cut off " + end);
    if (const std::string later = outcome.later_horizon(); !later.empty()) add_line(message, later);
  }
  for (const search::Untested& each : outcome.untested) {
    add_line(message, each.why);
    if (!each.change.empty()) add_line(message, each.change);
  }
  if (message.empty()) message = search::to_string(outcome.kind);
  for (const std::string& sentence : sentences_of(causes_of(outcome))) {
    add_line(message, sentence);
  }
  const bool is_unknown = outcome.kind == search::OutcomeKind::unknown;
  return {{is_unknown ? AnnotationLevel::warning : AnnotationLevel::error,
           is_unknown ? "unknown" : "not-as-expected", outcome.scenario->path, 0, 0,
           brief(outcome.scenario->title, message_title_characters_max), message}};
}

std::vector<Annotation> annotations_of(const scenario::InputError& error) {
  const scenario::SourceLocation& place = error.place();
  std::vector<Annotation> annotations = {
      {AnnotationLevel::error, "bad-input", place.file, static_cast<std::size_t>(place.line),
       static_cast<std::size_t>(place.column), "", error.message()}};
  for (const scenario::InputError& other : error.also()) {
    for (Annotation& each : annotations_of(other)) annotations.push_back(std::move(each));
  }
  return annotations;
}

}  // namespace lockstep::reports
