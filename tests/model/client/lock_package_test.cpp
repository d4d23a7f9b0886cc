// Loading locks from folders: what is found, what overlays what, and what is complained of.
#include "model/lock/lock_package.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "checker/property.h"
#include "lock_folder.h"
#include "lock_run.h"
#include "model/lock/loaded_locks.h"
#include "scenario/options.h"
#include "scenario/text/input_error.h"

namespace lockstep::model {
namespace {

using test::LockFolder;

scenario::Scenario scenario_for(std::string lock) {
  scenario::Scenario scenario;
  scenario.path = "some/scenario.toml";
  scenario.lock = std::move(lock);
  scenario.lock_place = {"some/scenario.toml", 3, 8};
  return scenario;
}

LockPackage load_own(const LockFolder& folder, const std::string& lock = "own") {
  return load_lock(scenario_for(lock), {folder.folders(), test::scripts_folder()});
}

/// The complaint about the test's own lock, with the folder's path taken out.
std::string complaint(const LockFolder& folder, const scenario::Scenario& scenario) {
  try {
    static_cast<void>(load_lock(scenario, {folder.folders(), test::scripts_folder()}));
  } catch (const scenario::InputError& error) {
    std::string text = error.what();
    const std::string path = folder.folder().string() + "/";
    for (std::size_t at = text.find(path); at != std::string::npos; at = text.find(path)) {
      text.erase(at, path.size());
    }
    return text;
  }
  return "nothing";
}

TEST(LockPackage, KnowsTheLocksOfThisRepository) {
  const std::vector<std::string> names = list_locks({test::scripts_folder()});
  const std::vector<std::string> expected = {"fenced",
                                             "plain",
                                             "plain/oldest",
                                             "plain/timer-per-lock",
                                             "plain/unlatched",
                                             "plain/wait-uncompensated",
                                             "setnx",
                                             "setnx/delete-without-token",
                                             "setnx/fixed-value",
                                             "setnx/get-then-del",
                                             "setnx/setnx-then-expire",
                                             "setnx/timestamp"};
  for (const std::string& name : expected) {
    EXPECT_TRUE(std::find(names.begin(), names.end(), name) != names.end()) << name;
  }
  for (const std::string& name : names) {
    const LockPackage package = load_lock(scenario_for(name), {test::scripts_folder()});
    EXPECT_FALSE(package.title.empty()) << name;
    EXPECT_FALSE(package.promises.empty()) << name;
  }
}

TEST(LockPackage, HasWhatLockTomlSays) {
  const LockPackage plain = load_lock(scenario_for("plain"), {test::scripts_folder()});
  EXPECT_EQ(plain.name, "plain");
  EXPECT_EQ(plain.variant, "");
  EXPECT_EQ(plain.state_key, "{name}");
  EXPECT_EQ(plain.state_shape, StateShape::holds_by_owner);
  EXPECT_EQ(plain.number_option("watchdog_lease_ms"), 30'000);
  EXPECT_EQ(plain.number_option("timeout_ms"), 3'000) << "what every lock has";
  EXPECT_EQ(std::get<std::string>(plain.options->at("release")), "latched");
  ASSERT_NE(plain.script("acquire"), nullptr);
  EXPECT_NE(plain.script("acquire")->body.find("hincrby"), std::string::npos);
  EXPECT_EQ(plain.script("no such"), nullptr);
  const LockPackage setnx = load_lock(scenario_for("setnx"), {test::scripts_folder()});
  EXPECT_EQ(setnx.state_shape, StateShape::owner_token);
  EXPECT_EQ(plain.reentry, checker::Reentry::counted);
  EXPECT_EQ(setnx.reentry, checker::Reentry::refused);
}

TEST(LockPackage, PromisesOnlyWhatCanBeJudged) {
  const auto complaint_about = [](const std::string& promises, const std::string& state) {
    LockFolder folder;
    folder.write("client.lua", "-- the client model");
    folder.write("lock.toml", "title = \"t\"\nclient = \"client.lua\"\npromises = [" + promises +
                                  "]\n[state]\nkey = \"{name}\"\n" + state);
    return complaint(folder, scenario_for(folder.folder().string()));
  };
  EXPECT_EQ(
      complaint_about("\"permits\"", "shape = \"owner-token\""),
      "lock.toml:3:14: error: it promises 'permits', which says nothing of a lock whose state is "
      "'owner-token' (it may promise mutual-exclusion, valid-grant, lease-linearizability, "
      "harm, hold-count, no-leak, fencing, no-deadlock, no-lost-wakeup, no-starvation and "
      "truthful-answers)");
  EXPECT_EQ(complaint_about("\"fifo\"", "queue = \"q:{name}\"\ndeadlines = \"d:{name}\""),
            "nothing");
}

TEST(LockPackage, AVariantOverlaysTheLock) {
  const LockPackage package = load_lock(scenario_for("plain/unlatched"), {test::scripts_folder()});
  EXPECT_EQ(package.variant, "unlatched");
  EXPECT_EQ(std::get<std::string>(package.options->at("release")), "unlatched");
  EXPECT_EQ(package.script("release")->body.find("latch"), std::string::npos);
  EXPECT_NE(package.script("acquire"), nullptr) << "what it does not name stays";
}

TEST(LockPackage, ALockOverlaysItsBase) {
  const LockPackage package = load_lock(scenario_for("fenced"), {test::scripts_folder()});
  EXPECT_EQ(package.name, "fenced");
  EXPECT_NE(package.client_path.find("plain/client.lua"), std::string::npos);
  EXPECT_NE(package.script("acquire")->body.find("incr"), std::string::npos);
  EXPECT_NE(package.script("release")->path.find("plain/release.lua"), std::string::npos);
  EXPECT_EQ(std::get<bool>(package.options->at("fencing")), true);
  EXPECT_EQ(package.persistent_keys, std::vector<std::string>{"redisson_lock_token:{{name}}"});
}

TEST(LockPackage, ABaseMayBeAVariantAndBeNamedByItsPath) {
  LockFolder folder;
  folder.write("lock.toml", "base = \"./inner/slow\"\n");
  folder.write("inner/client.lua", "-- the client model");
  folder.write("inner/lock.toml", std::string(LockFolder::lock_toml) +
                                      "[options]\nspeed = 3\n[variants.slow.options]\nspeed = 1\n");
  const LockPackage package = load_own(folder);
  EXPECT_EQ(package.number_option("speed"), 1);
  EXPECT_EQ(package.client_source, "-- the client model");
}

// Locks that are copied together stay together.
TEST(LockPackage, OfTwoBasesWithOneNameTheOneBesideItCounts) {
  LockFolder folder;
  folder.write("inner/mine/lock.toml", "base = \"plain\"\n");
  folder.write("inner/plain/client.lua", "-- the client model");
  folder.write("inner/plain/lock.toml", std::string(LockFolder::lock_toml));
  const LockPackage package =
      load_lock(scenario_for(folder.file("inner/mine")), {test::scripts_folder()});
  EXPECT_EQ(package.client_source, "-- the client model");
}

TEST(LockPackage, AScenarioOverridesOptionsAndScripts) {
  LockFolder folder;
  folder.write("mine.lua", "return 7");
  scenario::Scenario scenario = scenario_for("plain");
  scenario.path = folder.file("scenario.toml");
  scenario.options["watchdog_lease_ms"] = std::int64_t{5'000};
  scenario.options["release"] = std::string("unlatched");
  scenario.scripts["release"] = folder.file("mine.lua");
  const LockPackage package = load_lock(scenario, {test::scripts_folder()});
  EXPECT_EQ(package.number_option("watchdog_lease_ms"), 5'000);
  EXPECT_EQ(package.script("release")->body, "return 7");
}

TEST(LockPackage, IsFoundByAPathRelativeToTheScenario) {
  LockFolder folder;
  folder.write("client.lua", "-- the client model");
  folder.write("lock.toml",
               std::string(LockFolder::lock_toml) + "[variants.other]\ntitle = \"o\"\n");
  scenario::Scenario scenario = scenario_for("../locks/own/other");
  scenario.path = (folder.folders().parent_path() / "scenarios" / "one.toml").string();
  const LockPackage package = load_lock(scenario, {});
  EXPECT_EQ(package.title, "o");
  scenario.lock = folder.folder().string();
  EXPECT_EQ(load_lock(scenario, {}).title, "A test's own");
}

TEST(LockPackage, DurationsBecomeMilliseconds) {
  LockFolder folder;
  folder.write("client.lua", "");
  folder.write("lock.toml", std::string(LockFolder::lock_toml) +
                                "[options]\nlease = \"1.5s\"\nword = \"five\"\ncount = 5\n");
  const LockPackage package = load_own(folder);
  EXPECT_EQ(package.number_option("lease_ms"), 1'500);
  EXPECT_EQ(std::get<std::string>(package.options->at("word")), "five");
  EXPECT_FALSE(package.options->contains("lease"));
}

TEST(LockPackage, ComplainsOfAnUnknownLockOrVariantWithTheNearestName) {
  LockFolder folder;
  const std::string lock = complaint(folder, scenario_for("plian"));
  EXPECT_EQ(lock,
            "some/scenario.toml:3:8: error: unknown lock 'plian'; did you mean "
            "'plain' (The reentrant lock, as Redisson has it today: RLock, RedissonLock)?");
  const std::string unlike = complaint(folder, scenario_for("zzzzzzzz"));
  EXPECT_TRUE(unlike.ends_with("unknown lock 'zzzzzzzz'; 'lockstep list locks' has them"))
      << unlike;
  const std::string another = complaint(folder, scenario_for("RedissonFairLock"));
  EXPECT_NE(another.find("; did you mean 'fair' (The FIFO lock, as Redisson has it"),
            std::string::npos)
      << another;
  const std::vector<std::pair<std::string, std::string>> classes = {
      {"RLock", "plain"},
      {"RFairLock", "fair"},
      {"RReadWriteLock", "readwrite"},
      {"RSemaphore", "semaphore"},
      {"RCountDownLatch", "latch"},
      {"RMultiLock", "multi"},
      {"RFencedLock", "fenced"},
      {"RSpinLock", "spin"},
      {"RedissonRedLock", "redisson-redlock"},
      {"ShedLock", "setnx"}};
  for (const auto& [name, meant] : classes) {
    const std::string message = complaint(folder, scenario_for(name));
    EXPECT_NE(message.find("; did you mean '" + meant + "' ("), std::string::npos) << message;
  }
  const std::string variant = complaint(folder, scenario_for("plain/unlached"));
  EXPECT_NE(variant.find("scenario.toml:3:8: error: unknown variant of this lock, 'unlached'; did "
                         "you mean 'unlatched'?"),
            std::string::npos)
      << variant;
  const std::string path = complaint(folder, scenario_for("./nowhere"));
  EXPECT_NE(path.find("there is no lock in 'some/nowhere'"), std::string::npos) << path;
}

TEST(LockPackage, SaysHowItsLibraryConnects) {
  const LockPackage plain = load_lock(scenario_for("plain"), {test::scripts_folder()});
  EXPECT_EQ(std::get<std::string>(plain.options->at("connection")), "pool");
  EXPECT_EQ(plain.number_option("pool_size"), 64);
  LockFolder folder;
  folder.write("client.lua", "");
  const LockPackage own = load_own(folder);
  EXPECT_EQ(std::get<std::string>(own.options->at("connection")), "pool")
      << "where it says nothing";
  EXPECT_EQ(own.number_option("pool_size"), 0) << "without an end";
  folder.write("lock.toml", std::string(LockFolder::lock_toml) +
                                "[options]\nconnection = \"one\"\nreconnect = \"queue\"\n"
                                "[variants.pooled.options]\nconnection = \"pool\"\n"
                                "pool_size = 3\npool_timeout = \"4s\"\n");
  EXPECT_EQ(std::get<std::string>(load_own(folder).options->at("reconnect")), "queue");
  EXPECT_EQ(load_own(folder, "own/pooled").number_option("pool_timeout_ms"), 4'000);
}

TEST(LockPackage, ComplainsOfOptionsOfAnotherSortOfConnection) {
  LockFolder folder;
  folder.write("client.lua", "");
  const auto complaint_of = [&](const std::string& options) {
    folder.write("lock.toml", std::string(LockFolder::lock_toml) + "[options]\n" + options);
    return complaint(folder, scenario_for("own"));
  };
  EXPECT_EQ(complaint_of("connection = \"two\"\n"),
            "lock.toml:7:14: error: unknown value of 'connection', 'two' (there are one and pool)");
  EXPECT_EQ(complaint_of("connection = \"one\"\nreconnect = \"retry\"\n"),
            "lock.toml:8:13: error: unknown value of 'reconnect', 'retry' (there are resend, "
            "queue and drop)");
  EXPECT_EQ(complaint_of("connection = \"one\"\npool_size = 8\n"),
            "lock.toml:8:13: error: 'pool_size' says nothing where connection = \"one\"; expected "
            "connection = \"pool\" with it");
  EXPECT_EQ(complaint_of("reconnect = \"drop\"\n"),
            "lock.toml:7:13: error: 'reconnect' says nothing where connection = \"pool\"; expected "
            "connection = \"one\" with it");
  EXPECT_EQ(complaint_of("pool_size = -1\n"),
            "lock.toml:7:13: error: 'pool_size' is -1; expected at least 0");
  EXPECT_EQ(complaint_of("pool_timeout = \"0s\"\n"), "nothing");
}

TEST(LockPackage, HasOtherOptionsForSingleClients) {
  LockFolder folder;
  scenario::Scenario scenario = scenario_for("plain");
  scenario.options["timeout_ms"] = std::int64_t{500};
  scenario.clients.resize(2);
  scenario.clients[0].name = "a";
  scenario.clients[1].name = "b";
  scenario.clients[1].options["connection"] = std::string("one");
  scenario.clients[1].option_places["connection"] = {"some/scenario.toml", 9, 1};
  const LockPackage package = load_lock(scenario, {test::scripts_folder()});
  EXPECT_EQ(std::get<std::string>(package.options_of("a").at("connection")), "pool");
  EXPECT_EQ(std::get<std::string>(package.options_of("b").at("connection")), "one");
  EXPECT_EQ(std::get<std::int64_t>(package.options_of("b").at("timeout_ms")), 500);
  scenario.clients[1].options["conection"] = std::string("one");
  scenario.clients[1].option_places["conection"] = {"some/scenario.toml", 10, 1};
  EXPECT_NE(complaint(folder, scenario)
                .find("some/scenario.toml:10:1: error: unknown option 'conection'; did you mean "
                      "'connection'?"),
            std::string::npos)
      << complaint(folder, scenario);
}

TEST(LockPackage, ComplainsOfANumberThatTheClientModelReadsAsADuration) {
  LockFolder folder;
  folder.write("lock.toml", std::string(LockFolder::lock_toml) + "[options]\nwait = 5\n");
  folder.write("client.lua", "local wait_ms = lock.options.wait_ms");
  EXPECT_EQ(complaint(folder, scenario_for("own")),
            "lock.toml:7:8: error: 'wait' is a whole number, and the client model reads it as "
            "options.wait_ms; expected a duration in quotes, as in \"1500ms\"");
  folder.write("client.lua", "local wait_ms = lock.options.wait");
  EXPECT_EQ(complaint(folder, scenario_for("own")), "nothing");
}

TEST(LockPackage, TakesHashTagsOfTheLocksOwn) {
  LockFolder folder;
  folder.write("client.lua", "");
  folder.write("lock.toml",
               "title = \"t\"\nclient = \"client.lua\"\n[state]\nkey = \"{shop}:{name}\"\n"
               "[keys]\nleases = [\"{{name}}:*\", \"all\", \"{shops}:all\", \"{game}:{name}\"]\n");
  EXPECT_EQ(complaint(folder, scenario_for("own")), "nothing");
}

TEST(LockPackage, TakesWordsThatBeginWithADigit) {
  LockFolder folder;
  folder.write("client.lua", "");
  folder.write("lock.toml",
               "title = \"t\"\nclient = \"client.lua\"\n[state]\nkey = \"{name}\"\n[options]\n"
               "server = \"7.2\"\nmode = \"2-phase\"\n");
  EXPECT_EQ(complaint(folder, scenario_for("own")), "nothing");
}

TEST(LockPackage, RefusesCompiledLua) {
  LockFolder folder;
  folder.write("client.lua", "\x1BLua");
  EXPECT_EQ(complaint(folder, scenario_for("own")),
            "client.lua:1:1: error: this is compiled Lua; expected its source");
}

TEST(LockPackage, ComplainsOfUnknownOptionsAndScriptsOfAScenario) {
  LockFolder folder;
  scenario::Scenario scenario = scenario_for("setnx");
  scenario.options["poll_sm"] = std::int64_t{1};
  scenario.option_places["poll_sm"] = {"some/scenario.toml", 9, 1};
  EXPECT_NE(complaint(folder, scenario)
                .find("some/scenario.toml:9:1: error: unknown option 'poll_sm'; did you mean "
                      "'poll_ms'?"),
            std::string::npos)
      << complaint(folder, scenario);
  scenario = scenario_for("setnx");
  scenario.options["poll_ms"] = std::string("often");
  EXPECT_EQ(complaint(folder, scenario),
            "some/scenario.toml: error: option 'poll_ms' is a word in quotes; expected a whole "
            "number");
  scenario = scenario_for("setnx");
  scenario.options["release"] = std::string("scrip");
  EXPECT_EQ(complaint(folder, scenario),
            "some/scenario.toml: error: unknown value of 'release', 'scrip'; did you mean "
            "'script'? (there are script, get-then-del and del)");
  scenario = scenario_for("setnx");
  scenario.options["timeout_ms"] = std::int64_t{0};
  EXPECT_EQ(complaint(folder, scenario),
            "some/scenario.toml: error: 'timeout_ms' is 0; expected at least 1");
  scenario = scenario_for("setnx");
  scenario.scripts["relase"] = "x.lua";
  EXPECT_NE(complaint(folder, scenario).find("unknown script 'relase'; did you mean 'release'?"),
            std::string::npos);
}

struct WrongFile {
  const char* name;
  const char* toml;
  const char* complaint;
};

class WrongLockFile : public ::testing::TestWithParam<WrongFile> {};

TEST_P(WrongLockFile, IsRefusedWithItsPlace) {
  LockFolder folder;
  folder.write("client.lua", "");
  folder.write("lock.toml", GetParam().toml);
  const std::string text = complaint(folder, scenario_for("own"));
  EXPECT_EQ(text.substr(0, std::string(GetParam().complaint).size()), GetParam().complaint) << text;
}

INSTANTIATE_TEST_SUITE_P(
    LockPackage, WrongLockFile,
    ::testing::Values(
        WrongFile{"UnknownKey", "titel = \"t\"\n",
                  "lock.toml:1:1: error: unknown key 'titel'; did you mean 'title'?"},
        WrongFile{"NoToml", "title = \n", "lock.toml:1:"},
        WrongFile{"NoTitle", "client = \"client.lua\"\n", "lock.toml:1:1: error: "},
        WrongFile{"NoClient", "title = \"t\"\n", "lock.toml:1:1: error: "},
        WrongFile{"NoState", "title = \"t\"\nclient = \"client.lua\"\n",
                  "lock.toml:1:1: error: it is not said which key shows who holds the lock"},
        WrongFile{"ClientMissing",
                  "title = \"t\"\nclient = \"clinet.lua\"\n[state]\nkey = \"{name}\"\n",
                  "lock.toml:2:11: error: there is no file 'clinet.lua'"},
        WrongFile{"ScriptMissing",
                  "title = \"t\"\nclient = \"client.lua\"\n[state]\nkey = \"{name}\"\n"
                  "[scripts]\nacquire = \"a.lua\"\n",
                  "lock.toml:6:12: error: there is no file 'a.lua'"},
        WrongFile{"Promise",
                  "title = \"t\"\nclient = \"client.lua\"\npromises = [\"mutual-exlusion\"]\n",
                  "lock.toml:3:14: error: unknown property 'mutual-exlusion'; did you mean "
                  "'mutual-exclusion'?"},
        WrongFile{"Shape",
                  "title = \"t\"\nclient = \"client.lua\"\n[state]\nkey = \"{name}\"\n"
                  "shape = \"owner-tokn\"\n",
                  "lock.toml:5:10: error: unknown shape 'owner-tokn'; did you mean 'owner-token'?"},
        WrongFile{"Reentry",
                  "title = \"t\"\nclient = \"client.lua\"\n[state]\nkey = \"{name}\"\n"
                  "reentry = \"refussed\"\n",
                  "lock.toml:5:12: error: unknown reentry 'refussed'; did you mean 'refused'?"},
        WrongFile{
            "Nodes",
            "title = \"t\"\nclient = \"client.lua\"\n[state]\nkey = \"{name}\"\n"
            "nodes = \"quorom\"\n",
            "lock.toml:5:10: error: unknown choice of nodes 'quorom'; did you mean 'quorum'?"},
        WrongFile{"Refusals",
                  "title = \"t\"\nclient = \"client.lua\"\n[state]\nkey = \"{name}\"\n"
                  "refusals = true\n",
                  "lock.toml:5:12: error: 'refusals' is true or false; expected a string"},
        WrongFile{"QuorumOfPermits",
                  "title = \"t\"\nclient = \"client.lua\"\n[state]\nkey = \"{name}\"\n"
                  "shape = \"permits\"\nnodes = \"quorum\"\n",
                  "lock.toml:6:9: error: a state of shape 'permits' can't be a quorum's; expected "
                  "holds-by-owner or owner-token"},
        WrongFile{"QueueOfReaders",
                  "title = \"t\"\nclient = \"client.lua\"\n[state]\nkey = \"{name}\"\n"
                  "shape = \"readers-and-writer\"\nqueue = \"q\"\ndeadlines = \"d\"\n",
                  "lock.toml:6:9: error: a state of shape 'readers-and-writer' has no queue"},
        WrongFile{"QueueWithoutDeadlines",
                  "title = \"t\"\nclient = \"client.lua\"\n[state]\nkey = \"{name}\"\n"
                  "queue = \"q\"\n",
                  "lock.toml:5:9: error: 'queue' and 'deadlines' of [state] belong together"},
        WrongFile{"LibraryMissing",
                  "title = \"t\"\nclient = \"client.lua\"\n[state]\nkey = \"{name}\"\n"
                  "[libraries]\nhelp = \"halp.lua\"\n",
                  "lock.toml:6:9: error: there is no file 'halp.lua'"},
        WrongFile{"LibraryNoPath",
                  "title = \"t\"\nclient = \"client.lua\"\n[state]\nkey = \"{name}\"\n"
                  "[libraries]\nhelp = 5\n",
                  "lock.toml:6:8: error: 'help' is a whole number"},
        WrongFile{"FlawOfALock", "title = \"t\"\nclient = \"client.lua\"\nflaw = \"none\"\n",
                  "lock.toml:3:1: error: unknown key 'flaw'"},
        WrongFile{"VariantOption",
                  "title = \"t\"\nclient = \"client.lua\"\n[state]\nkey = \"{name}\"\n[options]\n"
                  "speed = 1\n[variants.v.options]\nspede = 2\n",
                  "lock.toml:8:9: error: unknown option 'spede'; did you mean 'speed'?"},
        WrongFile{"VariantDuration",
                  "title = \"t\"\nclient = \"client.lua\"\n[state]\nkey = \"{name}\"\n[options]\n"
                  "speed = \"1s\"\n[variants.v.options]\nspede = \"2s\"\n",
                  "lock.toml:8:9: error: unknown option 'spede'; did you mean 'speed'?"},
        WrongFile{"OptionType", "title = \"t\"\nclient = \"client.lua\"\n[options]\nspeed = 1.5\n",
                  "lock.toml:4:9: error: 'speed' is a number with a fraction; expected"},
        WrongFile{"OptionBelowMilliseconds",
                  "title = \"t\"\nclient = \"client.lua\"\n[options]\nspeed = \"5us\"\n",
                  "lock.toml:4:10: error: a client model counts milliseconds; '5us'"},
        WrongFile{
            "Placeholder", "title = \"t\"\nclient = \"client.lua\"\n[state]\nkey = \"l:{nam}\"\n",
            "lock.toml:4:10: error: unknown placeholder '{nam}'; expected {name}, or {{name}} "},
        WrongFile{"OpenPlaceholder",
                  "title = \"t\"\nclient = \"client.lua\"\n[state]\nkey = \"{{name}\"\n",
                  "lock.toml:4:8: error: a brace is open in '{{name}'; expected {name}"},
        WrongFile{"PlaceholderBesideTheName",
                  "title = \"t\"\nclient = \"client.lua\"\n[state]\nkey = \"{name}\"\n[keys]\n"
                  "leases = [\"{name}\", \"{name}:{nmae}\"]\n",
                  "lock.toml:6:29: error: unknown placeholder '{nmae}'"},
        WrongFile{"WordThatIsNoPlaceholder",
                  "title = \"t\"\nclient = \"client.lua\"\n[state]\nkey = \"{lock}\"\n",
                  "lock.toml:4:8: error: unknown placeholder '{lock}'"},
        WrongFile{"NoKeyOfState", "title = \"t\"\nclient = \"client.lua\"\n[state]\n",
                  "lock.toml:3:2: error: it is not said which key shows who holds the lock"},
        WrongFile{"ScriptIsAFolder",
                  "title = \"t\"\nclient = \"client.lua\"\n[state]\nkey = \"{name}\"\n"
                  "[scripts]\nacquire = \".\"\n",
                  "lock.toml:6:12: error: '.' is a folder; expected a file"},
        WrongFile{
            "VariantsScriptMissing",
            "title = \"t\"\nclient = \"client.lua\"\n[state]\nkey = \"{name}\"\n"
            "[scripts]\nacquire = \"client.lua\"\n[variants.v.scripts]\nacquire = \"b.lua\"\n",
            "lock.toml:8:12: error: there is no file 'b.lua'"},
        WrongFile{
            "ChoicesOfNoOption",
            "title = \"t\"\nclient = \"client.lua\"\n[state]\nkey = \"{name}\"\n[options]\n"
            "mode = \"a\"\n[choices]\nmoed = [\"a\"]\n",
            "lock.toml:8:1: error: [options] has no word called 'moed'; did you mean 'mode'?"},
        WrongFile{"NoChoices", "title = \"t\"\nclient = \"client.lua\"\n[choices]\nmode = []\n",
                  "lock.toml:4:8: error: 'mode' is empty; expected the words"},
        WrongFile{"CommonDurationAsNumber",
                  "title = \"t\"\nclient = \"client.lua\"\n[options]\ntimeout = 5\n[state]\n"
                  "key = \"{name}\"\n",
                  "lock.toml:4:11: error: option 'timeout' is no duration; expected one in quotes"},
        WrongFile{
            "CommonNumberAsDuration",
            "title = \"t\"\nclient = \"client.lua\"\n[options]\npool_size = \"5s\"\n[state]\n"
            "key = \"{name}\"\n",
            "lock.toml:4:13: error: option 'pool_size' is a duration; expected a whole number"},
        WrongFile{"NearlyADuration",
                  "title = \"t\"\nclient = \"client.lua\"\n[options]\nwait = \"5 sec\"\n[state]\n"
                  "key = \"{name}\"\n",
                  "lock.toml:4:8: error: '5 sec' is neither a duration, as \"1500ms\", nor"},
        WrongFile{"UnknownBase", "base = \"plane\"\n",
                  "lock.toml:1:9: error: unknown lock 'plane'; did you mean 'plain' (The "},
        WrongFile{"BaseOfItself", "base = \"own\"\n",
                  "lock.toml:1:9: error: these locks build on each other"}),
    [](const auto& parameter) { return std::string(parameter.param.name); });

// -- loaded locks --

scenario::Scenario scenario_of(const LockFolder& folder) {
  scenario::Scenario scenario;
  scenario.lock = folder.folder().string();
  return scenario;
}

TEST(LoadedLocks, AreReadOnce) {
  const LockFolder folder;
  folder.write("client.lua", "-- old");
  LoadedLocks locks({});
  EXPECT_EQ(locks.load(scenario_of(folder)).client_source, "-- old");
  folder.write("client.lua", "-- new");
  EXPECT_EQ(locks.load(scenario_of(folder)).client_source, "-- old");
  EXPECT_EQ(LoadedLocks({}).load(scenario_of(folder)).client_source, "-- new");
}

TEST(LoadedLocks, AreOthersWithOtherOptions) {
  const LockFolder folder;
  folder.write("client.lua", "");
  LoadedLocks locks({});
  scenario::Scenario scenario = scenario_of(folder);
  scenario.clients.emplace_back().name = "a";
  const auto timeout = [&](std::string_view client) {
    return std::get<std::int64_t>(
        locks.load(scenario).options_of(client).find("timeout_ms")->second);
  };
  EXPECT_EQ(timeout("a"), 3000);
  scenario.options["timeout_ms"] = std::int64_t{50};
  EXPECT_EQ(timeout("a"), 50);
  scenario.clients[0].options["timeout_ms"] = std::int64_t{70};
  EXPECT_EQ(timeout("a"), 70);
  EXPECT_EQ(timeout("b"), 50);
  scenario.clients[0].name = "b";
  EXPECT_EQ(timeout("a"), 50);
  EXPECT_EQ(timeout("b"), 70);
}

TEST(LoadedLocks, AreTriedAgainWhereTheyWereRefused) {
  const LockFolder folder;
  LoadedLocks locks({});
  EXPECT_THROW(static_cast<void>(locks.load(scenario_of(folder))), scenario::InputError);
  folder.write("client.lua", "-- mended");
  EXPECT_EQ(locks.load(scenario_of(folder)).client_source, "-- mended");
}

TEST(LoadedLocks, ForgetTheOnesUsedLongestAgo) {
  const LockFolder folder;
  folder.write("client.lua", "-- old");
  LoadedLocks locks({});
  const auto source = [&](std::int64_t timeout) {
    scenario::Scenario scenario = scenario_of(folder);
    scenario.options["timeout_ms"] = timeout;
    return locks.load(scenario).client_source;
  };
  for (std::int64_t i = 1; i <= 16; ++i) EXPECT_EQ(source(i), "-- old");
  EXPECT_EQ(source(1), "-- old");
  folder.write("client.lua", "-- new");
  EXPECT_EQ(source(17), "-- new");
  EXPECT_EQ(source(1), "-- old");
  EXPECT_EQ(source(2), "-- new");
}

}  // namespace
}  // namespace lockstep::model
