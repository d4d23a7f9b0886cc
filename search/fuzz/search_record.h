// What a search, or a part of it, came to, so that parts can be joined: those of shards, those of a
// search that was interrupted and made again, or what was joined before.
//
// A batch is the same whoever makes it (fuzz.h). So a record is a map from batches to what came
// of them, and joining is the union of maps. Of one batch that two records have, one may have
// been cut short by a clock: it is then the beginning of the other, and the longer one stays. A
// state is noted with the first batch that reached it, so that the states of all batches up to
// some number are known of each record, and of what joins them. Joining is associative,
// commutative and idempotent:
//   it takes the greater of two runs of a batch, the smaller of two numbers for a state, the
//   union of two sets of shards, the greater of two times; each of these is.
//
// Not covered: what the texts say and how it looks in a file
// (reports/formats/search_record_file.h).
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <utility>

namespace lockstep::search {

struct RecordedBatch {
  std::uint64_t runs = 0;  ///< how many were made
  std::string content;     ///< what came of them

  friend bool operator==(const RecordedBatch&, const RecordedBatch&) = default;
};

struct SearchRecord {
  /// What was searched, and how: only records with the same text can be joined.
  std::string search;
  std::map<std::uint64_t, RecordedBatch> batches;
  /// By state: the first batch that reached it. What the corpus reaches is in batch 0.
  std::map<std::uint64_t, std::uint64_t> first_reached;
  /// Who made it: {2, 5} is the second of five.
  std::set<std::pair<std::uint64_t, std::uint64_t>> shards;
  std::uint64_t elapsed_ms = 0;  ///< of the one that took longest

  friend bool operator==(const SearchRecord&, const SearchRecord&) = default;
};

/// Adds one batch and the states that its runs reached, of which some may be known.
void add_to(SearchRecord& record, std::uint64_t number, const RecordedBatch& batch,
            std::span<const std::uint64_t> states);

/// Joins two. Empty, or why they can't be joined: then `record` is what it was. REQUIRES: both have
/// the same `search`.
[[nodiscard]] std::string join(SearchRecord& record, const SearchRecord& other);

}  // namespace lockstep::search
