// Advice on any text is findings or an error with a place, and it takes whatever Redis takes.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>
#include <variant>
#include <vector>

#include "advice/lock_advice.h"
#include "lua/interpreter/state.h"
#include "lua/source/parser.h"
#include "model/lock/lock_package.h"
#include "redis/scripting/script_engine.h"
#include "scenario/scenario.h"
#include "scenario/text/input_error.h"
#include "tests/advice/temporary_file.h"
#include "tests/support/source_folder.h"

namespace lockstep::advice {
namespace {

std::vector<std::string> all_sources() {
  const std::vector<std::filesystem::path> folders = {std::filesystem::path(source_folder()) /
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

RC_GTEST_PROP(ChangedSources, TakesWhatRedisTakes, ()) {
  const std::string text = *mutated();
  lua::State state;
  redis::ScriptEngine engine(state);
  const auto compiled = engine.compile(text);
  if (text.starts_with("#!") || !std::holds_alternative<redis::ScriptId>(compiled)) return;
  RC_ASSERT(std::holds_alternative<lua::Ast>(lua::parse_either(text)));
}

RC_GTEST_PROP(ChangedSources, StandsChangedSources, ()) { expect_an_answer(*mutated()); }

RC_GTEST_PROP(ChangedSources, StandsAnyBytes, (const std::string& bytes)) {
  expect_an_answer(bytes);
  (void)lua::parse_either(bytes).index();
}

TEST(ChangedSources, StandsMuchOfAnything) {
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

}  // namespace
}  // namespace lockstep::advice
