#include "lua/source/parser.h"

#include <cstdint>
#include <string>
#include <utility>

#include "lua/source/expression_parser.h"

namespace lockstep::lua {

namespace {

/// Statements; ExpressionParser has the expressions.
class Parser final : private ExpressionParser {
 public:
  Parser(const ScriptTokens& tokens, Dialect dialect) : ExpressionParser(tokens, dialect) {}

  Ast parse() {
    const FunctionId main = open_function(0, {});
    ast().functions[main].is_vararg = true;
    Block body = statements();
    if (!stream().at_end()) stream().fail_near("'<eof>' expected");
    close_function(std::move(body));
    return std::move(ast());
  }

 private:
  /// 5.1's "chunk": statements up to the end of a block.
  Block statements() override {
    const Level level(*this);
    Block block;
    bool is_last = false;
    while (!is_last && !ends_block()) {
      if (!stream().is_lua51() && stream().skip(";")) continue;
      is_last = statement(block);
      stream().skip(";");
    }
    return block;
  }

  bool ends_block() {
    return stream().at_end() || stream().is("end") || stream().is("else") ||
           stream().is("elseif") || stream().is("until");
  }

  Block block() {
    const std::size_t mark = scopes().mark();
    Block result = statements();
    scopes().close_block(mark);
    return result;
  }

  Block loop_block() {
    ++open_function().loops;
    Block result = block();
    --open_function().loops;
    return result;
  }

  /// Adds a statement to the block. Returns true if no other may follow.
  bool statement(Block& block) {
    Statement result;
    result.place = stream().place();
    result.function = open_function().id;
    const bool is_last = read(result);
    ast().statements.push_back(std::move(result));
    block.push_back(static_cast<StatementId>(ast().statements.size() - 1));
    return is_last;
  }

  bool read(Statement& result) {
    const Start begin = start();
    const std::uint32_t line = stream().line();
    if (stream().is("if")) {
      branches(result, line);
    } else if (stream().skip("while")) {
      result.kind = Statement::Kind::while_loop;
      result.values = {expression()};
      stream().expect("do");
      result.blocks = {loop_block()};
      stream().expect_match("end", "while", line);
    } else if (stream().skip("do")) {
      result.blocks = {block()};
      stream().expect_match("end", "do", line);
    } else if (stream().skip("for")) {
      loop(result, line);
    } else if (stream().skip("repeat")) {
      repeated(result, line);
    } else if (stream().skip("function")) {
      named_function(result, begin, line);
    } else if (stream().skip("local")) {
      local(result, begin);
    } else if (stream().skip("return")) {
      result.kind = Statement::Kind::results;
      if (!ends_block() && !stream().is(";")) result.values = expressions();
      return true;
    } else if (stream().skip("break")) {
      result.kind = Statement::Kind::leave;
      if (!stream().is_lua51()) return false;
      if (open_function().loops == 0) stream().fail_near("no loop to break");
      return true;
    } else if (stream().is_lua51() || !jump(result)) {
      call_or_assignment(result);
    }
    return false;
  }

  /// `goto name` and `::name::`. A mere name "goto" is one of 5.1's.
  bool jump(Statement& result) {
    const Place place = stream().place();
    if (stream().is("goto") && stream().next_is_kind(ScriptToken::Kind::name)) {
      note_newer(place, "goto");
      stream().advance();
      stream().advance();
    } else if (stream().is_pair(":", ":")) {
      note_newer(place, "::");
      skip_colons();
      stream().expect_name();
      if (!stream().is_pair(":", ":")) stream().fail_near("'::' expected");
      skip_colons();
    } else {
      return false;
    }
    result.kind = Statement::Kind::jump;
    return true;
  }

  void skip_colons() {
    stream().advance();
    stream().advance();
  }

  void branches(Statement& result, std::uint32_t line) {
    result.kind = Statement::Kind::branches;
    do {
      stream().advance();  // if or elseif
      result.values.push_back(expression());
      stream().expect("then");
      result.blocks.push_back(block());
    } while (stream().is("elseif"));
    if (stream().skip("else")) result.blocks.push_back(block());
    stream().expect_match("end", "if", line);
  }

