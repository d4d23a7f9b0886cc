// What the text of a Lua 5.1 script tells of the values of its expressions.
#pragma once

#include <cstdint>
#include <vector>

#include "lua/source/ast.h"

namespace lockstep::lua {

class ScriptTree;

/// Facts about the whole script.
struct ScriptFacts {
  bool arguments_are_text = true;  ///< KEYS and ARGV hold nothing but strings
};

class ValueKinds {
 public:
  ValueKinds(const ScriptTree& tree, const ScriptFacts& facts);

  /// True if the value is a string for certain, given all assignments of the script.
  [[nodiscard]] bool is_text(ExpressionId id) const;
  /// True for a whole number literal that prints alike in both Luas, perhaps with a minus.
  [[nodiscard]] bool is_small_integer(ExpressionId id) const {
    return values_[id].kind == Kind::small_integer;
  }

 private:
  enum class Kind : std::uint8_t { text, small_integer, local, other };
  struct Value {
    Kind kind = Kind::other;
    VariableId variable = 0;  ///< for Kind::local
  };
  struct Holder {
    Value first;
    bool is_assigned = false;  ///< again, after its declaration
  };

  [[nodiscard]] Value value_of(const ScriptTree& tree, const Expression& each,
                               const ScriptFacts& facts) const;
  [[nodiscard]] Value negated(const ScriptTree& tree, ExpressionId id) const;
  void note(const ScriptTree& tree, const Statement& statement);

  std::vector<Value> values_;  ///< of each expression
  std::vector<Holder> variables_;
};

}  // namespace lockstep::lua
