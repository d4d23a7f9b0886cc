// What is refused when a client model is loaded, and what becomes of one that goes wrong in a run.
#include <gtest/gtest.h>

#include "checker/property.h"
#include "checker/verdict_kind.h"
#include "lock_folder.h"
#include "lock_run.h"
#include "lua/interpreter/state.h"
#include "model/client/runtime/compiled_sources.h"
#include "model/client/runtime/runtime.h"
#include "model/lock/lock_package.h"
#include "model/lock/source_place.h"
#include "redis/scripting/script_engine.h"
#include "scenario/faults/fault_kind.h"
#include "scenario/faults/fault_spec.h"
#include "scenario/text/input_error.h"

namespace lockstep::model {
namespace {

using test::LockFolder;
using test::LockRun;

/// "line: message", or "nothing".
std::string complaint(const LockFolder& folder) {
  scenario::Scenario scenario;
  scenario.lock = folder.folder().string();
  lua::State lua;
  redis::ScriptEngine scripts(lua);
  try {
    const LockPackage package = load_lock(scenario, {});
    CompiledSources sources(lua);
    const ClientRuntime runtime(sources, scripts, package);
  } catch (const scenario::InputError& error) {
    EXPECT_TRUE(error.place().file.starts_with(folder.folder().string())) << error.what();
    return std::to_string(error.place().line) + ": " + error.message();
  }
  return "nothing";
}

std::string complaint(const std::string& source) {
  LockFolder folder;
  folder.write("client.lua", source);
  return complaint(folder);
}

TEST(ClientModel, IsRefusedWhereItDoesNotCompile) {
  EXPECT_EQ(complaint("local model = {}\nfunction model.lock(\nreturn model"),
            "3: <name> or '...' expected near 'return'");
}

TEST(ClientModel, MustReturnItsFunctions) {
  EXPECT_EQ(complaint("local model = {}"), "1: the client model must return a table of functions");
  EXPECT_EQ(complaint("return 5"), "1: the client model must return a table of functions");
  EXPECT_EQ(complaint("return {lock = print, try_lock = 1}"),
            "1: there is no 'print' here: declare "
            "it as local, or see "
            "docs/locks.md");
  EXPECT_EQ(complaint("local function f() end\nreturn {lock = f, try_lock = f, force_unlock = f}"),
            "1: the client model lacks the function 'unlock', which ends what its 'lock' began");
}

TEST(ClientModel, MayNotMakeGlobals) {
  EXPECT_EQ(complaint(LockFolder::client_model("counter = 1")),
            "6: a client model may not make globals: declare 'counter' as local");
  EXPECT_EQ(complaint(LockFolder::client_model("client.mine = 1")),
            "6: the fields of `client` can't be set: keep state in client.state");
  EXPECT_EQ(complaint(LockFolder::client_model("string.mine = 1")),
            "6: Attempt to modify a readonly table");
}

TEST(ClientModel, HasNoWayAroundTheRules) {
  for (const char* name : {"coroutine", "rawset", "getmetatable", "_G", "collectgarbage", "load",
                           "require", "os", "io", "debug", "print"}) {
    const std::string text = complaint(LockFolder::client_model(std::string("local x = ") + name));
    EXPECT_TRUE(text.starts_with(std::string("6: there is no '") + name + "' here")) << text;
  }
  EXPECT_EQ(complaint(LockFolder::client_model("local x = _ENV")),
            "6: a client model may not use _ENV");
  EXPECT_EQ(complaint(LockFolder::client_model("local x <close> = nil")),
            "6: a client model may not have <close> variables: a crash would run them");
  EXPECT_EQ(complaint(LockFolder::client_model("setmetatable({}, {__close = 1})")),
            "6: '__close' is refused");
  EXPECT_EQ(complaint(LockFolder::client_model("setmetatable(string, {})")),
            "6: this table is read-only");
}

TEST(ClientModel, MayNotInteractWhileItIsLoaded) {
  EXPECT_EQ(complaint(LockFolder::client_model("client.sleep(1)")),
            "6: this may only be called from within the lock's functions and tasks");
  EXPECT_EQ(complaint(LockFolder::client_model("client.token()")),
            "6: this may only be called from within the lock's functions and tasks");
}

TEST(ClientModel, MayNotRunOnWhileItIsLoaded) {
  EXPECT_EQ(complaint(LockFolder::client_model("while true do end")),
            "6: it does not come to an end");
  EXPECT_EQ(complaint(LockFolder::client_model("local s = 'x' while true do s = s .. s end")),
            "0: it copies more than 16 MiB while it is loaded");
}

TEST(ClientModel, AScriptThatDoesNotCompileIsNamed) {
  LockFolder folder;
  folder.write("client.lua", LockFolder::client_model(""));
  folder.write("wrong.lua", "local a = 1\nreturn a b\n");
  folder.write("lock.toml",
               std::string(LockFolder::lock_toml) + "[scripts]\nacquire = \"wrong.lua\"\n");
  const std::string text = complaint(folder);
  EXPECT_TRUE(text.starts_with("2: ")) << text;
}

struct Source {
  const char* name;
  const char* source;
  const char* complaint;
};

class OneInteractionALine : public ::testing::TestWithParam<Source> {};

TEST_P(OneInteractionALine, IsCheckedWhenItIsLoaded) {
  EXPECT_EQ(complaint(LockFolder::client_model(GetParam().source)), GetParam().complaint);
}

INSTANTIATE_TEST_SUITE_P(
    ClientModel, OneInteractionALine,
    ::testing::Values(
        Source{"One", "local function f() client.sleep(1) end", "nothing"},
        Source{"TwoLines", "local function f()\nclient.sleep(1)\nclient.sleep(1)\nend", "nothing"},
        Source{"Two", "local function f() client.sleep(1) client.sleep(1) end",
               "6: two interactions on one line, client.sleep and client.sleep: give each a line "
               "of its own"},
        Source{"Nested", "local function f() client.sleep(client.eval(1, 'x')) end",
               "6: two interactions on one line, client.sleep and client.eval: give each a line of "
               "its own"},
        Source{"WithWhatReturnsAtOnce", "local function f() client.sleep(client.random(5)) end",
               "nothing"},
        Source{"ATextOverTwoLines", "local text = 'one\\z\n two'",
               "6: a text with quotes goes on over a line's end: write it as [[…]]"},
        Source{"InAComment", "local function f() client.sleep(1) --[[ client.sleep(1) ]] end",
               "nothing"},
        Source{"InAString", "local function f() client.log('client.sleep(1)') client.sleep(1) end",
               "nothing"},
        Source{"ThroughAFunction",
               "local function nap()\nclient.sleep(1)\nend\nlocal function f() nap() nap() end",
               "9: two interactions on one line, nap (which interacts) and nap (which interacts): "
               "give each a line of its own"},
        Source{"ThroughTwoFunctions",
               "local function nap()\nclient.sleep(1)\nend\nlocal rest = function()\nnap()\nend\n"
               "local function f() return rest() or client.sleep(2) end",
               "12: two interactions on one line, rest (which interacts) and client.sleep: give "
               "each a line of its own"},
        Source{"ThroughAnAnonymousFunction",
               "local function nap()\nreturn pcall(function()\nclient.sleep(1)\nend)\nend\n"
               "local function f() if nap() then elseif nap() then end end",
               "11: two interactions on one line, nap (which interacts) and nap (which interacts): "
               "give each a line of its own"},
        Source{"OfAFunctionThatDoesNotInteract",
               "local function one()\nif true then while false do end end\nreturn 1\nend\n"
               "local function f() return one() + one() end",
               "nothing"},
        Source{"Stored", "local nap = client.sleep",
               "6: client.sleep must be called where it is named, not stored or passed on"},
        Source{"PassedOn", "local function f() pcall(client.sleep, 1) end",
               "6: client.sleep must be called where it is named, not stored or passed on"},
        Source{"ClientPassedOn", "local c = client",
               "6: 'client' may only be used as in client.sleep(100): not stored or passed on"},
        Source{"ClientLookedUpIn", "local function f() client['sleep'](1) end",
               "6: 'client' may only be used as in client.sleep(100): not stored or passed on"},
        Source{"AFieldNamedClient", "local t = {} local function f() return t.client end",
               "nothing"}),
    [](const auto& parameter) { return std::string(parameter.param.name); });

// -- in a run --

struct Misstep {
  const char* name;
  const char* body;
  const char* error;
};

class FailingClientModel : public ::testing::TestWithParam<Misstep> {};

TEST_P(FailingClientModel, StopsItsThreadAndSaysWhere) {
  LockFolder folder;
  folder.write("client.lua", LockFolder::client_model("function model.lock(lock)\n" +
                                                      std::string(GetParam().body) + "\nend"));
  LockRun run(folder.folder().string());
  run.client("a", {"lock; write; unlock", "sleep 1s; write"});
  run.run();
  const auto failures = run.find("client-failed");
  ASSERT_EQ(failures.size(), 1U) << run.text();
  EXPECT_EQ(failures[0].actor, "a/1");
  EXPECT_EQ(failures[0].fields, std::string("error=") + GetParam().error);
  EXPECT_EQ(run.steps_of("a/2"), (std::vector<std::string>{"sleep 1s: ok", "write: ok"}))
      << "the other thread goes on";
  EXPECT_EQ(run.count("resource-written"), 1U);
}

TEST(ClientModel, MeetsTheMistakesOfItsServerScripts) {
  LockFolder folder;
  folder.write("lock.toml",
               std::string(LockFolder::lock_toml) + "[scripts]\ntake = \"take.lua\"\n");
  folder.write("take.lua", "local held = nil\nreturn held.by\n");
  folder.write("client.lua",
               LockFolder::client_model("function model.lock(lock)\n"
                                        "client.eval(1, 'take', {lock.name}, {}) return true end"));
  LockRun run(folder.folder().string());
  run.client("a", {"lock; write; unlock"});
  const RunResult& result = run.run();
  EXPECT_EQ(run.count("client-failed"), 0U) << run.text();
  ASSERT_EQ(result.script_failures.size(), 1U);
  EXPECT_EQ(result.script_failures[0],
            "a/1: " + folder.file("take.lua") + ":2: attempt to index local 'held' (a nil value)");
}

/// What became of a lock whose client model takes it with that command.
std::vector<std::string> failures_of_taking_with(const std::string& command) {
  LockFolder folder;
  folder.write("client.lua", LockFolder::client_model(
                                 "function model.lock(lock)\n  local taken = client.command(1, " +
                                 command + ")\n  return taken ~= nil\nend"));
  LockRun run(folder.folder().string());
  run.client("a", {"lock; unlock"});
  return run.run().script_failures;
}

TEST(ClientModel, MeetsTheMistakesOfItsCommands) {
  using Failures = std::vector<std::string>;
  EXPECT_EQ(failures_of_taking_with("'SET', lock.name, 'me', 'NX', 'PXX', 5"),
            Failures{"n1 answered a/1's set with 'ERR syntax error' once"});
  EXPECT_EQ(failures_of_taking_with("'SETTT', lock.name, 'me'").size(), 1U);
  EXPECT_EQ(failures_of_taking_with("'HSET', lock.name, 'me'").size(), 1U);
  EXPECT_EQ(failures_of_taking_with("'HSET', lock.name, client.owner(), 1"), Failures{});
}

TEST(ClientModel, AsksForKeysOfSeveralSlotsByMistake) {
  LockFolder folder;
  folder.write(
      "client.lua",
      LockFolder::client_model(
          "local function ask(lock, ...) client.command(client.node_of(lock.name), ...) "
          "return true end\n"
          "function model.lock(lock) return ask(lock, 'SET', lock.name, client.owner()) end\n"
          "function model.unlock(lock) return ask(lock, 'DEL', lock.name, 'signal') end"));
  LockRun run(folder.folder().string());
  run.scenario.redis.topology = scenario::TopologyKind::cluster;
  run.scenario.redis.masters = 3;
  run.client("a", {"lock; unlock"});
  const std::vector<std::string> failures = run.run().script_failures;
  ASSERT_EQ(failures.size(), 1U);
  EXPECT_NE(failures[0].find("a/1's del with 'CROSSSLOT "), std::string::npos) << failures[0];
}

TEST(ClientModel, TakesAKeyForAnotherByMistakeWhereNoFaultStrikes) {
  for (const bool is_disturbed : {false, true}) {
    LockFolder folder;
    folder.write("client.lua",
                 LockFolder::client_model(
                     "function model.lock(lock)\n"
                     "client.command(1, 'HSET', lock.name, client.owner(), 1) return true end\n"
                     "function model.unlock(lock) client.command(1, 'GET', lock.name) end"));
    LockRun run(folder.folder().string());
    run.client("a", {"lock; unlock"});
    if (is_disturbed) run.message_fault(scenario::FaultKind::delay, "hset");
    const std::vector<std::string> failures = run.run().script_failures;
    ASSERT_EQ(failures.size(), is_disturbed ? 0U : 1U);
    if (is_disturbed) continue;
    EXPECT_TRUE(failures[0].starts_with("n1 answered a/1's get with 'WRONGTYPE ")) << failures[0];
  }
}

TEST(ClientModel, AnswersNoWhereItAnswersNothing) {
  for (const std::string question :
       {"is_locked", "is_held_by_me", "hold_count", "remaining_lease"}) {
    for (const bool is_held : {false, true}) {
      LockFolder folder;
      folder.write("client.lua",
                   LockFolder::client_model(
                       "function model.lock(lock)\n"
                       "client.command(1, 'HSET', lock.name, client.owner(), 1) return true end\n"
                       "function model.unlock(lock)\n"
                       "return client.command(1, 'HDEL', lock.name, client.owner()) == 1 end\n"
                       "function model." +
                       question + "(lock) client.command(1, 'PING') end"));
      LockRun run(folder.folder().string());
      run.client("a", {is_held ? "lock; " + question + "; unlock" : "lock; unlock; " + question});
      run.run();
      EXPECT_EQ(run.verdict(checker::Property::truthful_answers) == checker::VerdictKind::violated,
                is_held)
          << question << '\n'
          << run.text();
    }
  }
}

TEST(ClientModel, MeetsNoMistakeInWhatItHandlesItself) {
  LockFolder folder;
  folder.write("client.lua",
               LockFolder::client_model(
                   "function model.lock(lock)\n"
                   "  local done = pcall(function() client.command(1, 'DELEX', lock.name) end)\n"
                   "  assert(not done)\n"
                   "  client.command(1, 'HSET', lock.name, client.owner(), 1)\n"
                   "  return true\nend"));
  LockRun run(folder.folder().string());
  run.client("a", {"lock; unlock"});
  const model::RunResult& result = run.run();
  EXPECT_EQ(result.script_failures, std::vector<std::string>{});
  EXPECT_EQ(result.client_failures, std::vector<std::string>{});
}

TEST(ClientModel, MayLeaveAFunctionOut) {
  EXPECT_EQ(complaint(LockFolder::client_model("model.extend = lock_of_mine and 1 or false")
                          .insert(0, "local lock_of_mine\n")),
            "nothing");
}

TEST(ClientModel, MeetsAScriptThatDoesNotEnd) {
  LockFolder folder;
  folder.write("lock.toml",
               std::string(LockFolder::lock_toml) + "[scripts]\ngive = \"give.lua\"\n");
  folder.write("give.lua", "while true do end");
  folder.write("client.lua",
               LockFolder::client_model("function model.unlock(lock)\n  client.eval(1, 'give', "
                                        "{lock.name}, {})\n  return true\nend"));
  LockRun run(folder.folder().string());
  run.client("a", {"lock; unlock"});
  const std::vector<std::string> failures = run.run().script_failures;
  ASSERT_EQ(failures.size(), 1U);
  EXPECT_TRUE(failures[0].starts_with("n1 answered a/1's give with 'ERR Script killed by user"));
  EXPECT_TRUE(failures[0].ends_with("once: it did not end by itself")) << failures[0];
}

TEST(ClientModel, MeetsAnyErrorWhereNobodyEverHadTheLock) {
  EXPECT_EQ(failures_of_taking_with("'SET', lock.name, 'me', 'NX', 'PX', 0"),
            std::vector<std::string>{
                "n1 answered a/1's set with 'ERR invalid expire time in 'set' command' once"});
}

TEST(ClientModel, MeetsAnErrorThatItCatchesWhereNobodyEverHadTheLock) {
  LockFolder folder;
  folder.write(
      "client.lua",
      LockFolder::client_model(
          "local function take(lock) return client.command(1, 'SET', lock.name, 'me', 'PXX') end\n"
          "function model.lock(lock)\n"
          "  local replied, taken = pcall(take, lock)\n"
          "  return replied and taken ~= nil\nend"));
  LockRun run(folder.folder().string());
  run.client("a", {"lock"});
  EXPECT_EQ(run.run().script_failures,
            std::vector<std::string>{"n1 answered a/1's set with 'ERR syntax error' once"});
}

TEST(ClientModel, LiesWhereItTakesAReleaseWithoutAnAnswerForDone) {
  for (const bool swallows : {true, false}) {
    LockFolder folder;
    folder.write(
        "client.lua",
        LockFolder::client_model(
            std::string("function model.lock(lock)\n"
                        "client.command(1, 'HSET', lock.name, client.owner(), 1) return true end\n"
                        "local function free(lock)\n"
                        "client.command(1, 'HDEL', lock.name, client.owner()) end\n") +
            "function model.unlock(lock) " + (swallows ? "pcall(free, lock)" : "free(lock)") +
            " return true end"));
    LockRun run(folder.folder().string());
    run.client("a", {"lock; unlock"});
    run.message_fault(scenario::FaultKind::drop, "hdel").times = scenario::unlimited_times;
    run.run();
    EXPECT_EQ(run.verdict(checker::Property::truthful_answers) == checker::VerdictKind::violated,
              swallows)
        << run.text();
  }
}

TEST(ClientModel, IsStoppedEachTimeThatItRunsAway) {
  LockFolder folder;
  folder.write("client.lua", LockFolder::client_model(
                                 "function model.lock() while true do end end\n"
                                 "function model.force_unlock()\n"
                                 "client.spawn('task', function() while true do end end)\nend"));
  LockRun run(folder.folder().string());
  run.client("a", {"lock", "sleep 1s; force_unlock"});
  run.run();
  EXPECT_EQ(run.count("client-failed"), 2U) << run.text();
}

INSTANTIATE_TEST_SUITE_P(
    ClientModel, FailingClientModel,
    ::testing::Values(
        Misstep{"Runaway", "while true do end",
                "own/client.lua:7: the client model went through 100000 loops and calls without an "
                "interaction"},
        Misstep{
            "Hoards", "local s = 'x'\nwhile true do s = s .. s end",
            "own/client.lua:8: the client model copied more than 16 MiB without an interaction"},
        Misstep{"RunawayBehindPcall", "while true do pcall(function() while true do end end) end",
                "own/client.lua:7: the client model went through 100000 loops and calls without an "
                "interaction"},
        Misstep{"EndlessRepeat", "repeat until lock == 1",
                "own/client.lua:7: the client model went through 100000 loops and calls without an "
                "interaction"},
        Misstep{"EndlessTailCall", "local function again() return again() end\nreturn again()",
                "own/client.lua:7: the client model went through 100000 loops and calls without an "
                "interaction"},
        Misstep{"EndlessGoto", "::top::\nif lock then goto top end",
                "own/client.lua:8: the client model went through 100000 loops and calls without an "
                "interaction"},
        Misstep{"RunawayThatGoesOn",
                "pcall(function() for i = 1, 1 << 60 do end end)\nclient.sleep(1)",
                "own/client.lua:8: the client model went through 100000 loops and calls without an "
                "interaction"},
        Misstep{"PollsWithoutTime", "while not client.wait('x', 0) do\nend",
                "own/client.lua:7: the client model had 10000 turns while no time passed"},
        Misstep{"SleepsForNothing", "while true do\nclient.sleep(0)\nend",
                "own/client.lua:8: the client model had 10000 turns while no time passed"},
        Misstep{"Global", "mine = 1",
                "own/client.lua:7: a client model may not make globals: declare 'mine' as local"},
        Misstep{"Mistake", "return lock.nothing.more",
                "own/client.lua:7: attempt to index a nil value (field 'nothing')"},
        Misstep{"UnknownScript", "client.eval(1, 'acquier', {}, {})",
                "own/client.lua:7: the lock has no script 'acquier'"},
        Misstep{"UnknownNode", "client.command(2, 'GET', 'x')",
                "own/client.lua:7: there is no node 2: nodes() is 1"},
        Misstep{
            "Argument", "client.command(1, 'GET', {})",
            "own/client.lua:7: a key or argument must be a string or a whole number, not a table"},
        Misstep{"FractionAsArgument", "client.command(1, 'BLPOP', 'x', 0.5)",
                "own/client.lua:7: a key or argument must be a string or a whole number, not 0.5"},
        Misstep{"TokenThatIsNoNumber", "return true, {token = 'seven'}",
                "'token' in what the client model returned is a string; expected a whole number"},
        Misstep{"ValidityThatIsNoNumber", "return true, {valid_until_ms = {}}",
                "'valid_until_ms' in what the client model returned is a table; expected a number"},
        Misstep{"TableRaised", "error({})", "it raised a table that is no error"},
        Misstep{"HostileTableRaised",
                "error(setmetatable({}, {__index = function() error('again') end}))",
                "it raised a table that is no error"},
        Misstep{"Options", "lock.options.timeout_ms = 1",
                "own/client.lua:7: Attempt to modify a readonly table"},
        Misstep{"YieldInSort",
                "table.sort({1, 2, 3}, function(a, b)\nclient.sleep(1)\nreturn a < b\nend)",
                "attempt to yield across a C-call boundary"}),
    [](const auto& parameter) { return std::string(parameter.param.name); });

/// "line:column" of an error.
std::string place(const scenario::InputError& error) {
  return std::to_string(error.place().line) + ":" + std::to_string(error.place().column);
}

std::string place_in(std::string_view line, const std::string& message) {
  return place(error_in_source("a.lua", std::string("-- first\n").append(line), 2, message));
}

TEST(SourcePlace, IsThatOfWhatTheMessageNames) {
  EXPECT_EQ(place_in("  local x = foo.bar", "there is no 'foo' here"), "2:13");
  EXPECT_EQ(place_in("  local foot = foo", "there is no 'foo' here"), "2:16") << "another word";
  EXPECT_EQ(place_in("f('a') end", "'(' expected near 'end'"), "2:8");
  EXPECT_EQ(
      place_in("local s = \"\u00e4\u00f6\" .. x", "attempt to concatenate a nil value (local 'x')"),
      "2:19")
      << "counted in characters";
}

TEST(SourcePlace, IsElseTheBeginningOfTheLine) {
  EXPECT_EQ(place_in("\t return nil + 1", "attempt to perform arithmetic on a nil value"), "2:3");
  EXPECT_EQ(place_in("x = 1", "there is no 'y' here"), "2:1");
  EXPECT_EQ(place_in("", "what 'x'"), "2:1");
  EXPECT_EQ(place(error_in_source("a.lua", "x", 0, "what")), "0:0");
  EXPECT_EQ(place(error_in_source("a.lua", "x", 7, "what")), "7:1");
}

TEST(SourcePlace, OfAReturnIsAtTheEnd) {
  const auto at_return = [](std::string_view source) {
    return place(error_at_return("a.lua", source, "what"));
  };
  EXPECT_EQ(at_return("local function f() return 1 end\nlocal model = {}"), "2:16");
  EXPECT_EQ(at_return("local m = {}\n  return m\n"), "2:3");
  EXPECT_EQ(at_return(""), "1:1");
  EXPECT_EQ(
      place(error_at_assignment("a.lua", "local m = {}\nm.lock = 5\nreturn m", "lock", "what")),
      "2:3");
}

}  // namespace
}  // namespace lockstep::model
