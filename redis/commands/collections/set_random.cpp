// Sets: members taken or shown at random. Replicas get what was taken.
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "redis/commands/collections/random_choice.h"
#include "redis/commands/commands.h"
#include "redis/protocol/integers.h"
#include "redis/server/error_replies.h"
#include "redis/server/server.h"

namespace lockstep::redis::commands {
namespace {

using Set = Call::Typed<SetValue>;

std::size_t random_rank(Call& call, const SetValue& set) {
  return static_cast<std::size_t>(call.server().random_below(set.size()));
}

void write_members(ReplyWriter& reply, const SetValue& set) {
  set.visit([&](std::string_view member) { reply.bulk(member); });
}

void pop_one(Call& call, Keyspace::Position position, SetValue& set) {
  const std::size_t rank = random_rank(call, set);
  const std::string member(set.at(rank).view());
  set.erase_at(rank);
  if (set.size() == 0) call.keys().erase(position);
  call.changed_as(call[1], {"SREM", call[1], member});
  call.reply().bulk(member);
}

void pop_all(Call& call, Keyspace::Position position, const SetValue& set) {
  const std::size_t size = set.size();
  call.reply().set(size);
  write_members(call.reply(), set);
  call.keys().erase(position);
  const bool is_lazy = call.server().config().lazy_free_server_del;
  call.changed_as(call[1], {is_lazy ? "UNLINK" : "DEL", call[1]}, size);
}

void pop_some(Call& call, SetValue& set, std::size_t count) {
  std::vector<std::size_t> ranks = choose_distinct(call.server(), count, set.size());
  std::sort(ranks.rbegin(), ranks.rend());
  call.reply().set(count);
  for (const std::size_t rank : ranks) {
    const std::string member(set.at(rank).view());
    set.erase_at(rank);
    call.reply().bulk(member);
    call.changed_as(call[1], {"SREM", call[1], member});
  }
}

}  // namespace

void spop(Call& call) {
  if (call.size() > 3) return call.reply_syntax_error();
  const bool has_count = call.size() == 3;
  std::size_t count = 1;
  if (has_count) {
    const std::optional<std::int64_t> wanted = parse_integer(call[2]);
    if (!wanted && call.server().version().has_old_refusals) return call.refuse(not_an_integer);
    if (!wanted || *wanted < 0) return call.refuse(not_positive);
    count = static_cast<std::size_t>(*wanted);
  }
  const Keyspace::Position position = call.find(call[1]);
  if (position == call.keys().end()) {
    return has_count ? call.reply().set(0) : call.reply().null_bulk();
  }
  auto* const set = std::get_if<SetValue>(&position->second.value);
  if (set == nullptr) return call.reply_wrong_type();
  if (!has_count) return pop_one(call, position, *set);
  if (count == 0) return call.reply().set(0);
  if (count >= set->size()) return pop_all(call, position, *set);
  pop_some(call, *set, count);
}

void srandmember(Call& call) {
  if (call.size() > 3) return call.reply_syntax_error();
  std::optional<std::int64_t> count;
  if (call.size() == 3) {
    count = read_random_count(call, 2);
    if (!count) return;
  }
  const Set found = call.lookup_as<SetValue>(call[1]);
  if (found.wrong_type) return;
  ReplyWriter& reply = call.reply();
  if (!count) {
    if (found.value == nullptr) return reply.null_bulk();
    return reply.bulk(found.value->at(random_rank(call, *found.value)).view());
  }
  const auto open = [&](std::size_t size) {
    return call.server().version().has_old_refusals ? reply.set(size) : reply.array(size);
  };
  if (found.value == nullptr || *count == 0) return open(0);
  const SetValue& set = *found.value;
  if (*count < 0) {
    if (!check_repetition_limit(call, *count)) return;
    open(static_cast<std::size_t>(-*count));
    for (std::int64_t i = *count; i < 0; ++i) reply.bulk(set.at(random_rank(call, set)).view());
    return;
  }
  const auto wanted = static_cast<std::size_t>(*count);
  if (wanted >= set.size()) {
    open(set.size());
    return write_members(reply, set);
  }
  open(wanted);
  for (const std::size_t rank : choose_distinct(call.server(), wanted, set.size())) {
    reply.bulk(set.at(rank).view());
  }
}

}  // namespace lockstep::redis::commands
