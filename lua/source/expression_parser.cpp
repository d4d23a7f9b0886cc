#include "lua/source/expression_parser.h"

#include <algorithm>
#include <array>
#include <utility>

#include "lua/source/literals.h"

namespace lockstep::lua {

namespace {

using ExpressionKind = Expression::Kind;
using TokenKind = ScriptToken::Kind;

constexpr int levels_max = 200;  // LUAI_MAXCCALLS
constexpr std::size_t locals_max = 200;

struct Operator {
  std::string_view text;
  int left;
  int right;
  bool is_newer = false;  ///< than Lua 5.1
};

/// Lua 5.4's, in which those of 5.1 bind in the same order. Right above left: associates to the
/// right. Those of two tokens come before what they begin with.
constexpr std::array<Operator, 21> operators = {
    {{"or", 1, 1},      {"and", 2, 2},     {"<<", 7, 7, true},   {">>", 7, 7, true}, {"<", 3, 3},
     {">", 3, 3},       {"<=", 3, 3},      {">=", 3, 3},         {"~=", 3, 3},       {"==", 3, 3},
     {"|", 4, 4, true}, {"~", 5, 5, true}, {"&", 6, 6, true},    {"..", 9, 8},       {"+", 10, 10},
     {"-", 10, 10},     {"*", 11, 11},     {"//", 11, 11, true}, {"/", 11, 11},      {"%", 11, 11},
     {"^", 14, 13}}};
constexpr int unary_priority = 12;

/// The tokens that an operator consists of.
std::size_t count_tokens(const Operator& each) { return each.is_newer ? each.text.size() : 1; }

bool is_here(const TokenStream& stream, const Operator& each) {
  if (!each.is_newer) return stream.is(each.text);
  if (stream.is_lua51()) return false;
  return each.text.size() == 1 ? stream.is(each.text)
                               : stream.is_pair(each.text.substr(0, 1), each.text.substr(1));
}

const Operator* operator_here(const TokenStream& stream) {
  if (!stream.is_kind(TokenKind::symbol) && !stream.is_kind(TokenKind::name)) return nullptr;
  for (const Operator& each : operators) {
    if (is_here(stream, each)) return &each;
  }
  return nullptr;
}

}  // namespace

ExpressionParser::Level::Level(ExpressionParser& parser) : parser_(parser) {
  if (++parser_.levels_ > levels_max) {
    parser_.stream_.fail("chunk has too many syntax levels");
  }
}

FunctionId ExpressionParser::open_function(std::uint32_t line, const Place& place) {
  const auto id = static_cast<FunctionId>(ast_.functions.size());
  Function& opened = ast_.functions.emplace_back();
  opened.place = place;
  opened.first_variable = static_cast<VariableId>(ast_.variables.size());
  functions_.push_back({id, line});
  scopes_.open_function();
  return id;
}

void ExpressionParser::close_function(Block body) {
  Function& closed = ast_.functions[open_function().id];
  closed.body = std::move(body);
  closed.end_variable = static_cast<VariableId>(ast_.variables.size());
  scopes_.close_function();
  functions_.pop_back();
}

VariableId ExpressionParser::declare(std::string_view name, std::optional<std::size_t> token) {
  const auto variable = static_cast<VariableId>(ast_.variables.size());
  ast_.variables.push_back({std::string(name), token});
  scopes_.declare(name, variable);
  check_locals();
  return variable;
}

VariableId ExpressionParser::declare(std::size_t token) {
  return declare(stream_.token(token).text, token);
}

void ExpressionParser::declare_hidden() {
  scopes_.declare_hidden();
  check_locals();
}

void ExpressionParser::check_locals() const {
  if (scopes_.count_in_function() <= locals_max) return;
  const OpenFunction& function = functions_.back();
  const std::string owner =
      function.id == 0 ? "main function" : "function at line " + std::to_string(function.line);
  stream_.fail(owner + " has more than 200 local variables");
}

void ExpressionParser::refuse_as_field(std::size_t token) const {
  if (stream_.is_lua51() && stream_.token(token).text == "goto") {
    stream_.fail("'goto' can't be used as a method's name here");
  }
}

void ExpressionParser::note_newer(const Place& place, std::string_view construct) {
  ast_.newer.push_back({place, std::string(construct)});
}

ExpressionId ExpressionParser::add(Expression expression) {
  for (const ExpressionId part : expression.parts) {
    expression.depth = std::max(expression.depth, ast_.expressions[part].depth + 1);
  }
  for (const auto& key : expression.keys) {
    if (key) expression.depth = std::max(expression.depth, ast_.expressions[*key].depth + 1);
  }
  expression.last = stream_.position() - 1;
  ast_.expressions.push_back(std::move(expression));
  return static_cast<ExpressionId>(ast_.expressions.size() - 1);
}

ExpressionId ExpressionParser::add(ExpressionKind kind, const Start& start, std::string text,
                                   std::vector<ExpressionId> parts) {
  Expression expression;
  expression.kind = kind;
  expression.place = start.place;
  expression.first = start.token;
  expression.text = std::move(text);
  expression.parts = std::move(parts);
  return add(std::move(expression));
}

std::vector<ExpressionId> ExpressionParser::expressions() {
  std::vector<ExpressionId> list;
  do {
    list.push_back(expression());
  } while (stream_.skip(","));
  return list;
}

/// 5.1's "subexpr": operators that bind more tightly than `limit`.
ExpressionId ExpressionParser::operation(int limit) {
  const Level level(*this);
  ExpressionId left = unary();
  for (;;) {
    const Operator* const here = operator_here(stream_);
    if (here == nullptr || here->left <= limit) return left;
    const Place place = stream_.place();
    if (here->is_newer) note_newer(place, here->text);
    for (std::size_t count = count_tokens(*here); count > 0; --count) stream_.advance();
    const ExpressionId right = operation(here->right);
    left = add(ExpressionKind::binary, {ast_.expressions[left].first, place},
               std::string(here->text), {left, right});
  }
}

ExpressionId ExpressionParser::unary() {
  for (const std::string_view text : {"not", "-", "#", "~"}) {
    const bool is_newer = text == "~";
    if (!stream_.is(text) || (is_newer && stream_.is_lua51())) continue;
    const Start begin = start();
    if (is_newer) note_newer(begin.place, text);
    stream_.advance();
    const ExpressionId inner = operation(unary_priority);
    return add(ExpressionKind::unary, begin, std::string(text), {inner});
  }
  return simple();
}

ExpressionId ExpressionParser::simple() {
  if (stream_.is("{")) return table();
  if (stream_.is("function")) {
    const Start begin = start();
    stream_.advance();
    return function(begin, stream_.line(), Self::none);
  }
  if (stream_.is("nil")) return word(ExpressionKind::nil);
  if (stream_.is("true")) return word(ExpressionKind::truth);
  if (stream_.is("false")) return word(ExpressionKind::falsehood);
  if (stream_.is("...")) return dots();
  if (stream_.is_kind(TokenKind::number)) return word(ExpressionKind::number);
  if (stream_.is_string()) return text();
  return primary();
}

ExpressionId ExpressionParser::word(ExpressionKind kind) {
  const Start begin = start();
  std::string spelling;
  if (kind == ExpressionKind::number) spelling = stream_.token(begin.token).text;
  stream_.advance();
  return add(kind, begin, std::move(spelling));
}

ExpressionId ExpressionParser::dots() {
  Function& function = ast_.functions[open_function().id];
  if (!function.is_vararg && stream_.is_lua51()) {
    stream_.fail_near("cannot use '...' outside a vararg function");
  }
  function.uses_dots = true;
  return word(ExpressionKind::dots);
}

ExpressionId ExpressionParser::text() {
  const Start begin = start();
  const Dialect dialect = stream_.is_lua51() ? Dialect::lua51 : Dialect::either;
  std::string value = read_string_literal(stream_.token(begin.token), dialect).value;
  stream_.advance();
  return add(ExpressionKind::text, begin, std::move(value));
}

ExpressionId ExpressionParser::field_name() {
  const Start begin = start();
  return add(ExpressionKind::text, begin, std::string(stream_.token(stream_.expect_name()).text));
}

ExpressionId ExpressionParser::name() {
  Expression result;
  result.kind = ExpressionKind::name;
  result.place = stream_.place();
  result.first = stream_.expect_name();
  result.text = stream_.token(result.first).text;
  if (const std::optional<Scopes::Meaning> meaning = scopes_.resolve(result.text)) {
    result.variable = meaning->variable;
    result.is_upvalue = meaning->is_upvalue;
  }
  return add(std::move(result));
}

ExpressionId ExpressionParser::prefix() {
  if (stream_.is_name()) return name();
  if (!stream_.is("(")) stream_.fail_near("unexpected symbol");
  const Start begin = start();
  const std::uint32_t line = stream_.line();
  stream_.advance();
  const ExpressionId inner = expression();
  stream_.expect_match(")", "(", line);
  return add(ExpressionKind::group, begin, {}, {inner});
}

ExpressionId ExpressionParser::primary() {
  ExpressionId target = prefix();
  for (;;) {
    if (stream_.skip(".")) {
      target = index(target, field_name());
    } else if (stream_.skip("[")) {
      const ExpressionId key = expression();
      stream_.expect("]");
      target = index(target, key);
    } else if (stream_.is(":") && (stream_.is_lua51() || !stream_.is_pair(":", ":"))) {
      stream_.advance();
      const std::size_t method = stream_.expect_name();
      refuse_as_field(method);
      target = call(ExpressionKind::method, target, std::string(stream_.token(method).text));
    } else if (stream_.is("(") || stream_.is("{") || stream_.is_string()) {
      target = call(ExpressionKind::call, target, {});
    } else {
      return target;
    }
  }
}

ExpressionId ExpressionParser::index(ExpressionId table, ExpressionId key) {
  const Expression& owner = ast_.expressions[table];
  return add(ExpressionKind::index, {owner.first, owner.place}, {}, {table, key});
}

ExpressionId ExpressionParser::call(ExpressionKind kind, ExpressionId callee, std::string method) {
  std::vector<ExpressionId> parts = {callee};
  arguments(parts);
  const Expression& owner = ast_.expressions[callee];
  return add(kind, {owner.first, owner.place}, std::move(method), std::move(parts));
}

void ExpressionParser::arguments(std::vector<ExpressionId>& parts) {
  if (stream_.is("{")) {
    parts.push_back(table());
    return;
  }
  if (stream_.is_string()) {
    parts.push_back(text());
    return;
  }
  if (!stream_.is("(")) stream_.fail_near("function arguments expected");
  const std::uint32_t line = stream_.line();
  if (stream_.is_lua51() && line != stream_.last_line()) {
    stream_.fail_near("ambiguous syntax (function call x new statement)");
  }
  stream_.advance();
  if (!stream_.is(")")) {
    for (const ExpressionId argument : expressions()) parts.push_back(argument);
  }
  stream_.expect_match(")", "(", line);
}

ExpressionId ExpressionParser::table() {
  Expression result;
  result.kind = ExpressionKind::table;
  result.place = stream_.place();
  result.first = stream_.position();
  const std::uint32_t line = stream_.line();
  stream_.expect("{");
  while (!stream_.is("}")) {
    result.keys.push_back(table_key());
    result.parts.push_back(expression());
    if (!stream_.skip(",") && !stream_.skip(";")) break;
  }
  stream_.expect_match("}", "{", line);
  return add(std::move(result));
}

/// The key of a field with its `=`; none if the field is a mere value.
std::optional<ExpressionId> ExpressionParser::table_key() {
  std::optional<ExpressionId> key;
  if (stream_.skip("[")) {
    key = expression();
    stream_.expect("]");
    stream_.expect("=");
  } else if (stream_.is_name() && stream_.next_is("=")) {
    key = field_name();
    stream_.expect("=");
  }
  return key;
}

ExpressionId ExpressionParser::function(const Start& start, std::uint32_t line, Self self) {
  const FunctionId id = open_function(line, start.place);
  if (self == Self::implicit) {
    ast_.functions[id].parameters.push_back(declare("self", std::nullopt));
  }
  stream_.expect("(");
  parameters();
  ast_.functions[id].parameters_end = stream_.position();
  stream_.expect(")");
  Block body = statements();
  stream_.expect_match("end", "function", line);
  close_function(std::move(body));
  Expression result;
  result.kind = ExpressionKind::function;
  result.place = start.place;
  result.first = start.token;
  result.function = id;
  return add(std::move(result));
}

void ExpressionParser::parameters() {
  if (stream_.is(")")) return;
  Function& function = ast_.functions[open_function().id];
  do {
    if (stream_.skip("...")) {
      function.is_vararg = true;
      if (stream_.is_lua51()) function.arg = declare("arg", std::nullopt);
      return;
    }
    if (!stream_.is_name()) stream_.fail_near("<name> or '...' expected");
    function.parameters.push_back(declare(stream_.expect_name()));
  } while (stream_.skip(","));
}

}  // namespace lockstep::lua
