#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "reports/formats/annotations/annotation.h"
#include "reports/text.h"

namespace lockstep::reports {
namespace {

using Json = nlohmann::ordered_json;

std::string_view sarif_level_of(AnnotationLevel level) {
  switch (level) {
    case AnnotationLevel::error:
      return "error";
    case AnnotationLevel::warning:
      return "warning";
    case AnnotationLevel::notice:
      return "note";
  }
  return "";
}

/// A path as a relative reference of RFC 3986: all but unreserved characters and / as %XX.
std::string uri_of(std::string_view path) {
  std::string uri;
  for (const char character : path) {
    const bool is_plain = (character >= 'a' && character <= 'z') ||
                          (character >= 'A' && character <= 'Z') ||
                          (character >= '0' && character <= '9') ||
                          std::string_view("-._~/").find(character) != std::string_view::npos;
    if (is_plain) {
      uri += character;
    } else {
      uri += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(character)));
    }
  }
  return uri;
}

Json location_of(const Annotation& annotation) {
  Json place = {{"artifactLocation", {{"uri", uri_of(annotation.file)}}}};
  if (annotation.line > 0) {
    Json region = {{"startLine", annotation.line}};
    if (annotation.column > 0) region["startColumn"] = annotation.column;
    place["region"] = std::move(region);
  }
  return {{"physicalLocation", std::move(place)}};
}

Json result_of(const Annotation& annotation) {
  std::string text = annotation.title;
  if (!text.empty() && !annotation.message.empty()) text += '\n';
  text += annotation.message;
  Json result = {{"ruleId", sanitized(annotation.rule)},
                 {"level", sarif_level_of(annotation.level)},
                 {"message", {{"text", sanitized_lines(text)}}}};
  if (!annotation.file.empty()) result["locations"] = Json::array({location_of(annotation)});
  return result;
}

}  // namespace

std::string sarif(std::span<const Annotation> annotations, std::string_view program_version) {
  std::set<std::string> names;
  Json results = Json::array();
  for (const Annotation& each : annotations) {
    names.insert(each.rule);
    results.push_back(result_of(each));
  }
  Json rules = Json::array();
  for (const std::string& name : names) rules.push_back({{"id", sanitized(name)}});
  Json driver = {{"name", "Lockstep"}, {"version", program_version}, {"rules", std::move(rules)}};
  Json run = {{"tool", {{"driver", std::move(driver)}}},
              {"columnKind", "unicodeCodePoints"},
              {"results", std::move(results)}};
  const Json document = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                         {"version", "2.1.0"},
                         {"runs", Json::array({std::move(run)})}};
  return document.dump(2) + "\n";
}

}  // namespace lockstep::reports
