// States of two keys, and semaphores whose permits are the members of a sorted set.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "checker/lock_semantics.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "lock_folder.h"
#include "lock_run.h"
#include "model/lock/lock_package.h"
#include "scenario/scenario.h"
#include "scenario/text/input_error.h"

namespace lockstep::test::lock_state_keys {
namespace {

constexpr std::string_view title = "title = \"A test's own\"\nclient = \"client.lua\"\n";

std::string manifest(const std::string& rest) { return std::string(title) + rest; }

/// Takes a lock by one script and gives it back by another; asks again every 20 ms.
std::string client_model(const std::string& take, const std::string& give,
                         const std::string& names = "{lock.name}") {
  return "local model = {}\n"
         "local function ask(script, lock)\n"
         "  return client.eval(1, script, " +
         names +
         ", {client.owner(), client.wall_ms()}) == 1\n"
         "end\n"
         "local function wait_for(script, lock)\n"
         "  while not ask(script, lock) do\n"
         "    client.sleep(20)\n"
         "  end\n"
         "  return true\n"
         "end\n"
         "function model." +
         take + "(lock) return wait_for(\"take\", lock) end\nfunction model." + give +
         "(lock) ask(\"give\", lock) return true end\n";
}

constexpr std::string_view scripts = "[scripts]\ntake = \"take.lua\"\ngive = \"give.lua\"\n";

// -- two keys of one lock --

constexpr std::string_view take_both = R"(
if redis.call('exists', KEYS[1]) == 1 or redis.call('exists', KEYS[2]) == 1 then return 0 end
redis.call('set', KEYS[1], ARGV[1], 'px', 10000)
redis.call('set', KEYS[2], ARGV[1], 'px', 10000)
return 1
)";

void write_lock_of_two_keys(const LockFolder& folder, const std::string& give) {
  folder.write("client.lua", client_model("lock", "unlock", "{lock.name, lock.name .. ':second'}") +
                                 "return model\n");
  folder.write("take.lua", take_both);
  folder.write("give.lua", give);
  folder.write("lock.toml", manifest(std::string(scripts) +
                                     "[state]\nkey = \"{name}\"\nshape = \"owner-token\"\n"
                                     "also = \"{name}:second\"\n[keys]\nleases = [\"{name}\", "
                                     "\"{name}:second\"]\n"));
}

TEST(StateOfTwoKeys, IsHeldByWhoHasBoth) {
  LockFolder folder;
  write_lock_of_two_keys(folder, "return redis.call('del', KEYS[1], KEYS[2]) / 2");
  LockRun run(folder.folder().string());
  run.client("a", {"lock; write; unlock"});
  run.client("b", {"lock; write; unlock"});
  run.run();
  EXPECT_EQ(run.count("lock-changed", "n1", "holders=a/1:1"), 1U) << run.text();
  EXPECT_EQ(run.count("lock-changed", "n1", "holders=b/1:1"), 1U);
  for (const checker::Property property :
       {checker::Property::mutual_exclusion, checker::Property::valid_grant,
        checker::Property::hold_count, checker::Property::no_leak}) {
    EXPECT_EQ(run.verdict(property), checker::VerdictKind::holds) << run.text();
  }
}

TEST(StateOfTwoKeys, IsNotHeldByWhoHasLostOne) {
  LockFolder folder;
  write_lock_of_two_keys(folder, "return 1");
  folder.write("take.lua",
               std::string("redis.call('set', KEYS[1], ARGV[1], 'px', 10000) return 1"));
  LockRun run(folder.folder().string());
  run.client("a", {"lock; unlock"});
  run.run();
  EXPECT_EQ(run.count("lock-changed"), 0U) << run.text();
  EXPECT_EQ(run.verdict(checker::Property::valid_grant), checker::VerdictKind::violated);
}

TEST(StateOfTwoKeys, MayCountTheHoldsInTheSecond) {
  LockFolder folder;
  folder.write("client.lua", client_model("lock", "unlock", "{lock.name, lock.name .. ':holds'}") +
                                 R"(function model.hold_count(lock)
  return tonumber(client.command(1, "GET", lock.name .. ":holds") or 0)
end
return model
)");
  folder.write("take.lua", R"(
local owner = redis.call('get', KEYS[1])
if owner and owner ~= ARGV[1] then return 0 end
redis.call('set', KEYS[1], ARGV[1], 'px', 10000)
redis.call('incr', KEYS[2])
redis.call('pexpire', KEYS[2], 10000)
return 1
)");
  folder.write("give.lua", R"(
if redis.call('decr', KEYS[2]) == 0 then redis.call('del', KEYS[1], KEYS[2]) end
return 1
)");
  folder.write("lock.toml", manifest(std::string(scripts) +
                                     "[state]\nkey = \"{name}\"\nshape = \"owner-token\"\n"
                                     "reentry = \"counted\"\ncount = \"{name}:holds\"\n"));
  LockRun run(folder.folder().string());
  run.client("a", {"lock; lock; hold_count; unlock; unlock"});
  run.client("b", {"sleep 1ms; lock; unlock"});
  run.run();
  EXPECT_EQ(run.count("lock-changed", "n1", "holders=a/1:2"), 1U) << run.text();
  EXPECT_EQ(run.verdict(checker::Property::truthful_answers), checker::VerdictKind::holds);
  EXPECT_EQ(run.verdict(checker::Property::hold_count), checker::VerdictKind::holds) << run.text();
  EXPECT_EQ(run.verdict(checker::Property::mutual_exclusion), checker::VerdictKind::holds);
}

TEST(StateOfTwoKeys, AreOfALockThatMayBeTakenAgainWhereTheSecondCounts) {
  LockFolder folder;
  folder.write("client.lua", "-- the client model");
  const auto reentry_with = [&](const std::string& rest) {
    folder.write("lock.toml",
                 manifest("[state]\nkey = \"{name}\"\nshape = \"owner-token\"\n" + rest));
    scenario::Scenario scenario;
    scenario.lock = folder.folder().string();
    return model::load_lock(scenario, {scripts_folder()}).reentry;
  };
  EXPECT_EQ(reentry_with(""), checker::Reentry::refused);
  EXPECT_EQ(reentry_with("count = \"{name}:holds\"\n"), checker::Reentry::counted);
  EXPECT_EQ(reentry_with("count = \"{name}:holds\"\nreentry = \"refused\"\n"),
            checker::Reentry::refused);
}

/// A writer's string, and a set of readers.
void write_lock_of_readers(const LockFolder& folder, const std::string& take_for_writing) {
  folder.write("client.lua", R"(
local model = {}
local function ask(script, lock)
  return client.eval(1, script, {lock.name, lock.name .. ":readers"}, {client.owner()}) == 1
end
local function wait_for(script, lock)
  while not ask(script, lock) do
    client.sleep(20)
  end
  return true
end
function model.read_lock(lock) return wait_for("read", lock) end
function model.read_unlock(lock) ask("stop_reading", lock) return true end
function model.write_lock(lock) return wait_for("write", lock) end
function model.write_unlock(lock) ask("stop_writing", lock) return true end
return model
)");
  folder.write("read.lua", R"(
if redis.call('exists', KEYS[1]) == 1 then return 0 end
redis.call('sadd', KEYS[2], ARGV[1])
redis.call('pexpire', KEYS[2], 60000)
return 1
)");
  folder.write("stop_reading.lua", "return redis.call('srem', KEYS[2], ARGV[1])");
  folder.write("write.lua", take_for_writing);
  folder.write("stop_writing.lua", "return redis.call('del', KEYS[1])");
  folder.write("lock.toml",
               manifest("[scripts]\nread = \"read.lua\"\nstop_reading = \"stop_reading.lua\"\n"
                        "write = \"write.lua\"\nstop_writing = \"stop_writing.lua\"\n"
                        "[state]\nkey = \"{name}\"\nshape = \"readers-and-writer\"\n"
                        "readers = \"{name}:readers\"\n"));
}

void read_and_write(LockRun& run) {
  run.client("a", {"read_lock; sleep 1s; read_unlock"});
  run.client("b", {"read_lock; sleep 1s; read_unlock"});
  run.client("c", {"sleep 100ms; write_lock; write; write_unlock"});
}

TEST(StateOfTwoKeys, MayHaveTheReadersInTheSecond) {
  LockFolder folder;
  write_lock_of_readers(folder, R"(
if redis.call('exists', KEYS[1]) == 1 or redis.call('scard', KEYS[2]) > 0 then return 0 end
redis.call('set', KEYS[1], ARGV[1], 'px', 60000)
return 1
)");
  LockRun run(folder.folder().string());
  read_and_write(run);
  run.run();
  EXPECT_EQ(run.count("lock-changed", "n1", "a/1 reads:1"), 2U) << run.text();
  EXPECT_EQ(run.count("lock-changed", "n1", "holders=c/1:1"), 1U);
  for (const checker::Property property :
       {checker::Property::mutual_exclusion, checker::Property::valid_grant,
        checker::Property::hold_count}) {
    EXPECT_EQ(run.verdict(property), checker::VerdictKind::holds) << run.text();
  }
}

TEST(StateOfTwoKeys, ShowsAWriterThatDoesNotLookAtTheReaders) {
  LockFolder folder;
  write_lock_of_readers(folder, "redis.call('set', KEYS[1], ARGV[1], 'px', 60000) return 1");
  LockRun run(folder.folder().string());
  read_and_write(run);
  run.run();
  EXPECT_EQ(run.verdict(checker::Property::mutual_exclusion), checker::VerdictKind::violated);
}

// -- a semaphore of a sorted set --

constexpr std::string_view take_permit = R"(
redis.call('zremrangebyscore', KEYS[1], '-inf', '(' .. ARGV[2])
if redis.call('zcard', KEYS[1]) >= 2 then return 0 end
redis.call('zadd', KEYS[1], ARGV[2] + 5000, ARGV[1])
return 1
)";

