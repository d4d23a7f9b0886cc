// Ranges of sorted sets: as requests spell them, and which positions they stand for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "redis/protocol/doubles.h"
#include "redis/values/sorted_set_value.h"

namespace lockstep::redis {

/// Positions from `first` up to, not with, `last`.
struct RankRange {
  std::size_t first = 0;
  std::size_t last = 0;
  [[nodiscard]] std::size_t size() const { return last - first; }
};

/// `1 (2`, `-inf +inf`.
struct ScoreRange {
  double min = 0;
  double max = 0;
  bool excludes_min = false;
  bool excludes_max = false;
};
[[nodiscard]] std::optional<ScoreRange> parse_score_range(std::string_view min,
                                                          std::string_view max,
                                                          NumberSpelling spelling);

/// One end of a range of members: `-`, `+`, `[included`, `(excluded`.
struct LexEnd {
  enum class Kind : std::uint8_t { lowest, highest, included, excluded };
  Kind kind = Kind::lowest;
  std::string_view member;
};
struct LexRange {
  LexEnd min;
  LexEnd max;
};
[[nodiscard]] std::optional<LexRange> parse_lex_range(std::string_view min, std::string_view max);

/// What a negative offset of LIMIT says, of a set in a skip list: nothing is in the range, or that
/// so many are left at its end.
enum class NegativeOffset : std::uint8_t { leaves_nothing, counts_from_end };

/// LIMIT: how many of a range are passed over, and how many are taken at most (negative: all).
struct RangeLimit {
  std::int64_t offset = 0;
  std::int64_t count = -1;
  NegativeOffset negative_offset = NegativeOffset::leaves_nothing;
};

/// Positions as ZRANGE counts them: from 0, or from the end with -1; both included.
[[nodiscard]] RankRange ranks_between(const SortedSetValue& set, std::int64_t first,
                                      std::int64_t last, Direction direction);
[[nodiscard]] RankRange ranks_of(const SortedSetValue& set, const ScoreRange& range,
                                 Direction direction = Direction::forward,
                                 const RangeLimit& limit = {});
/// Of a set whose scores are all the same. Where they are not, what Redis does with a listpack; of
/// a bigger set it is unspecified.
[[nodiscard]] RankRange ranks_of(const SortedSetValue& set, const LexRange& range,
                                 Direction direction = Direction::forward,
                                 const RangeLimit& limit = {});

}  // namespace lockstep::redis
