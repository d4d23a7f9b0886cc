// The functions of `client`, each through a client model of the test's own.
#include <gtest/gtest.h>

#include "checker/history.h"
#include "lock_folder.h"
#include "lock_run.h"

namespace lockstep::test {
namespace {

/// Runs `body` as the lock function of a client model, and keeps what it logged.
class ClientModelRun {
 public:
  explicit ClientModelRun(const std::string& body, const std::string& before = "") {
    folder_.write("client.lua", LockFolder::client_model(before + "\nfunction model.lock(lock)\n" +
                                                         body + "\nend"));
    folder_.write("echo.lua", "return {KEYS[1], ARGV[1], ARGV[2], #KEYS, #ARGV}");
    folder_.write("fail.lua", "return redis.call('incr', KEYS[1])");
    folder_.write("lock.toml", std::string(LockFolder::lock_toml) +
                                   "[scripts]\necho = \"echo.lua\"\nfail = \"fail.lua\"\n"
                                   "[options]\nspeed = 3\nword = \"five\"\nflag = true\n"
                                   "time = \"2s\"\n");
    run.emplace(folder_.folder().string());
  }

  std::string logged() {
    if (run->scenario.clients.empty()) run->client("a", {"lock"});
    run->run();
    std::string text;
    for (const TraceLine& line : run->find("client-logged")) {
      text += (text.empty() ? "" : ", ") + line.fields.substr(5);
    }
    for (const TraceLine& line : run->find("client-failed")) text += " FAILED " + line.fields;
    return text;
  }

  std::optional<LockRun> run;