void write_semaphore(const LockFolder& folder, std::string_view take,
                     const std::string& state = "scores = \"ends\"\n") {
  folder.write("client.lua", client_model("acquire", "release") + "return model\n");
  folder.write("take.lua", take);
  folder.write("give.lua", "return redis.call('zrem', KEYS[1], ARGV[1])");
  folder.write("lock.toml", manifest(std::string(scripts) +
                                     "[state]\nkey = \"{name}\"\nshape = \"permits-in-use\"\n"
                                     "permits = 2\n" +
                                     state));
}

void use_semaphore(LockRun& run) {
  for (const char* name : {"a", "b", "c"}) run.client(name, {"acquire; sleep 1s; release"});
}

TEST(SemaphoreOfASortedSet, GivesOutSoManyPermits) {
  LockFolder folder;
  write_semaphore(folder, take_permit);
  LockRun run(folder.folder().string());
  use_semaphore(run);
  run.run();
  EXPECT_EQ(run.count("number-changed", "n1", "left=0"), 1U) << run.text();
  EXPECT_EQ(run.steps_of("c/1").back(), "release: ok");
  EXPECT_EQ(run.verdict(checker::Property::permits), checker::VerdictKind::holds) << run.text();
  EXPECT_EQ(run.verdict(checker::Property::no_deadlock), checker::VerdictKind::holds);
}

