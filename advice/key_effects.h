// The effects of Redis commands on the existence and TTL of their keys.
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
  none,        ///< none that matters here
  read,        ///< only reads
  overwrite,   ///< SET: replaces the value and drops the TTL
  create,      ///< SETNX: writes only if the key is absent
  hash_write,  ///< creates or changes a hash; keeps the TTL
  count,       ///< INCR and the like; keeps the TTL
  collect,     ///< lists, sets, sorted sets; keeps the TTL
  leased,      ///< writes with a TTL
  lease,       ///< gives a TTL to an existing key
  persist,     ///< removes the TTL
  removal,     ///< DEL
};

/// A call of a command, with the words after its name.
struct CommandCall {
  std::string name;                          ///< lower case
  const redis::CommandSpec* spec = nullptr;  ///< null: no such command
  std::vector<ValueNumber> words;
  lua::Place place;
};

/// Returns nothing if the command's name is not certain.
[[nodiscard]] std::optional<CommandCall> command_call(const Values& values,
                                                      const std::vector<ValueNumber>& words,
                                                      const lua::Place& place);

/// The indices of the words that are keys, as far as the command table tells.
[[nodiscard]] std::vector<std::size_t> key_indices(const CommandCall& call);

[[nodiscard]] KeyEffect effect_of(const Values& values, const CommandCall& call);

/// True for commands that write only if the key is absent: SETNX, SET NX.
[[nodiscard]] bool is_guarded(const Values& values, const CommandCall& call);

/// True for commands on lists, sets and sorted sets.
[[nodiscard]] bool is_of_collections(std::string_view name);

/// Applies the effect to what is known of the key.
void apply_effect(KeyEffect effect, const CommandCall& call, KeyState& key);

}  // namespace lockstep::advice
