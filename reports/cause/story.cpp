#include "reports/cause/story.h"

#include <algorithm>
#include <string_view>

#include "reports/cause/cause.h"

namespace lockstep::reports {
namespace {

/// "a/1", "n1", "a", "5,000.3".
bool is_name_or_number(std::string_view word) {
  return word.size() == 1 || word.find('/') != std::string_view::npos ||
         word.find_first_of("0123456789") != std::string_view::npos;
}

std::string without_names(std::string_view sentence) {
  std::string skeleton;
  bool is_skipped = false;
  for (std::size_t i = 0; i < sentence.size(); ++i) {
    const bool begins_word = i == 0 || sentence[i - 1] == ' ' || sentence[i - 1] == '"';
    if (begins_word) {
      const std::size_t end = std::min(sentence.find_first_of(" ,.;:'\"", i), sentence.size());
      is_skipped = is_name_or_number(sentence.substr(i, end - i));
    }
    if (sentence[i] == ' ') is_skipped = false;
    if (!is_skipped) skeleton += sentence[i];
  }
  return skeleton;
}

/// Up to a comma or semicolon that is followed by a blank: no part of a number.
std::string_view first_clause(std::string_view sentence) {
  return sentence.substr(0, std::min(sentence.find(", "), sentence.find("; ")));
}

}  // namespace

std::string skeleton_of(const std::vector<std::string>& cause) {
  return cause.empty() ? std::string() : without_names(cause.front());
}

std::string story_of(const search::RunRecord& example, checker::Property property) {
  const std::vector<std::string> cause = explain(example, property);
  return cause.empty() ? std::string() : without_names(first_clause(cause.front()));
}

}  // namespace lockstep::reports
