// What a lock offers: which functions its client model may have, and what a scenario may ask for.
#include <gtest/gtest.h>

#include <array>
#include <fstream>
#include <sstream>

#include "checker/property.h"
#include "checker/verdict_kind.h"
#include "lock_folder.h"
#include "lock_run.h"
#include "scenario/milestones.h"
#include "scenario/step_forms.h"
#include "scenario/text/input_error.h"
#include "tests/support/script_folder.h"
#include "tests/support/source_folder.h"

namespace lockstep::test {
namespace {

/// A lock whose state has this shape, with a client model of these functions.
std::string complaint(std::string_view shape, const std::vector<std::string>& functions,
                      const std::string& step) {
  const LockFolder folder;
  folder.write("lock.toml",
               "title = \"Own\"\nclient = \"client.lua\"\n[state]\nkey = \"{name}\"\n"
               "shape = \"" +
                   std::string(shape) + "\"\n");
  std::string source = "local model = {}\n";
  for (const std::string& name : functions) {
    source += "function model." + name + "() return true end\n";
  }
  folder.write("client.lua", source + "return model\n");
  LockRun run(folder.folder().string());
  run.client("a", {step});
  try {
    run.run();
  } catch (const scenario::InputError& error) {
    return error.message();
  }
  return "nothing";
}

TEST(OfferedFunctions, AreTheStepsOfAScenario) {
  EXPECT_EQ(complaint("holds-by-owner", {"lock", "unlock"}, "lock; unlock"), "nothing");
  EXPECT_EQ(complaint("holds-by-owner", {"lock", "unlock"}, "try_lock; unlock"),
            "the lock 'own' has no 'try_lock' (it offers lock and unlock)");
  EXPECT_EQ(complaint("permits", {"acquire", "release"}, "lock; unlock"),
            "the lock 'own' has no 'lock' (it offers acquire and release)");
}

TEST(OfferedFunctions, AreThoseThatStepsCall) {
  const std::string text = complaint("holds-by-owner", {"lock", "unlok"}, "sleep 1s");
  EXPECT_TRUE(
      text.starts_with("no step calls the function 'unlok' of a lock whose state is "
                       "'holds-by-owner'; did you mean 'unlock'?"))
      << text;
}

TEST(OfferedFunctions, SuitTheShapeOfTheState) {
  const std::string text = complaint("count", {"await", "read_lock"}, "sleep 1s");
  EXPECT_TRUE(
      text.starts_with("no step calls the function 'read_lock' of a lock whose state is "
                       "'count'"))
      << text;
}

TEST(OfferedFunctions, IncludeWhatEndsWhatTheyBegin) {
  EXPECT_EQ(complaint("readers-and-writer", {"read_lock"}, "sleep 1s"),
            "the client model lacks the function 'read_unlock', which ends what its 'read_lock' "
            "began");
  const std::string nothing = complaint("holds-by-owner", {}, "sleep 1s");
  EXPECT_TRUE(nothing.starts_with("the client model offers nothing")) << nothing;
}

struct Shape {
  const char* name;
  std::vector<std::string> functions;
  std::string steps;
};

class EveryShape : public testing::TestWithParam<Shape> {};

TEST_P(EveryShape, RunsAllItsSteps) {
  EXPECT_EQ(complaint(GetParam().name, GetParam().functions, GetParam().steps), "nothing");
}

INSTANTIATE_TEST_SUITE_P(
    OfferedFunctions, EveryShape,
    testing::Values(
        Shape{
            "holds-by-owner",
            {"lock", "try_lock", "unlock", "force_unlock", "extend", "is_locked", "is_held_by_me",
             "hold_count", "remaining_lease", "lock_all", "try_lock_all", "unlock_all"},
            "lock; extend lease=1s; is_locked; is_held_by_me; hold_count; remaining_lease; unlock; "
            "try_lock wait=1s; unlock; force_unlock; lock_all names=a,b; unlock_all names=a,b; "
            "try_lock_all names=a,b wait=1s; unlock_all names=a,b"},
        Shape{"readers-and-writer",
              {"read_lock", "try_read_lock", "read_unlock", "write_lock", "try_write_lock",
               "write_unlock"},
              "read_lock lease=1s; read_unlock; try_read_lock; read_unlock; write_lock; "
              "write_unlock; "
              "try_write_lock wait=1s lease=1s; write_unlock"},
        Shape{
            "permits",
            {"acquire", "try_acquire", "release", "try_set_permits"},
            "try_set_permits permits=5; acquire permits=2; release permits=2; try_acquire wait=1s; "
            "release"},
        Shape{"count",
              {"try_set_count", "count_down", "await"},
              "try_set_count count=2; count_down; await wait=1s"}),
    [](const auto& test) {
      std::string name = test.param.name;
      std::erase(name, '-');
      return name;
    });

}  // namespace

// The lock that `lockstep new lock` makes does what docs/your-own-lock.md says, and docs/locks.md
// has every function.

namespace {

std::string text_of(const std::string& path) {
  std::ifstream file(source_folder() + "/" + path);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_FALSE(text.str().empty()) << path;
  return text.str();
}

void write_lock(const LockFolder& folder) {
  for (const std::string name :
       {"lock.toml", "client.lua", "acquire.lua", "release.lua", "extend.lua"}) {
    folder.write(name, text_of("app/templates/lock/" + name));
  }
}

TEST(YourOwnLock, HoldsWithoutFaults) {
  LockFolder folder;
  write_lock(folder);
  LockRun run(folder.folder().string());
  run.scenario.latency = {};
  for (const char* name : {"a", "b", "c"}) run.client(name, {"lock; write; unlock"}, 3);
  run.client("d", {"try_lock wait=5ms; write; unlock; sleep 30ms; force_unlock"});
  run.run();
  EXPECT_EQ(run.count("client-failed"), 0U) << run.text();
  EXPECT_GE(run.count("belief-began"), 9U);
  for (const checker::Property property :
       {checker::Property::valid_grant, checker::Property::lease_linearizability,
        checker::Property::no_leak}) {
    EXPECT_EQ(run.verdict(property), checker::VerdictKind::holds) << run.text();
  }
}

TEST(YourOwnLock, IsFoundToBreakByAPause) {
  LockFolder folder;
  write_lock(folder);
  LockRun run(folder.folder().string());
  run.client("a", {"lock; write; unlock"});
  run.client("b", {"sleep 1ms; lock; write; unlock"});
  scenario::FaultSpec& pause = run.fault(scenario::FaultKind::pause, "a");
  pause.for_ns = 15 * sim::second_ns;
  pause.trigger.when = scenario::Trigger::When{"a", scenario::Milestone::read, "", 1};
  run.run();
  EXPECT_EQ(run.verdict(checker::Property::mutual_exclusion), checker::VerdictKind::violated);
  EXPECT_EQ(run.steps_of("a/1").back(), "unlock: fail");
}

TEST(YourOwnLock, HasEveryFunctionInTheDocument) {
  const std::string text = text_of("docs/locks.md");
  for (const char* name :
       {"eval",   "command", "pipeline", "subscribe",    "wait_message", "unsubscribe",
        "sleep",  "wait",    "wall_ms",  "random",       "token",        "owner",
        "uuid",   "thread",  "number",   "monotonic_ms", "state",        "spawn",
        "cancel", "invoke",  "complete", "lost",         "refuse",       "log",
        "nodes",  "node_of", "signal"}) {
    EXPECT_NE(text.find(std::string("`client.") + name), std::string::npos) << name;
  }
}

TEST(YourOwnLock, HasEveryFunctionThatAStepCallsInTheDocument) {
  const std::string text = text_of("docs/locks.md");
  for (const scenario::StepForm& form : scenario::step_forms()) {
    if (form.role == scenario::StepRole::none) continue;
    EXPECT_NE(text.find("`" + std::string(form.word)), std::string::npos) << form.word;
  }
}

}  // namespace

// Further files of a client model, and the local semaphores by which its tasks wait for each other.

namespace {

class OwnLock {
 public:
  explicit OwnLock(const std::string& source) {
    folder.write("lock.toml", std::string(LockFolder::lock_toml) +
                                  "[libraries]\nhelp = \"help.lua\"\nmore = \"more.lua\"\n");
    folder.write("help.lua", "return {}\n");
    folder.write("more.lua", "return {}\n");
    folder.write("client.lua", LockFolder::client_model(source));
  }

