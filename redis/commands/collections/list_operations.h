// What several list commands share: words like LEFT, taking items, moving one to another list.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>

#include "redis/server/command_call.h"
#include "redis/values/list_value.h"

namespace lockstep::redis {

/// LEFT or RIGHT at an index; where it is neither, replies so and returns nothing.
[[nodiscard]] std::optional<ListEnd> read_list_end(Call& call, std::size_t index);
/// The word by which replicas get an end.
[[nodiscard]] std::string_view word_of(ListEnd end);
/// The command that pops from an end: LPOP or RPOP.
[[nodiscard]] std::string_view pop_command(ListEnd end);

/// The words from an index on: numkeys key [key …] LEFT|RIGHT [COUNT count], as LMPOP and BLMPOP
/// have them.
struct MultiplePop {
  std::span<const std::string_view> keys;
  ListEnd from = ListEnd::left;
  std::size_t count = 1;
};
/// Where they make no sense, replies so and returns nothing.
[[nodiscard]] std::optional<MultiplePop> read_multiple_pop(Call& call, std::size_t index);

/// LREM and LPOS: replies so and returns true where a version refuses the smallest integer of all.
[[nodiscard]] bool refuses_smallest_integer(Call& call, std::int64_t number);

/// Items to take from an end of a list, in the order in which they are taken.
void reply_items(Call& call, const ListValue& list, ListEnd from, std::size_t count);
/// Takes items from the list at a position and deletes the key where it gets empty. REQUIRES: it is
/// a list with as many items. What it holds at `from` must have been used before.
void take_items(Call& call, Keyspace::Position position, ListEnd from, std::size_t count);

/// LMPOP on one key: replies the key with its items, and tells replicas.
void pop_with_key(Call& call, Keyspace::Position position, const MultiplePop& pop);

/// The first of the keys that holds a list. Where one before it holds something else, replies so;
/// `is_done` is true then.
struct FoundList {
  Keyspace::Position position;
  std::string_view key;  ///< empty where there is none
  bool is_found = false;
  bool is_done = false;
};
[[nodiscard]] FoundList find_first_list(Call& call, std::span<const std::string_view> keys);

struct ListMove {
  std::string_view source;
  std::string_view target;
  ListEnd from = ListEnd::right;
  ListEnd to = ListEnd::left;
};
enum class Moved : std::uint8_t { yes, wrong_type };
/// Moves one item and replies it; a target of another type is replied and nothing moved. Telling
/// replicas is the caller's. REQUIRES: the source's position holds a list.
[[nodiscard]] Moved move_item(Call& call, Keyspace::Position source, const ListMove& move);

}  // namespace lockstep::redis
