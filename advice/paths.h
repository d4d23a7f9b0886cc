// What is known at one place of a program on one path to it.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "advice/flat_map.h"
#include "advice/values.h"
#include "lua/source/ast.h"

namespace lockstep::advice {

/// A write whose key has no TTL yet, or a read that a write may follow.
struct Mark {
  lua::Place place;
  std::string command;  ///< lower case

  friend auto operator<=>(const Mark&, const Mark&) = default;
};

struct KeyState {
  std::optional<bool> exists;
  bool has_lease = false;  ///< for certain, if it exists
  bool is_compared = false;
  std::optional<Mark> unleased;  ///< the write after which it has no TTL
  std::optional<Mark> read;      ///< the last read-only call on it

  friend auto operator<=>(const KeyState&, const KeyState&) = default;
};

struct State {
  FlatMap<lua::VariableId, ValueNumber> variables;
  FlatMap<ValueNumber, bool> assumed;  ///< values taken to be true or false
  std::map<std::string, KeyState> keys;
  std::uint32_t calls = 0;  ///< so far; each has its own reply

  friend auto operator<=>(const State&, const State&) = default;
};

struct Outcome {
  State state;
  ValueNumber value = 0;
  std::vector<ValueNumber> more = {};  ///< further results of a call

  friend auto operator<=>(const Outcome&, const Outcome&) = default;
};
using Outcomes = std::vector<Outcome>;

}  // namespace lockstep::advice