 private:
  LockFolder folder_;
};

TEST(ClientFunctions, EvalPassesKeysAndArgumentsAndReturnsTheReply) {
  EXPECT_EQ(ClientModelRun("local r = client.eval(1, 'echo', {'k'}, {'x', 12})\n"
                           "client.log(r[1] .. r[2] .. r[3] .. r[4] .. r[5])")
                .logged(),
            "kx1212");
  EXPECT_EQ(ClientModelRun("local r = client.eval(1, 'echo')\nclient.log(tostring(r[1]))").logged(),
            "nil");
}

TEST(ClientFunctions, CommandRepliesBecomeLuaValues) {
  EXPECT_EQ(
      ClientModelRun("local function say(value) client.log(math.type(value) or type(value)) end\n"
                     "local status = client.command(1, 'SET', 'k', 5)\nclient.log(status)\n"
                     "local bulk = client.command(1, 'GET', 'k')\nsay(bulk)\n"
                     "local number = client.command(1, 'INCR', 'k')\nsay(number)\n"
                     "local none = client.command(1, 'GET', 'no')\nsay(none)")
          .logged(),
      "OK, string, integer, nil");
}

TEST(ClientFunctions, AnErrorReplyIsRaisedWithItsCode) {
  EXPECT_EQ(ClientModelRun(
                "client.command(1, 'HSET', 'h', 'f', 'v')\n"
                "local ok, failure = pcall(function() return client.command(1, 'GET', 'h') end)\n"
                "client.log(tostring(ok) .. ' ' .. failure.code .. ' ' .. tostring(failure))\n"
                "client.log(tostring(failure.unknown))")
                .logged(),
            "false WRONGTYPE WRONGTYPE Operation against a key holding the wrong kind of value, "
            "true");
}

TEST(ClientFunctions, APipelineGoesInOneAndRepliesInItsOrder) {
  ClientModelRun client_model(
      "local a, b, c = client.pipeline(1, {'SET', 'k', 1}, {'eval', 'echo', {'x'}, {'y', 2}},"
      " {'GET', 'k'})\nclient.log(a .. b[1] .. b[2] .. c)");
  EXPECT_EQ(client_model.logged(), "OKxy1");
  EXPECT_EQ(client_model.run->find("message-sent", "a").at(2).at_ns, 2 * sim::millisecond_ns);
}

TEST(ClientFunctions, ClocksAreTheHostsOwn) {
  ClientModelRun client_model(
      "client.log(tostring(client.wall_ms() // 1000))\nclient.sleep(1500)\n"
      "client.log(tostring(client.monotonic_ms()))");
  client_model.run->client("a", {"lock"}).wall_offset_ns = 5 * sim::second_ns;
  EXPECT_EQ(client_model.logged(), "1704067205, 1500");
}

TEST(ClientFunctions, ASleepOfNothingStillGivesWay) {
  EXPECT_EQ(
      ClientModelRun("client.spawn('other', function() client.log('other') end)\nclient.sleep(0)\n"
                     "client.log('self')")
          .logged(),
      "other, self");
}

TEST(ClientFunctions, RandomNumbersAreFromOneToN) {
  ClientModelRun client_model(
      "for i = 1, 200 do\nlocal n = client.random(3)\n"
      "if n < 1 or n > 3 then client.log('wrong') end\nlock[n] = true\nend\n"
      "client.log(tostring(lock[1] and lock[2] and lock[3]))");
  EXPECT_EQ(client_model.logged(), "true");
}

TEST(ClientFunctions, TokensAreLongAndDifferent) {
  EXPECT_EQ(ClientModelRun("local one, two = client.token(), client.token()\n"
                           "client.log(#one .. ' ' .. tostring(one ~= two))")
                .logged(),
            "32 true");
}

TEST(ClientFunctions, OwnersAreTheClientsIdAndTheThread) {
  ClientModelRun client_model(
      "client.log(tostring(client.owner() == client.uuid .. ':' .. client.thread()))\n"
      "client.log(client.thread() .. ' of ' .. client.nodes())");
  client_model.run->client("a", {"lock", "sleep 1ms; lock"});
  EXPECT_EQ(client_model.logged(), "true, 1 of 1, true, 2 of 1");
}

TEST(ClientFunctions, NumbersAreTheClientsPlacesInTheScenario) {
  ClientModelRun client_model("client.log(client.thread() .. ' of client ' .. client.number())");
  client_model.run->client("a", {"lock", "sleep 1ms; lock"});
  client_model.run->client("b", {"sleep 2ms; lock"});
  EXPECT_EQ(client_model.logged(), "1 of client 1, 2 of client 1, 1 of client 2");
}

TEST(ClientFunctions, OptionsAreThoseOfTheLock) {
  EXPECT_EQ(
      ClientModelRun("local o = lock.options\nclient.log(o.speed .. o.word .. tostring(o.flag) .. "
                     "o.time_ms .. ' ' .. o.timeout_ms .. lock.name)")
          .logged(),
      "3fivetrue2000 3000lock");
}

TEST(ClientFunctions, StateIsSharedByThreadsAndFreshInEachRun) {
  ClientModelRun client_model(
      "client.state.count = (client.state.count or 0) + 1\nlock.mine = (lock.mine or 0) + 1\n"
      "upvalue = upvalue + 1\n"
      "client.log(client.state.count .. lock.mine .. upvalue)",
      "local upvalue = 0");
  client_model.run->client("a", {"lock", "sleep 1ms; lock"});
  client_model.run->client("b", {"sleep 1s; lock"});
  EXPECT_EQ(client_model.logged(), "111, 222, 111");
  EXPECT_EQ(client_model.logged(), "111, 222, 111");
}

TEST(ClientFunctions, NothingLastsFromRunToRunOfACluster) {
  LockFolder folder;
  folder.write("client.lua",
               LockFolder::client_model("local upvalue = 0\nfunction model.lock(lock)\n"
                                        "upvalue = upvalue + 1\nlock.mine = (lock.mine or 0) + 1\n"
                                        "client.sleep(upvalue * lock.mine)\nreturn true\nend"));
  LockRun run(folder.folder().string());
  run.client("a", {"lock"}, 2);
  model::Engine engine({});
  const auto simulation = engine.prepare(run.scenario);
  std::vector<std::uint64_t> hashes;
  for (int i = 0; i < 3; ++i) {
    sim::SeededChoices choices(1);
    hashes.push_back(simulation->run(choices).hash);
  }
  EXPECT_EQ(hashes, std::vector<std::uint64_t>(3, hashes[0]));
}

TEST(ClientFunctions, PairsGoesInAFixedOrder) {
  EXPECT_EQ(ClientModelRun("local t = {z = 1, a = 1, m = 1, [3] = 1, [1] = 1}\nlocal text = ''\n"
                           "for key in pairs(t) do text = text .. key end\nclient.log(text)")
                .logged(),
            "13amz");
}

// -- tasks --

TEST(ClientTasks, RunBesideTheThreadThatStartedThem) {
  ClientModelRun client_model(
      "client.spawn('counter', function(a, b)\nclient.sleep(10)\n"
      "client.log(a .. b .. client.thread())\nend, 'x', 'y')\nclient.log('first')");
  EXPECT_EQ(client_model.logged(), "first, xy1");
  EXPECT_EQ(client_model.run->count("task-ended", "a/1", "why=finished"), 1U);
}

TEST(ClientTasks, CanBeTakenBackWhileTheySleepOrHaveNotBegun) {
  EXPECT_EQ(ClientModelRun(
                "local function never() client.log('never') end\n"
                "local one = client.spawn('one', never)\n"
                "client.log(tostring(client.cancel(one)) .. tostring(client.cancel(one)))\n"
                "local two = client.spawn('two', function()\nclient.sleep(100)\nnever()\nend)\n"
                "client.sleep(10)\nclient.log(tostring(client.cancel(two)))\nclient.sleep(200)")
                .logged(),
            "truefalse, true");
}

TEST(ClientTasks, AreNotTakenBackInTheMidstOfACall) {
  EXPECT_EQ(
      ClientModelRun("local task = client.spawn('one', function()\nclient.command(1, 'PING')\n"
                     "client.log('went on')\nend)\nclient.sleep(1)\n"
                     "client.log(tostring(client.cancel(task)))\nclient.sleep(100)")
          .logged(),
      "false, went on");
}

TEST(ClientTasks, ThatWaitForAMessageCanBeTakenBack) {
  EXPECT_EQ(ClientModelRun(
                "client.subscribe(1, 'c')\n"
                "local task = client.spawn('one', function()\nclient.wait_message(1, 'c')\n"
                "client.log('never')\nend)\nclient.sleep(10)\n"
                "client.log(tostring(client.cancel(task)))\nclient.command(1, 'PUBLISH', 'c', 1)\n"
                "local woken = client.wait_message(1, 'c', 100)\nclient.log(tostring(woken))\n"
                "client.unsubscribe(1, 'c')")
                .logged(),
            "true, true");
}

TEST(ClientTasks, ThatFailAreReportedAndEnd) {
  ClientModelRun client_model(
      "client.spawn('one', function() error('mistake', 0) end)\nclient.sleep(1)\n"
      "client.log('on')");
  EXPECT_EQ(client_model.logged(), "on FAILED error=mistake");
}

// -- messages --

TEST(ClientMessages, AreCountedUntilSomebodyWaits) {
  EXPECT_EQ(ClientModelRun("client.subscribe(1, 'c')\nclient.command(1, 'PUBLISH', 'c', 'x')\n"
                           "client.command(1, 'PUBLISH', 'c', 'y')\nclient.sleep(10)\n"
                           "local one = client.wait_message(1, 'c', 0)\n"
                           "local two = client.wait_message(1, 'c')\n"
                           "local three = client.wait_message(1, 'c', 5)\n"
                           "client.log(tostring(one) .. tostring(two) .. tostring(three))\n"
                           "client.unsubscribe(1, 'c')")
                .logged(),
            "truetruefalse");
}

TEST(ClientMessages, SayWhatWasPublishedInItsOrder) {
  EXPECT_EQ(ClientModelRun(
                "client.subscribe(1, 'c')\nclient.command(1, 'PUBLISH', 'c', 'x')\n"
                "client.command(1, 'PUBLISH', 'c', 'y')\nclient.sleep(10)\n"
                "local _, one = client.wait_message(1, 'c')\n"
                "local _, two = client.wait_message(1, 'c')\n"
                "client.spawn('later', function() client.command(1, 'PUBLISH', 'c', 'z') end)\n"
                "local _, three = client.wait_message(1, 'c')\n"
                "client.log(one .. two .. three)\nclient.unsubscribe(1, 'c')")
                .logged(),
            "xyz");
}

TEST(ClientMessages, OfASubscriptionThatEndedAreForgotten) {
  EXPECT_EQ(
      ClientModelRun("client.subscribe(1, 'c')\nclient.command(1, 'PUBLISH', 'c', 'x')\n"
                     "client.sleep(10)\nclient.unsubscribe(1, 'c')\nclient.subscribe(1, 'c')\n"
                     "local woken = client.wait_message(1, 'c', 5)\nclient.log(tostring(woken))\n"
                     "client.unsubscribe(1, 'c')")
          .logged(),
      "false");
}

TEST(ClientMessages, NeedASubscription) {
  EXPECT_EQ(ClientModelRun(
                "local ok, failure = pcall(function() return client.wait_message(1, 'c') end)\n"
                "client.log(failure.code)")
                .logged(),
            "NOTSUBSCRIBED");
}

TEST(ClientErrors, OfAPipelineAreWithoutEffectOnlyWhereAllOfItWasRefused) {
  const auto code_and_unknown = [](const std::string& first_command) {
    ClientModelRun client_model("local ok, failure = pcall(function() return client.pipeline(1, {" +
                                first_command + "}, {'SET', 'k', 'v'}) end)\n" +
                                "client.log(failure.code .. ' ' .. tostring(failure.unknown))");
    client_model.run->scenario.redis.settings = {{"min-replicas-to-write", "1"}};
    return client_model.logged();
  };
  EXPECT_EQ(code_and_unknown("'SET', 'j', 'v'"), "NOREPLICAS false");
  EXPECT_EQ(code_and_unknown("'PUBLISH', 'c', 'v'"), "NOREPLICAS true");
}

// -- what the client model declares --

TEST(ClientDeclarations, AValidityEndsTheBeliefByTheClientsOwnClock) {
  ClientModelRun client_model(
      "return true, {valid_until_ms = client.monotonic_ms() + 100, token = 7}");
  client_model.run->client("a", {"lock; write; sleep 1s"}).drift_ppm = 500'000;
  static_cast<void>(client_model.logged());
  const auto ended = client_model.run->find("belief-ended", "a/1", "why=validity");
  ASSERT_EQ(ended.size(), 1U) << client_model.run->text();
  EXPECT_EQ(ended[0].at_ns / sim::microsecond_ns, 66'666) << "a clock half as fast again";
  EXPECT_EQ(client_model.run->count("resource-written", "", "token=7"), 1U);
}

TEST(ClientDeclarations, AValidityMayBeAFractionOrForEver) {
  const auto ended = [](const std::string& validity) {
    ClientModelRun client_model("return true, {valid_until_ms = " + validity + ", token = '7'}");
    client_model.run->client("a", {"lock; write; sleep 1s"});
    EXPECT_EQ(client_model.logged(), "") << validity;
    EXPECT_EQ(client_model.run->count("resource-written", "", "token=7"), 1U);
    const auto events = client_model.run->find("belief-ended", "a/1", "why=validity");
    return events.empty() ? -1 : events[0].at_ns / sim::millisecond_ns;
  };
  EXPECT_EQ(ended("client.monotonic_ms() + 100.5"), 100);
  EXPECT_EQ(ended("'100'"), 100);
  EXPECT_EQ(ended("math.huge"), -1);
  EXPECT_EQ(ended("math.maxinteger"), -1);
}

TEST(ClientDeclarations, APausedClientLearnsLateThatItsValidityIsOver) {
  ClientModelRun client_model("return true, {valid_until_ms = client.monotonic_ms() + 100}");
  client_model.run->client("a", {"lock; sleep 1s"});
  scenario::FaultSpec& pause = client_model.run->fault(scenario::FaultKind::pause, "a");
  pause.trigger.after_ns = 50 * sim::millisecond_ns;
  pause.for_ns = 300 * sim::millisecond_ns;
  static_cast<void>(client_model.logged());
  EXPECT_EQ(client_model.run->find("belief-ended", "a/1", "why=validity").at(0).at_ns,
            350 * sim::millisecond_ns);
}

TEST(ClientDeclarations, ANoticeOfLossEndsTheBelief) {
  ClientModelRun client_model(
      "client.spawn('notice', function()\nclient.sleep(100)\nclient.lost(lock)\nend)\n"
      "return true");
  client_model.run->client("a", {"lock; sleep 1s"});
  static_cast<void>(client_model.logged());
  EXPECT_EQ(client_model.run->find("belief-ended", "a/1", "why=told").at(0).at_ns,
            100 * sim::millisecond_ns);
}

TEST(ClientDeclarations, OperationsLeftOpenAreUnknown) {
  ClientModelRun client_model("client.invoke('acquire', lock, 1000)\nreturn true");
  const auto logged = client_model.logged();
  EXPECT_EQ(client_model.run->count("service-completed", "a/1", "operation=0 outcome=info"), 1U);
}

TEST(ClientDeclarations, AnOperationOfATaskHasAProcessOfItsOwn) {
  ClientModelRun client_model(
      "local mine = client.invoke('acquire', lock, 1000)\n"
      "client.spawn('watchdog', function(owner)\n"
      "local renewal = client.invoke('renew', lock, 1000, owner)\n"
      "client.complete(renewal, 'ok')\nend, client.owner())\nclient.sleep(1)\n"
      "client.complete(mine, 'ok')\nreturn true");
  client_model.run->client("a", {"lock"});
  const model::RunResult& result = client_model.run->run();
  ASSERT_EQ(result.history->operations.size(), 2U);
  const checker::Operation& acquire = result.history->operations[0];
  const checker::Operation& renewal = result.history->operations[1];
  EXPECT_EQ(acquire.owner, renewal.owner);
  EXPECT_EQ(result.names->text(acquire.process), "a/1");
  EXPECT_EQ(result.names->text(renewal.process), "a/1 watchdog");
  EXPECT_EQ(acquire.lease_ns, sim::second_ns);
}

}  // namespace
}  // namespace lockstep::test
