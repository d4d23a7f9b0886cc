// What [state] and [keys] of lock.toml say: which nodes are judged, who owns a hold, which
// subscriptions stay; and what a variant says of them otherwise.
#include <gtest/gtest.h>

#include <initializer_list>
#include <string>

#include "checker/property.h"
#include "checker/verdict.h"
#include "lock_folder.h"
#include "lock_run.h"
#include "scenario/milestones.h"
#include "scenario/text/input_error.h"

namespace lockstep::test::lock_states {
namespace {

constexpr std::string_view title = "title = \"A test's own\"\nclient = \"client.lua\"\n";

LockRun run_of(const LockFolder& folder, const std::string& variant = "") {
  return LockRun(folder.folder().string() + variant);
}

std::string complaint_of(LockRun& run) {
  try {
    run.run();
  } catch (const scenario::InputError& error) {
    const std::string text = error.what();
    return text.substr(text.find("lock.toml"));
  }
  return "nothing";
}

// -- nodes --

/// Takes a token on every master, as RedLock does.
constexpr std::string_view on_all_masters = R"(
local model = {}
function model.lock(lock)
  for node = 1, client.nodes() do
    client.command(node, "SET", lock.name, client.owner(), "NX", "PX", 10000)
  end
  return true
end
function model.unlock(lock)
  for node = 1, client.nodes() do
    client.command(node, "DEL", lock.name)
  end
  return true
end
return model
)";

TEST(State, OfOneNodeIsRefusedWhereTheClientModelWritesTheKeyOnOthersToo) {
  LockFolder folder;
  folder.write("client.lua", on_all_masters);
  folder.write("lock.toml",
               std::string(title) + "[state]\nkey = \"{name}\"\nshape = \"owner-token\"\n");
  LockRun run = run_of(folder);
  run.scenario.redis.masters = 3;
  run.client("a", {"lock; unlock"});
  EXPECT_EQ(
      complaint_of(run),
      "lock.toml:4:8: error: the key 'lock' is judged on n2 alone, the master of its slot, but "
      "a/1 has written it on n1 too; expected nodes = \"quorum\" in [state] where who has it "
      "on more than half of the masters has the lock, or a client model that writes it on "
      "client.node_of('lock') alone");
}

TEST(State, OfAQuorumIsNot) {
  LockFolder folder;
  folder.write("client.lua", on_all_masters);
  folder.write("lock.toml", std::string(title) +
                                "[state]\nkey = \"{name}\"\nshape = \"owner-token\"\n"
                                "nodes = \"quorum\"\n");
  LockRun run = run_of(folder);
  run.scenario.redis.masters = 3;
  run.client("a", {"lock; unlock"});
  EXPECT_EQ(complaint_of(run), "nothing");
  EXPECT_EQ(run.verdict(checker::Property::valid_grant), checker::VerdictKind::holds);
}

TEST(State, OfOneNodeIsNotWhereAnotherKeyIsOnOtherNodes) {
  LockFolder folder;
  folder.write("client.lua", LockFolder::client_model(R"(
function model.lock(lock)
  client.command(client.node_of(lock.name), "HSET", lock.name, client.owner(), 1)
  client.command(1, "SET", "counter", 1)
  client.command(3, "SET", "counter", 1)
  return true
end
function model.unlock(lock)
  client.command(client.node_of(lock.name), "DEL", lock.name)
  return true
end)"));
  LockRun run = run_of(folder);
  run.scenario.redis.masters = 3;
  run.client("a", {"lock; unlock"});
  EXPECT_EQ(complaint_of(run), "nothing");
}

// -- variants --

TEST(State, MayBeAnotherOfAVariant) {
  LockFolder folder;
  folder.write("client.lua", on_all_masters);
  folder.write("lock.toml", std::string(title) +
                                "[state]\nkey = \"{name}\"\nshape = \"owner-token\"\n"
                                "[variants.voting.state]\nnodes = \"quorum\"\n"
                                "refusals = \"spurious\"\n"
                                "[variants.voting.keys]\nleases = [\"{name}\"]\n");
  LockRun one = run_of(folder);
  one.scenario.redis.masters = 3;
  one.client("a", {"lock; unlock"});
  EXPECT_NE(complaint_of(one), "nothing");
  LockRun voting = run_of(folder, "/voting");
  voting.scenario.redis.masters = 3;
  voting.client("a", {"lock; unlock"});
  EXPECT_EQ(complaint_of(voting), "nothing");
}

// -- owners --

/// Counts the holds of whoever client.owner() says, in one command; waits by asking again.
constexpr std::string_view counting = R"(
local model = {}
local function take(lock)
  return client.eval(1, "take", {lock.name}, {client.owner()}) == 1
end
function model.lock(lock)
  while true do
    local operation = client.invoke("acquire", lock, 60000)
    local taken = take(lock)
    client.complete(operation, taken and "ok" or "fail")
    if taken then return true end
    client.sleep(50)
  end
end
function model.unlock(lock)
  local operation = client.invoke("release", lock, 60000)
  client.eval(1, "give", {lock.name}, {client.owner()})
  client.complete(operation, "ok")
  return true
end
return model
)";

void write_counting_lock(const LockFolder& folder, const std::string& owner) {
  folder.write("client.lua", counting);
  folder.write("take.lua", R"(
if redis.call('exists', KEYS[1]) == 1 and redis.call('hexists', KEYS[1], ARGV[1]) == 0 then
  return 0
end
redis.call('hincrby', KEYS[1], ARGV[1], 1)
redis.call('pexpire', KEYS[1], 60000)
return 1
)");
  folder.write("give.lua", R"(
if redis.call('hincrby', KEYS[1], ARGV[1], -1) == 0 then redis.call('del', KEYS[1]) end
return 1
)");
  folder.write("lock.toml", std::string(title) +
                                "[scripts]\ntake = \"take.lua\"\ngive = \"give.lua\"\n"
                                "[state]\nkey = \"{name}\"\nshape = \"holds-by-owner\"\n" +
                                owner);
}

void use_by_two_threads_and_another_process(LockRun& run) {
  run.client("a", {"lock; sleep 1s; unlock", "sleep 100ms; lock; sleep 2s; unlock"});
  run.client("b", {"sleep 200ms; lock; sleep 1s; unlock"});
}

TEST(State, OfProcessesIsHeldByTheThreadsOfOneTogether) {
  LockFolder folder;
  write_counting_lock(folder, "owner = \"process\"\n");
  LockRun run = run_of(folder);
  use_by_two_threads_and_another_process(run);
  run.run();
  EXPECT_EQ(run.count("client-failed"), 0U) << run.text();
  EXPECT_EQ(run.count("lock-changed", "n1", "holders=a:2"), 1U) << run.text();
  const auto changes = run.find("lock-changed", "n1", "holders=b:1");
  ASSERT_EQ(changes.size(), 1U) << run.text();
  EXPECT_GE(changes[0].at_ns, 2'100 * sim::millisecond_ns) << "once both threads have released";
  for (const checker::Property property :
       {checker::Property::mutual_exclusion, checker::Property::valid_grant,
        checker::Property::lease_linearizability, checker::Property::hold_count,
        checker::Property::no_leak, checker::Property::no_deadlock}) {
    EXPECT_EQ(run.verdict(property), checker::VerdictKind::holds) << checker::to_string(property);
  }
}

TEST(State, OfProcessesLeavesItToTheirThreadsHowTheyUseTheLockTogether) {
  LockFolder folder;
  write_counting_lock(folder, "owner = \"process\"\n");
  LockRun run = run_of(folder);
  run.client("a", {"lock; write; unlock", "lock; write; unlock"});
  run.run();
  EXPECT_EQ(run.count("resource-written", "", "based_on=0"), 2U) << run.text();
  EXPECT_EQ(run.verdict(checker::Property::harm), checker::VerdictKind::holds);
}

TEST(State, OfProcessesShowsTheHarmThatTheyDoToEachOther) {
  LockFolder folder;
  write_counting_lock(folder, "owner = \"process\"\n");
  folder.write("take.lua", "redis.call('hincrby', KEYS[1], ARGV[1], 1) return 1");
  LockRun run = run_of(folder);
  run.client("a", {"lock; write; unlock"});
  run.client("b", {"lock; write; unlock"});
  run.run();
  EXPECT_EQ(run.verdict(checker::Property::harm), checker::VerdictKind::violated);
}

/// A token for each hold, kept by whichever thread of the process has it; nobody takes it twice.
constexpr std::string_view taking_turns = R"(
local model = {}
function model.lock(lock)
  local token = client.token()
  while true do
    local operation = client.invoke("acquire", lock, 60000)
    local taken = client.command(1, "SET", lock.name, token, "NX", "PX", 60000) ~= nil
    client.complete(operation, taken and "ok" or "fail")
    if taken then break end
    client.sleep(50)
  end
  lock.token = token
  return true
end
function model.unlock(lock)
  local operation = client.invoke("release", lock)
  local given = client.eval(1, "give", {lock.name}, {lock.token})
  client.complete(operation, given == 1 and "ok" or "fail")
  return true
end
return model
)";

TEST(State, OfProcessesThatRefusesReentryServesTwoThreadsThatAskAtOnce) {
  LockFolder folder;
  folder.write("client.lua", taking_turns);
  folder.write("give.lua",
               "return redis.call('get', KEYS[1]) == ARGV[1] and "
               "redis.call('del', KEYS[1]) or 0");
  folder.write("lock.toml", std::string(title) +
                                "[scripts]\ngive = \"give.lua\"\n"
                                "[state]\nkey = \"{name}\"\nshape = \"owner-token\"\n"
                                "owner = \"process\"\n");
  LockRun run = run_of(folder);
  run.scenario.latency = {sim::millisecond_ns, 500 * sim::millisecond_ns};
  run.client("a", {"lock; unlock", "lock; unlock"}, 5);
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    run.run(seed);
    EXPECT_EQ(run.verdict(checker::Property::lease_linearizability), checker::VerdictKind::holds)
        << run.text();
  }
}

