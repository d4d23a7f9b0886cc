#include "search/fuzz/search_record.h"

#include <algorithm>
#include <cassert>

namespace lockstep::search {
namespace {

void note_state(SearchRecord& record, std::uint64_t state, std::uint64_t batch) {
  std::uint64_t& first = record.first_reached.try_emplace(state, batch).first->second;
  first = std::min(first, batch);
}

void keep_longer(SearchRecord& record, std::uint64_t number, const RecordedBatch& batch) {
  RecordedBatch& kept = record.batches.try_emplace(number, batch).first->second;
  if (batch.runs > kept.runs) kept = batch;
}

/// The first batch that both have with as many runs, and not the same of them.
std::string contradiction(const SearchRecord& one, const SearchRecord& other) {
  for (const auto& [number, batch] : other.batches) {
    const auto known = one.batches.find(number);
    const bool differ = known != one.batches.end() && known->second.runs == batch.runs &&
                        known->second.content != batch.content;
    if (differ) {
      return "batch " + std::to_string(number) +
             " came to something else: they are not of the same search";
    }
  }
  return {};
}

}  // namespace

void add_to(SearchRecord& record, std::uint64_t number, const RecordedBatch& batch,
            std::span<const std::uint64_t> states) {
  keep_longer(record, number, batch);
  for (const std::uint64_t state : states) note_state(record, state, number);
}

std::string join(SearchRecord& record, const SearchRecord& other) {
  assert(record.search == other.search);
  std::string why = contradiction(record, other);
  if (!why.empty()) return why;
  for (const auto& [number, batch] : other.batches) keep_longer(record, number, batch);
  for (const auto& [state, batch] : other.first_reached) note_state(record, state, batch);
  record.shards.insert(other.shards.begin(), other.shards.end());
  record.elapsed_ms = std::max(record.elapsed_ms, other.elapsed_ms);
  return {};
}

}  // namespace lockstep::search
