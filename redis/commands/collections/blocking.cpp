// Commands that wait until a list holds something: BLPOP and its like, and CLIENT UNBLOCK.
//
// Where they need not wait they do what LPOP, LMOVE and LMPOP do, and replicas get these. In a
// transaction or a script they do not wait either: they answer as if their time were over.
#include <optional>
#include <string>

#include "redis/commands/collections/blocking_timeout.h"
#include "redis/commands/collections/list_operations.h"
#include "redis/commands/commands.h"
#include "redis/protocol/integers.h"
#include "redis/protocol/letter_case.h"
#include "redis/server/server.h"

namespace lockstep::redis::commands {
namespace {

// BLPOP and BRPOP.

template <ListEnd end>
void serve_pop(Call& call, std::string_view key) {
  const Keyspace::Position position = call.find(key);
  const auto& list = std::get<ListValue>(position->second.value);
  call.reply().array(2);
  call.reply().bulk(key);
  call.reply().bulk(list.at(end));
  take_items(call, position, end, 1);
  call.changed_as(key, {pop_command(end), key});
}

template <ListEnd end>
void blocking_pop(Call& call) {
  const std::optional<std::int64_t> timeout_ms = read_timeout_ms(call, call.size() - 1);
  if (!timeout_ms) return;
  const auto keys = call.words().subspan(1, call.size() - 2);
  const FoundList found = find_first_list(call, keys);
  if (found.is_done) return;
  if (found.is_found) return serve_pop<end>(call, found.key);
  if (!call.may_block()) return call.reply().null_array();
  call.server().block_for_keys(call, AwaitedType::list, keys, *timeout_ms, serve_pop<end>);
}

// BLMPOP.

void serve_list_multiple_pop(Call& call, std::string_view key) {
  if (const auto pop = read_multiple_pop(call, 2)) pop_with_key(call, call.find(key), *pop);
}

// BLMOVE and BRPOPLPUSH.

/// Replicas get the ends as these words.
struct EndWords {
  std::string_view from;
  std::string_view to;
};

std::optional<ListMove> read_move(Call& call) {
  ListMove move{call[1], call[2], ListEnd::right, ListEnd::left};
  if (call.size() == 4) return move;  // BRPOPLPUSH
  const std::optional<ListEnd> from = read_list_end(call, 3);
  if (!from) return std::nullopt;
  const std::optional<ListEnd> to = read_list_end(call, 4);
  if (!to) return std::nullopt;
  move.from = *from;
  move.to = *to;
  return move;
}

void move_and_tell(Call& call, Keyspace::Position source, const ListMove& move, EndWords words) {
  if (move_item(call, source, move) == Moved::wrong_type) return;
  if (call.size() == 4) {
    call.changed_as(call[1], {"RPOPLPUSH", call[1], call[2]});
  } else {
    call.changed_as(call[1], {"LMOVE", call[1], call[2], words.from, words.to});
  }
}

void serve_move(Call& call, std::string_view key) {
  const std::optional<ListMove> move = read_move(call);
  if (!move) return;
  move_and_tell(call, call.find(key), *move, {word_of(move->from), word_of(move->to)});
}

void blocking_move(Call& call) {
  const std::optional<ListMove> move = read_move(call);
  if (!move) return;
  const std::optional<std::int64_t> timeout_ms = read_timeout_ms(call, call.size() - 1);
  if (!timeout_ms) return;
  const auto source = call.words().subspan(1, 1);
  const FoundList found = find_first_list(call, source);
  if (found.is_done) return;
  if (found.is_found) {
    EndWords words;
    if (call.size() == 6) words = {call[3], call[4]};
    return move_and_tell(call, found.position, *move, words);
  }
  if (!call.may_block()) return call.reply().null_bulk();
  call.server().block_for_keys(call, AwaitedType::list, source, *timeout_ms, serve_move);
}

}  // namespace

void blpop(Call& call) { blocking_pop<ListEnd::left>(call); }
void brpop(Call& call) { blocking_pop<ListEnd::right>(call); }

void blmpop(Call& call) {
  const std::optional<MultiplePop> pop = read_multiple_pop(call, 2);
  if (!pop) return;
  const std::optional<std::int64_t> timeout_ms = read_timeout_ms(call, 1);
  if (!timeout_ms) return;
  const FoundList found = find_first_list(call, pop->keys);
  if (found.is_done) return;
  if (found.is_found) return pop_with_key(call, found.position, *pop);
  if (!call.may_block()) return call.reply().null_array();
  call.server().block_for_keys(call, AwaitedType::list, pop->keys, *timeout_ms,
                               serve_list_multiple_pop);
}

void blmove(Call& call) { blocking_move(call); }
void brpoplpush(Call& call) { blocking_move(call); }

void client_unblock(Call& call) {
  bool is_error = false;
  if (call.size() > 4) return call.reply_wrong_subcommand_arity();
  if (call.size() == 4) {
    is_error = equals_ignoring_case(call[3], "error");
    if (!is_error && !equals_ignoring_case(call[3], "timeout")) {
      return call.reply().error("ERR CLIENT UNBLOCK reason should be TIMEOUT or ERROR");
    }
  }
  const std::optional<std::int64_t> number = call.integer(2);
  if (!number) return;
  Session* const blocked = call.server().sessions().find_client(*number);
  const bool is_blocked = blocked != nullptr && blocked->wait && !blocked->is_postponed();
  if (is_blocked && is_error) {
    call.server().unblock_with_error(*blocked, "UNBLOCKED client unblocked via CLIENT UNBLOCK");
  } else if (is_blocked) {
    call.server().unblock(*blocked);
  }
  call.reply().integer(is_blocked ? 1 : 0);
}

}  // namespace lockstep::redis::commands
