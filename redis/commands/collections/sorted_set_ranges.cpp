#include "redis/commands/collections/sorted_set_ranges.h"

#include <algorithm>

#include "redis/protocol/doubles.h"

namespace lockstep::redis {
namespace {

bool is_below(const ScoreRange& range, double score) {
  return range.excludes_min ? score <= range.min : score < range.min;
}

bool is_above(const ScoreRange& range, double score) {
  return range.excludes_max ? score >= range.max : score > range.max;
}

bool reaches_min(const LexRange& range, std::string_view member) {
  switch (range.min.kind) {
    case LexEnd::Kind::lowest:
      return true;
    case LexEnd::Kind::highest:
      return false;
    case LexEnd::Kind::included:
      return member >= range.min.member;
    case LexEnd::Kind::excluded:
      break;
  }
  return member > range.min.member;
}

bool stays_within_max(const LexRange& range, std::string_view member) {
  switch (range.max.kind) {
    case LexEnd::Kind::lowest:
      return false;
    case LexEnd::Kind::highest:
      return true;
    case LexEnd::Kind::included:
      return member <= range.max.member;
    case LexEnd::Kind::excluded:
      break;
  }
  return member < range.max.member;
}

/// Nothing can be in it.
bool is_void(const LexRange& range) {
  const bool has_members =
      range.min.kind >= LexEnd::Kind::included && range.max.kind >= LexEnd::Kind::included;
  if (!has_members) return false;
  const bool excludes_end =
      range.min.kind == LexEnd::Kind::excluded || range.max.kind == LexEnd::Kind::excluded;
  return range.min.member > range.max.member ||
         (range.min.member == range.max.member && excludes_end);
}

/// A position, and how many from there on, in a direction.
RankRange run_from(std::size_t start, std::size_t count, Direction direction) {
  if (direction == Direction::forward) return {start, start + count};
  return {start + 1 - count, start + 1};
}

RankRange limited(const SortedSetValue& set, RankRange range, Direction direction,
                  RangeLimit limit) {
  const bool counts_from_end =
      limit.negative_offset == NegativeOffset::counts_from_end && !set.is_listpack();
  if (limit.offset < 0 && counts_from_end) limit.offset += static_cast<std::int64_t>(range.size());
  if (limit.offset < 0 || static_cast<std::uint64_t>(limit.offset) >= range.size()) return {};
  const auto offset = static_cast<std::size_t>(limit.offset);
  std::size_t count = range.size() - offset;
  if (limit.count >= 0) count = std::min(count, static_cast<std::size_t>(limit.count));
  const std::size_t start =
      direction == Direction::forward ? range.first + offset : range.last - 1 - offset;
  return run_from(start, count, direction);
}

std::optional<LexEnd> parse_lex_end(std::string_view text) {
  if (text.empty()) return std::nullopt;
  const std::string_view rest = text.substr(1);
  const bool is_alone = rest.empty() || rest[0] == '\0';
  switch (text[0]) {
    case '-':
      return is_alone ? std::optional(LexEnd{LexEnd::Kind::lowest, {}}) : std::nullopt;
    case '+':
      return is_alone ? std::optional(LexEnd{LexEnd::Kind::highest, {}}) : std::nullopt;
    case '[':
      return LexEnd{LexEnd::Kind::included, rest};
    case '(':
      return LexEnd{LexEnd::Kind::excluded, rest};
    default:
      return std::nullopt;
  }
}

std::optional<double> parse_score_end(std::string_view text, NumberSpelling spelling,
                                      bool& is_excluded) {
  is_excluded = !text.empty() && text[0] == '(';
  return parse_range_end(text.substr(is_excluded ? 1 : 0), spelling);
}

/// Redis's search in a listpack: from one end to the first member that reaches into the range, then
/// on to the first that is out of it, whatever the scores are.
RankRange search_from_end(const SortedSetValue& set, const LexRange& range, Direction direction,
                          const RangeLimit& limit) {
  const bool is_forward = direction == Direction::forward;
  const auto begins = is_forward ? reaches_min : stays_within_max;
  const auto goes_on = is_forward ? stays_within_max : reaches_min;
  const auto from_end = [&](std::size_t steps) {
    return is_forward ? steps : set.size() - 1 - steps;
  };
  std::size_t start = 0;
  while (start < set.size() && !begins(range, set.at(from_end(start)).member)) ++start;
  if (start == set.size() || !goes_on(range, set.at(from_end(start)).member)) return {};
  if (limit.offset < 0 || static_cast<std::uint64_t>(limit.offset) >= set.size() - start) return {};
  start += static_cast<std::size_t>(limit.offset);
  std::size_t end = start;
  while (end < set.size() && goes_on(range, set.at(from_end(end)).member)) ++end;
  std::size_t count = end - start;
  if (limit.count >= 0) count = std::min(count, static_cast<std::size_t>(limit.count));
  return count == 0 ? RankRange{} : run_from(from_end(start), count, direction);
}

}  // namespace

std::optional<ScoreRange> parse_score_range(std::string_view min, std::string_view max,
                                            NumberSpelling spelling) {
  ScoreRange range;
  const std::optional<double> lowest = parse_score_end(min, spelling, range.excludes_min);
  const std::optional<double> highest = parse_score_end(max, spelling, range.excludes_max);
  if (!lowest || !highest) return std::nullopt;
  range.min = *lowest;
  range.max = *highest;
  return range;
}

std::optional<LexRange> parse_lex_range(std::string_view min, std::string_view max) {
  const std::optional<LexEnd> lowest = parse_lex_end(min);
  const std::optional<LexEnd> highest = parse_lex_end(max);
  if (!lowest || !highest) return std::nullopt;
  return LexRange{*lowest, *highest};
}

RankRange ranks_between(const SortedSetValue& set, std::int64_t first, std::int64_t last,
                        Direction direction) {
  const auto size = static_cast<std::int64_t>(set.size());
  if (first < 0) first = std::max<std::int64_t>(first + size, 0);
  if (last < 0) last += size;
  if (first > last || first >= size) return {};
  last = std::min(last, size - 1);
  const auto count = static_cast<std::size_t>(last - first + 1);
  const std::int64_t start = direction == Direction::forward ? first : size - 1 - first;
  return run_from(static_cast<std::size_t>(start), count, direction);
}

RankRange ranks_of(const SortedSetValue& set, const ScoreRange& range, Direction direction,
                   const RangeLimit& limit) {
  if (range.min > range.max) return {};
  using Item = SortedSetValue::Item;
  const RankRange ranks{
      set.partition_point([&](const Item& item) { return is_below(range, item.score); }),
      set.partition_point([&](const Item& item) { return !is_above(range, item.score); })};
  if (ranks.first >= ranks.last) return {};
  return limited(set, ranks, direction, limit);
}

RankRange ranks_of(const SortedSetValue& set, const LexRange& range, Direction direction,
                   const RangeLimit& limit) {
  using Item = SortedSetValue::Item;
  if (is_void(range) || set.size() == 0) return {};
  if (set.is_listpack()) {
    const bool reaches_in = reaches_min(range, set.at(set.size() - 1).member) &&
                            stays_within_max(range, set.at(0).member);
    return reaches_in ? search_from_end(set, range, direction, limit) : RankRange{};
  }
  const RankRange ranks{
      set.partition_point([&](const Item& item) { return !reaches_min(range, item.member); }),
      set.partition_point([&](const Item& item) { return stays_within_max(range, item.member); })};
  if (ranks.first >= ranks.last) return {};
  return limited(set, ranks, direction, limit);
}

}  // namespace lockstep::redis
