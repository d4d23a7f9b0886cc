// Which words of a request are keys.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

#include "redis/server/command_table.h"

namespace lockstep::redis {

/// The keys are at first, first + step, … before `end`.
struct KeyWords {
  std::size_t first = 0;
  std::size_t end = 0;
  std::size_t step = 1;
};

/// The index of the word that counts the keys that follow it; 0: KeyPositions say where the keys
/// are.
[[nodiscard]] std::size_t key_count_word(const CommandSpec& spec);

/// None if the count of keys is not a number. REQUIRES: spec.accepts(words.size()).
[[nodiscard]] KeyWords key_words(const CommandSpec& spec, std::span<const std::string_view> words);

}  // namespace lockstep::redis