  /// What the threads logged, in order; or the complaint.
  std::string run(const std::vector<std::string>& threads = {"lock; unlock"}) {
    LockRun run(folder.folder().string());
    run.client("a", threads);
    run.scenario.redis.masters = masters;
    try {
      run.run();
    } catch (const scenario::InputError& error) {
      return error.place().file.substr(error.place().file.rfind('/') + 1) + ":" +
             std::to_string(error.place().line) + ": " + error.message();
    }
    std::string text;
    for (const TraceLine& line : run.find("client-logged")) text += line.fields + ";";
    for (const TraceLine& line : run.find("client-failed")) text += line.fields + ";";
    return text;
  }

  LockFolder folder;
  std::uint32_t masters = 1;
};

TEST(Libraries, ReturnTheirTableToWhoRequiresThem) {
  OwnLock lock(
      "local help = require('help')\nfunction model.lock() client.log(help.word) return true end");
  lock.folder.write("help.lua", "return {word = 'helped'}\n");
  EXPECT_EQ(lock.run(), "text=helped;");
}

TEST(Libraries, RunOnceForEachClientAndRun) {
  OwnLock lock(
      "local help = require('help')\nlocal again = require('help')\nlocal more = require('more')\n"
      "function model.lock() client.log(tostring(help == again and more.help == help)) return true "
      "end");
  lock.folder.write("more.lua", "return {help = require('help')}\n");
  EXPECT_EQ(lock.run(), "text=true;");
}

TEST(Libraries, KeepTheRulesOfClientModels) {
  OwnLock lock("local help = require('help')");
  lock.folder.write("help.lua", "mine = 1\nreturn {}\n");
  EXPECT_EQ(lock.run(), "help.lua:1: a client model may not make globals: declare 'mine' as local");
  lock.folder.write("help.lua", "return {f = function()\nclient.sleep(1) client.sleep(2) end}\n");
  EXPECT_EQ(lock.run(),
            "help.lua:2: two interactions on one line, client.sleep and client.sleep: give each a "
            "line of its own");
  lock.folder.write("help.lua", "return {\n");
  EXPECT_TRUE(lock.run().starts_with("help.lua:2: ")) << lock.run();
  lock.folder.write("help.lua", "return 5\n");
  EXPECT_EQ(lock.run(), "client.lua:6: the library 'help' returns no table");
}

TEST(Libraries, AreThoseThatLockTomlNames) {
  OwnLock lock("local other = require('other')");
  EXPECT_EQ(lock.run(),
            "client.lua:6: there is no library 'other': lock.toml names none, as in "
            "[libraries]");
}

TEST(Libraries, MayNotRequireThemselves) {
  OwnLock lock("local help = require('help')");
  lock.folder.write("help.lua", "require('more')\nreturn {}\n");
  lock.folder.write("more.lua", "require('help')\nreturn {}\n");
  EXPECT_EQ(lock.run(), "more.lua:1: the library 'help' requires itself");
}

TEST(Libraries, ThatRaisedRaiseAgain) {
  OwnLock lock(
      "local _, one = pcall(require, 'help')\nlocal _, two = pcall(require, 'help')\n"
      "function model.lock() client.log(one .. ' ' .. two) return true end");
  lock.folder.write("help.lua", "error('boom', 0)\n");
  EXPECT_EQ(lock.run(), "text=boom boom;");
}

TEST(Signals, LetTasksBeWaitedFor) {
  OwnLock lock(
      "function model.lock()\n"
      "  for i = 1, 3 do client.spawn('t', function() client.sleep(10 * i) client.signal('done') "
      "end) end\n"
      "  for _ = 1, 3 do\n"
      "    client.wait('done')\n"
      "    client.log(client.monotonic_ms())\n"
      "  end\n"
      "  client.log(tostring(client.wait('done', 5)))\n"
      "  return true\n"
      "end");
  EXPECT_EQ(lock.run(), "text=10;text=20;text=30;text=false;");
}

TEST(Signals, KeepPermitsUntilSomebodyWaits) {
  OwnLock lock(
      "function model.lock()\n"
      "  client.signal('s', 2)\n"
      "  local one = client.wait('s', 0)\n"
      "  local two = client.wait('s', 0)\n"
      "  local three = client.wait('s', 0)\n"
      "  client.log(tostring(one) .. ' ' .. tostring(two) .. ' ' .. tostring(three))\n"
      "  return true\n"
      "end");
  EXPECT_EQ(lock.run(), "text=true true false;");
}

TEST(Signals, WakeTheLongestWaitingFirst) {
  OwnLock lock(
      "function model.lock()\n"
      "  if client.thread() == 3 then client.sleep(5) client.signal('s', 2) return true end\n"
      "  client.wait('s')\n"
      "  client.log(client.thread() .. '')\n"
      "  return true\n"
      "end");
  EXPECT_EQ(lock.run({"lock; unlock", "lock; unlock", "lock; unlock"}), "text=1;text=2;");
}

TEST(NodeOf, IsTheMasterThatHasTheKeysSlot) {
  OwnLock lock(
      "function model.lock()\n"
      "  client.log(client.node_of('foo') .. ' ' .. client.node_of('x{bar}') .. ' ' .. "
      "client.node_of(''))\n"
      "  return true\n"
      "end");
  EXPECT_EQ(lock.run(), "text=1 1 1;");
  lock.masters = 3;
  EXPECT_EQ(lock.run(), "text=3 1 1;");
}

/// What a client model keeps outside of its functions, and what a run does to it.
struct KeptValue {
  const char* name;
  const char* kept;
  const char* body;
};

class WhatARunChanges : public ::testing::TestWithParam<KeptValue> {};

TEST_P(WhatARunChanges, IsAsNewInTheNextRun) {
  OwnLock lock(std::string(GetParam().kept) + "\nfunction model.lock(lock)\n" + GetParam().body +
               "\nreturn true\nend");
  lock.folder.write("help.lua",
                    "local count = 0\nreturn {next = function()\n"
                    "count = count + 1 return count end}\n");
  LockRun scenario(lock.folder.folder().string());
  scenario.client("a", {"lock; sleep 1s; lock", "sleep 2s; lock"});
  const auto run = [](model::Simulation& simulation, std::uint64_t seed) {
    LineSink sink;
    sink.actors = &simulation.actors();
    sim::SeededChoices choices(seed);
    simulation.run(choices, &sink);
    std::string logged;
    for (const TraceLine& line : sink.lines) {
      if (line.kind == "client-logged") logged += line.fields + ";";
    }
    return logged;
  };
  model::Engine engine({});
  const auto simulation = engine.prepare(scenario.scenario);
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    model::Engine fresh_engine({});
    const std::string expected = run(*fresh_engine.prepare(scenario.scenario), seed);
    EXPECT_NE(expected, "");
    EXPECT_EQ(run(*simulation, seed), expected) << "seed " << seed;
  }
}

const KeptValue kept_values[] = {
    {"Nothing", "", "client.log('here')"},
    {"Number", "local count = 0", "count = count + 1\nclient.log(count .. '')"},
    {"Fraction", "local count = 0.5", "count = count + 1\nclient.log(count .. '')"},
    {"KindOfNumber", "local count = 1", "client.log(count .. '')\ncount = 1.0"},
    {"Boolean", "local seen = false", "client.log(tostring(seen))\nseen = true"},
    {"Text", "local text = ''", "text = text .. 'x'\nclient.log(text)"},
    {"SecondOfAList", "local one, two = 0, 0", "one, two = 1, two + 1\nclient.log(two .. '')"},
    {"Field", "local seen = {}",
     "seen.count = (seen.count or 0) + 1\nclient.log(seen.count .. '')"},
    {"FieldThatWasThere", "local seen = {count = 0}",
     "seen.count = seen.count + 1\nclient.log(seen.count .. '')"},
    {"FieldThatGoes", "local seen = {count = 0}",
     "client.log(tostring(seen.count))\nseen.count = nil"},
    {"FieldOfAField", "local seen = {deep = {}}",
     "client.log(tostring(seen.deep.er))\nseen.deep.er = true"},
    {"List", "local list = {1}", "list[#list + 1] = 1\nclient.log(#list .. '')"},
    {"ListWithHoles", "local list = {1, nil, 3}",
     "client.log(#list .. '')\nlist[4] = 4\nlist[5] = 5\nlist[4], list[5] = nil, nil"},
    {"Function", "local function word() return 'old' end",
     "client.log(word())\nword = function() return 'new' end"},
    {"FunctionsVariable",
     "local function counter()\nlocal n = 0 return function() n = n + 1 return n end\nend\n"
     "local count = counter()",
     "client.log(count() .. '')"},
    {"Parameter",
     "local function counter(n) return function() n = n + 1 return n end end\n"
     "local count = counter(0)",
     "client.log(count() .. '')"},
    {"DeclaredFunction", "local word\nfunction word() return 'old' end",
     "client.log(word())\nfunction word() return 'new' end"},
    {"OwnFunctions", "", "client.log(tostring(model.other))\nmodel.other = true"},
    {"Metatable", "local seen = {}",
     "client.log(tostring(seen.x))\nsetmetatable(seen, {__index = {x = 1}})"},
    {"BehindAMetatable", "local meta = {__index = {}}\nlocal seen = setmetatable({}, meta)",
     "client.log(tostring(seen.x))\nmeta.__index = {x = 1}"},
    {"Id", "local id = client.uuid", "client.log(tostring(id == client.uuid))"},
    {"State", "local state = client.state\nstate.count = 1",
     "client.log(tostring(state == client.state) .. client.state.count)\nstate.count = 2"},
    {"Library", "local help = require('help')",
     "client.log(tostring(help.seen) .. help.next())\nhelp.seen = true"},
    {"LibraryRequiredLater", "", "client.log(require('help').next() .. '')"},
};

INSTANTIATE_TEST_SUITE_P(Libraries, WhatARunChanges, ::testing::ValuesIn(kept_values),
                         [](const auto& instance) { return std::string(instance.param.name); });

}  // namespace

}  // namespace lockstep::test
