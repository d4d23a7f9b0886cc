// What the commands on sorted sets share: new sets, taking items out, and replies of items.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "redis/commands/collections/sorted_set_ranges.h"
#include "redis/server/command_call.h"

namespace lockstep::redis {

[[nodiscard]] ListpackLimits listpack_limits(Call& call);
/// How scores and weights are read.
[[nodiscard]] NumberSpelling score_spelling(Call& call);

/// A new empty set at a key, of the kind that Redis makes for what is added first. REQUIRES: the
/// key is not stored.
SortedSetValue& create_sorted_set(Call& call, std::string_view key,
                                  std::span<const std::string_view> scores_and_members);

/// Erases items; the key goes with the last one. REQUIRES: the position's value is a sorted set.
void erase_ranks(Call& call, Keyspace::Position position, const RankRange& ranks);

enum class Scores : std::uint8_t { without, with };

/// Begins a reply of so many members, perhaps with their scores; write_item writes each.
void open_items(ReplyWriter& reply, std::size_t count, Scores scores);
void write_item(ReplyWriter& reply, const SortedSetValue::Item& item, Scores scores);

/// The items of a range as one reply.
void reply_items(Call& call, const SortedSetValue& set, const RankRange& ranks, Direction direction,
                 Scores scores);

/// Which end of a set is taken from.
enum class Extreme : std::uint8_t { min, max };
[[nodiscard]] inline Direction direction_from(Extreme extreme) {
  return extreme == Extreme::min ? Direction::forward : Direction::reverse;
}
[[nodiscard]] RankRange ranks_from(const SortedSetValue& set, Extreme extreme, std::size_t count);

}  // namespace lockstep::redis
