#include "lua/source/parser.h"

#include <array>
#include <cstdint>
#include <utility>

#include "lua/source/expressions.h"
#include "lua/source/token_classes.h"

namespace lockstep::lua {

namespace {

/// Statements; expressions are ScriptExpressions'.
class Parser final : private ScriptExpressions {
 public:
  Parser(const ScriptTokens& tokens, std::string_view chunk, const ScriptFacts& facts)
      : ScriptExpressions(tokens, chunk, facts) {}

  ScriptParse parse(std::string_view program) {
    Function main;
    main.is_vararg = true;
    main.is_main = true;
    open_function(main);
    statements();
    if (!syntax().at_end()) syntax().fail_near("'<eof>' expected");
    close_function();
    return finish(program);
  }

 private:
  void body(std::uint32_t line, Self self) override {
    Function inner;
    inner.line = line;
    open_function(inner);
    if (self == Self::implicit) declare("self");
    syntax().expect("(");
    parameters();
    const std::size_t closing = syntax().position();
    syntax().expect(")");
    statements();
    syntax().expect_match("end", "function", line);
    finish_arg(closing);
    close_function();
  }

  void parameters() {
    if (syntax().is(")")) return;
    do {
      if (syntax().skip("...")) {
        function().is_vararg = true;
        function().arg = declare("arg");
        return;
      }
      if (!syntax().is_name()) syntax().fail_near("<name> or '...' expected");
      declare_name(syntax().expect_name());
    } while (syntax().skip(","));
  }

  /// In 5.1 a function with `...` has its arguments in a local table `arg`, too, unless it uses
  /// `...` itself: then `arg` is nil.
  void finish_arg(std::size_t closing) {
    if (!function().arg || !scopes().variable(*function().arg).is_used) return;
    const std::string table = std::string(" local arg=") + arg_name + "(...) ";
    notes().insert_after(closing, function().uses_dots ? " local arg " : table);
  }

  /// 5.1's "chunk": statements up to the end of a block.
  void statements() {
    const Level level(*this);
    bool is_last = false;
    while (!is_last && !ends_block()) {
      is_last = statement();
      syntax().skip(";");
    }
  }

  bool ends_block() {
    return syntax().at_end() || syntax().is("end") || syntax().is("else") ||
           syntax().is("elseif") || syntax().is("until");
  }

  void block() {
    const std::size_t mark = scopes().mark();
    statements();
    scopes().close_block(mark);
  }

  void loop_block() {
    ++function().loops;
    block();
    --function().loops;
  }

  /// True if no statement may follow.
  bool statement() {
    const std::uint32_t line = syntax().line();
    if (syntax().is("if")) {
      branches(line);
    } else if (syntax().skip("while")) {
      expression();
      syntax().expect("do");
      loop_block();
      syntax().expect_match("end", "while", line);
    } else if (syntax().skip("do")) {
      block();
      syntax().expect_match("end", "do", line);
    } else if (syntax().skip("for")) {
      loop(line);
    } else if (syntax().skip("repeat")) {
      repeated(line);
    } else if (syntax().skip("function")) {
      named_function(line);
    } else if (syntax().skip("local")) {
      local();
    } else if (syntax().skip("return")) {
      results();
      return true;
    } else if (syntax().skip("break")) {
      if (function().loops == 0) syntax().fail_near("no loop to break");
      return true;
    } else {
      call_or_assignment();
    }
    return false;
  }

  void branches(std::uint32_t line) {
    do {
      syntax().advance();  // if or elseif
      expression();
      syntax().expect("then");
      block();
    } while (syntax().is("elseif"));
    if (syntax().skip("else")) block();
    syntax().expect_match("end", "if", line);
  }

  void repeated(std::uint32_t line) {
    const std::size_t mark = scopes().mark();
    ++function().loops;
    statements();
    --function().loops;
    syntax().expect_match("until", "repeat", line);
    expression();  // sees the block's variables
    scopes().close_block(mark);
  }