/// Every try leaves its member, also the one that is refused.
constexpr std::string_view take_and_leave = R"(
redis.call('zadd', KEYS[1], ARGV[2] + 5000, ARGV[1])
if redis.call('zcard', KEYS[1]) > 2 then return 0 end
return 1
)";

const model::RunResult& try_a_third(LockRun& run) {
  run.client("a", {"acquire; sleep 1s; release"});
  run.client("b", {"acquire; sleep 1s; release"});
  run.client("c", {"sleep 100ms; try_acquire wait=10ms"});
  return run.run();
}

void write_semaphore_to_try(const LockFolder& folder, std::string_view take) {
  write_semaphore(folder, take);
  folder.write("client.lua", client_model("acquire", "release") +
                                 "function model.try_acquire(lock, permits, wait_ms)\n"
                                 "  return ask(\"take\", lock)\nend\nreturn model\n");
}

/// The key has a TTL, which the last to take a permit sets anew.
constexpr std::string_view take_with_ttl = R"(
redis.call('zadd', KEYS[1], ARGV[2] + 5000, ARGV[1])
redis.call('pexpire', KEYS[1], 5000)
return 1
)";

TEST(SemaphoreOfASortedSet, LeavesAKeyBehindForAWhileWhereALaterPermitWasGivenBack) {
  LockFolder folder;
  write_semaphore(folder, take_with_ttl, "scores = \"ends\"\n[keys]\nleases = [\"{name}\"]\n");
  LockRun run(folder.folder().string());
  run.client("a", {"acquire"});
  run.client("b", {"sleep 1s; acquire; release"});
  run.run();
  EXPECT_EQ(run.verdict(checker::Property::no_leak), checker::VerdictKind::holds) << run.text();
}

