// Further files of a client half, and the local semaphores by which its tasks wait for each other.
#include <gtest/gtest.h>

#include "lock_folder.h"
#include "lock_run.h"

namespace lockstep::test {
namespace {

class OwnLock {
 public:
  explicit OwnLock(const std::string& source) {
    folder.write("lock.toml", std::string(LockFolder::lock_toml) +
                                  "[libraries]\nhelp = \"help.lua\"\nmore = \"more.lua\"\n");
    folder.write("help.lua", "return {}\n");
    folder.write("more.lua", "return {}\n");
    folder.write("client.lua", LockFolder::half(source));
  }

  /// What the threads logged, in order; or the complaint.
  std::string run(const std::vector<std::string>& threads = {"lock; unlock"}) {
    LockRun run(folder.folder().string());
    run.client("a", threads);
    run.scenario.redis.masters = masters;
    try {
      run.run();
    } catch (const model::InputError& error) {
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
      "local help = require('help')\nfunction half.lock() client.log(help.word) return true end");
  lock.folder.write("help.lua", "return {word = 'helped'}\n");
  EXPECT_EQ(lock.run(), "text=helped;");
}

TEST(Libraries, RunOnceForEachClientAndRun) {
  OwnLock lock(
      "local help = require('help')\nlocal again = require('help')\nlocal more = require('more')\n"
      "function half.lock() client.log(tostring(help == again and more.help == help)) return true "
      "end");
  lock.folder.write("more.lua", "return {help = require('help')}\n");
  EXPECT_EQ(lock.run(), "text=true;");
}

TEST(Libraries, KeepTheRulesOfClientHalves) {
  OwnLock lock("local help = require('help')");
  lock.folder.write("help.lua", "mine = 1\nreturn {}\n");
  EXPECT_EQ(lock.run(), "help.lua:1: a client half may not make globals: declare 'mine' as local");
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
      "function half.lock() client.log(one .. ' ' .. two) return true end");
  lock.folder.write("help.lua", "error('boom', 0)\n");
  EXPECT_EQ(lock.run(), "text=boom boom;");
}

TEST(Signals, LetTasksBeWaitedFor) {
  OwnLock lock(
      "function half.lock()\n"
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
      "function half.lock()\n"
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
      "function half.lock()\n"
      "  if client.thread() == 3 then client.sleep(5) client.signal('s', 2) return true end\n"
      "  client.wait('s')\n"
      "  client.log(client.thread() .. '')\n"
      "  return true\n"
      "end");
  EXPECT_EQ(lock.run({"lock; unlock", "lock; unlock", "lock; unlock"}), "text=1;text=2;");
}

TEST(NodeOf, IsTheMasterThatHasTheKeysSlot) {
  OwnLock lock(
      "function half.lock()\n"
      "  client.log(client.node_of('foo') .. ' ' .. client.node_of('x{bar}') .. ' ' .. "
      "client.node_of(''))\n"
      "  return true\n"
      "end");
  EXPECT_EQ(lock.run(), "text=1 1 1;");
  lock.masters = 3;
  EXPECT_EQ(lock.run(), "text=3 1 1;");
}

}  // namespace
}  // namespace lockstep::test