TEST(State, OfProcessesExcludesOtherProcesses) {
  LockFolder folder;
  write_counting_lock(folder, "owner = \"process\"\n");
  folder.write("take.lua", "redis.call('hincrby', KEYS[1], ARGV[1], 1) return 1");
  LockRun run = run_of(folder);
  use_by_two_threads_and_another_process(run);
  run.run();
  EXPECT_EQ(run.verdict(checker::Property::mutual_exclusion), checker::VerdictKind::violated);
}

TEST(State, OfThreadsIsNotSharedByAProcess) {
  LockFolder folder;
  write_counting_lock(folder, "owner = \"thread\"\n");
  LockRun run = run_of(folder);
  use_by_two_threads_and_another_process(run);
  run.run();
  EXPECT_EQ(run.count("lock-changed", "n1", "holders=a/1:1"), 1U) << run.text();
  EXPECT_EQ(run.count("lock-changed", "n1", ":2"), 0U);
  EXPECT_EQ(run.verdict(checker::Property::mutual_exclusion), checker::VerdictKind::holds);
}

/// The counting lock of processes, with other functions behind its own.
void write_process_lock(const LockFolder& folder, const std::string& functions) {
  write_counting_lock(folder, "owner = \"process\"\n");
  std::string model(counting);
  model.replace(model.rfind("return model"), std::string::npos, functions + "\nreturn model\n");
  folder.write("client.lua", model);
}

