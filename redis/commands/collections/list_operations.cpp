#include "redis/commands/collections/list_operations.h"

#include <algorithm>
#include <string>

#include "redis/protocol/integers.h"
#include "redis/protocol/letter_case.h"
#include "redis/server/server.h"

namespace lockstep::redis {
namespace {

/// A positive number, at most what a list can hold; replies a text and returns nothing elsewhere.
std::optional<std::size_t> read_positive(Call& call, std::string_view word, std::string_view text) {
  const std::optional<std::int64_t> number = parse_integer(word);
  if (number && *number > 0) return static_cast<std::size_t>(*number);
  call.reply().error(text);
  return std::nullopt;
}

}  // namespace

std::optional<ListEnd> read_list_end(Call& call, std::size_t index) {
  if (equals_ignoring_case(call[index], "left")) return ListEnd::left;
  if (equals_ignoring_case(call[index], "right")) return ListEnd::right;
  call.reply_syntax_error();
  return std::nullopt;
}

std::string_view word_of(ListEnd end) { return end == ListEnd::left ? "left" : "right"; }

std::string_view pop_command(ListEnd end) { return end == ListEnd::left ? "LPOP" : "RPOP"; }

std::optional<MultiplePop> read_multiple_pop(Call& call, std::size_t index) {
  const std::optional<std::size_t> keys =
      read_positive(call, call[index], "ERR numkeys should be greater than 0");
  if (!keys) return std::nullopt;
  const std::size_t words_left = call.size() - index - 1;
  if (*keys >= words_left) {
    call.reply_syntax_error();
    return std::nullopt;
  }
  MultiplePop pop;
  pop.keys = call.words().subspan(index + 1, *keys);
  const std::size_t end_index = index + 1 + *keys;
  const std::optional<ListEnd> from = read_list_end(call, end_index);
  if (!from) return std::nullopt;
  pop.from = *from;
  if (end_index + 1 == call.size()) return pop;
  if (end_index + 2 == call.size() || !equals_ignoring_case(call[end_index + 1], "count")) {
    call.reply_syntax_error();
    return std::nullopt;
  }
  const std::optional<std::size_t> count =
      read_positive(call, call[end_index + 2], "ERR count should be greater than 0");
  if (!count) return std::nullopt;
  pop.count = *count;
  if (end_index + 3 == call.size()) return pop;
  call.reply_syntax_error();
  return std::nullopt;
}

void reply_items(Call& call, const ListValue& list, ListEnd from, std::size_t count) {
  call.reply().array(count);
  for (std::size_t i = 0; i < count; ++i) {
    call.reply().bulk(list[from == ListEnd::left ? i : list.size() - 1 - i]);
  }
}

void take_items(Call& call, Keyspace::Position position, ListEnd from, std::size_t count) {
  auto& list = std::get<ListValue>(position->second.value);
  list.drop(from, count);
  if (list.size() == 0) call.keys().erase(position);
}

void pop_with_key(Call& call, Keyspace::Position position, const MultiplePop& pop) {
  const auto& list = std::get<ListValue>(position->second.value);
  const std::size_t count = std::min(pop.count, list.size());
  const std::string key = position->first;
  call.reply().array(2);
  call.reply().bulk(key);
  reply_items(call, list, pop.from, count);
  take_items(call, position, pop.from, count);
  const IntegerText count_text(static_cast<std::int64_t>(count));
  call.changed_as(key, {pop_command(pop.from), key, count_text.view()});
}

FoundList find_first_list(Call& call, std::span<const std::string_view> keys) {
  for (const std::string_view key : keys) {
    const Keyspace::Position position = call.find(key);
    if (position == call.keys().end()) continue;
    if (std::holds_alternative<ListValue>(position->second.value)) {
      return {position, key, true, false};
    }
    call.reply_wrong_type();
    return {position, key, false, true};
  }
  return {call.keys().end(), {}, false, false};
}

Moved move_item(Call& call, Keyspace::Position source, const ListMove& move) {
  const auto target = call.lookup_as<ListValue>(move.target);
  if (target.wrong_type) return Moved::wrong_type;
  auto& list = std::get<ListValue>(source->second.value);
  const std::string item = list.at(move.from);
  list.drop(move.from);
  ListValue& goal = target.value != nullptr ? *target.value : call.create<ListValue>(move.target);
  goal.push(move.to, item);
  if (list.size() == 0) call.keys().erase(source);
  call.server().signal_modified_key(call.session().database, move.target, 1);
  call.reply().bulk(item);
  return Moved::yes;
}

bool refuses_smallest_integer(Call& call, std::int64_t number) {
  if (number != std::numeric_limits<std::int64_t>::min()) return false;
  if (!call.server().version().guards_smallest_integer) return false;
  call.reply().error(
      "ERR value is out of range, value must between -9223372036854775807 and "
      "9223372036854775807");
  return true;
}

}  // namespace lockstep::redis
