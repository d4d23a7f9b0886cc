#include "redis/protocol/glob.h"

#include <algorithm>
#include <cstddef>

namespace lockstep::redis {
namespace {

unsigned char byte_at(std::string_view text, std::size_t index) {
  return static_cast<unsigned char>(text[index]);
}

/// Matches one letter against the class whose '[' stands at `at`, and moves `at` past the class.
bool class_matches(std::string_view pattern, std::size_t& at, unsigned char letter) {
  ++at;
  const bool is_negated = at < pattern.size() && pattern[at] == '^';
  if (is_negated) ++at;
  bool found = false;
  while (at < pattern.size() && pattern[at] != ']') {
    if (pattern[at] == '\\' && at + 1 < pattern.size()) {
      found = found || byte_at(pattern, at + 1) == letter;
      at += 2;
    } else if (at + 2 < pattern.size() && pattern[at + 1] == '-') {
      const auto [low, high] = std::minmax({byte_at(pattern, at), byte_at(pattern, at + 2)});
      found = found || (letter >= low && letter <= high);
      at += 3;
    } else {
      found = found || byte_at(pattern, at) == letter;
      ++at;
    }
  }
  if (at < pattern.size()) ++at;  // past the ']'
  return found != is_negated;
}

/// Matches one letter against what stands at `at` (no '*') and moves `at` past it.
bool one_matches(std::string_view pattern, std::size_t& at, unsigned char letter) {
  switch (pattern[at]) {
    case '?':
      ++at;
      return true;
    case '[':
      return class_matches(pattern, at, letter);
    case '\\':
      if (at + 1 < pattern.size()) ++at;
      break;
    default:
      break;
  }
  return byte_at(pattern, at++) == letter;
}

}  // namespace

bool glob_matches(std::string_view pattern, std::string_view text) {
  if (text.empty()) return pattern.empty();
  // Only the last '*' passed ever needs another try: if the rest does not match with it, an earlier
  // one taking more letters could not help.
  std::size_t at = 0;
  std::size_t text_at = 0;
  std::size_t star_at = std::string_view::npos;  // just past the last '*'
  std::size_t star_text_at = 0;
  while (text_at < text.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star_at = ++at;
      star_text_at = text_at;
      continue;
    }
    if (at < pattern.size() && one_matches(pattern, at, byte_at(text, text_at))) {
      ++text_at;
      continue;
    }
    if (star_at == std::string_view::npos) return false;
    at = star_at;
    text_at = ++star_text_at;
  }
  while (at < pattern.size() && pattern[at] == '*') ++at;
  return at == pattern.size();
}

}  // namespace lockstep::redis
