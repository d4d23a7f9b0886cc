#include "model/program/last_words.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "redis/values/value_text.h"

namespace lockstep::model {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

/// Go says what happened first, and then what each goroutine did.
bool begins_go_trace(std::string_view line) {
  return line.starts_with("panic: ") || line.starts_with("fatal error: ");
}

/// What follows the line that says what went wrong: where it came from (Java, node), what else the
/// error holds, and node's version.
bool follows_error(std::string_view line) {
  return line.empty() || line.front() == ' ' || line.front() == '\t' || line == "}" ||
         line.starts_with("Node.js v");
}

std::string_view last_of(const std::vector<std::string_view>& lines) {
  if (lines.empty()) return {};
  const auto panic = std::ranges::find_if(lines, begins_go_trace);
  if (panic != lines.end()) return *panic;
  for (std::size_t i = lines.size(); i > 0; --i) {
    if (!follows_error(lines[i - 1])) return lines[i - 1];
  }
  return lines.back();
}

}  // namespace

std::string last_words_of(std::string_view output) {
  const std::vector<std::string_view> lines = lines_of(output);
  std::string words = redis::cut_text(last_of(lines));
  const auto refusal = std::ranges::find_if(
      lines, [](std::string_view line) { return line.starts_with("lockstep: "); });
  if (refusal == lines.end() || *refusal == words) return words;
  return fmt::format("{} ({})", words, *refusal);
}

}  // namespace lockstep::model
