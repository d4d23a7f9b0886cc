// A Lua program as a tree.
//
// Nodes live in vectors and refer to each other by number, so destroying a deep tree does not
// recurse. Expressions and statements are stored in the order in which they end: parts come before
// the whole. Names of local variables are resolved; each variable has one number in the whole
// program.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace lockstep::lua {

/// Line and column from 1; the file, where a program has several, from 0.
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
  bool is_upvalue = false;  ///< of a name: a variable of an enclosing function
  Place place;
  std::size_t first = 0;  ///< its first and last token in the file
  std::size_t last = 0;
  /// A name, an operator, a number as spelt, or the value of a string literal.
  std::string text;
  /// The expressions that it consists of; a table's values in order.
  std::vector<ExpressionId> parts;
  /// Of a table: the key of each value; none for positional values.
  std::vector<std::optional<ExpressionId>> keys;
  std::optional<VariableId> variable;  ///< of a name; none: global
  FunctionId function = 0;             ///< of a function
  std::uint32_t depth = 0;             ///< of the tree below; functions count as one
};

struct Statement {
  enum class Kind : std::uint8_t {
    local,           ///< variables = values
    local_function,  ///< one variable, one value
    assignment,      ///< targets = values
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
  bool is_function = false;  ///< an assignment written `function a.b() … end`
  Place place;
  FunctionId function = 0;  ///< the function that it stands in
  std::vector<VariableId> variables;
  std::vector<ExpressionId> targets;
  std::vector<ExpressionId> values;
  std::vector<Block> blocks;
};

struct Function {
  std::vector<VariableId> parameters;
  bool is_vararg = false;
  bool uses_dots = false;         ///< has `...` in its body
  std::optional<VariableId> arg;  ///< the local variable that `...` declares in Lua 5.1
  Block body;
  Place place;
  std::size_t parameters_end = 0;  ///< the token `)`
  /// Its variables, and those of the functions in it, have the numbers from the first to before the
  /// second.
  VariableId first_variable = 0;
  VariableId end_variable = 0;
};

struct Variable {
  std::string name;
  std::optional<std::size_t> token;  ///< that declares it; none for `self` and `arg`
};

/// Syntax of Lua 5.4 that 5.1 does not have.
struct Lua54Syntax {
  Place place;
  std::string construct;  ///< "//", "goto", "<const>"
};

struct Ast {
  std::vector<Expression> expressions;
  std::vector<Statement> statements;
  std::vector<Function> functions;  ///< the first is the program itself
  std::vector<Variable> variables;
  std::vector<Lua54Syntax> newer;

  /// Appends another program as file number `file`. Returns its main function.
  FunctionId append(Ast other, std::uint32_t file);

  [[nodiscard]] const Expression& expression(ExpressionId id) const { return expressions[id]; }
  [[nodiscard]] const Statement& statement(StatementId id) const { return statements[id]; }
};

}  // namespace lockstep::lua
