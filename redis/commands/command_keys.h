// Which words of a request are keys.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "redis/server/command_table.h"

namespace lockstep::redis {

/// The keys are at first, first + step, … before `end`, and one perhaps ahead of them.
struct KeyWords {
  std::size_t destination = 0;  ///< of ZUNIONSTORE and its like; 0: none
  std::size_t first = 0;
  std::size_t end = 0;
  std::size_t step = 1;
};

/// The index of the word that counts the keys that follow it; 0: KeyPositions say where the keys
/// are.
[[nodiscard]] std::size_t key_count_word(const CommandSpec& spec);

/// Calls back with each key.
template <class Visit>
void for_each_key(const KeyWords& at, std::span<const std::string_view> words, Visit visit) {
  if (at.destination != 0) visit(words[at.destination]);
  for (std::size_t i = at.first; i < at.end; i += at.step) visit(words[i]);
}

/// None if the count of keys is not a number. REQUIRES: spec.accepts(words.size()).
[[nodiscard]] KeyWords key_words(const CommandSpec& spec, std::span<const std::string_view> words);

}  // namespace lockstep::redis
