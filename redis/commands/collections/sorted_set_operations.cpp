#include "redis/commands/collections/sorted_set_operations.h"

#include <algorithm>

#include "redis/server/server.h"

namespace lockstep::redis {

ListpackLimits listpack_limits(Call& call) {
  const Config& config = call.server().config();
  return {config.zset_max_listpack_entries, config.zset_max_listpack_value_bytes};
}

NumberSpelling score_spelling(Call& call) {
  return call.server().version().reads_scores_plainly ? NumberSpelling::plain
                                                      : NumberSpelling::of_c;
}

SortedSetValue& create_sorted_set(Call& call, std::string_view key, std::string_view first_member) {
  auto& set = call.create<SortedSetValue>(key);
  const ListpackLimits limits = listpack_limits(call);
  if (limits.entries_max == 0 || first_member.size() > limits.bytes_max) set.leave_listpack();
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
