#include <cstddef>

#include "model/client/lock_package.h"

namespace lockstep::model {
namespace {

constexpr std::string_view name_word = "{name}";

/// Classic matching with one place to go back to: the last star and what it has swallowed.
bool matches(std::string_view pattern, std::string_view text) {
  std::size_t at = 0;
  std::size_t in = 0;
  std::size_t star = std::string_view::npos;
  std::size_t star_end = 0;
  while (in < text.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      star_end = in;
    } else if (at < pattern.size() && pattern[at] == text[in]) {
      ++at;
      ++in;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      in = ++star_end;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

}  // namespace

std::string expand_pattern(std::string_view pattern, std::string_view lock_name) {
  constexpr std::string_view tag_word = "{{name}}";
  const bool has_tag = lock_name.find('{') != std::string_view::npos;
  std::string result;
  while (!pattern.empty()) {
    const std::size_t at = pattern.find(name_word);
    result += pattern.substr(0, at);
    if (at == std::string_view::npos) break;
    const bool is_tag = at > 0 && pattern.substr(at - 1).starts_with(tag_word);
    if (has_tag && is_tag) result.pop_back();
    result += lock_name;
    pattern.remove_prefix(at + name_word.size() + (has_tag && is_tag ? 1 : 0));
  }
  return result;
}

bool key_matches(std::string_view pattern, std::string_view lock_name, std::string_view key) {
  return matches(expand_pattern(pattern, lock_name), key);
}

}  // namespace lockstep::model
