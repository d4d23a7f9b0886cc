// What is known at one place of a program on one way to it.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "advice/flat_map.h"
#include "advice/lua_ast.h"
#include "advice/values.h"

namespace lockstep::advice {

/// A write that has not got its TTL yet, or a read that a write may follow.
struct Mark {
  Place place;
  std::string command;  ///< lower case

  friend auto operator<=>(const Mark&, const Mark&) = default;
};

struct KeyState {
  std::optional<bool> exists;
  bool has_lease = false;  ///< certainly, if it exists
  bool is_compared = false;
  std::optional<Mark> unleased;  ///< the write after which it has no TTL
  std::optional<Mark> read;      ///< the last call that only read it

  friend auto operator<=>(const KeyState&, const KeyState&) = default;
};

struct State {
  FlatMap<VariableId, ValueNumber> variables;
  FlatMap<ValueNumber, bool> assumed;  ///< what was taken for true or false
  std::map<std::string, KeyState> keys;
  std::uint32_t calls = 0;  ///< so far: each has a reply of its own

  friend auto operator<=>(const State&, const State&) = default;
};

struct Outcome {
  State state;
  ValueNumber value = 0;
  std::vector<ValueNumber> more = {};  ///< of a call with several results: those behind the first

  friend auto operator<=>(const Outcome&, const Outcome&) = default;
};
using Outcomes = std::vector<Outcome>;

}  // namespace lockstep::advice
