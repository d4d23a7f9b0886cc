#include "scenario/text/suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace lockstep::scenario {
namespace {

char lower(char letter) {
  return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

bool same(char one, char other) { return lower(one) == lower(other); }

std::size_t slips_allowed(std::string_view one, std::string_view other) {
  return (std::max(one.size(), other.size()) + 1) / 3;
}

bool begins_with(std::string_view candidate, std::string_view word) {
  return word.size() <= candidate.size() &&
         std::equal(word.begin(), word.end(), candidate.begin(), same);
}

}  // namespace

// Row i of the table holds the slips between one[0, i) and other[0, j); three rows suffice, since a
// swap looks back two.
std::size_t edit_distance(std::string_view one, std::string_view other) {
  std::vector<std::size_t> before(other.size() + 1);
  std::vector<std::size_t> above(other.size() + 1);
  std::vector<std::size_t> row(other.size() + 1);
  for (std::size_t j = 0; j <= other.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= one.size(); ++i) {
    std::swap(before, above);
    std::swap(above, row);
    row[0] = i;
    for (std::size_t j = 1; j <= other.size(); ++j) {
      const std::size_t wrong = above[j - 1] + (same(one[i - 1], other[j - 1]) ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, wrong});
      const bool swapped =
          i > 1 && j > 1 && same(one[i - 1], other[j - 2]) && same(one[i - 2], other[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[other.size()];
}

std::string_view nearest(std::string_view word, std::span<const std::string_view> candidates) {
  std::string_view best;
  std::size_t fewest = 0;
  for (const std::string_view candidate : candidates) {
    const std::size_t allowed = slips_allowed(word, candidate);
    const std::size_t shorter = std::min(word.size(), candidate.size());
    if (std::max(word.size(), candidate.size()) - shorter > allowed) continue;
    const std::size_t slips = edit_distance(word, candidate);
    if (slips > allowed || (!best.empty() && slips >= fewest)) continue;
    best = candidate;
    fewest = slips;
  }
  if (!best.empty() || word.size() < 3) return best;
  const auto found =
      std::find_if(candidates.begin(), candidates.end(),
                   [word](std::string_view candidate) { return begins_with(candidate, word); });
  return found != candidates.end() ? *found : std::string_view();
}

std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates) {
  const std::string_view best = nearest(word, candidates);
  return best.empty() ? std::string() : fmt::format("; did you mean '{}'?", best);
}

std::string nearest_or_listing(std::string_view word, std::span<const std::string_view> words,
                               std::string_view listing) {
  std::string near = did_you_mean(word, words);
  if (!near.empty()) return near;
  return std::string("; 'lockstep list ").append(listing).append("' has them");
}

std::string listed(std::span<const std::string_view> words, std::string_view conjunction) {
  if (words.empty()) return "nothing";
  std::string text(words.front());
  for (std::size_t i = 1; i < words.size(); ++i) {
    text += i + 1 < words.size() ? ", " : fmt::format(" {} ", conjunction);
    text += words[i];
  }
  return text;
}

}  // namespace lockstep::scenario