checker::VerdictKind answers_of(const LockFolder& folder,
                                std::initializer_list<std::string> threads) {
  LockRun run = run_of(folder);
  run.client("a", threads);
  run.client("b", {"sleep 200ms; lock; sleep 1s; unlock"});
  run.run();
  EXPECT_EQ(run.count("client-failed"), 0U) << run.text();
  return run.verdict(checker::Property::truthful_answers);
}

constexpr std::string_view held_by_process = R"(
function model.is_held_by_me(lock)
  return client.command(1, "HEXISTS", lock.name, client.owner()) == 1
end)";

TEST(State, OfProcessesIsWhatAnswersAreHeldTo) {
  LockFolder folder;
  write_process_lock(folder, std::string(held_by_process));
  EXPECT_EQ(answers_of(folder, {"lock; sleep 1s; is_held_by_me; unlock; sleep 5s; is_held_by_me",
                                "sleep 500ms; is_held_by_me"}),
            checker::VerdictKind::holds);
}

TEST(State, OfProcessesShowsAReleaseThatSaysYesAndGivesNothingBack) {
  LockFolder folder;
  write_process_lock(folder, "");
  folder.write("give.lua", "return redis.call('pexpire', KEYS[1], 1000)");
  EXPECT_EQ(answers_of(folder, {"lock; sleep 100ms; unlock"}), checker::VerdictKind::violated);
}

