#include "advice/lua_reader.h"

#include <cstddef>
#include <utility>

#include "advice/lua_expressions.h"

namespace lockstep::advice {
namespace {

/// Statements; expressions are LuaExpressions'.
class Reader final : private LuaExpressions {
 public:
  explicit Reader(std::string_view program) : LuaExpressions(program) {}

  LuaAst read() {
    if (!is_complete()) {
      skip_all();
      fail("a string or comment does not end");
    }
    tree().functions.emplace_back();
    tree().functions[0].is_vararg = true;
    Block body = block();
    if (!at_end()) fail("'<eof>' expected");
    tree().functions[0].body = std::move(body);
    tree().functions[0].end_variable = static_cast<VariableId>(tree().variables.size());
    return std::move(tree());
  }

 private:
  StatementId add(Statement statement) {
    tree().statements.push_back(std::move(statement));
    return static_cast<StatementId>(tree().statements.size() - 1);
  }

  [[nodiscard]] bool ends_block() const {
    return at_end() || is("end") || is("else") || is("elseif") || is("until");
  }

  /// Statements up to the end of a block; what they declare goes out of scope.
  Block block() override {
    const std::size_t outer = mark();
    Block statements = open_block();
    close_scope(outer);
    return statements;
  }

  Block open_block() {
    const Level level(*this);
    Block statements;
    while (!ends_block()) {
      if (skip(";")) continue;
      const bool is_last = is("return");
      statement(statements);
      if (is_last) break;
    }
    return statements;
  }

  void statement(Block& statements) {
    Statement result;
    result.place = here();
    if (is("if")) {
      branches(result);
    } else if (skip("while")) {
      result.kind = Statement::Kind::while_loop;
      result.values = {expression()};
      result.blocks = {do_block()};
    } else if (skip("do")) {
      result.blocks = {block()};
      expect("end");
    } else if (skip("for")) {
      loop(result);
    } else if (skip("repeat")) {
      repeated(result);
    } else if (skip("function")) {
      named_function(result);
    } else if (skip("local")) {
      local(result);
    } else if (skip("return")) {
      result.kind = Statement::Kind::results;
      if (!ends_block() && !is(";")) result.values = expressions();
      skip(";");
      if (!ends_block()) fail("'<eof>' expected");
    } else if (skip("break")) {
      result.kind = Statement::Kind::leave;
    } else if (!jump(result)) {
      call_or_assignment(result);
    }
    statements.push_back(add(std::move(result)));
  }

  /// `goto name` and `::name::`; a mere name "goto" is one of 5.1's.
  bool jump(Statement& result) {
    if (is("goto") && next_is_kind(ScriptToken::Kind::name)) {
      note_lua54(here(), "goto");
      skip_tokens(2);
    } else if (is_pair(":", ":")) {
      note_lua54(here(), "::");
      skip_tokens(2);
      expect_name();
      if (!is_pair(":", ":")) fail("'::' expected");
      skip_tokens(2);
    } else {
      return false;
    }
    result.kind = Statement::Kind::jump;
    return true;
  }

  Block do_block() {
    expect("do");
    Block statements = block();
    expect("end");
    return statements;
  }

  void branches(Statement& result) {
    result.kind = Statement::Kind::branches;
    do {
      skip_tokens(1);  // if or elseif
      result.values.push_back(expression());
      expect("then");
      result.blocks.push_back(block());
    } while (is("elseif"));
    if (skip("else")) result.blocks.push_back(block());
    expect("end");
  }

  void repeated(Statement& result) {
    result.kind = Statement::Kind::repeat_loop;
    const std::size_t outer = mark();
    result.blocks = {open_block()};
    expect("until");
    result.values = {expression()};  // sees the block's variables
    close_scope(outer);
  }

  void loop(Statement& result) {
    std::vector<std::string_view> names = {expect_name()};
    const std::size_t outer = mark();
    if (skip("=")) {
      result.kind = Statement::Kind::numeric_for;
      result.values = expressions();
      if (result.values.size() < 2 || result.values.size() > 3) fail("',' expected");
    } else {
      result.kind = Statement::Kind::generic_for;
      while (skip(",")) names.push_back(expect_name());
      expect("in");
      result.values = expressions();
    }
    for (const std::string_view name : names) result.variables.push_back(declare(name));
    result.blocks = {do_block()};
    close_scope(outer);
  }

  void named_function(Statement& result) {
    result.kind = Statement::Kind::assignment;
    ExpressionId target = name();
    bool has_self = false;
    while (!has_self && (is(".") || is(":"))) {
      has_self = is(":");
      skip_tokens(1);
      target = index(target, text_key());
    }
    result.targets = {target};
    result.values = {function(result.place, has_self ? Self::implicit : Self::none)};
  }

  void local(Statement& result) {
    if (skip("function")) {
      result.kind = Statement::Kind::local_function;
      result.variables = {declare(expect_name())};
      result.values = {function(result.place, Self::none)};
      return;
    }
    result.kind = Statement::Kind::local;
    std::vector<std::string_view> names;
    do {
      names.push_back(expect_name());
      attribute();
    } while (skip(","));
    if (skip("=")) result.values = expressions();
    for (const std::string_view name : names) result.variables.push_back(declare(name));
  }

  void attribute() {
    if (!is("<")) return;
    const Place place = here();
    skip_tokens(1);
    note_lua54(place, "<" + std::string(expect_name()) + ">");
    expect(">");
  }

  void call_or_assignment(Statement& result) {
    const ExpressionId first = primary();
    if (!is("=") && !is(",")) {
      const Kind kind = tree().expressions[first].kind;
      if (kind != Kind::call && kind != Kind::method) fail("syntax error");
      result.kind = Statement::Kind::call;
      result.values = {first};
      return;
    }
    result.kind = Statement::Kind::assignment;
    result.targets = {first};
    while (skip(",")) result.targets.push_back(primary());
    for (const ExpressionId target : result.targets) {
      const Kind kind = tree().expressions[target].kind;
      if (kind != Kind::name && kind != Kind::index) fail("syntax error");
    }
    expect("=");
    result.values = expressions();
  }
};

}  // namespace

std::variant<LuaAst, LuaSyntaxError> read_lua(std::string_view program) {
  try {
    return Reader(program).read();
  } catch (LuaSyntaxError& error) {
    return std::move(error);
  }
}

Place place_of(std::string_view text, std::size_t offset) { return LineIndex(text).place(offset); }

}  // namespace lockstep::advice
