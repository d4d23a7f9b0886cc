#include "redis/commands/collections/sorted_set_popping.h"

#include <cstdint>

#include "redis/protocol/integers.h"
#include "redis/protocol/letter_case.h"

namespace lockstep::redis {

std::optional<SortedSetPop> read_sorted_set_pop(Call& call, std::size_t index) {
  const std::optional<std::int64_t> key_count = parse_integer(call[index]);
  if (!key_count || *key_count < 1) {
    call.reply().error("ERR numkeys should be greater than 0");
    return std::nullopt;
  }
  const std::size_t first_key = index + 1;
  const auto refuse = [&call] {
    call.reply_syntax_error();
    return std::nullopt;
  };
  if (static_cast<std::uint64_t>(*key_count) >= call.size() - first_key) return refuse();
  SortedSetPop request;
  request.keys = call.words().subspan(first_key, static_cast<std::size_t>(*key_count));
  std::size_t option = first_key + request.keys.size();
  if (equals_ignoring_case(call[option], "max")) {
    request.extreme = Extreme::max;
  } else if (!equals_ignoring_case(call[option], "min")) {
    return refuse();
  }
  ++option;
  if (option == call.size()) return request;
  if (!equals_ignoring_case(call[option], "count") || option + 1 == call.size()) return refuse();
  const std::optional<std::int64_t> count = parse_integer(call[option + 1]);
  if (!count || *count < 1) {
    call.reply().error("ERR count should be greater than 0");
    return std::nullopt;
  }
  if (option + 2 < call.size()) return refuse();
  request.count = static_cast<std::size_t>(*count);
  return request;
}

FoundSortedSet find_first_sorted_set(Call& call, std::span<const std::string_view> keys) {
  for (const std::string_view key : keys) {
    const Keyspace::Position position = call.find(key);
    if (position == call.keys().end()) continue;
    if (std::holds_alternative<SortedSetValue>(position->second.value)) return {position, key};
    call.reply_wrong_type();
    return {std::nullopt, key, true};
  }
  return {};
}

void pop_with_key(Call& call, Keyspace::Position position, std::string_view key,
                  const SortedSetPop& request) {
  const auto& set = std::get<SortedSetValue>(position->second.value);
  const RankRange ranks = ranks_from(set, request.extreme, request.count);
  ReplyWriter& reply = call.reply();
  reply.array(2);
  reply.bulk(key);
  reply.array(ranks.size());
  set.visit(ranks.first, ranks.last, direction_from(request.extreme),
            [&](const SortedSetValue::Item& item) {
              reply.array(2);
              reply.bulk(item.member);
              reply.real(item.score);
            });
  erase_ranks(call, position, ranks);
  const IntegerText count(static_cast<std::int64_t>(ranks.size()));
  call.changed_as(key, {pop_command(request.extreme), key, count.view()}, ranks.size());
}

}  // namespace lockstep::redis