  void loop(std::uint32_t line) {
    const std::size_t name = syntax().expect_name();
    const std::size_t mark = scopes().mark();
    if (syntax().is("=")) {
      counted_loop(name);
    } else if (syntax().is(",") || syntax().is("in")) {
      listed_loop(name);
    } else {
      syntax().fail_near("'=' or 'in' expected");
    }
    syntax().expect("do");
    loop_block();
    syntax().expect_match("end", "for", line);
    scopes().close_block(mark);
  }

  void counted_loop(std::size_t name) {
    syntax().advance();
    expression();
    syntax().expect(",");
    expression();
    if (syntax().skip(",")) {
      const ScriptExpression step = expression();
      const bool is_literal = step.operand.kind == ValueKind::small_integer;
      if (!is_literal || is_zero(syntax().token(step.operand.last))) notes().step(step.operand);
    }
    declare_hidden();
    declare_name(name);
  }

  void listed_loop(std::size_t name) {
    std::vector<std::size_t> names = {name};
    while (syntax().skip(",")) names.push_back(syntax().expect_name());
    syntax().expect("in");
    expressions();
    declare_hidden();
    for (const std::size_t each : names) declare_name(each);
  }

  /// A loop keeps three values of its own.
  void declare_hidden() {
    for (const std::string_view name : {"(1)", "(2)", "(3)"}) declare(name);
  }

  void named_function(std::uint32_t line) {
    const std::size_t name = syntax().expect_name();
    refuse_as_field(name);
    if (syntax().is("(")) note_assignment(name);
    Self self = Self::none;
    while (syntax().is(".") || syntax().is(":")) {
      self = syntax().is(":") ? Self::implicit : Self::none;
      syntax().advance();
      refuse_as_field(syntax().expect_name());
      if (self == Self::implicit) break;
    }
    body(line, self);
  }

  void local() {
    if (syntax().skip("function")) {
      declare_name(syntax().expect_name());
      body(syntax().line(), Self::none);
      return;
    }
    std::vector<std::size_t> names;
    do {
      names.push_back(syntax().expect_name());
    } while (syntax().skip(","));
    std::vector<ScriptExpression> values;
    if (syntax().skip("=")) values = expressions();
    for (std::size_t index = 0; index < names.size(); ++index) {
      const bool is_known = index < values.size() && !values[index].is_multiple;
      declare_with_value(names[index], is_known ? &values[index] : nullptr);
    }
  }

  void results() {
    if (ends_block() || syntax().is(";")) return;
    const std::vector<ScriptExpression> values = expressions();
    if (!function().is_main) return;
    for (const ScriptExpression& value : values) notes().keep_integer(value.operand);
  }

  void call_or_assignment() {
    const ScriptExpression target = primary();
    if (target.form != ScriptExpression::Form::call) assignment(target);
  }

  void assignment(ScriptExpression target) {
    std::vector<ScriptExpression> targets;
    for (;;) {
      const bool is_assignable = target.form == ScriptExpression::Form::name ||
                                 target.form == ScriptExpression::Form::indexed;
      if (!is_assignable) syntax().fail_near("syntax error");
      targets.push_back(std::move(target));
      if (!syntax().skip(",")) break;
      target = primary();
    }
    syntax().expect("=");
    const std::uint32_t line = syntax().line();
    const std::vector<ScriptExpression> values = expressions();
    for (std::size_t index = 0; index < targets.size(); ++index) {
      const ScriptExpression& each = targets[index];
      if (each.form == ScriptExpression::Form::name) note_assignment(each.operand.first);
      const bool is_nil = index < values.size() && values[index].is_nil;
      if (is_nil && each.may_be_element) notes().hole(line, "= nil");
    }
  }
};

}  // namespace

std::variant<ScriptParse, std::string> parse_script(std::string_view program,
                                                    const ScriptTokens& tokens,
                                                    std::string_view chunk,
                                                    const ScriptFacts& facts) {
  try {
    return Parser(tokens, chunk, facts).parse(program);
  } catch (const ScriptSyntaxError& error) {
    return error.text;
  } catch (const UnreadableScript&) {
    return ScriptParse{std::string(program), {}};
  }
}

}  // namespace lockstep::lua
