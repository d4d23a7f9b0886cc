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

/// The word that says how many keys follow it, counted from the command; 0: keys stand where
/// KeyPositions say.
[[nodiscard]] std::size_t key_count_word(const CommandSpec& spec);

/// None where the count of keys is none. REQUIRES: spec.accepts(words.size()).
[[nodiscard]] KeyWords key_words(const CommandSpec& spec, std::span<const std::string_view> words);

}  // namespace lockstep::redis
