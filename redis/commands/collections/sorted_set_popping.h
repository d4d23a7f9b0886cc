// ZMPOP and what blocks until it can do the same (BZMPOP): the request, and taking the items.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

#include "redis/commands/collections/sorted_set_operations.h"

namespace lockstep::redis {

struct SortedSetPop {
  std::span<const std::string_view> keys;
  Extreme extreme = Extreme::min;
  std::size_t count = 1;
};

/// numkeys key… MIN|MAX [COUNT n], from a word on; where it makes no sense, replies so and returns
/// nothing.
[[nodiscard]] std::optional<SortedSetPop> read_sorted_set_pop(Call& call, std::size_t index);

struct FoundSortedSet {
  std::optional<Keyspace::Position> position;  ///< nothing where no key is there
  std::string_view key;
  bool wrong_type = false;  ///< the first key there is holds something else: the reply is given
};
[[nodiscard]] FoundSortedSet find_first_sorted_set(Call& call,
                                                   std::span<const std::string_view> keys);

/// Replies with the key and what is taken from it; replicas get ZPOPMIN or ZPOPMAX.
void pop_with_key(Call& call, Keyspace::Position position, std::string_view key,
                  const SortedSetPop& request);

[[nodiscard]] constexpr std::string_view pop_command(Extreme extreme) {
  return extreme == Extreme::min ? "ZPOPMIN" : "ZPOPMAX";
}

}  // namespace lockstep::redis