TEST(SemaphoreOfASortedSet, MayRefuse) {
  LockFolder folder;
  write_semaphore_to_try(folder, take_permit);
  LockRun run(folder.folder().string());
  try_a_third(run);
  EXPECT_EQ(run.steps_of("c/1").back(), "try_acquire wait=10ms: fail") << run.text();
  EXPECT_EQ(run.verdict(checker::Property::truthful_answers), checker::VerdictKind::holds);
  EXPECT_EQ(run.verdict(checker::Property::permits), checker::VerdictKind::holds);
}

TEST(SemaphoreOfASortedSet, ShowsTheRefusalThatTakesAPermit) {
  LockFolder folder;
  write_semaphore_to_try(folder, take_and_leave);
  LockRun run(folder.folder().string());
  try_a_third(run);
  EXPECT_EQ(run.verdict(checker::Property::truthful_answers), checker::VerdictKind::violated)
      << run.text();
}

TEST(SemaphoreOfASortedSet, ShowsTheReleaseThatGivesNothingBack) {
  for (const bool gives_back : {true, false}) {
    LockFolder folder;
    write_semaphore(folder, take_permit);
    const std::string release = gives_back ? "client.command(1, 'ZREM', lock.name, client.owner())"
                                           : "client.command(1, 'ZREM', lock.name, 'nobody')";
    folder.write("client.lua",
                 "local model = {}\nfunction model.acquire(lock)\n"
                 "  return client.eval(1, 'take', {lock.name}, {client.owner(), "
                 "client.wall_ms()}) == 1\nend\n"
                 "function model.release(lock) " +
                     release + " return true end\nreturn model\n");
    LockRun run(folder.folder().string());
    run.client("a", {"acquire; release"});
    run.run();
    EXPECT_EQ(run.verdict(checker::Property::truthful_answers) == checker::VerdictKind::violated,
              !gives_back)
        << run.text();
  }
}

TEST(SemaphoreOfASortedSet, ShowsOneThatDoesNotCount) {
  LockFolder folder;
  write_semaphore(folder, "return redis.call('zadd', KEYS[1], ARGV[2] + 5000, ARGV[1])");
  LockRun run(folder.folder().string());
  use_semaphore(run);
  run.run();
  EXPECT_EQ(run.verdict(checker::Property::permits), checker::VerdictKind::violated) << run.text();
}

