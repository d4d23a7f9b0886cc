#include "search/search_record.h"

#include <algorithm>
#include <cassert>

namespace lockstep::search {
namespace {

void note_state(SearchRecord& record, std::uint64_t state, std::uint64_t stretch) {
  std::uint64_t& first = record.first_reached.try_emplace(state, stretch).first->second;
  first = std::min(first, stretch);
}

void keep_longer(SearchRecord& record, std::uint64_t number, const RecordedStretch& stretch) {
  RecordedStretch& kept = record.stretches.try_emplace(number, stretch).first->second;
  if (stretch.runs > kept.runs) kept = stretch;
}

/// The first stretch that both have with as many runs, and not the same of them.
std::string contradiction(const SearchRecord& one, const SearchRecord& other) {
  for (const auto& [number, stretch] : other.stretches) {
    const auto known = one.stretches.find(number);
    const bool differ = known != one.stretches.end() && known->second.runs == stretch.runs &&
                        known->second.content != stretch.content;
    if (differ) {
      return "stretch " + std::to_string(number) +
             " came to something else: they are not of the same search";
    }
  }
  return {};
}

}  // namespace

void add_to(SearchRecord& record, std::uint64_t number, RecordedStretch stretch,
            std::span<const std::uint64_t> states) {
  keep_longer(record, number, stretch);
  for (const std::uint64_t state : states) note_state(record, state, number);
}

std::string join(SearchRecord& record, const SearchRecord& other) {
  assert(record.search == other.search);
  std::string why = contradiction(record, other);
  if (!why.empty()) return why;
  for (const auto& [number, stretch] : other.stretches) keep_longer(record, number, stretch);
  for (const auto& [state, stretch] : other.first_reached) note_state(record, state, stretch);
  record.shards.insert(other.shards.begin(), other.shards.end());
  record.elapsed_ms = std::max(record.elapsed_ms, other.elapsed_ms);
  return {};
}

}  // namespace lockstep::search
