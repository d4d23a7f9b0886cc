#include "reports/formats/github_annotations.h"

#include <fmt/format.h>

#include "reports/cause/cause.h"
#include "reports/text.h"
#include "scenario/scenario.h"
#include "search/runs/scenario_outcome.h"

namespace lockstep::reports {

std::string escaped_for_github(std::string_view text, AnnotationPart part) {
  std::string escaped;
  for (const char byte : text) {
    const bool is_special = byte == '%' || byte == '\r' || byte == '\n' ||
                            (part == AnnotationPart::property && (byte == ':' || byte == ','));
    if (is_special) {
      escaped += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(byte)));
    } else {
      escaped += byte;
    }
  }
  return escaped;
}

std::string workflow_command(std::string_view command, std::string_view file,
                             std::string_view title, std::string_view message) {
  const std::string place =
      file.empty()
          ? ""
          : fmt::format("file={},", escaped_for_github(sanitized(file), AnnotationPart::property));
  return fmt::format("::{} {}title={}::{}\n", command, place,
                     escaped_for_github(sanitized(title), AnnotationPart::property),
                     escaped_for_github(sanitized_lines(message), AnnotationPart::message));
}

std::string github_annotation(const search::ScenarioOutcome& outcome) {
  if (outcome.kind == search::OutcomeKind::as_expected) return {};
  std::string message;
  for (const std::string& complaint : outcome.complaints) {
    message += (message.empty() ? "" : "\n") + sanitized_lines(complaint);
  }
  for (const search::Untested& each : outcome.untested) {
    message += (message.empty() ? "" : "\n") + sanitized_lines(each.why);
    if (!each.change.empty()) message += "\n" + sanitized_lines(each.change);
  }
  if (message.empty()) message = search::to_string(outcome.kind);
  for (const std::string& sentence : sentences_of(causes_of(outcome.example)))
    message.append("\n").append(sentence);
  return fmt::format(
      "::{} file={},title={}::{}\n",
      outcome.kind == search::OutcomeKind::unknown ? "warning" : "error",
      escaped_for_github(sanitized(outcome.scenario.path), AnnotationPart::property),
      escaped_for_github(brief(outcome.scenario.title, 200), AnnotationPart::property),
      escaped_for_github(message, AnnotationPart::message));
}

std::string github_annotation(const scenario::InputError& error) {
  const scenario::SourceLocation& place = error.place();
  std::string properties =
      "file=" + escaped_for_github(sanitized(place.file), AnnotationPart::property);
  if (place.line > 0) properties += fmt::format(",line={}", place.line);
  if (place.column > 0) properties += fmt::format(",col={}", place.column);
  std::string text =
      fmt::format("::error {}::{}\n", properties,
                  escaped_for_github(sanitized_lines(error.message()), AnnotationPart::message));
  for (const scenario::InputError& other : error.also()) text += github_annotation(other);
  return text;
}

}  // namespace lockstep::reports
