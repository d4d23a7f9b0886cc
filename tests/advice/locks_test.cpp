// Advice on the locks of scripts/: nothing on the good ones, the flaw of each that has one to see.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <set>
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

const std::vector<std::filesystem::path>& folders() {
  static const std::vector<std::filesystem::path> list = {std::filesystem::path(source_folder()) /
                                                          "scripts"};
  return list;
}

std::set<std::string> rules_of(const std::string& lock) {
  std::set<std::string> names;
  for (const LintFinding& each : advise_on(lock, folders())) {
    names.insert(std::string(text_of(each.rule).name));
  }
  return names;
}

std::string listing(const std::string& lock) {
  std::string text;
  for (const LintFinding& each : advise_on(lock, folders())) {
    text += each.path + ":" + std::to_string(each.place.line) + ": " +
            std::string(text_of(each.rule).name) + ": " + each.what + "\n";
  }
  return text;
}

/// Flaws that the text shows. All other locks and variants are silent: what is wrong with a variant
/// then lies in time, not in its text.
const std::map<std::string, std::set<std::string>>& flaws() {
  static const std::map<std::string, std::set<std::string>> list = {
      {"setnx/setnx-then-expire", {"write-then-expire"}},
      {"setnx/fixed-value", {"fixed-owner"}},
      {"setnx/get-then-del", {"read-then-write"}},
      {"setnx/delete-without-token", {"delete-without-owner"}},
      {"setnx/unleased", {"no-lease"}},
      {"setnx/timestamp", {"delete-without-owner", "no-lease", "read-then-write"}},
  };
  return list;
}

TEST(Locks, AreSilentUnlessTheirFlawShows) {
  const std::vector<std::string> locks = model::list_locks(folders());
  EXPECT_GT(locks.size(), 10U);
  for (const std::string& lock : locks) {
    const auto flaw = flaws().find(lock);
    const std::set<std::string> expected =
        flaw == flaws().end() ? std::set<std::string>() : flaw->second;
    EXPECT_EQ(rules_of(lock), expected) << lock << "\n" << listing(lock);
  }
  for (const auto& [lock, rules] : flaws()) {
    EXPECT_NE(std::find(locks.begin(), locks.end(), lock), locks.end()) << lock;
  }
}

TEST(Locks, GiveTheirFilesWhatTheyDeclare) {
  const std::filesystem::path fenced = folders()[0] / "fenced";
  EXPECT_TRUE(advise_on((fenced / "acquire.lua").string(), folders()).empty());
  EXPECT_TRUE(advise_on((fenced / "lock.toml").string(), folders()).empty());
  EXPECT_TRUE(advise_on(fenced.string(), folders()).empty());
  const std::vector<LintFinding> found =
      advise_on((folders()[0] / "setnx" / "client-timestamp.lua").string(), {});
  EXPECT_FALSE(found.empty());
  for (const LintFinding& each : found) EXPECT_TRUE(each.path.ends_with("client-timestamp.lua"));
}

/// A lock of these files; its client model calls `client.eval(1, "act", KEYS, {})` in `unlock`.
class DeclaredLock {
 public:
  DeclaredLock(const std::string& keys, const std::string& declared, const std::string& script) {
    write(
        "lock.toml",
        "title = \"t\"\nclient = \"client.lua\"\n[scripts]\nact = \"act.lua\"\n[libraries]\nmore = "
        "\"more.lua\"\n"
        "[options]\nway = \"short\"\n[state]\nkey = \"{name}\"\nshape = \"owner-token\"\n[keys]\n" +
            declared);
    write("client.lua",
          "local more = require(\"more\")\nlocal model = {}\nfunction model.unlock(lock)\n"
          "  local keys = {lock.name}\n  keys[2] = " +
              keys +
              "\n  client.eval(1, \"act\", keys, {})\n  more.go_on(lock)\nend\nreturn model\n");
    write("act.lua", script);
    write("more.lua", "");
  }

  void write(const std::string& name, const std::string& text) {
    files_.push_back(std::make_unique<TemporaryFile>(text, name));
  }
  [[nodiscard]] std::vector<std::string> findings() const {
    std::vector<std::string> shown;
    for (const LintFinding& each : advise_on(files_[0]->path().parent_path().string(), folders())) {
      shown.push_back(std::filesystem::path(each.path).filename().string() + ":" +
                      std::to_string(each.place.line) + " " + std::string(text_of(each.rule).name));
    }
    return shown;
  }

 private:
  std::vector<std::unique_ptr<TemporaryFile>> files_;
};

TEST(Locks, SayWhichKeysMustHaveALease) {
  const std::string push = "return redis.call('rpush', KEYS[2], ARGV[1])";
  const std::string drop = "return redis.call('del', KEYS[2])";
  const std::string set = "return redis.call('set', KEYS[2], 1)";
  const std::string persistent = "persistent = [\"queue:{{name}}\"]\n";
  const std::string lease = "leases = [\"queue:{{name}}\"]\n";
  const std::string key = "\"queue:{\" .. lock.name .. \"}\"";
  const std::vector<std::string> none;
  EXPECT_EQ(DeclaredLock(key, persistent, push).findings(), none);
  EXPECT_EQ(DeclaredLock(key, persistent, set).findings(), none);
  EXPECT_EQ(DeclaredLock(key, persistent, drop).findings(), none);
  EXPECT_EQ(DeclaredLock(key, lease, push).findings(),
            std::vector<std::string>{"act.lua:1 no-lease"});
  EXPECT_EQ(DeclaredLock(key, lease, set).findings(),
            std::vector<std::string>{"act.lua:1 no-lease"});
  EXPECT_EQ(DeclaredLock(key, lease, drop).findings(), none);
  EXPECT_EQ(DeclaredLock("lock.name", lease, drop).findings(),
            std::vector<std::string>{"act.lua:1 delete-without-owner"});
  EXPECT_EQ(DeclaredLock("\"queue:\" .. lock.name", persistent, "return 1").findings(),
            std::vector<std::string>{"client.lua:6 different-slots"});
}

TEST(Locks, AreAdvisedOnWithTheirLibraries) {
  DeclaredLock lock("lock.name", "leases = []\n", "return 1");
  lock.write("more.lua",
             "local more = {}\nfunction more.go_on(lock)\n  client.command(1, \"DEL\", lock.name)\n"
             "end\nfunction more.unused(lock)\n  client.command(1, \"SETNX\", lock.name, \"x\" .. "
             "client.token())\nend\nreturn more\n");
  EXPECT_EQ(lock.findings(),
            (std::vector<std::string>{"more.lua:3 delete-without-owner", "more.lua:6 no-lease"}));
}

TEST(Locks, ThatAreNotThereAreAnError) {
  for (const std::string name : {"nothing", "plain/nothing", "./nowhere/x.lua", "", "/"}) {
    EXPECT_THROW((void)advise_on(name, folders()), scenario::InputError) << name;
  }
}

}  // namespace

// Advice on any text is findings or an error with a place, and it takes whatever Redis takes.

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
