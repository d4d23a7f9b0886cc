// "Did you mean …": the valid word nearest to one that is not.
//
// Nearness is the number of typing slips (Damerau-Levenshtein, optimal string alignment): a letter
// too many, missing, wrong, or two neighbours swapped; upper and lower case are the same. Meant for
// the few dozen words of a format, not for dictionaries.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace lockstep::scenario {

/// How many slips lead from one word to the other, ignoring the case of ASCII letters.
/// Time: the product of the lengths.
[[nodiscard]] std::size_t edit_distance(std::string_view one, std::string_view other);

/// The candidate nearest to the word, the first of equals: within one slip for every three letters,
/// else one that begins with the word (three letters or more). Empty where nothing is near.
[[nodiscard]] std::string_view nearest(std::string_view word,
                                       std::span<const std::string_view> candidates);

/// "; did you mean 'lease'?", or nothing where nothing is near.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       std::span<const std::string_view> candidates);

/// "a, b and c"; "nothing" where there are no words.
[[nodiscard]] std::string listed(std::span<const std::string_view> words,
                                 std::string_view conjunction = "and");

}  // namespace lockstep::scenario
