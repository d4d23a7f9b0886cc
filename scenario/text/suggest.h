// "Did you mean …": the valid word nearest to an invalid one.
//
// The distance is Damerau-Levenshtein (optimal string alignment), ignoring case. For the few dozen
// words of a format, not for dictionaries.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace lockstep::scenario {

/// The number of slips between two words, ignoring the case of ASCII letters.
/// Time: the product of the lengths.
[[nodiscard]] std::size_t edit_distance(std::string_view one, std::string_view other);

/// The nearest candidate, the first of equals: within one slip per three letters, else one that
/// begins with the word (three letters or more). Empty if none is near.
[[nodiscard]] std::string_view nearest(std::string_view word,
                                       std::span<const std::string_view> candidates);

/// "; did you mean 'lease'?", or empty if none is near.
[[nodiscard]] std::string did_you_mean(std::string_view word,
                                       std::span<const std::string_view> candidates);

/// "; did you mean 'lease'?", or where none is near "; 'lockstep list faults' has them": a list of
/// dozens would hide the mistake. `listing`: what to list.
[[nodiscard]] std::string nearest_or_listing(std::string_view word,
                                             std::span<const std::string_view> words,
                                             std::string_view listing);

/// "a, b and c"; "nothing" for no words.
[[nodiscard]] std::string listed(std::span<const std::string_view> words,
                                 std::string_view conjunction = "and");

}  // namespace lockstep::scenario