  void repeated(Statement& result, std::uint32_t line) {
    result.kind = Statement::Kind::repeat_loop;
    const std::size_t mark = scopes().mark();
    ++open_function().loops;
    result.blocks = {statements()};
    --open_function().loops;
    stream().expect_match("until", "repeat", line);
    result.values = {expression()};  // sees the block's variables
    scopes().close_block(mark);
  }

  void loop(Statement& result, std::uint32_t line) {
    const std::size_t name = stream().expect_name();
    const std::size_t mark = scopes().mark();
    if (stream().is("=")) {
      counted_loop(result, name);
    } else if (stream().is(",") || stream().is("in")) {
      listed_loop(result, name);
    } else {
      stream().fail_near("'=' or 'in' expected");
    }
    stream().expect("do");
    result.blocks = {loop_block()};
    stream().expect_match("end", "for", line);
    scopes().close_block(mark);
  }

  void counted_loop(Statement& result, std::size_t name) {
    result.kind = Statement::Kind::numeric_for;
    stream().advance();
    result.values = {expression()};
    stream().expect(",");
    result.values.push_back(expression());
    if (stream().skip(",")) result.values.push_back(expression());
    declare_hidden();
    result.variables = {declare(name)};
  }

  void listed_loop(Statement& result, std::size_t name) {
    result.kind = Statement::Kind::generic_for;
    std::vector<std::size_t> names = {name};
    while (stream().skip(",")) names.push_back(stream().expect_name());
    stream().expect("in");
    result.values = expressions();
    declare_hidden();
    for (const std::size_t each : names) result.variables.push_back(declare(each));
  }

  void named_function(Statement& result, const Start& begin, std::uint32_t line) {
    result.kind = Statement::Kind::assignment;
    result.is_function = true;
    ExpressionId target = name();
    refuse_as_field(stream().position() - 1);
    Self self = Self::none;
    while (self == Self::none && (stream().is(".") || stream().is(":"))) {
      if (stream().is(":")) self = Self::implicit;
      stream().advance();
      target = index(target, field_name());
      refuse_as_field(stream().position() - 1);
    }
    result.targets = {target};
    result.values = {function(begin, line, self)};
  }

  void local(Statement& result, const Start& begin) {
    if (stream().skip("function")) {
      result.kind = Statement::Kind::local_function;
      result.variables = {declare(stream().expect_name())};
      result.values = {function(begin, stream().line(), Self::none)};
      return;
    }
    result.kind = Statement::Kind::local;
    std::vector<std::size_t> names;
    do {
      names.push_back(stream().expect_name());
      if (!stream().is_lua51()) attribute();
    } while (stream().skip(","));
    if (stream().skip("=")) result.values = expressions();
    for (const std::size_t name : names) result.variables.push_back(declare(name));
  }

  void attribute() {
    if (!stream().is("<")) return;
    const Place place = stream().place();
    stream().advance();
    const std::size_t name = stream().expect_name();
    note_newer(place, "<" + std::string(stream().token(name).text) + ">");
    stream().expect(">");
  }

  void call_or_assignment(Statement& result) {
    const ExpressionId first = primary();
    if (is_call(first)) {
      result.kind = Statement::Kind::call;
      result.values = {first};
      return;
    }
    result.kind = Statement::Kind::assignment;
    add_target(result, first);
    while (stream().skip(",")) add_target(result, primary());
    stream().expect("=");
    result.values = expressions();
  }

  void add_target(Statement& result, ExpressionId target) {
    const Expression::Kind kind = ast().expressions[target].kind;
    const bool is_assignable = kind == Expression::Kind::name || kind == Expression::Kind::index;
    if (!is_assignable) stream().fail_near("syntax error");
    result.targets.push_back(target);
  }

  bool is_call(ExpressionId id) {
    const Expression::Kind kind = ast().expressions[id].kind;
    return kind == Expression::Kind::call || kind == Expression::Kind::method;
  }
};

}  // namespace

std::variant<Ast, SyntaxError> parse(const ScriptTokens& tokens, Dialect dialect) {
  try {
    return Parser(tokens, dialect).parse();
  } catch (SyntaxError& error) {
    return std::move(error);
  }
}

std::variant<Ast, SyntaxError> parse_either(std::string_view program) {
  return parse(read_program(program), Dialect::either);
}

}  // namespace lockstep::lua