TEST(State, OfProcessesShowsAQuestionThatIsAnsweredForTheThreadAlone) {
  LockFolder folder;
  write_process_lock(folder, R"(
function model.is_held_by_me(lock)
  return client.thread() == 1
end)");
  EXPECT_EQ(answers_of(folder, {"lock; sleep 1s; unlock", "sleep 500ms; is_held_by_me"}),
            checker::VerdictKind::violated);
}

/// The first thread is told no, while the second takes the lock for both.
constexpr std::string_view refusing_the_first = R"(
function model.try_lock(lock)
  if client.thread() == 1 then
    client.sleep(200)
    return false
  end
  return model.lock(lock)
end)";

TEST(State, OfProcessesBlamesNoThreadForWhatAnotherDoesMeanwhile) {
  LockFolder folder;
  write_process_lock(folder, std::string(refusing_the_first));
  EXPECT_EQ(answers_of(folder, {"try_lock wait=1s", "sleep 50ms; lock; sleep 1s; unlock"}),
            checker::VerdictKind::holds);
}

TEST(State, OfProcessesShowsANoThatLeavesAHold) {
  LockFolder folder;
  write_process_lock(folder, R"(
function model.try_lock(lock)
  model.lock(lock)
  return false
end)");
  EXPECT_EQ(answers_of(folder, {"try_lock wait=1s", "sleep 3s; lock; sleep 1s; unlock"}),
            checker::VerdictKind::violated);
}

// -- subscriptions that stay --

// -- readers --

/// A list of readers, and a writer's token. `member` is what a reader adds to the list.
void write_list_of_readers(const LockFolder& folder, const std::string& member,
                           const std::string& at_inner_release = "") {
  folder.write("client.lua", R"(
local model = {}
local mine = {}
function model.read_lock(lock)
  local member = )" + member + R"(
  client.command(1, "SADD", lock.name .. ":readers", member)
  client.command(1, "PEXPIRE", lock.name .. ":readers", 60000)
  table.insert(mine, member)
  return true
end
function model.read_unlock(lock)
  local member = table.remove(mine)
  if #mine > 0 then )" + at_inner_release +
                                 R"( end
  for _, each in ipairs(mine) do
    if each == member then return true end
  end
  client.command(1, "SREM", lock.name .. ":readers", member)
  return true
end
return model
)");
  folder.write("lock.toml", std::string(title) +
                                "[state]\nkey = \"{name}\"\nshape = \"readers-and-writer\"\n"
                                "readers = \"{name}:readers\"\n");
}

TEST(State, OfReadersMayHaveEachOfTheirHoldsOrEachReaderOnce) {
  for (const char* member : {"client.token()", "client.owner()"}) {
    LockFolder folder;
    write_list_of_readers(folder, member);
    LockRun run = run_of(folder);
    run.client("a", {"read_lock; read_lock; sleep 1s; read_unlock; sleep 1s; read_unlock"});
    run.run();
    EXPECT_EQ(run.verdict(checker::Property::hold_count), checker::VerdictKind::holds)
        << run.text();
  }
}

