// The local variables of a Lua program while it is read: which one a name means, and whether it
// can hold anything but text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace lockstep::lua {

/// What is known of a value from the text alone.
enum class ValueKind : std::uint8_t {
  text,           ///< a string, for certain
  small_integer,  ///< a whole number literal that prints alike in both Luas
  local,          ///< what the variable holds
  other,
};

class ScriptScopes {
 public:
  struct Variable {
    std::string_view name;
    ValueKind kind = ValueKind::other;  ///< of its first value
    std::size_t source = 0;             ///< for ValueKind::local: the variable it was copied from
    bool is_assigned = false;           ///< again, after its declaration
    bool is_used = false;
  };

  /// What a name means.
  struct Meaning {
    enum class Scope : std::uint8_t { local, upvalue, global };
    Scope scope;
    std::size_t variable;  ///< unless it is global
  };

  /// One function: its variables begin, and end, with it. False if there are too many at once.
  void open_function() { functions_.push_back(active_.size()); }
  void close_function();
  [[nodiscard]] std::size_t mark() const { return active_.size(); }
  /// The variables declared since the mark go out of scope.
  void close_block(std::size_t mark) { active_.resize(mark); }

  /// The variable is in scope from here on.
  std::size_t declare(const Variable& variable);
  /// How many variables of the innermost function are in scope.
  [[nodiscard]] std::size_t count_in_function() const { return active_.size() - functions_.back(); }

  [[nodiscard]] Meaning resolve(std::string_view name);
  [[nodiscard]] Variable& variable(std::size_t index) { return variables_[index]; }

  /// True if the value is text, given all assignments of the program.
  [[nodiscard]] bool is_text(ValueKind kind, std::size_t variable) const;

 private:
  std::vector<Variable> variables_;     ///< all there ever were
  std::vector<std::size_t> active_;     ///< those in scope, innermost last
  std::vector<std::size_t> functions_;  ///< where each open function's variables begin in active_
};

}  // namespace lockstep::lua
