#include "lua/source/value_kinds.h"

#include "lua/source/literals.h"
#include "lua/source/script_tree.h"

namespace lockstep::lua {

ValueKinds::ValueKinds(const ScriptTree& tree, const ScriptFacts& facts)
    : variables_(tree.ast().variables.size()) {
  values_.reserve(tree.ast().expressions.size());
  for (const Expression& each : tree.ast().expressions) {
    values_.push_back(value_of(tree, each, facts));
  }
  for (const Statement& each : tree.ast().statements) note(tree, each);
}

ValueKinds::Value ValueKinds::value_of(const ScriptTree& tree, const Expression& each,
                                       const ScriptFacts& facts) const {
  switch (each.kind) {
    case Expression::Kind::number:
      return {read_number_literal(each.text).is_small_integer ? Kind::small_integer : Kind::other};
    case Expression::Kind::text:
      return {Kind::text};
    case Expression::Kind::name:
      return each.variable ? Value{Kind::local, *each.variable} : Value{};
    case Expression::Kind::index: {
      const bool is_argument =
          tree.is_global(each.parts[0], "KEYS") || tree.is_global(each.parts[0], "ARGV");
      const bool is_field = tree.is_field_name(each.parts[1]);
      return {is_argument && !is_field && facts.arguments_are_text ? Kind::text : Kind::other};
    }
    case Expression::Kind::call:
      return {tree.is_global(each.parts[0], "tostring") ? Kind::text : Kind::other};
    case Expression::Kind::unary:
      return each.text == "-" ? negated(tree, each.parts[0]) : Value{};
    case Expression::Kind::binary:
      return {each.text == ".." ? Kind::text : Kind::other};
    case Expression::Kind::group:
      return is_small_integer(each.parts[0]) ? Value{} : values_[each.parts[0]];
    case Expression::Kind::nil:
    case Expression::Kind::truth:
    case Expression::Kind::falsehood:
    case Expression::Kind::dots:
    case Expression::Kind::function:
    case Expression::Kind::table:
    case Expression::Kind::method:
      return {};
  }
  return {};
}

ValueKinds::Value ValueKinds::negated(const ScriptTree& tree, ExpressionId id) const {
  const Expression& each = tree.expression(id);
  const bool is_literal = is_small_integer(id) && each.kind == Expression::Kind::number;
  return {is_literal && !tree.is_zero(each) ? Kind::small_integer : Kind::other};
}

void ValueKinds::note(const ScriptTree& tree, const Statement& statement) {
  if (statement.kind == Statement::Kind::local) {
    for (std::size_t i = 0; i < statement.variables.size() && i < statement.values.size(); ++i) {
      variables_[statement.variables[i]].first = values_[statement.values[i]];
    }
  } else if (statement.kind == Statement::Kind::assignment) {
    for (const ExpressionId id : statement.targets) {
      const Expression& target = tree.expression(id);
      if (target.variable) variables_[*target.variable].is_assigned = true;
    }
  }
}

bool ValueKinds::is_text(ExpressionId id) const {
  Value value = values_[id];
  // A variable's value was declared before the variable, so this ends.
  while (value.kind == Kind::local) {
    const Holder& holder = variables_[value.variable];
    if (holder.is_assigned) return false;
    value = holder.first;
  }
  return value.kind == Kind::text;
}

}  // namespace lockstep::lua
