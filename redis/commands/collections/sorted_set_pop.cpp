// Sorted sets: what takes or shows items from an end, or at random.
#include <limits>
#include <optional>

#include "redis/commands/collections/random_choice.h"
#include "redis/commands/collections/sorted_set_operations.h"
#include "redis/commands/collections/sorted_set_popping.h"
#include "redis/commands/commands.h"
#include "redis/protocol/integers.h"
#include "redis/protocol/letter_case.h"
#include "redis/server/error_replies.h"
#include "redis/server/server.h"

namespace lockstep::redis::commands {
namespace {

using SortedSet = Call::Typed<SortedSetValue>;

void pop(Call& call, Extreme extreme) {
  if (call.size() > 3) return call.reply_syntax_error();
  std::size_t count = 1;
  if (call.size() == 3) {
    const std::optional<std::int64_t> wanted = parse_integer(call[2]);
    if (call.server().version().has_old_refusals) {
      if (!wanted) return call.reply().error(not_an_integer);
      if (*wanted <= 0) return call.reply().array(0);
    }
    if (!wanted || *wanted < 0) return call.reply().error(not_positive);
    count = static_cast<std::size_t>(*wanted);
  }
  const Keyspace::Position position = call.find(call[1]);
  if (position == call.keys().end()) return call.reply().array(0);
  const auto* const set = std::get_if<SortedSetValue>(&position->second.value);
  if (set == nullptr) return call.reply_wrong_type();
  const RankRange ranks = ranks_from(*set, extreme, count);
  if (call.size() == 2 && ranks.size() == 1) {
    const SortedSetValue::Item& item = set->at(ranks.first);
    call.reply().array(2);  // in RESP3 too: no array within the array
    call.reply().bulk(item.member);
    call.reply().real(item.score);
  } else {
    reply_items(call, *set, ranks, direction_from(extreme), Scores::with);
  }
  if (ranks.size() == 0) return;
  erase_ranks(call, position, ranks);
  call.changed(call[1], ranks.size());
}

/// ZRANDMEMBER key count: a negative count allows the same item again.
void reply_random_items(Call& call, const SortedSetValue& set, std::int64_t count, Scores scores) {
  ReplyWriter& reply = call.reply();
  const auto write = [&](const SortedSetValue::Item& item) { write_item(reply, item, scores); };
  const auto wanted = static_cast<std::size_t>(count < 0 ? -count : count);
  if (count >= 0 && wanted >= set.size()) {
    return reply_items(call, set, {0, set.size()}, Direction::forward, scores);
  }
  open_items(reply, wanted, scores);
  if (count >= 0) {
    for (const std::size_t rank : choose_distinct(call.server(), wanted, set.size())) {
      write(set.at(rank));
    }
    return;
  }
  for (std::size_t i = 0; i < wanted; ++i) {
    write(set.at(static_cast<std::size_t>(call.server().random_below(set.size()))));
  }
}

}  // namespace

void zpopmin(Call& call) { pop(call, Extreme::min); }
void zpopmax(Call& call) { pop(call, Extreme::max); }

void zmpop(Call& call) {
  const std::optional<SortedSetPop> request = read_sorted_set_pop(call, 1);
  if (!request) return;
  const FoundSortedSet found = find_first_sorted_set(call, request->keys);
  if (found.wrong_type) return;
  if (!found.position) return call.reply().null_array();
  pop_with_key(call, *found.position, found.key, *request);
}

void zrandmember(Call& call) {
  Scores scores = Scores::without;
  std::optional<std::int64_t> count;
  if (call.size() > 2) {
    count = read_random_count(call, 2);
    if (!count) return;
    const bool wants_scores = call.size() == 4 && equals_ignoring_case(call[3], "withscores");
    if (call.size() > 3 && !wants_scores) return call.reply_syntax_error();
    if (wants_scores) scores = Scores::with;
    constexpr std::int64_t pairs_max = std::numeric_limits<std::int64_t>::max() / 2;
    if (wants_scores && (*count > pairs_max || *count < -pairs_max)) {
      return call.reply().error("ERR value is out of range");
    }
  }
  const SortedSet found = call.lookup_as<SortedSetValue>(call[1]);
  if (found.wrong_type) return;
  if (!count) {
    if (found.value == nullptr) return call.reply().null_bulk();
    const std::uint64_t rank = call.server().random_below(found.value->size());
    return call.reply().bulk(found.value->at(static_cast<std::size_t>(rank)).member);
  }
  if (found.value == nullptr || *count == 0) return call.reply().array(0);
  if (!check_repetition_limit(call, *count)) return;
  reply_random_items(call, *found.value, *count, scores);
}

}  // namespace lockstep::redis::commands
