#include "lua/source/expressions.h"

#include <array>
#include <utility>

#include "lua/source/literals.h"
#include "lua/source/token_classes.h"

namespace lockstep::lua {

namespace {

using Kind = ScriptToken::Kind;
using Form = ScriptExpression::Form;

constexpr int levels_max = 200;  // LUAI_MAXCCALLS
constexpr std::size_t locals_max = 200;
constexpr int unary_priority = 8;

struct Operator {
  std::string_view text;
  int left;
  int right;
};

/// Right above left: associates to the right.
constexpr std::array<Operator, 15> operators = {{{"+", 6, 6},
                                                 {"-", 6, 6},
                                                 {"*", 7, 7},
                                                 {"/", 7, 7},
                                                 {"%", 7, 7},
                                                 {"^", 10, 9},
                                                 {"..", 5, 4},
                                                 {"==", 3, 3},
                                                 {"~=", 3, 3},
                                                 {"<", 3, 3},
                                                 {"<=", 3, 3},
                                                 {">", 3, 3},
                                                 {">=", 3, 3},
                                                 {"and", 2, 2},
                                                 {"or", 1, 1}}};
constexpr int comparison_priority = 3;

const Operator* operator_here(const ScriptSyntax& syntax) {
  for (const Operator& each : operators) {
    if (syntax.is(each.text)) return &each;
  }
  return nullptr;
}

/// A name that Lua 5.4 would not take for one; nothing for others.
std::string_view other_spelling(std::string_view name) {
  if (name == "goto") return "__goto";
  if (name == "_ENV") return "__ENV";
  return {};
}

std::string quoted(std::string_view what, std::string_view name) {
  return std::string(what).append(" '").append(name).append("'");
}

ScriptExpression operand_from(std::size_t first, std::size_t last) {
  ScriptExpression expression;
  expression.operand.first = first;
  expression.operand.last = last;
  return expression;
}

}  // namespace

bool is_zero(const ScriptToken& token) {
  return token.kind == Kind::number && read_number_literal(token.text).value == 0;
}

ScriptExpressions::Level::Level(ScriptExpressions& owner) : owner_(owner) {
  if (++owner_.levels_ > levels_max) {
    owner_.syntax_.fail("chunk has too many syntax levels");
  }
}

void ScriptExpressions::open_function(const Function& function) {
  functions_.push_back(function);
  scopes_.open_function();
}

void ScriptExpressions::close_function() {
  scopes_.close_function();
  functions_.pop_back();
}

std::size_t ScriptExpressions::declare(std::string_view name, const ScriptOperand* value) {
  const std::size_t variable =
      value == nullptr
          ? scopes_.declare({.name = name})
          : scopes_.declare({.name = name, .kind = value->kind, .source = value->variable});
  if (scopes_.count_in_function() > locals_max) {
    const std::string owner = function().is_main
                                  ? "main function"
                                  : "function at line " + std::to_string(function().line);
    syntax_.fail(owner + " has more than 200 local variables");
  }
  return variable;
}

void ScriptExpressions::declare_with_value(std::size_t token, const ScriptExpression* value) {
  const std::string_view name = syntax_.token(token).text;
  if (const std::string_view spelling = other_spelling(name); !spelling.empty()) {
    notes_.replace(token, std::string(spelling));
  }
  declare(name, value == nullptr ? nullptr : &value->operand);
}

void ScriptExpressions::note_assignment(std::size_t token) {
  const ScriptScopes::Meaning meaning = scopes_.resolve(syntax_.token(token).text);
  if (meaning.scope != ScriptScopes::Meaning::Scope::global) {
    scopes_.variable(meaning.variable).is_assigned = true;
  }
}

void ScriptExpressions::refuse_as_field(std::size_t token) {
  if (syntax_.token(token).text == "goto") {
    syntax_.fail("'goto' can't be used as a method's name here");
  }
}

ScriptParse ScriptExpressions::finish(std::string_view program) {
  std::string code = notes_.rewrite(program, scopes_);
  return {std::move(code), notes_.take_warnings()};
}

ScriptExpression ScriptExpressions::expression() {
  ScriptExpression result = operation(0);
  settle(result);
  return result;
}

std::vector<ScriptExpression> ScriptExpressions::expressions() {
  std::vector<ScriptExpression> list;
  do {
    list.push_back(expression());
  } while (syntax_.skip(","));
  return list;
}

/// Nothing more is concatenated to the value.
void ScriptExpressions::settle(ScriptExpression& value) {
  if (value.chain.empty()) return;
  notes_.concatenation(std::move(value.chain), std::move(value.chain_operators));
  value.chain.clear();
  value.operand.kind = ValueKind::text;
}

/// 5.1's "subexpr": operators that bind more tightly than `limit`.
ScriptExpression ScriptExpressions::operation(int limit) {
  const Level level(*this);
  ScriptExpression left = unary(unary_priority);
  for (;;) {
    const Operator* const here = operator_here(syntax_);
    if (here == nullptr || here->left <= limit) return left;
    const std::size_t token = syntax_.position();
    syntax_.advance();
    ScriptExpression right = operation(here->right);
    if (here->left == comparison_priority) {
      notes_.keep_integer(left.operand);
      notes_.keep_integer(right.operand);
    }
    combine(left, token, std::move(right));
  }
}

/// Makes `left` the expression of both and the operator between them.
void ScriptExpressions::combine(ScriptExpression& left, std::size_t operator_token,
                                ScriptExpression right) {
  const std::string_view text = syntax_.token(operator_token).text;
  ScriptExpression result = operand_from(left.operand.first, right.operand.last);
  if (text == "..") {
    result.chain = {std::move(left.operand)};
    result.chain_operators = {operator_token};
    if (right.chain.empty()) {
      result.chain.push_back(std::move(right.operand));
    } else {
      result.chain.insert(result.chain.end(), right.chain.begin(), right.chain.end());
      result.chain_operators.insert(result.chain_operators.end(), right.chain_operators.begin(),
                                    right.chain_operators.end());
    }
  } else {
    settle(left);
    settle(right);
    if (text == "%") notes_.modulo(left.operand, operator_token, right.operand);
  }
  left = std::move(result);
}

ScriptExpression ScriptExpressions::unary(int priority) {
  const std::size_t first = syntax_.position();
  const std::uint32_t line = syntax_.line();
  if (syntax_.skip("-")) {
    const ScriptExpression inner = operation(priority);
    ScriptExpression result = operand_from(first, inner.operand.last);
    const bool is_literal =
        inner.operand.kind == ValueKind::small_integer && inner.operand.first == inner.operand.last;
    if (is_literal && is_zero(syntax_.token(inner.operand.last))) {
      notes_.warn(line, "-0", "Redis may take 0 and -0 in one function for the same constant");
    } else if (is_literal) {
      result.operand.kind = ValueKind::small_integer;
    } else {
      notes_.negation();
    }
    return result;
  }
  if (syntax_.is("not") || syntax_.is("#")) {
    const bool is_length = syntax_.is("#");
    syntax_.advance();
    const ScriptExpression inner = operation(priority);
    if (is_length) notes_.length(first, inner.operand.last, line);
    return operand_from(first, inner.operand.last);
  }
  return simple();
}

ScriptExpression ScriptExpressions::simple() {
  if (syntax_.is("{")) return constructor();
  if (syntax_.is("function")) {
    const std::size_t first = syntax_.position();
    syntax_.advance();
    body(syntax_.line(), Self::none);
    return operand_from(first, syntax_.position() - 1);
  }
  const bool is_literal = syntax_.is_kind(Kind::number) || syntax_.is_kind(Kind::string) ||
                          syntax_.is_kind(Kind::long_string) || syntax_.is("nil") ||
                          syntax_.is("true") || syntax_.is("false") || syntax_.is("...");
  return is_literal ? literal() : primary();
}

ScriptExpression ScriptExpressions::literal() {
  const std::size_t at = syntax_.position();
  const ScriptToken& token = syntax_.token(at);
  ScriptExpression result = operand_from(at, at);
  if (token.kind == Kind::number) {
    const bool is_small = read_number_literal(token.text).is_small_integer;
    result.operand.kind = is_small ? ValueKind::small_integer : ValueKind::other;
  } else if (token.kind == Kind::string || token.kind == Kind::long_string) {
    result.operand.kind = ValueKind::text;
  } else if (token.text == "...") {
    if (!function().is_vararg) {
      syntax_.fail_near("cannot use '...' outside a vararg function");
    }
    function().uses_dots = true;
    result.is_multiple = true;
  } else {
    result.is_nil = token.text == "nil";
  }
  syntax_.advance();
  return result;
}

ScriptExpression ScriptExpressions::prefix() {
  if (syntax_.is_name()) return name();
  if (!syntax_.is("(")) syntax_.fail_near("unexpected symbol");
  const std::size_t first = syntax_.position();
  const std::uint32_t line = syntax_.line();
  syntax_.advance();
  const ScriptExpression inner = expression();
  syntax_.expect_match(")", "(", line);
  ScriptExpression result = operand_from(first, syntax_.position() - 1);
  if (inner.operand.kind != ValueKind::small_integer) {
    result.operand.kind = inner.operand.kind;
    result.operand.variable = inner.operand.variable;
  }
  result.operand.name = inner.operand.name;
  return result;
}

ScriptExpression ScriptExpressions::name() {
  using Scope = ScriptScopes::Meaning::Scope;
  const std::size_t at = syntax_.position();
  const std::string_view text = syntax_.token(at).text;
  const ScriptScopes::Meaning meaning = scopes_.resolve(text);
  ScriptExpression result = operand_from(at, at);
  result.form = Form::name;
  const std::string_view spelling = other_spelling(text);
  if (meaning.scope == Scope::global) {
    result.operand.name = quoted("global", text);
    if (!spelling.empty()) {
      notes_.replace(at, std::string("_ENV[\"").append(text).append("\"]"));
    }
    note_library_use(result, at);
  } else {
    result.operand.name = quoted(meaning.scope == Scope::local ? "local" : "upvalue", text);
    result.operand.kind = ValueKind::local;
    result.operand.variable = meaning.variable;
    if (!spelling.empty()) notes_.replace(at, std::string(spelling));
  }
  syntax_.advance();
  return result;
}

bool ScriptExpressions::is_global(const ScriptExpression& target, std::string_view name) const {
  return target.form == Form::name && syntax_.token(target.operand.last).text == name &&
         target.operand.name.starts_with("global");
}

ScriptExpression ScriptExpressions::primary() {
  ScriptExpression target = prefix();
  for (;;) {
    if (syntax_.is(".")) {
      field(target);
    } else if (syntax_.is("[")) {
      index(target);
    } else if (syntax_.skip(":")) {
      refuse_as_field(syntax_.expect_name());
      arguments(target);
    } else if (syntax_.is("(") || syntax_.is("{") || syntax_.is_kind(Kind::string) ||
               syntax_.is_kind(Kind::long_string)) {
      arguments(target);
    } else {
      return target;
    }
  }
}

void ScriptExpressions::field(ScriptExpression& target) {
  const std::size_t point = syntax_.position();
  syntax_.advance();
  const std::size_t at = syntax_.expect_name();
  const std::string_view text = syntax_.token(at).text;
  if (text == "goto") {
    notes_.replace(point, "[");
    notes_.replace(at, "\"goto\"]");
  }
  note_library_use(target, at);
  const bool is_redis = is_global(target, "redis");
  const std::size_t first = target.operand.first;
  target = operand_from(first, at);
  target.form = Form::indexed;
  target.operand.name = quoted("field", text);
  target.is_redis_call = is_redis && (text == "call" || text == "pcall");
}

void ScriptExpressions::index(ScriptExpression& target) {
  syntax_.advance();
  const ScriptExpression key = expression();
  syntax_.expect("]");
  notes_.keep_integer(key.operand);
  const bool is_argument = is_global(target, "KEYS") || is_global(target, "ARGV");
  const ScriptToken& token = syntax_.token(key.operand.first);
  const bool is_word = key.operand.first == key.operand.last && token.kind == Kind::string;
  const std::size_t first = target.operand.first;
  target = operand_from(first, syntax_.position() - 1);
  target.form = Form::indexed;
  target.operand.name =
      quoted("field", is_word ? token.text.substr(1, token.text.size() - 2) : "?");
  if (is_argument && facts_.arguments_are_text) target.operand.kind = ValueKind::text;
  const bool is_last = syntax_.token(key.operand.first).text == "#";  // t[#t]: makes no hole
  target.may_be_element = !is_word && !is_last;
}

void ScriptExpressions::arguments(ScriptExpression& target) {
  const bool gives_text = is_global(target, "tostring");
  const bool is_redis_call = target.is_redis_call;
  const std::uint32_t line = syntax_.line();
  if (syntax_.is("(")) {
    if (line != syntax_.last_line()) {
      syntax_.fail_near("ambiguous syntax (function call x new statement)");
    }
    syntax_.advance();
    if (!syntax_.is(")")) {
      for (const ScriptExpression& argument : expressions()) {
        if (is_redis_call) notes_.keep_integer(argument.operand);
      }
    }
    syntax_.expect_match(")", "(", line);
  } else if (syntax_.is("{")) {
    constructor();
  } else if (syntax_.is_kind(Kind::string) || syntax_.is_kind(Kind::long_string)) {
    syntax_.advance();
  } else {
    syntax_.fail_near("function arguments expected");
  }
  const std::size_t first = target.operand.first;
  target = operand_from(first, syntax_.position() - 1);
  target.form = Form::call;
  target.is_multiple = !gives_text;
  if (gives_text) target.operand.kind = ValueKind::text;
}

ScriptExpression ScriptExpressions::constructor() {
  const std::size_t first = syntax_.position();
  const std::uint32_t line = syntax_.line();
  syntax_.expect("{");
  bool follows_nil = false;
  while (!syntax_.is("}")) {
    const bool is_field = syntax_.is("[") || (syntax_.is_name() && syntax_.next_is("="));
    if (is_field) {
      constructor_field();
    } else {
      if (follows_nil) notes_.hole(syntax_.line(), "nil");
      follows_nil = expression().is_nil;
    }
    if (!syntax_.skip(",") && !syntax_.skip(";")) break;
  }
  syntax_.expect_match("}", "{", line);
  return operand_from(first, syntax_.position() - 1);
}

void ScriptExpressions::constructor_field() {
  if (syntax_.skip("[")) {
    notes_.keep_integer(expression().operand);
    syntax_.expect("]");
  } else {
    const std::size_t at = syntax_.expect_name();
    if (syntax_.token(at).text == "goto") notes_.replace(at, "[\"goto\"]");
  }
  syntax_.expect("=");
  expression();
}

/// Warns of what a library does otherwise than Redis's. `at` names a global, or a field of the
/// library `target`.
void ScriptExpressions::note_library_use(const ScriptExpression& target, std::size_t at) {
  struct Use {
    std::string_view library;
    std::string_view name;
    std::string_view text;
  };
  constexpr std::string_view order = "the order may be another than in Redis, except over an array";
  constexpr std::array<Use, 8> uses = {{
      {"", "pairs", order},
      {"", "next", order},
      {"table", "foreach", order},
      {"cjson", "encode", "an object's members may come in another order than in Redis"},
      {"cmsgpack", "pack", "a map's members may come in another order than in Redis"},
      {"string", "dump", "there is no such function here"},
      {"", "collectgarbage", "memory is not counted: the count is always the same"},
      {"", "gcinfo", "memory is not counted: the count is always the same"},
  }};
  const std::string_view name = syntax_.token(at).text;
  const bool is_field = target.operand.first != at;
  for (const Use& use : uses) {
    if (use.name != name || use.library.empty() == is_field) continue;
    if (is_field && !is_global(target, use.library)) continue;
    std::string construct(use.library);
    construct.append(is_field ? "." : "").append(name);
    notes_.warn(syntax_.token(at).line, construct, use.text);
  }
}

}  // namespace lockstep::lua