TEST(SemaphoreOfASortedSet, HasThePermitsOfTheDeadAgain) {
  LockFolder folder;
  write_semaphore(folder, take_permit);
  LockRun run(folder.folder().string());
  run.client("a", {"acquire; crash"});
  run.client("b", {"acquire; crash"});
  run.client("c", {"sleep 100ms; acquire; release"});
  run.run();
  const auto again = run.find("number-changed", "n1", "left=2");
  ASSERT_FALSE(again.empty()) << run.text();
  EXPECT_NEAR(static_cast<double>(again[0].at_ns) / sim::second_ns, 5.0, 0.1);
  EXPECT_EQ(run.steps_of("c/1").back(), "release: ok");
}

TEST(SemaphoreOfASortedSet, CountsFromTheBeginningWhereScoresSayThat) {
  LockFolder folder;
  write_semaphore(folder, R"(
redis.call('zremrangebyscore', KEYS[1], '-inf', ARGV[2] - 5000)
if redis.call('zcard', KEYS[1]) >= 2 then return 0 end
redis.call('zadd', KEYS[1], ARGV[2], ARGV[1])
return 1
)",
                  "scores = \"begins\"\npermit_life = \"5s\"\n");
  LockRun run(folder.folder().string());
  run.client("a", {"acquire; crash"});
  run.client("b", {"sleep 6s; acquire; release"});
  run.run();
  const auto again = run.find("number-changed", "n1", "left=2");
  ASSERT_FALSE(again.empty()) << run.text();
  EXPECT_NEAR(static_cast<double>(again[0].at_ns) / sim::second_ns, 5.0, 0.1);
}

// The semaphores of "Redis in Action", section 6.3: a member of the caller's own for each try, with
// the caller's clock as its score; who is among the first so many has a permit, who is not takes
// the member back. The fair one orders by a counter instead, in a second sorted set.

constexpr std::string_view take_by_clock = R"(
redis.call('zremrangebyscore', KEYS[1], '-inf', ARGV[2] - 10000)
redis.call('zadd', KEYS[1], ARGV[2], ARGV[1])
if redis.call('zrank', KEYS[1], ARGV[1]) < 2 then return 1 end
redis.call('zrem', KEYS[1], ARGV[1])
return 0
)";

constexpr std::string_view take_by_counter = R"(
for _, dead in ipairs(redis.call('zrangebyscore', KEYS[1], '-inf', ARGV[2] - 10000)) do
  redis.call('zrem', KEYS[1], dead)
  redis.call('zrem', KEYS[2], dead)
end
redis.call('zadd', KEYS[1], ARGV[2], ARGV[1])
redis.call('zadd', KEYS[2], redis.call('incr', KEYS[3]), ARGV[1])
if redis.call('zrank', KEYS[2], ARGV[1]) < 2 then return 1 end
redis.call('zrem', KEYS[1], ARGV[1])
redis.call('zrem', KEYS[2], ARGV[1])
return 0
)";

void write_semaphore_of_the_book(const LockFolder& folder, std::string_view take) {
  write_semaphore(folder, take, "scores = \"begins\"\npermit_life = \"10s\"\n");
  // A random identifier for each try, which no owner's name is part of.
  folder.write("client.lua", R"(
local semaphore = {}
local identifiers = {}
local function keys_of(lock)
  return {lock.name, lock.name .. ":owner", lock.name .. ":counter"}
end
function semaphore.acquire(lock)
  while true do
    local identifier = client.token()
    identifiers[client.owner()] = identifier
    local got = client.eval(1, "take", keys_of(lock), {identifier, client.wall_ms()})
    if got == 1 then return true end
    client.sleep(20)
  end
end
function semaphore.release(lock)
  client.eval(1, "give", keys_of(lock), {identifiers[client.owner()]})
  return true
end
return semaphore
)");
  folder.write("give.lua", R"(
redis.call('zrem', KEYS[2], ARGV[1])
return redis.call('zrem', KEYS[1], ARGV[1])
)");
}

