#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/formats/annotations/annotation.h"
#include "reports/text.h"

namespace lockstep::reports {
namespace {

using Json = nlohmann::ordered_json;

std::string_view severity_of(AnnotationLevel level) {
  switch (level) {
    case AnnotationLevel::error:
      return "major";
    case AnnotationLevel::warning:
      return "minor";
    case AnnotationLevel::notice:
      return "info";
  }
  return "";
}

std::string fingerprint_of(const Annotation& annotation) {
  const std::string text = fmt::format("{}\n{}\n{}\n{}", annotation.rule, annotation.file,
                                       annotation.title, annotation.message);
  return fmt::format("{:016x}", XXH3_64bits(text.data(), text.size()));
}

Json issue_of(const Annotation& annotation) {
  const std::string& text =
      annotation.title.empty() ? annotation.message : annotation.title + ": " + annotation.message;
  return {{"description", sanitized_lines(text)},
          {"check_name", sanitized(annotation.rule)},
          {"fingerprint", fingerprint_of(annotation)},
          {"severity", severity_of(annotation.level)},
          {"location",
           {{"path", sanitized(annotation.file)},
            {"lines", {{"begin", std::max<std::size_t>(annotation.line, 1)}}}}}};
}

}  // namespace

/// https://docs.gitlab.com/ci/testing/code_quality: an issue without a file cannot be shown.
std::string code_quality(std::span<const Annotation> annotations) {
  Json issues = Json::array();
  for (const Annotation& each : annotations) {
    if (!each.file.empty()) issues.push_back(issue_of(each));
  }
  return issues.dump(2) + "\n";
}

}  // namespace lockstep::reports
