#include "lua/source/ast.h"

#include <iterator>
#include <utility>

namespace lockstep::lua {
namespace {

/// The offsets of a program's numbers when it is appended to another.
struct Shift {
  ExpressionId expressions;
  StatementId statements;
  FunctionId functions;
  VariableId variables;
  std::uint32_t file;

  void block(Block& block) const {
    for (StatementId& id : block) id += statements;
  }
  void operator()(Expression& each) const {
    each.place.file = file;
    for (ExpressionId& part : each.parts) part += expressions;
    for (auto& key : each.keys) {
      if (key) *key += expressions;
    }
    if (each.variable) *each.variable += variables;
    each.function += functions;
  }
  void operator()(Statement& each) const {
    each.place.file = file;
    each.function += functions;
    for (VariableId& id : each.variables) id += variables;
    for (ExpressionId& id : each.targets) id += expressions;
    for (ExpressionId& id : each.values) id += expressions;
    for (Block& inner : each.blocks) block(inner);
  }
  void operator()(Function& each) const {
    each.place.file = file;
    for (VariableId& id : each.parameters) id += variables;
    if (each.arg) *each.arg += variables;
    block(each.body);
    each.first_variable += variables;
    each.end_variable += variables;
  }
};

template <typename Item>
void move_behind(std::vector<Item>& list, std::vector<Item>& more) {
  list.insert(list.end(), std::make_move_iterator(more.begin()),
              std::make_move_iterator(more.end()));
}

}  // namespace

FunctionId Ast::append(Ast other, std::uint32_t file) {
  const auto main = static_cast<FunctionId>(functions.size());
  const Shift shift{static_cast<ExpressionId>(expressions.size()),
                    static_cast<StatementId>(statements.size()), main,
                    static_cast<VariableId>(variables.size()), file};
  for (Expression& each : other.expressions) shift(each);
  for (Statement& each : other.statements) shift(each);
  for (Function& each : other.functions) shift(each);
  for (Lua54Syntax& each : other.newer) each.place.file = file;
  move_behind(expressions, other.expressions);
  move_behind(statements, other.statements);
  move_behind(functions, other.functions);
  move_behind(variables, other.variables);
  move_behind(newer, other.newer);
  return main;
}

}  // namespace lockstep::lua