/// c's clock is three seconds behind.
const model::RunResult& use_with_a_slow_clock(LockRun& run) {
  run.client("a", {"acquire; sleep 1s; release"});
  run.client("b", {"acquire; sleep 1s; release"});
  run.client("c", {"sleep 100ms; acquire; sleep 1s; release"}).wall_offset_ns = -3 * sim::second_ns;
  return run.run();
}

TEST(SemaphoreOfTheBook, GivesOutSoManyPermitsByItsCounter) {
  LockFolder folder;
  write_semaphore_of_the_book(folder, take_by_counter);
  LockRun run(folder.folder().string());
  use_with_a_slow_clock(run);
  for (const checker::Property property :
       {checker::Property::permits, checker::Property::no_deadlock, checker::Property::no_leak,
        checker::Property::truthful_answers}) {
    EXPECT_EQ(run.verdict(property), checker::VerdictKind::holds) << run.text();
  }
  EXPECT_EQ(run.steps_of("c/1").back(), "release: ok") << run.text();
}

TEST(SemaphoreOfTheBook, IsStolenFromByASlowClock) {
  LockFolder folder;
  write_semaphore_of_the_book(folder, take_by_clock);
  LockRun run(folder.folder().string());
  use_with_a_slow_clock(run);
  EXPECT_EQ(run.verdict(checker::Property::permits), checker::VerdictKind::violated) << run.text();
}

TEST(SemaphoreOfASortedSet, ShowsThePermitOfWhoSleptLongerThanItLives) {
  LockFolder folder;
  write_semaphore(folder, take_permit);
  LockRun run(folder.folder().string());
  run.client("a", {"acquire; sleep 8s; release"});
  run.client("b", {"acquire; sleep 1s; release"});
  run.client("c", {"sleep 2s; acquire; sleep 8s; release", "sleep 6s; acquire; sleep 1s; release"});
  run.run();
  EXPECT_EQ(run.verdict(checker::Property::permits), checker::VerdictKind::violated) << run.text();
}

TEST(SemaphoreOfASortedSet, ShowsThePermitThatIsNeverGivenBack) {
  LockFolder folder;
  write_semaphore(folder, R"(
if redis.call('zcard', KEYS[1]) >= 2 then return 0 end
redis.call('zadd', KEYS[1], ARGV[2], ARGV[1])
return 1
)",
                  "");
  folder.write("give.lua", "return 1");
  LockRun run(folder.folder().string());
  run.client("a", {"acquire; release"});
  run.run();
  EXPECT_EQ(run.verdict(checker::Property::permits), checker::VerdictKind::violated) << run.text();
}

TEST(StateOfTwoKeys, IsRefusedWhereTheSecondIsOnAnotherMaster) {
  LockFolder folder;
  write_lock_of_two_keys(folder, "return 1");
  folder.write("client.lua", R"(
local mutex = {}
function mutex.lock(lock)
  local node = client.node_of(lock.name)
  client.command(node, "SET", lock.name, client.owner(), "PX", 10000)
  client.command(node % client.nodes() + 1, "SET", lock.name .. ":second", client.owner(), "PX", 10000)
  return true
end
function mutex.unlock(lock) return true end
return mutex
)");
  LockRun run(folder.folder().string());
  run.scenario.redis.masters = 3;
  run.client("a", {"lock; unlock"});
  try {
    run.run();
    ADD_FAILURE() << "it was judged by half of its keys: " << run.text();
  } catch (const scenario::InputError& error) {
    EXPECT_NE(std::string(error.what()).find("the key 'lock:second' is judged on"),
              std::string::npos)
        << error.what();
  }
}