TEST(State, OfReadersShowsAHoldThatIsLeft) {
  LockFolder folder;
  write_list_of_readers(folder, "client.token()", "return true");
  LockRun run = run_of(folder);
  run.client("a", {"read_lock; read_lock; read_unlock; read_unlock"});
  run.run();
  EXPECT_EQ(run.verdict(checker::Property::hold_count), checker::VerdictKind::violated)
      << run.text();
}

TEST(State, LeavesSubscriptionsThatStayOnPurpose) {
  const auto verdict_with = [](const std::string& keys) {
    LockFolder folder;
    folder.write("client.lua", LockFolder::client_model(R"(
function model.lock(lock)
  return client.subscribe(1, "registry:" .. lock.name)
end)"));
    folder.write("lock.toml", std::string(LockFolder::lock_toml) + keys);
    LockRun run = run_of(folder);
    run.client("a", {"lock; unlock"});
    run.run();
    return run.verdict(checker::Property::no_leak);
  };
  EXPECT_EQ(verdict_with(""), checker::VerdictKind::violated);
  EXPECT_EQ(verdict_with("[keys]\nchannels = [\"registry:{name}\"]\n"),
            checker::VerdictKind::holds);
  EXPECT_EQ(verdict_with("[keys]\nchannels = [\"registry:*\"]\n"), checker::VerdictKind::holds);
  EXPECT_EQ(verdict_with("[keys]\nchannels = [\"another:*\"]\n"), checker::VerdictKind::violated);
}

TEST(State, ATaskThatListensToAChannelThatIsKeptIsNoLeakButAnotherIs) {
  const auto verdict_with = [](std::string_view keys, std::string_view task) {
    LockFolder folder;
    folder.write("client.lua", LockFolder::client_model(R"(
function model.lock(lock)
  local channel = "registry:" .. lock.name
  client.subscribe(1, channel)
  client.spawn("listener", function()
    while true do client.wait_message(1, channel) end
  end)
  client.spawn("other", function()
    )" + std::string(task) + R"(
  end)
  return true
end)"));
    folder.write("lock.toml", std::string(LockFolder::lock_toml) + std::string(keys));
    LockRun run = run_of(folder);
    run.client("a", {"lock; unlock"});
    run.run();
    return run.verdict(checker::Property::no_leak);
  };
  constexpr std::string_view kept = "[keys]\nchannels = [\"registry:{name}\"]\n";
  EXPECT_EQ(verdict_with("", ""), checker::VerdictKind::violated);
  EXPECT_EQ(verdict_with(kept, ""), checker::VerdictKind::holds);
  EXPECT_EQ(verdict_with(kept, "while true do client.wait_message(1, channel, 1000) end"),
            checker::VerdictKind::holds);
  EXPECT_EQ(verdict_with(kept, "client.wait('never')"), checker::VerdictKind::violated);
}

// -- a lock that gives up --

class GivingUp : public testing::TestWithParam<const char*> {};

TEST_P(GivingUp, IsAMomentThatAFaultCanWaitFor) {
  LockFolder folder;
  folder.write("client.lua", LockFolder::client_model(std::string("function model.lock(lock)\n"
                                                                  "client.sleep(100)\n") +
                                                      GetParam() + "\nend"));
  LockRun run = run_of(folder);
  run.client("a", {"lock; write; unlock; sleep 1s"});
  scenario::FaultSpec& pause = run.fault(scenario::FaultKind::pause, "a");
  pause.for_ns = sim::second_ns;
  pause.trigger.when = scenario::Trigger::When{"a", scenario::Milestone::refused, "", 1};
  run.run();
  EXPECT_EQ(run.count("process-paused", "a"), 1U) << run.text();
  EXPECT_EQ(run.find("process-paused", "a")[0].at_ns, 100 * sim::millisecond_ns);
  EXPECT_EQ(run.count("resource-read"), 0U) << "past what it did not get";
}

INSTANTIATE_TEST_SUITE_P(State, GivingUp,
                         testing::Values("return false", "client.refuse('after three tries')"));

}  // namespace
}  // namespace lockstep::test::lock_states
