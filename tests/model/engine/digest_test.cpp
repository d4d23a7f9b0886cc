// The digest of a state (model/engine/run_listeners.h): what has one digest has one future, and
// what comes again has its digest again.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "model/engine/engine.h"
#include "model/engine/run_listeners.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "tests/model/engine/continuations.h"
#include "tests/support/script_folder.h"
#include "tests/support/source_folder.h"

namespace lockstep::model::test {
namespace {

std::uint64_t more(const char* variable, std::uint64_t otherwise) {
  const char* const wanted = std::getenv(variable);
  return wanted != nullptr ? std::stoull(wanted) : otherwise;
}

/// Faults that strike in a future: of processes, networks, clocks and connections.
std::vector<scenario::FaultSpec> faults_of(const scenario::Scenario& scenario) {
  std::vector<scenario::FaultSpec> faults;
  const auto add = [&](scenario::FaultKind kind,
                       const std::string& target) -> scenario::FaultSpec& {
    scenario::FaultSpec& fault = faults.emplace_back();
    fault.kind = kind;
    fault.target = target;
    return fault;
  };
  const std::string& client = scenario.clients.front().name;
  add(scenario::FaultKind::pause, client).for_ns = 3 * sim::second_ns;
  add(scenario::FaultKind::pause, "n1").for_ns = 700 * sim::millisecond_ns;
  add(scenario::FaultKind::crash, client);
  add(scenario::FaultKind::crash, "n1");
  scenario::FaultSpec& cut = add(scenario::FaultKind::cut, client);
  cut.other = "n1";
  cut.for_ns = 4 * sim::second_ns;
  add(scenario::FaultKind::clock_step, "n1").by_ns = 900 * sim::millisecond_ns;
  return faults;
}

struct Story {
  const char* file;
  std::uint64_t rarely;  ///< one answer in so many is not the first
};

void PrintTo(const Story& story, std::ostream* out) { *out << story.file; }

class SameDigest : public testing::TestWithParam<Story> {};

TEST_P(SameDigest, HasTheSameFuture) {
  const std::string file = source_folder() + "/scenarios/" + GetParam().file;
  Engine engine({support::script_folder()});
  const scenario::Scenario scenario = scenario::load_scenario(file);
  const auto simulation = engine.prepare(scenario);
  const MergedStates meetings =
      find_merged_states(*simulation, {.ways = more("LOCKSTEP_DIGEST_WAYS", 5),
                                       .rarely = GetParam().rarely,
                                       .places_max = more("LOCKSTEP_DIGEST_PLACES", 3)});
  RecordProperty("steps", static_cast<int>(meetings.steps));
  RecordProperty("states", static_cast<int>(meetings.states));
  RecordProperty("merged", static_cast<int>(meetings.merged));
  EXPECT_FALSE(meetings.places.empty()) << "nothing was compared";
  const std::vector<scenario::FaultSpec> faults = faults_of(scenario);
  std::uint64_t seed = 100;
  for (const MergedPair& place : meetings.places) {
    ++seed;
    std::optional<ContinuationFault> fault;
    if (seed % 2 == 0) fault = ContinuationFault{faults[seed / 2 % faults.size()], seed % 5};
    const Continuation one = continuation_of(*simulation, place.one, seed, fault);
    const Continuation other = continuation_of(*simulation, place.other, seed, fault);
    EXPECT_EQ(difference(*simulation, one, other), "")
        << "after " << place.one.step << " and " << place.other.step << " events, seed " << seed
        << (fault ? ", " + fault->fault.describe() : "") << "; " << meetings.merged << " of "
        << meetings.steps << " steps merged";
  }
}

/// A digest remembers parts of the one before (what the client models' variables hold): it is the
/// same as one that has nothing to remember, being the first of its run.
TEST_P(SameDigest, IsTheSameWithoutTheOnesBefore) {
  class States final : public StepListener {
   public:
    /// All, or one.
    States(Simulation& simulation, std::optional<std::size_t> only)
        : simulation_(simulation), only_(only) {}
    Next before_step() override {
      const bool is_wanted = !only_ || *only_ == step_;
      states.push_back(is_wanted ? simulation_.digest() : StateDigest{});
      return only_ && *only_ == step_++ ? Next::end_run : Next::go_on;
    }
    std::vector<StateDigest> states;

   private:
    Simulation& simulation_;
    std::optional<std::size_t> only_;
    std::size_t step_ = 0;
  };
  Engine engine({support::script_folder()});
  const auto simulation =
      engine.prepare(scenario::load_scenario(source_folder() + "/scenarios/" + GetParam().file));
  const auto states_of = [&](std::optional<std::size_t> only) {
    States listener(*simulation, only);
    SparseChoices choices({}, 5, GetParam().rarely);
    simulation->set_step_listener(&listener);
    simulation->run(choices);
    simulation->set_step_listener(nullptr);
    return listener.states;
  };
  const std::vector<StateDigest> all = states_of(std::nullopt);
  ASSERT_FALSE(all.empty());
  const std::size_t places = more("LOCKSTEP_DIGEST_FRESH", 12);
  for (std::size_t i = 0; i < std::min(places, all.size()); ++i) {
    const std::size_t step = places >= all.size() ? i : i * all.size() / places;
    ASSERT_EQ(states_of(step).back(), all[step]) << "before event " << step;
  }
}

/// A client died with the lock, and nothing ever frees it: whoever polls comes back to the same
/// states, whatever the time.
constexpr std::string_view held_for_ever = R"(
title = "t"
lock = "setnx/setnx-then-expire"
expect = { holds = "mutual-exclusion" }
limits = { horizon = "60s" }
options = { value = "fixed", poll_jitter = "0s" }

[[client]]
name = "a"
run = ["lock lease=1s", "unlock"]

[[client]]
name = "b"
start = "10ms"
run = ["lock lease=1s", "unlock"]

[[fault]]
crash = "a"
when = "n1 executed setnx"
)";

TEST(Digest, ConvergesWhereSomebodyPollsForEver) {
  Engine engine({support::script_folder()});
  const auto simulation =
      engine.prepare(scenario::parse_scenario("test.toml", std::string(held_for_ever)));
  const MergedStates one = find_merged_states(
      *simulation, {.ways = 1, .rarely = UINT64_MAX, .places_max = 4, .steps_max = 2'000});
  EXPECT_GT(one.steps, 1'000U);
  EXPECT_LT(one.states, 100U);
  EXPECT_FALSE(one.places.empty());
  for (const MergedPair& place : one.places) {
    EXPECT_NE(place.one.step, place.other.step);
    EXPECT_EQ(difference(*simulation, continuation_of(*simulation, place.one, 7, {}),
                         continuation_of(*simulation, place.other, 7, {})),
              "");
  }
}

TEST(Digest, IsTheSameWhateverRanBefore) {
  const auto states_of = [](Engine& engine, const char* file) {
    const auto simulation =
        engine.prepare(scenario::load_scenario(source_folder() + "/scenarios/" + file));
    const Continuation future = continuation_of(*simulation, RunPrefix{}, 3, {});
    return future.states;
  };
  Engine fresh({support::script_folder()});
  Engine used({support::script_folder()});
  for (const char* file : {"fair/contention.toml", "redlock/contention.toml"}) {
    static_cast<void>(states_of(used, file));
  }
  const auto expected = states_of(fresh, "plain/contention.toml");
  EXPECT_EQ(states_of(used, "plain/contention.toml"), expected);
  EXPECT_EQ(states_of(used, "plain/contention.toml"), expected);
  EXPECT_GT(expected.size(), 50U);
}

/// Where a client model, or what it does, keeps a number that matters later and shows nowhere else.
struct Hiding {
  const char* name;
  const char* code;  ///< `secret` is 1 or 2
};

class Hidden : public testing::TestWithParam<Hiding> {};

TEST_P(Hidden, IsPartOfTheState) {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / "lockstep-digest-test";
  std::filesystem::create_directories(folder / "hiding");
  std::ofstream(folder / "hiding" / "lock.toml") << R"(
title = "t"
client = "client.lua"
promises = ["harm"]
[state]
key = "{name}"
shape = "holds-by-owner"
)";
  std::ofstream(folder / "hiding" / "client.lua") << R"(
local model, kept, made = {}, 0, {}
local function hide(lock, secret)
  )" << GetParam().code << R"(
end
local function rest(lock)
  client.sleep(50)
  client.log(kept)
end
function model.lock(lock)
  hide(lock, client.random(2))
  rest(lock)
  return true
end
function model.unlock(lock) return true end
return model
)";
  Engine engine({folder});
  const auto simulation = engine.prepare(scenario::parse_scenario("test.toml", R"(
title = "t"
lock = "hiding"
expect = { holds = "harm" }
[[client]]
name = "a"
run = ["lock", "unlock"]
)"));
  const auto states_with = [&](std::uint64_t secret) {
    class Choices final : public sim::ChoiceSource {
     public:
      explicit Choices(std::uint64_t secret) : secret_(secret) {}

     private:
      std::uint64_t draw(sim::Stream stream, std::uint64_t /*count*/) override {
        return stream.purpose == sim::Purpose::client_random ? secret_ : 0;
      }
      std::uint64_t secret_;
    } choices(secret);
    class States final : public StepListener {
     public:
      explicit States(Simulation& simulation) : simulation_(simulation) {}
      Next before_step() override {
        states.push_back(simulation_.digest());
        return Next::go_on;
      }
      std::vector<StateDigest> states;

     private:
      Simulation& simulation_;
    } listener(*simulation);
    simulation->set_step_listener(&listener);
    const RunResult& result = simulation->run(choices);
    simulation->set_step_listener(nullptr);
    EXPECT_TRUE(result.client_failures.empty())
        << (result.client_failures.empty() ? "" : result.client_failures.front());
    return listener.states;
  };
  const std::vector<StateDigest> ones = states_with(0);
  const std::vector<StateDigest> twos = states_with(1);
  ASSERT_GE(ones.size(), 2U);
  ASSERT_GE(twos.size(), 2U);
  EXPECT_EQ(ones.front(), twos.front());
  EXPECT_NE(ones.back(), twos.back());
  EXPECT_EQ(states_with(0), ones);
}

INSTANTIATE_TEST_SUITE_P(
    Places, Hidden,
    testing::Values(
        Hiding{"Upvalue", "kept = secret"}, Hiding{"Field", "lock.hidden = secret"},
        Hiding{"State", "client.state.hidden = {deep = {secret}}"},
        Hiding{"Key", "made[secret] = true"}, Hiding{"KindOfNumber", "kept = secret / 2"},
        Hiding{"OtherFunction",
               "made.f = secret == 1 and function() return 1 end or function() return 2 end"},
        Hiding{"UpvalueOfAnother", "made.f = function() return secret end"},
        Hiding{"Metatable", "setmetatable(made, {__index = {secret}})"},
        Hiding{"Sharing", "made[1] = {}; made[2] = secret == 1 and made[1] or {}"},
        Hiding{"Slot",
               "client.spawn('t', function() local mine = secret; client.sleep(70); "
               "client.log(mine) end)"},
        Hiding{"Argument",
               "client.spawn('t', function(...) client.sleep(70); client.log(...) end, "
               "secret)"},
        Hiding{"Timer", "client.spawn('t', function() client.sleep(70 * secret) end)"},
        Hiding{"Permits", "client.signal('s', secret)"},
        Hiding{"Value", "client.command(1, 'SET', 'k', secret)"},
        Hiding{"Life", "client.command(1, 'SET', 'k', 'x', 'PX', 100000 * secret)"},
        Hiding{"HashField", "client.command(1, 'HSET', 'k', 'f', secret)"},
        Hiding{"ListItem", "client.command(1, 'RPUSH', 'k', 'x', secret)"},
        Hiding{"Score", "client.command(1, 'ZADD', 'k', secret, 'm')"},
        Hiding{"Member", "client.command(1, 'SADD', 'k', 'x' .. secret)"},
        Hiding{"NameOfConnection", "client.command(1, 'CLIENT', 'SETNAME', 'n' .. secret)"},
        Hiding{"Setting", "client.command(1, 'CONFIG', 'SET', 'hz', 9 + secret)"}),
    [](const auto& name) { return std::string(name.param.name); });

INSTANTIATE_TEST_SUITE_P(
    Scenarios, SameDigest,
    testing::Values(Story{"plain/contention.toml", 16}, Story{"plain/watchdog.toml", 8},
                    Story{"spin/contention.toml", 16}, Story{"setnx/contention.toml", 32},
                    Story{"fair/contention.toml", 16}, Story{"redlock/contention.toml", 64},
                    Story{"semaphore/crash-of-holder.toml", 8},
                    Story{"semaphore/mixed-wishes.toml", 8}, Story{"readwrite/contention.toml", 32},
                    Story{"latch/opens-at-zero.toml", 8}, Story{"faults/pause.toml", 8},
                    Story{"faults/reorder.toml", 64}, Story{"faults/power-loss.toml", 8},
                    Story{"faults/lag.toml", 8}, Story{"faults/lease-end.toml", 8},
                    Story{"faults/interrupt.toml", 8}, Story{"connections/one-in-order.toml", 16},
                    Story{"connections/pool-of-one.toml", 16},
                    Story{"sentinel/failover-while-held.toml", 256},
                    Story{"cluster/failover-before-replication.toml", 256}),
    [](const auto& name) {
      std::string text;
      for (const char letter : std::string(name.param.file)) {
        text += std::isalnum(static_cast<unsigned char>(letter)) != 0 ? letter : '_';
      }
      return text;
    });

}  // namespace
}  // namespace lockstep::model::test
