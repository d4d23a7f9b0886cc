// Commands that wait until a sorted set holds something: BZPOPMIN, BZPOPMAX and BZMPOP.
//
// As with lists (collections/blocking.cpp): where they need not wait they do what ZPOPMIN and ZMPOP
// do, and in a transaction or a script they answer as if their time were over.
#include <optional>

#include "redis/commands/collections/blocking_timeout.h"
#include "redis/commands/collections/sorted_set_popping.h"
#include "redis/commands/commands.h"
#include "redis/server/server.h"
#include "redis/server/version_traits.h"

namespace lockstep::redis::commands {
namespace {

/// Replicas get the command that is named.
void pop_from(Call& call, Keyspace::Position position, std::string_view key, Extreme extreme,
              std::string_view command) {
  const auto& set = std::get<SortedSetValue>(position->second.value);
  const RankRange ranks = ranks_from(set, extreme, 1);
  const SortedSetValue::Item& item = set.at(ranks.first);
  call.reply().array(3);
  call.reply().bulk(key);
  call.reply().bulk(item.member);
  call.reply().real(item.score);
  erase_ranks(call, position, ranks);
  call.changed_as(key, {command, key});
}

template <Extreme extreme>
void serve_pop(Call& call, std::string_view key) {
  std::string_view command = pop_command(extreme);
  if (call.server().version().replicates_pops_in_small_letters)
    command = extreme == Extreme::min ? "zpopmin" : "zpopmax";
  pop_from(call, call.find(key), key, extreme, command);
}

template <Extreme extreme>
void blocking_pop(Call& call) {
  const std::optional<std::int64_t> timeout_ms = read_timeout_ms(call, call.size() - 1);
  if (!timeout_ms) return;
  const auto keys = call.words().subspan(1, call.size() - 2);
  const FoundSortedSet found = find_first_sorted_set(call, keys);
  if (found.wrong_type) return;
  if (found.position) {
    return pop_from(call, *found.position, found.key, extreme, pop_command(extreme));
  }
  if (!call.may_block()) return call.reply().null_array();
  call.server().block_for_keys(call, AwaitedType::sorted_set, keys, *timeout_ms,
                               serve_pop<extreme>);
}

void serve_sorted_set_multiple_pop(Call& call, std::string_view key) {
  if (const auto request = read_sorted_set_pop(call, 2)) {
    pop_with_key(call, call.find(key), key, *request);
  }
}

}  // namespace

void bzpopmin(Call& call) { blocking_pop<Extreme::min>(call); }
void bzpopmax(Call& call) { blocking_pop<Extreme::max>(call); }

void bzmpop(Call& call) {
  const std::optional<SortedSetPop> request = read_sorted_set_pop(call, 2);
  if (!request) return;
  const std::optional<std::int64_t> timeout_ms = read_timeout_ms(call, 1);
  if (!timeout_ms) return;
  const FoundSortedSet found = find_first_sorted_set(call, request->keys);
  if (found.wrong_type) return;
  if (found.position) return pop_with_key(call, *found.position, found.key, *request);
  if (!call.may_block()) return call.reply().null_array();
  call.server().block_for_keys(call, AwaitedType::sorted_set, request->keys, *timeout_ms,
                               serve_sorted_set_multiple_pop);
}

}  // namespace lockstep::redis::commands
