// What a Redis command does to the life of its key: makes it, gives it a TTL, takes it away.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "advice/paths.h"
#include "advice/values.h"
#include "redis/server/command_table.h"

namespace lockstep::advice {

enum class KeyEffect : std::uint8_t {
  none,        ///< nothing that matters here
  read,        ///< only looks
  overwrite,   ///< SET: what was there is gone, its TTL too
  create,      ///< SETNX: writes only where nothing is
  hash_write,  ///< makes or changes a hash; a TTL stays
  count,       ///< INCR and the like; a TTL stays
  collect,     ///< lists, sets, sorted sets; a TTL stays
  leased,      ///< writes with a TTL
  lease,       ///< gives a TTL to what is there
  persist,     ///< takes the TTL away
  removal,     ///< DEL
};

/// A command as a client model calls it, with the words behind its name.
struct CommandCall {
  std::string name;                          ///< lower case
  const redis::CommandSpec* spec = nullptr;  ///< null: there is none of this name
  std::vector<ValueNumber> words;
  Place place;
};

/// Nothing where the command's name is not certain.
[[nodiscard]] std::optional<CommandCall> command_call(const Values& values,
                                                      const std::vector<ValueNumber>& words,
                                                      const Place& place);

/// Which of the words are keys, as far as the command's row tells.
[[nodiscard]] std::vector<std::size_t> key_indices(const CommandCall& call);

[[nodiscard]] KeyEffect effect_of(const Values& values, const CommandCall& call);

/// Works only where the key is not there, by itself: SETNX, SET NX.
[[nodiscard]] bool is_guarded(const Values& values, const CommandCall& call);

/// Has a list, set or sorted set for its key.
[[nodiscard]] bool is_of_collections(std::string_view name);

/// Carries the effect over to what is known of the key.
void apply_effect(KeyEffect effect, const CommandCall& call, KeyState& key);

}  // namespace lockstep::advice
