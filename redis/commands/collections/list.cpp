// Lists: what pushes, pops and moves items.
#include <algorithm>
#include <optional>

#include "redis/commands/collections/list_operations.h"
#include "redis/commands/commands.h"
#include "redis/protocol/integers.h"
#include "redis/protocol/letter_case.h"
#include "redis/server/error_replies.h"
#include "redis/server/server.h"

namespace lockstep::redis::commands {
namespace {

using List = Call::Typed<ListValue>;

enum class Absent : std::uint8_t { create, leave };

void push(Call& call, ListEnd end, Absent absent) {
  const List found = call.lookup_as<ListValue>(call[1]);
  if (found.wrong_type) return;
  if (found.value == nullptr && absent == Absent::leave) return call.reply().integer(0);
  ListValue& list = found.value != nullptr ? *found.value : call.create<ListValue>(call[1]);
  for (const std::string_view item : call.words().subspan(2)) list.push(end, item);
  call.changed(call[1], call.size() - 2);
  call.reply().integer(static_cast<std::int64_t>(list.size()));
}

void pop_many(Call& call, Keyspace::Position position, ListEnd end, std::size_t count_wanted) {
  const auto& list = std::get<ListValue>(position->second.value);
  const std::size_t count = std::min(count_wanted, list.size());
  reply_items(call, list, end, count);
  if (count == 0) return;
  take_items(call, position, end, count);
  call.changed(call[1], count);
}

void pop(Call& call, ListEnd end) {
  if (call.size() > 3) return call.reply_wrong_arity();
  const bool has_count = call.size() == 3;
  std::size_t count = 1;
  if (has_count) {
    const std::optional<std::int64_t> number = parse_integer(call[2]);
    if (!number || *number < 0) {
      return call.reply().error("ERR value is out of range, must be positive");
    }
    count = static_cast<std::size_t>(*number);
  }
  const Keyspace::Position position = call.find(call[1]);
  if (position == call.keys().end()) {
    return has_count ? call.reply().null_array() : call.reply().null_bulk();
  }
  const auto* const list = std::get_if<ListValue>(&position->second.value);
  if (list == nullptr) return call.reply_wrong_type();
  if (has_count) return pop_many(call, position, end, count);
  call.reply().bulk(list->at(end));
  take_items(call, position, end, 1);
  call.changed(call[1]);
}

void move(Call& call, const ListMove& move) {
  const Keyspace::Position source = call.find(move.source);
  if (source == call.keys().end()) return call.reply().null_bulk();
  if (!std::holds_alternative<ListValue>(source->second.value)) return call.reply_wrong_type();
  if (move_item(call, source, move) == Moved::wrong_type) return;
  call.changed(move.source);
}

}  // namespace

void lpush(Call& call) { push(call, ListEnd::left, Absent::create); }
void rpush(Call& call) { push(call, ListEnd::right, Absent::create); }
void lpushx(Call& call) { push(call, ListEnd::left, Absent::leave); }
void rpushx(Call& call) { push(call, ListEnd::right, Absent::leave); }
void lpop(Call& call) { pop(call, ListEnd::left); }
void rpop(Call& call) { pop(call, ListEnd::right); }

void lmpop(Call& call) {
  const std::optional<MultiplePop> pop = read_multiple_pop(call, 1);
  if (!pop) return;
  const FoundList found = find_first_list(call, pop->keys);
  if (found.is_done) return;
  if (!found.is_found) return call.reply().null_array();
  pop_with_key(call, found.position, *pop);
}

void lmove(Call& call) {
  const std::optional<ListEnd> from = read_list_end(call, 3);
  if (!from) return;
  const std::optional<ListEnd> to = read_list_end(call, 4);
  if (to) move(call, {call[1], call[2], *from, *to});
}

void rpoplpush(Call& call) { move(call, {call[1], call[2], ListEnd::right, ListEnd::left}); }

void linsert(Call& call) {
  const bool is_after = equals_ignoring_case(call[2], "after");
  if (!is_after && !equals_ignoring_case(call[2], "before")) return call.reply_syntax_error();
  const List found = call.lookup_as<ListValue>(call[1]);
  if (found.wrong_type) return;
  if (found.value == nullptr) return call.reply().integer(0);
  ListValue& list = *found.value;
  std::size_t index = 0;
  while (index < list.size() && list[index] != call[3]) ++index;
  if (index == list.size()) return call.reply().integer(-1);
  list.insert(is_after ? index + 1 : index, call[4]);
  call.changed(call[1]);
  call.reply().integer(static_cast<std::int64_t>(list.size()));
}

void lset(Call& call) {
  const List found = call.lookup_as<ListValue>(call[1]);
  if (found.wrong_type) return;
  if (found.value == nullptr) return call.reply().error(no_such_key);
  const std::optional<std::int64_t> number = call.integer(2);
  if (!number) return;
  const auto size = static_cast<std::int64_t>(found.value->size());
  const bool is_cut = call.server().version().cuts_lset_index;
  const std::int64_t from_end = is_cut ? static_cast<std::int32_t>(*number) : *number;
  const std::int64_t index = from_end < 0 ? from_end + size : from_end;
  if (index < 0 || index >= size) return call.reply().error("ERR index out of range");
  found.value->set(static_cast<std::size_t>(index), call[3]);
  call.changed(call[1]);
  call.reply().status("OK");
}

void lrem(Call& call) {
  const std::optional<std::int64_t> number = call.integer(2);
  if (!number) return;
  if (refuses_smallest_integer(call, *number)) return;
  const Keyspace::Position position = call.find(call[1]);
  if (position == call.keys().end()) return call.reply().integer(0);
  auto* const list = std::get_if<ListValue>(&position->second.value);
  if (list == nullptr) return call.reply_wrong_type();
  const std::size_t count_max = *number == 0  ? list->size()
                                : *number > 0 ? static_cast<std::size_t>(*number)
                                              : std::size_t{0} - static_cast<std::size_t>(*number);
  const std::size_t removed =
      list->remove(call[3], count_max, *number < 0 ? ListEnd::right : ListEnd::left);
  if (list->size() == 0) call.keys().erase(position);
  if (removed > 0) call.changed(call[1], removed);
  call.reply().integer(static_cast<std::int64_t>(removed));
}

}  // namespace lockstep::redis::commands
