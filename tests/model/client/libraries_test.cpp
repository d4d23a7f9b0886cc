// Further files of a client model, and the local semaphores by which its tasks wait for each other.
#include <gtest/gtest.h>

#include "lock_folder.h"
#include "lock_run.h"
#include "scenario/text/input_error.h"

namespace lockstep::test {
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
