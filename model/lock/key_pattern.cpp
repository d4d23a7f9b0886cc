#include "model/lock/key_pattern.h"

#include <algorithm>
#include <cstddef>
#include <string_view>

#include "model/lock/lock_package.h"

namespace lockstep::model {
namespace {

constexpr std::string_view name_word = "{name}";
constexpr std::string_view tag_word = "{{name}}";

}  // namespace

/// Glob matching that backtracks to one place only: the last star and what it has matched.
bool matches_expanded(std::string_view pattern, std::string_view text) {
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

std::string tagged_name(std::string_view lock_name) {
  std::string result(lock_name);
  return result.find('{') != std::string::npos ? result : "{" + result + "}";
}

std::string expand_pattern(std::string_view pattern, std::string_view lock_name) {
  std::string result;
  for (std::size_t at = 0; at < pattern.size();) {
    const std::string_view rest = pattern.substr(at);
    if (rest.starts_with(tag_word)) {
      result += tagged_name(lock_name);
      at += tag_word.size();
    } else if (rest.starts_with(name_word)) {
      result += lock_name;
      at += name_word.size();
    } else {
      result += pattern[at++];
    }
  }
  return result;
}

bool key_matches(std::string_view pattern, std::string_view lock_name, std::string_view key) {
  return matches_expanded(expand_pattern(pattern, lock_name), key);
}

std::vector<std::string> leases_of_state(const LockPackage& package) {
  std::vector<std::string> leases;
  // Readers may each have a lease of their own in a key that stays: a sorted set of them.
  if (!is_mutex(package.state_shape)) return leases;
  for (const std::string* key : {&package.state_key, &package.also_key, &package.count_key}) {
    const bool stays =
        std::any_of(package.persistent_keys.begin(), package.persistent_keys.end(),
                    [&](const std::string& pattern) { return matches_expanded(pattern, *key); });
    if (!key->empty() && !stays) leases.push_back(*key);
  }
  return leases;
}

}  // namespace lockstep::model
