#include "advice/lua_expressions.h"

#include "advice/lua_literals.h"

namespace lockstep::advice {
namespace {

constexpr std::size_t variables_max = 2000;  // in scope at once; a function may have 200

/// Lua 5.4's; right above left: associates to the right.
constexpr std::array<LuaOperator, 21> operator_rows = {
    {{"or", 1, 1},  {"and", 2, 2}, {"<", 3, 3},   {">", 3, 3},   {"<=", 3, 3},  {">=", 3, 3},
     {"~=", 3, 3},  {"==", 3, 3},  {"|", 4, 4},   {"~", 5, 5},   {"&", 6, 6},   {"<<", 7, 7},
     {">>", 7, 7},  {"..", 9, 8},  {"+", 10, 10}, {"-", 10, 10}, {"*", 11, 11}, {"//", 11, 11},
     {"/", 11, 11}, {"%", 11, 11}, {"^", 14, 13}}};
constexpr int unary_priority = 12;

bool is_newer(std::string_view text) {
  return text == "|" || text == "~" || text == "&" || text == "<<" || text == ">>" || text == "//";
}

}  // namespace

VariableId LuaExpressions::declare(std::string_view name) {
  const auto variable = static_cast<VariableId>(tree_.variables.size());
  if (active_.size() >= variables_max) fail("too many local variables");
  tree_.variables.emplace_back(name);
  active_.push_back(variable);
  return variable;
}

std::optional<VariableId> LuaExpressions::resolve(std::string_view name) const {
  for (auto each = active_.rbegin(); each != active_.rend(); ++each) {
    if (tree_.variables[*each] == name) return *each;
  }
  return std::nullopt;
}

ExpressionId LuaExpressions::add(Expression expression) {
  for (const ExpressionId part : expression.parts) {
    expression.depth = std::max(expression.depth, tree_.expressions[part].depth + 1);
  }
  for (const auto& key : expression.keys) {
    if (key) expression.depth = std::max(expression.depth, tree_.expressions[*key].depth + 1);
  }
  tree_.expressions.push_back(std::move(expression));
  return static_cast<ExpressionId>(tree_.expressions.size() - 1);
}

ExpressionId LuaExpressions::add(Kind kind, const Place& place, std::string text,
                                 std::vector<ExpressionId> parts) {
  Expression expression;
  expression.kind = kind;
  expression.place = place;
  expression.text = std::move(text);
  expression.parts = std::move(parts);
  return add(std::move(expression));
}

void LuaExpressions::note_lua54(const Place& place, std::string_view construct) {
  tree_.newer.push_back({place, std::string(construct)});
}

std::vector<ExpressionId> LuaExpressions::expressions() {
  std::vector<ExpressionId> list;
  do {
    list.push_back(expression());
  } while (skip(","));
  return list;
}

/// The operator here, and how many tokens it has.
std::pair<const LuaOperator*, std::size_t> LuaExpressions::operator_here() const {
  for (const LuaOperator& each : operator_rows) {
    const std::string_view text = each.text;
    if (text == "<<" || text == ">>" || text == "//") {
      if (is_pair(text.substr(0, 1), text.substr(1))) return {&each, 2};
    } else if (is(text) && !is_pair("<", "<") && !is_pair(">", ">") && !is_pair("/", "/")) {
      return {&each, 1};
    }
  }
  return {nullptr, 0};
}

ExpressionId LuaExpressions::operation(int limit) {
  const Level level(*this);
  ExpressionId left = unary();
  for (;;) {
    const auto [each, length] = operator_here();
    if (each == nullptr || each->left <= limit) return left;
    const Place place = here();
    if (is_newer(each->text)) note_lua54(place, each->text);
    skip_tokens(length);
    const ExpressionId right = operation(each->right);
    left = add(Kind::binary, place, std::string(each->text), {left, right});
  }
}

ExpressionId LuaExpressions::unary() {
  for (const std::string_view text : {"not", "-", "#", "~"}) {
    if (!is(text)) continue;
    const Place place = here();
    if (text == "~") note_lua54(place, text);
    skip_tokens(1);
    const ExpressionId inner = operation(unary_priority);
    return add(Kind::unary, place, std::string(text), {inner});
  }
  return simple();
}

ExpressionId LuaExpressions::simple() {
  const Place place = here();
  if (is("{")) return table();
  if (skip("function")) return function(place, Self::none);
  if (skip("nil")) return add(Kind::nil, place);
  if (skip("true")) return add(Kind::truth, place);
  if (skip("false")) return add(Kind::falsehood, place);
  if (skip("...")) return add(Kind::dots, place);
  if (is_kind(ScriptToken::Kind::number)) {
    return add(Kind::number, place, std::string(take().text));
  }
  if (is_string()) return text();
  return primary();
}

ExpressionId LuaExpressions::text() {
  const Place place = here();
  return add(Kind::text, place, string_value(take()));
}

ExpressionId LuaExpressions::text_key() {
  const Place place = here();
  return add(Kind::text, place, std::string(expect_name()));
}

ExpressionId LuaExpressions::name() {
  Expression result;
  result.kind = Kind::name;
  result.place = here();
  result.text = expect_name();
  result.variable = resolve(result.text);
  return add(std::move(result));
}

ExpressionId LuaExpressions::index(ExpressionId table, ExpressionId key) {
  return add(Kind::index, tree_.expressions[table].place, {}, {table, key});
}

ExpressionId LuaExpressions::primary() {
  ExpressionId target = 0;
  if (is("(")) {
    const Place place = here();
    skip_tokens(1);
    const ExpressionId inner = expression();
    expect(")");
    target = add(Kind::group, place, {}, {inner});
  } else {
    if (!is_name()) fail("unexpected symbol");
    target = name();
  }
  for (;;) {
    if (skip(".")) {
      target = index(target, text_key());
    } else if (skip("[")) {
      const ExpressionId key = expression();
      expect("]");
      target = index(target, key);
    } else if (is(":") && !is_pair(":", ":")) {
      skip_tokens(1);
      const std::string method(expect_name());
      target = call(Kind::method, target, method);
    } else if (is("(") || is("{") || is_string()) {
      target = call(Kind::call, target, {});
    } else {
      return target;
    }
  }
}

ExpressionId LuaExpressions::call(Kind kind, ExpressionId callee, std::string method) {
  std::vector<ExpressionId> parts = {callee};
  if (is("{")) {
    parts.push_back(table());
  } else if (is_string()) {
    parts.push_back(text());
  } else {
    expect("(");
    if (!is(")")) {
      for (const ExpressionId argument : expressions()) parts.push_back(argument);
    }
    expect(")");
  }
  return add(kind, tree_.expressions[callee].place, std::move(method), std::move(parts));
}

ExpressionId LuaExpressions::table() {
  const Level level(*this);
  Expression result;
  result.kind = Kind::table;
  result.place = here();
  expect("{");
  while (!is("}")) {
    std::optional<ExpressionId> key;
    if (skip("[")) {
      key = expression();
      expect("]");
      expect("=");
    } else if (is_name() && next_is("=")) {
      key = text_key();
      expect("=");
    }
    result.keys.push_back(key);
    result.parts.push_back(expression());
    if (!skip(",") && !skip(";")) break;
  }
  expect("}");
  return add(std::move(result));
}

/// A function from its parameters to its `end`.
ExpressionId LuaExpressions::function(const Place& place, Self self) {
  const Level level(*this);
  const std::size_t mark = active_.size();
  const auto id = static_cast<FunctionId>(tree_.functions.size());
  tree_.functions.emplace_back();
  Function made;
  made.place = place;
  made.first_variable = static_cast<VariableId>(tree_.variables.size());
  if (self == Self::implicit) made.parameters.push_back(declare("self"));
  expect("(");
  if (!is(")")) {
    do {
      if (skip("...")) {
        made.is_vararg = true;
        break;
      }
      made.parameters.push_back(declare(expect_name()));
    } while (skip(","));
  }
  expect(")");
  made.body = block();
  expect("end");
  made.end_variable = static_cast<VariableId>(tree_.variables.size());
  active_.resize(mark);
  tree_.functions[id] = std::move(made);
  Expression result;
  result.kind = Kind::function;
  result.place = place;
  result.function = id;
  return add(std::move(result));
}

}  // namespace lockstep::advice
