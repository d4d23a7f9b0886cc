#include <fmt/format.h>

#include "reports/formats/annotations/annotation.h"
#include "reports/text.h"

namespace lockstep::reports {
namespace {

enum class CommandPart : std::uint8_t { property, message };

/// No line feeds, and the signs of the format escaped.
std::string escaped(std::string_view text, CommandPart part) {
  std::string escaped_text;
  for (const char byte : text) {
    const bool is_special = byte == '%' || byte == '\r' || byte == '\n' ||
                            (part == CommandPart::property && (byte == ':' || byte == ','));
    if (is_special) {
      escaped_text +=
          fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(byte)));
    } else {
      escaped_text += byte;
    }
  }
  return escaped_text;
}

std::string_view command_word_of(AnnotationLevel level) {
  switch (level) {
    case AnnotationLevel::error:
      return "error";
    case AnnotationLevel::warning:
      return "warning";
    case AnnotationLevel::notice:
      return "notice";
  }
  return "";
}

std::string command_of(const Annotation& annotation) {
  std::string properties;
  const auto add = [&properties](std::string_view name, std::string_view value) {
    properties += fmt::format("{}{}={}", properties.empty() ? " " : ",", name, value);
  };
  if (!annotation.file.empty()) {
    add("file", escaped(sanitized(annotation.file), CommandPart::property));
  }
  if (annotation.line > 0) add("line", std::to_string(annotation.line));
  if (annotation.column > 0) add("col", std::to_string(annotation.column));
  if (!annotation.title.empty()) {
    add("title", escaped(sanitized(annotation.title), CommandPart::property));
  }
  return fmt::format("::{}{}::{}\n", command_word_of(annotation.level), properties,
                     escaped(sanitized_lines(annotation.message), CommandPart::message));
}

}  // namespace

std::string github_commands(std::span<const Annotation> annotations) {
  std::string text;
  for (const Annotation& each : annotations) text += command_of(each);
  return text;
}

}  // namespace lockstep::reports
