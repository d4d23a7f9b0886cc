// A Lua program as a tree: what advice is given from.
//
// Nodes live in vectors and know each other by number, so that a deep tree is no deep recursion
// when it goes away. Names that mean local variables are resolved: a variable has one number in the
// whole program, a global name none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::advice {

/// Line and column from 1; the file where a program has several, from 0.
struct Place {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::uint32_t file = 0;

  friend auto operator<=>(const Place&, const Place&) = default;
};

using ExpressionId = std::uint32_t;
using StatementId = std::uint32_t;
using FunctionId = std::uint32_t;
using VariableId = std::uint32_t;
using Block = std::vector<StatementId>;

struct Expression {
  enum class Kind : std::uint8_t {
    nil,
    truth,
    falsehood,
    number,
    text,
    dots,
    function,
    table,
    name,
    index,   ///< parts: table, key
    call,    ///< parts: callee, arguments
    method,  ///< parts: object, arguments; text: the method's name
    unary,   ///< text: the operator
    binary,  ///< text: the operator
    group,   ///< parentheses: one value
  };
  Kind kind = Kind::nil;
  Place place;
  /// A name, an operator, a number as spelt, or what a string literal stands for.
  std::string text;
  /// What it is made of; a table's values in order.
  std::vector<ExpressionId> parts;
  /// Of a table: the key of each value, none for those that are counted.
  std::vector<std::optional<ExpressionId>> keys;
  std::optional<VariableId> variable;  ///< of a name; none: global
  FunctionId function = 0;             ///< of a function
  std::uint32_t depth = 0;             ///< how many nodes it is deep; functions count as one
};

struct Statement {
  enum class Kind : std::uint8_t {
    local,           ///< variables = values
    local_function,  ///< one variable, one value
    assignment,      ///< targets = values; `function a.b()` is one
    call,            ///< values: one
    branches,        ///< values: conditions; blocks: one more with an else
    while_loop,      ///< values: the condition
    repeat_loop,     ///< values: the condition
    numeric_for,     ///< one variable; values: two or three
    generic_for,     ///< variables; values
    block,
    results,  ///< return
    leave,    ///< break
    jump,     ///< goto and labels, of Lua 5.4
  };
  Kind kind = Kind::block;
  Place place;
  std::vector<VariableId> variables;
  std::vector<ExpressionId> targets;
  std::vector<ExpressionId> values;
  std::vector<Block> blocks;
};

struct Function {
  std::vector<VariableId> parameters;
  bool is_vararg = false;
  Block body;
  Place place;
  /// Its variables, and those of the functions in it, have the numbers from the first to before the
  /// second.
  VariableId first_variable = 0;
  VariableId end_variable = 0;
};

/// What Lua 5.4 has and 5.1 has not.
struct Lua54Syntax {
  Place place;
  std::string construct;  ///< "//", "goto", "<const>"
};

struct LuaAst {
  std::vector<Expression> expressions;
  std::vector<Statement> statements;
  std::vector<Function> functions;     ///< the first is the program itself
  std::vector<std::string> variables;  ///< their names
  std::vector<Lua54Syntax> newer;

  /// Takes in another program, as the file of this number; gives its main function.
  FunctionId append(LuaAst other, std::uint32_t file);

  [[nodiscard]] const Expression& expression(ExpressionId id) const { return expressions[id]; }
  [[nodiscard]] const Statement& statement(StatementId id) const { return statements[id]; }
};

}  // namespace lockstep::advice
