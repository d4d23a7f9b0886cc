// The parser knows what a name means, binds operators as Lua does, and reads both dialects alike.
#include "lua/source/parser.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <lua.hpp>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "lua/interpreter/state.h"
#include "lua/source/source.h"
#include "tests/lua/generated_program.h"

namespace lockstep::lua::test {
namespace {

TEST(Parser, KnowsVariablesFromGlobals) {
  const auto read = parse_either("local a = a\nlocal function f(b) return a, b, c end\nreturn b");
  const auto& tree = std::get<Ast>(read);
  std::string shown;
  for (const Expression& each : tree.expressions) {
    if (each.kind != Expression::Kind::name) continue;
    shown += each.text + (each.variable ? std::to_string(*each.variable) : "?") + " ";
  }
  EXPECT_EQ(shown, "a? a0 b2 c? b? ");
}

TEST(Parser, BindsOperatorsAsLuaDoes) {
  const auto text = [](const Ast& tree, ExpressionId id, const auto& self) -> std::string {
    const Expression& each = tree.expression(id);
    if (each.parts.empty()) return each.text;
    if (each.parts.size() == 1) return "(" + each.text + self(tree, each.parts[0], self) + ")";
    return "(" + self(tree, each.parts[0], self) + each.text + self(tree, each.parts[1], self) +
           ")";
  };
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"1+2*3-4", "((1+(2*3))-4)"},   {"2^3^-2", "(2^(3^(-2)))"},
      {"-2^2", "(-(2^2))"},           {"a..b..c", "(a..(b..c))"},
      {"not a==b", "((nota)==b)"},    {"a or b and c<d", "(aor(band(c<d)))"},
      {"a|b&c<<1", "(a|(b&(c<<1)))"}, {"a//b/c", "((a//b)/c)"},
  };
  for (const auto& [source, shown] : cases) {
    const auto read = parse_either("return " + source);
    const auto& tree = std::get<Ast>(read);
    EXPECT_EQ(text(tree, tree.statements.back().values[0], text), shown) << source;
  }
}

TEST(Parser, GivesPlaces) {
  const auto read = parse_either("return 1,\r\n  a\n\r .b");
  const auto& tree = std::get<Ast>(read);
  EXPECT_EQ(tree.expressions[0].place, (Place{1, 8}));
  EXPECT_EQ(tree.expressions[1].place, (Place{2, 3}));
  EXPECT_EQ(tree.expressions[2].place, (Place{3, 3}));
}

TEST(Parser, TakesSyntaxOfLua54OnlyWhereAsked) {
  for (const char* program :
       {"return 1 // 2", "return ~1", "goto done ::done::", "local a <const> = 1",
        "return '\\xff\\z  '", ";", "while x do break return end"}) {
    const auto either = parse_either(program);
    EXPECT_TRUE(std::holds_alternative<Ast>(either)) << program;
  }
  const auto refused = read_script("return 1 // 2", "chunk");
  EXPECT_EQ(std::get<std::string>(refused), "chunk:1: unexpected symbol near '/'");
}

TEST(Parser, GivesTheTokensOfEachNode) {
  const ScriptTokens tokens = read_program("return f(a .. b, (c))");
  const auto parsed = parse(tokens, Dialect::lua51);
  std::string shown;
  for (const Expression& each : std::get<Ast>(parsed).expressions) {
    for (std::size_t token = each.first; token <= each.last; ++token) {
      shown += tokens.list[token].text;
    }
    shown += " ";
  }
  EXPECT_EQ(shown, "f a b a..b c (c) f(a..b,(c)) ");
}

bool is_alike(const Expression& left, const Expression& right) {
  return left.kind == right.kind && left.place == right.place && left.text == right.text &&
         left.parts == right.parts && left.keys == right.keys &&
         left.variable.has_value() == right.variable.has_value();
}

/// Lua 5.4 knows everything of 5.1 that the generator uses.
RC_GTEST_PROP(Parser, ReadsLua51AlikeInBothDialects, ()) {
  const std::string program = *generated_program();
  const auto strict = parse(read_program(program), Dialect::lua51);
  const auto lenient = parse_either(program);
  RC_LOG() << program;
  RC_ASSERT(std::holds_alternative<Ast>(strict));
  RC_ASSERT(std::holds_alternative<Ast>(lenient));
  const Ast& left = std::get<Ast>(strict);
  const Ast& right = std::get<Ast>(lenient);
  RC_ASSERT(right.newer.empty());
  RC_ASSERT(left.statements.size() == right.statements.size());
  RC_ASSERT(std::equal(left.expressions.begin(), left.expressions.end(), right.expressions.begin(),
                       right.expressions.end(), is_alike));
}

/// The edits leave a program of as many lines, which Lua 5.4 takes and which has the same
/// statements.
RC_GTEST_PROP(Parser, RewritesToProgramsOfLua54, ()) {
  const std::string program = *generated_program();
  const auto read = read_script(program, "chunk");
  RC_LOG() << program;
  const std::string code = std::get<ScriptSource>(read).code;
  RC_LOG() << code;
  const State state;
  RC_ASSERT(luaL_loadbufferx(state.raw(), code.data(), code.size(), "=x", "t") == LUA_OK);
  RC_ASSERT(std::count(code.begin(), code.end(), '\n') ==
            std::count(program.begin(), program.end(), '\n'));
  const auto before = parse_either(program);
  const auto after = parse_either(code);
  RC_ASSERT(std::get<Ast>(before).statements.size() == std::get<Ast>(after).statements.size());
}

}  // namespace
}  // namespace lockstep::lua::test
