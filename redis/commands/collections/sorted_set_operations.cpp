#include "redis/commands/collections/sorted_set_operations.h"

#include <algorithm>

#include "redis/server/server.h"
#include "redis/server/version_traits.h"

namespace lockstep::redis {

ListpackLimits listpack_limits(Call& call) {
  const Config& config = call.server().config();
  return {config.zset_max_listpack_entries, config.zset_max_listpack_value_bytes,
          call.server().version().has_ziplists};
}

NumberSpelling score_spelling(Call& call) {
  return call.server().version().reads_scores_plainly ? NumberSpelling::plain
                                                      : NumberSpelling::of_c;
}

SortedSetValue& create_sorted_set(Call& call, std::string_view key,
                                  std::span<const std::string_view> scores_and_members) {
  const ListpackLimits limits = listpack_limits(call);
  const VersionTraits& version = call.server().version();
  // Redis looks at how long the first member is, Valkey at all; up to 7.0 nobody at how many.
  const std::size_t count = version.has_small_listpacks ? scores_and_members.size() / 2 : 1;
  const std::size_t looked_at = version.server == "valkey" ? count : 1;
  bool fits = static_cast<std::int64_t>(count) <= limits.entries_max;
  for (std::size_t i = 0; i < looked_at; ++i) {
    fits = fits && scores_and_members[2 * i + 1].size() <= limits.bytes_max;
  }
  auto& set = call.create<SortedSetValue>(key);
  if (!fits) set.leave_listpack();
  return set;
}

void erase_ranks(Call& call, Keyspace::Position position, const RankRange& ranks) {
  auto& set = std::get<SortedSetValue>(position->second.value);
  for (std::size_t i = 0; i < ranks.size(); ++i) set.erase_at(ranks.first);
  if (set.size() == 0) call.keys().erase(position);
}

// RESP3 has an array for each member and its score, RESP2 none.

void open_items(ReplyWriter& reply, std::size_t count, Scores scores) {
  const bool is_flat = scores == Scores::with && reply.protocol() == Protocol::resp2;
  reply.array(is_flat ? 2 * count : count);
}

void write_item(ReplyWriter& reply, const SortedSetValue::Item& item, Scores scores) {
  if (scores == Scores::without) return reply.bulk(item.member);
  if (reply.protocol() == Protocol::resp3) reply.array(2);
  reply.bulk(item.member);
  reply.real(item.score);
}

void reply_items(Call& call, const SortedSetValue& set, const RankRange& ranks, Direction direction,
                 Scores scores) {
  ReplyWriter& reply = call.reply();
  open_items(reply, ranks.size(), scores);
  set.visit(ranks.first, ranks.last, direction,
            [&](const SortedSetValue::Item& item) { write_item(reply, item, scores); });
}

RankRange ranks_from(const SortedSetValue& set, Extreme extreme, std::size_t count) {
  const std::size_t taken = std::min(count, set.size());
  if (extreme == Extreme::min) return {0, taken};
  return {set.size() - taken, set.size()};
}

}  // namespace lockstep::redis