TEST(State, IsRefusedWhereItsKeysDoNotFit) {
  LockFolder folder;
  folder.write("client.lua", LockFolder::client_model(""));
  const auto complaint = [&](const std::string& state) {
    folder.write("lock.toml", manifest("[state]\nkey = \"{name}\"\n" + state));
    LockRun run(folder.folder().string());
    run.client("a", {"lock; unlock"});
    try {
      run.run();
    } catch (const scenario::InputError& error) {
      const std::string text = error.what();
      return text.substr(text.find("error: ") + 7);
    }
    return std::string("nothing");
  };
  EXPECT_EQ(complaint("shape = \"permits-in-use\"\n"),
            "it is not said how many permits there are of a state of shape 'permits-in-use', as in "
            "[state] permits = 3");
  EXPECT_EQ(complaint("shape = \"holds-by-owner\"\npermits = 3\n"),
            "'permits' of [state] says nothing of a state of shape 'holds-by-owner'; expected "
            "permits-in-use");
  EXPECT_EQ(complaint("shape = \"holds-by-owner\"\nreaders = \"{name}:r\"\n"),
            "'readers' of [state] says nothing of a state of shape 'holds-by-owner'; expected "
            "readers-and-writer");
  EXPECT_EQ(complaint("shape = \"permits-in-use\"\npermits = 3\nscores = \"begins\"\n"),
            "'permit_life' of [state] and scores = \"begins\" belong together; expected both");
}

// -- keys that are leases where nobody says so --

using Keys = std::vector<std::string>;

model::LockPackage loaded(const std::string& state) {
  LockFolder folder;
  folder.write("client.lua", "-- the client model");
  folder.write("lock.toml", "title = \"t\"\nclient = \"client.lua\"\n[state]\n" + state);
  scenario::Scenario scenario;
  scenario.path = "some/scenario.toml";
  scenario.lock = folder.folder().string();
  return model::load_lock(scenario, {scripts_folder()});
}

TEST(KeyOfTheState, IsALeaseWhereNobodySaysOtherwise) {
  EXPECT_EQ(loaded("key = 'l:{name}'\n").lease_keys, Keys{"l:{name}"});
  EXPECT_EQ(loaded("key = '{name}'\nshape = 'owner-token'\nalso = '{name}:b'\n").lease_keys,
            (Keys{"{name}", "{name}:b"}));
  EXPECT_EQ(loaded("key = '{name}'\n[keys]\npersistent = ['{name}:tokens']\n").lease_keys,
            Keys{"{name}"});
  EXPECT_EQ(loaded("key = '{name}'\n[keys]\nleases = ['x:{name}']\n").lease_keys, Keys{"x:{name}"});
  EXPECT_EQ(loaded("key = '{name}'\n[keys]\nleases = []\n").lease_keys, Keys{});
  EXPECT_EQ(loaded("key = '{name}'\n[keys]\npersistent = ['*']\n").lease_keys, Keys{});
  EXPECT_EQ(loaded("key = '{name}'\nshape = 'permits'\n").lease_keys, Keys{})
      << "a semaphore's number has no lease";
  EXPECT_EQ(
      loaded("key = '{name}'\nshape = 'readers-and-writer'\nreaders = '{name}:r'\n").lease_keys,
      Keys{})
      << "readers may each have a lease of their own";
}

TEST(KeyOfTheState, OfALockWithoutKeysIsLookedAtForLeaks) {
  LockFolder folder;
  folder.write("client.lua", R"(
local model = {}
function model.lock(lock)
  while not client.command(1, "SET", lock.name, client.owner(), "NX") do
    client.sleep(20)
  end
  return true
end
function model.unlock(lock) return client.command(1, "DEL", lock.name) == 1 end
return model
)");
  folder.write("lock.toml",
               "title = 't'\nclient = 'client.lua'\n[state]\nkey = '{name}'\n"
               "shape = 'owner-token'\n");
  LockRun run(folder.folder().string());
  run.client("a", {"lock; unlock"});
  run.run();
  EXPECT_EQ(run.verdict(checker::Property::no_leak), checker::VerdictKind::violated)
      << "its key never has a TTL\n"
      << run.text();
}

}  // namespace
}  // namespace lockstep::test::lock_state_keys
