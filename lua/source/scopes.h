// The local variables in scope while a Lua program is parsed.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "lua/source/ast.h"

namespace lockstep::lua {

class Scopes {
 public:
  struct Meaning {
    VariableId variable;
    bool is_upvalue;  ///< it belongs to an enclosing function
  };

  void open_function() { functions_.push_back(active_.size()); }
  void close_function() {
    active_.resize(functions_.back());
    functions_.pop_back();
  }
  [[nodiscard]] std::size_t mark() const { return active_.size(); }
  /// Ends the scope of the variables declared since the mark.
  void close_block(std::size_t mark) { active_.resize(mark); }

  /// `name` must outlive the scopes.
  void declare(std::string_view name, VariableId variable) { active_.push_back({name, variable}); }
  /// The three variables that a loop keeps for itself.
  void declare_hidden() { active_.resize(active_.size() + 3); }
  /// The number of variables in scope that belong to the innermost function.
  [[nodiscard]] std::size_t count_in_function() const { return active_.size() - functions_.back(); }

  /// Returns nothing for a global name.
  [[nodiscard]] std::optional<Meaning> resolve(std::string_view name) const {
    for (std::size_t position = active_.size(); position > 0; --position) {
      const Declared& each = active_[position - 1];
      if (each.name == name) return Meaning{each.variable, position <= functions_.back()};
    }
    return std::nullopt;
  }

 private:
  struct Declared {
    std::string_view name;  ///< empty: hidden
    VariableId variable = 0;
  };
  std::vector<Declared> active_;        ///< innermost last
  std::vector<std::size_t> functions_;  ///< where each open function's variables begin in active_
};

}  // namespace lockstep::lua
