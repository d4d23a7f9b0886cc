// The reader of Lua takes what Redis takes, knows what a name means, and stands any text.
#include "advice/lua_reader.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "advice/lock_advice.h"
#include "lua/interpreter/state.h"
#include "model/lock/lock_package.h"
#include "redis/scripting/script_engine.h"
#include "scenario/text/input_error.h"
#include "tests/advice/temporary_file.h"

namespace lockstep::advice {
namespace {

std::vector<std::string> all_sources() {
  const std::vector<std::filesystem::path> folders = {std::filesystem::path(LOCKSTEP_SOURCE_DIR) /
                                                      "scripts"};
  std::vector<std::string> sources;
  for (const std::string& name : model::list_locks(folders)) {
    scenario::Scenario scenario;
    scenario.lock = name;
    const model::LockPackage lock = model::load_lock(scenario, folders);
    sources.push_back(lock.client_source);
    for (const model::LockScript& script : lock.scripts) sources.push_back(script.body);
  }
  return sources;
}

const std::vector<std::string>& sources() {
  static const std::vector<std::string> list = all_sources();
  return list;
}

/// A source with some of its words changed, moved or gone.
rc::Gen<std::string> mutated() {
  return rc::gen::exec([] {
    std::string text = *rc::gen::elementOf(sources());
    static const std::vector<std::string> words = {"end",
                                                   "(",
                                                   ")",
                                                   "{",
                                                   "}",
                                                   "[",
                                                   "]",
                                                   "do",
                                                   "if",
                                                   "then",
                                                   "\"",
                                                   "'",
                                                   "[[",
                                                   "]]",
                                                   "--",
                                                   "--[[",
                                                   "..",
                                                   "...",
                                                   "=",
                                                   "==",
                                                   "local",
                                                   "function",
                                                   "return",
                                                   ",",
                                                   ";",
                                                   ":",
                                                   "::",
                                                   "goto",
                                                   "//",
                                                   "<<",
                                                   "~",
                                                   "nil",
                                                   "KEYS",
                                                   "redis.call",
                                                   "client.command(1, 'DEL', lock.name)",
                                                   "\n",
                                                   "1e",
                                                   "\\",
                                                   "\x01",
                                                   "while true do",
                                                   "repeat",
                                                   "until",
                                                   "not",
                                                   "-",
                                                   "#",
                                                   "for i = 1, 2 do"};
    const int changes = *rc::gen::inRange(1, 6);
    for (int i = 0; i < changes && !text.empty(); ++i) {
      const auto at = *rc::gen::inRange<std::size_t>(0, text.size());
      const auto count = std::min(*rc::gen::inRange<std::size_t>(0, 12), text.size() - at);
      text.replace(at, count, *rc::gen::arbitrary<bool>() ? *rc::gen::elementOf(words) : "");
    }
    return text;
  });
}

/// Advice or an error with a line: nothing else.
void expect_an_answer(const std::string& text) {
  const TemporaryFile file(text);
  try {
    for (const LintFinding& each : advise_on_file(file.path(), {})) {
      RC_ASSERT(each.place.line > 0U);
      RC_ASSERT(each.place.column > 0U);
    }
  } catch (const scenario::InputError& error) {
    RC_ASSERT(error.place().file == file.path().string());
    RC_ASSERT(!error.message().empty());
  }
}

RC_GTEST_PROP(LuaReader, TakesWhatRedisTakes, ()) {
  const std::string text = *mutated();
  lua::State state;
  redis::ScriptEngine engine(state);
  const auto compiled = engine.compile(text);
  if (text.starts_with("#!") || !std::holds_alternative<redis::ScriptId>(compiled)) return;
  RC_ASSERT(std::holds_alternative<LuaAst>(read_lua(text)));
}

RC_GTEST_PROP(LuaReader, StandsChangedSources, ()) { expect_an_answer(*mutated()); }

RC_GTEST_PROP(LuaReader, StandsAnyBytes, (const std::string& bytes)) {
  expect_an_answer(bytes);
  (void)read_lua(bytes).index();
}

TEST(LuaReader, StandsMuchOfAnything) {
  for (const std::string word : {"(",
                                 "{",
                                 "if a then ",
                                 "a=",
                                 "a.",
                                 "a(",
                                 "-",
                                 "not ",
                                 "a..",
                                 "1+",
                                 "function f() ",
                                 "local a = 1 ",
                                 "if redis.call('get', KEYS[1]) then end ",
                                 "f = f or f ",
                                 "for i in a do ",
                                 "do end ",
                                 "x = {",
                                 "--[[",
                                 "return ",
                                 "a.b.c:d(",
                                 "local a <const> = {} ",
                                 "goto a "}) {
    std::string text;
    while (text.size() < 6000) text += word;
    expect_an_answer(text);
    expect_an_answer(text + "1");
  }
}

TEST(LuaReader, KnowsVariablesFromGlobals) {
  const auto read = read_lua("local a = a\nlocal function f(b) return a, b, c end\nreturn b");
  const auto& tree = std::get<LuaAst>(read);
  std::string shown;
  for (const Expression& each : tree.expressions) {
    if (each.kind != Expression::Kind::name) continue;
    shown += each.text + (each.variable ? std::to_string(*each.variable) : "?") + " ";
  }
  EXPECT_EQ(shown, "a? a0 b2 c? b? ");
}

TEST(LuaReader, BindsOperatorsAsLuaDoes) {
  const auto text = [](const LuaAst& tree, ExpressionId id, const auto& self) -> std::string {
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
    const auto read = read_lua("return " + source);
    const auto& tree = std::get<LuaAst>(read);
    EXPECT_EQ(text(tree, tree.statements.back().values[0], text), shown) << source;
  }
}

TEST(LuaReader, GivesPlaces) {
  const auto read = read_lua("return 1,\r\n  a\n\r .b");
  const auto& tree = std::get<LuaAst>(read);
  EXPECT_EQ(tree.expressions[0].place, (Place{1, 8}));
  EXPECT_EQ(tree.expressions[1].place, (Place{2, 3}));
  EXPECT_EQ(tree.expressions[2].place, (Place{3, 3}));
}

}  // namespace
}  // namespace lockstep::advice
