// Exhaustive search: merging states changes no verdict, waves and interruptions change nothing at
// all, and what is found has the fewest faults and breaks again with them written out.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "checker/history.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "scenario/file/scenario_file.h"
#include "scenario/text/input_error.h"
#include "search/explore/certificate.h"
#include "search/explore/exploration.h"
#include "search/explore/exploration_file.h"
#include "search/explore/path_runner.h"
#include "search/runs/seed_runs.h"
#include "sim/recorded_choices.h"
#include "tests/search/explore_all.h"
#include "tests/support/script_folder.h"
#include "tests/support/source_folder.h"

namespace lockstep::search::explore_test {
namespace {

using checker::Property;
using AfterFinding = Exploration::Plan::AfterFinding;

std::string scenario_text(const std::string& lock, const std::string& steps,
                          const std::string& more) {
  return "title  = \"t\"\nlock   = \"" + lock +
         "\"\nexpect = { holds = [\"mutual-exclusion\"] }\n" + more +
         "\n[[client]]\nname  = \"w\"\ncount = 2\nrun   = [" + steps + "]\n";
}

std::string with_faults(const std::string& kinds) {
  return "faults = [" + kinds + "]\n[budget]\nfaults = 1\n";
}

const std::string once = R"("try_lock lease=2s", "unlock")";
/// One begins when the other's lease is over.
std::string one_after_the_other() {
  return "title = \"t\"\nlock = \"plain\"\nexpect = { holds = [\"mutual-exclusion\"] }\n" +
         with_faults("\"pause\"") +
         "[[client]]\nname = \"a\"\nrun = [\"try_lock lease=2s\", \"sleep 1s\", \"unlock\"]\n"
         "[[client]]\nname = \"b\"\nstart = \"2100ms\"\n"
         "run = [\"try_lock lease=2s\", \"sleep 1s\", \"unlock\"]\n";
}

/// A search with everything that it needs.
class Search {
 public:
  explicit Search(const std::string& text, Exploration::Plan plan = {})
      : scenario_(scenario::parse_scenario("t.toml", text)),
        runner_(scenario_, plan.bounds, engine_),
        exploration_(scenario_, plan, runner_.judged()) {}

  /// So many waves at most.
  Search& go_on(std::size_t wave = 1, std::size_t waves = SIZE_MAX) {
    explore_all(exploration_, runner_, wave, waves);
    return *this;
  }
  [[nodiscard]] Certificate certificate() {
    const ExploreEnd end = exploration_.is_exhausted() ? ExploreEnd::exhausted : ExploreEnd::found;
    return certify(scenario_, exploration_, runner_, end);
  }
  [[nodiscard]] std::set<Property> found() const {
    std::set<Property> found;
    for (const Counterexample& each : exploration_.found()) {
      if (is_decided_by_states(each.property)) found.insert(each.property);
    }
    return found;
  }
  [[nodiscard]] std::uint64_t identity() const {
    return identity_of(scenario_, runner_.lock_digest());
  }

  model::Engine engine_{{support::script_folder()}};
  scenario::Scenario scenario_;
  PathRunner runner_;
  Exploration exploration_;
};

Exploration::Plan all(Merging merging) {
  Exploration::Plan plan;
  plan.bounds.merging = merging;
  plan.after_finding = AfterFinding::go_on;
  return plan;
}

/// A small part of a search, whole in itself.
Exploration::Plan few() {
  Exploration::Plan plan = all(Merging::states);
  plan.bounds.deviations_max = 1;
  return plan;
}

struct Case {
  std::string name;
  std::string text;
  std::set<Property> broken;
};

std::vector<Case> cases() {
  return {
      {"plain", scenario_text("plain", once, ""), {}},
      {"paused_after_the_grant",
       scenario_text("plain", once, with_faults("\"pause\"")),
       {Property::valid_grant}},
  };
}

class ExploredBothWays : public testing::TestWithParam<Case> {};

TEST_P(ExploredBothWays, MergingChangesNoVerdictAndNoLeastRun) {
  Exploration::Plan merged = all(Merging::states);
  Exploration::Plan unmerged = all(Merging::none);
  // Without merging there is a run for each way: a few late messages make enough of them.
  merged.bounds.deviations_max = unmerged.bounds.deviations_max = 1;
  Search with(GetParam().text, merged);
  Search without(GetParam().text, unmerged);
  with.go_on();
  without.go_on();
  EXPECT_EQ(with.found(), without.found());
  EXPECT_GT(with.exploration_.counts().merged, 0U);
  EXPECT_LE(with.exploration_.counts().runs, without.exploration_.counts().runs);
  for (const Counterexample& one : with.exploration_.found()) {
    for (const Counterexample& other : without.exploration_.found()) {
      if (one.property != other.property) continue;
      EXPECT_EQ(one.faults, other.faults);
      EXPECT_EQ(one.deviations, other.deviations);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Exploring, ExploredBothWays, testing::ValuesIn(cases()),
                         [](const auto& each) { return each.param.name; });

TEST(Exploring, AllOfASmallScenarioIsSearchedAndCertified) {
  Search search(scenario_text("plain", once, ""));
  const Certificate certificate = search.go_on().certificate();
  EXPECT_EQ(certificate.end, ExploreEnd::exhausted);
  EXPECT_EQ(certificate.outcome, OutcomeKind::as_expected);
  EXPECT_EQ(certificate.paths_left, 0U);
  EXPECT_GT(certificate.states, 10U);
  for (const PropertyCertificate& each : certificate.properties) {
    if (each.property == Property::harm) {  // nobody writes
      EXPECT_EQ(each.status, PropertyCertificate::Status::untested);
      continue;
    }
    EXPECT_EQ(each.status, is_decided_by_states(each.property)
                               ? PropertyCertificate::Status::holds
                               : PropertyCertificate::Status::undecided);
  }
}

TEST(Exploring, WhatNoPathPutToTheTestIsNotCertified) {
  std::string text = scenario_text("plain", once, "");
  text.replace(text.find("count = 2"), 9, "count = 1");
  const Certificate alone = Search(text).go_on().certificate();
  EXPECT_EQ(alone.outcome, OutcomeKind::unknown);
  ASSERT_EQ(alone.complaints.size(), 1U);
  EXPECT_EQ(
      alone.complaints[0],
      "mutual-exclusion held, but was put to the test in none of the paths; it is where a thread "
      "asked for the lock while another had it");
  text.replace(text.find("count = 1"), 9, "count = 2");
  EXPECT_EQ(Search(text).go_on().certificate().outcome, OutcomeKind::as_expected);
}

TEST(Exploring, AScriptThatMakesAMistakeIsToldAndNothingIsCertified) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / "lockstep-explored-mistake";
  std::filesystem::create_directories(folder);
  std::ofstream(folder / "lock.toml") << "title = \"t\"\nbase = \"plain\"\n"
                                         "[scripts]\nrelease = \"release.lua\"\n";
  std::ofstream(folder / "release.lua") << "local held = nil\nreturn held.by\n";
  Search search("title = \"t\"\nlock = \"" + folder.string() +
                "\"\nexpect = { holds = [\"mutual-exclusion\"] }\n"
                "[[client]]\nname = \"w\"\ncount = 2\n"
                "run = [\"try_lock lease=2s\", \"unlock\"]\n");
  const Certificate certificate = search.go_on().certificate();
  EXPECT_EQ(certificate.outcome, OutcomeKind::unknown);
  ASSERT_FALSE(certificate.complaints.empty());
  EXPECT_EQ(certificate.complaints[0],
            "a request of the lock failed: w1/1: " + (folder / "release.lua").string() +
                ":2: attempt to index local 'held' (a nil value)");
  std::filesystem::remove_all(folder);
}

TEST(Exploring, WhatStatesDoNotDecideIsUnknownWhereItIsAskedFor) {
  std::string text = scenario_text("plain", once, "");
  text.replace(text.find("mutual-exclusion"), 16, "lease-linearizability");
  EXPECT_EQ(Search(text).go_on().certificate().outcome, OutcomeKind::unknown);
  Exploration::Plan unmerged = all(Merging::none);
  EXPECT_EQ(Search(text, unmerged).go_on().certificate().outcome, OutcomeKind::as_expected);
}

TEST(Exploring, BatchesChangeNothing) {
  const std::string text = scenario_text("plain", once, with_faults("\"pause\""));
  Search one_by_one(text, few());
  one_by_one.go_on(1);
  for (const std::size_t wave : {7U, 64U}) {
    Search in_waves(text, few());
    in_waves.go_on(wave);
    EXPECT_EQ(in_waves.exploration_.counts(), one_by_one.exploration_.counts());
    EXPECT_EQ(in_waves.exploration_.found(), one_by_one.exploration_.found());
    EXPECT_EQ(in_waves.exploration_.visited().hash(), one_by_one.exploration_.visited().hash());
  }
}

TEST(Exploring, FindsThePauseThatBreaksALockWithOneFaultAndNothingLate) {
  Search search(one_after_the_other());
  const Certificate certificate = search.go_on().certificate();
  EXPECT_EQ(certificate.outcome, OutcomeKind::not_as_expected);
  ASSERT_FALSE(certificate.found.empty());
  const auto found = std::find_if(
      certificate.found.begin(), certificate.found.end(),
      [](const Counterexample& each) { return each.property == Property::mutual_exclusion; });
  ASSERT_NE(found, certificate.found.end());
  EXPECT_EQ(found->faults, 1U);
  EXPECT_EQ(found->deviations, 0U);
}

TEST(Exploring, WhatWasFoundBreaksWithItsFaultsWrittenOut) {
  Search search(one_after_the_other());
  search.go_on();
  ASSERT_FALSE(search.exploration_.found().empty());
  const Counterexample& found = search.exploration_.found().back();
  const PathRunner::Finding run = search.runner_.run_to_end(found.path);
  EXPECT_NE(std::find(run.violated.begin(), run.violated.end(), found.property),
            run.violated.end());
  const auto simulation =
      search.engine_.prepare(close_faults(without_open_faults(search.scenario_), run.faults));
  sim::ReplayedChoices choices(run.choices);
  const model::RunResult& result = simulation->run(choices);
  EXPECT_EQ(choices.divergence(), std::nullopt);
  EXPECT_EQ(choices.unread_count(), 0U);
  const bool is_broken = std::any_of(
      result.verdicts->begin(), result.verdicts->end(), [&](const checker::Verdict& verdict) {
        return verdict.property == found.property && verdict.kind == checker::VerdictKind::violated;
      });
  EXPECT_TRUE(is_broken);
}

TEST(Exploring, ABudgetOfNoFaultsFindsNone) {
  Exploration::Plan plan;
  plan.bounds.faults_max = 0;
  Search search(scenario_text("plain", once, with_faults("\"pause\"")), plan);
  EXPECT_EQ(search.go_on().certificate().outcome, OutcomeKind::as_expected);
  EXPECT_EQ(search.certificate().faults_max, 0U);
}

TEST(Exploring, RefusesAKindThatItDoesNotKnow) {
  EXPECT_THROW(Search(scenario_text("plain", once, with_faults("\"swizzle\""))),
               scenario::InputError);
}

class Interrupted : public testing::Test {
 protected:
  void SetUp() override {
    stopped_.go_on(1, 40);
    ASSERT_FALSE(stopped_.exploration_.is_over());
    std::ostringstream stream;
    save_exploration(stream, stopped_.identity(), stopped_.exploration_);
    saved_ = stream.str();
  }
  void TearDown() override { std::filesystem::remove(path_); }

  void write(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }
  void expect_refused(const std::string& why) {
    Search other(text_, few());
    try {
      load_exploration(path_, other.identity(), other.exploration_);
      ADD_FAILURE() << "it was taken";
    } catch (const scenario::InputError& error) {
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
  }

  const std::string text_ = scenario_text("plain", once, with_faults("\"drop\""));
  Search stopped_{text_, few()};
  std::string saved_;
  const std::filesystem::path path_ =
      std::filesystem::path(testing::TempDir()) / "explore_test.explored";
};

TEST_F(Interrupted, GoesOnAsIfNothingHadHappened) {
  write(saved_);
  Search resumed(text_, few());
  load_exploration(path_, resumed.identity(), resumed.exploration_);
  resumed.go_on();
  stopped_.go_on();
  EXPECT_EQ(resumed.exploration_.counts(), stopped_.exploration_.counts());
  EXPECT_EQ(resumed.exploration_.found(), stopped_.exploration_.found());
  EXPECT_EQ(resumed.exploration_.visited().hash(), stopped_.exploration_.visited().hash());
}

TEST_F(Interrupted, ADamagedFileIsRefused) {
  expect_refused("cannot read it");
  for (const std::size_t place : {std::size_t{60}, saved_.size() / 2, saved_.size() - 1}) {
    std::string damaged = saved_;
    damaged[place] = static_cast<char>(damaged[place] ^ 1);
    write(damaged);
    expect_refused("damaged");
  }
  write(saved_.substr(0, saved_.size() - 8));
  expect_refused("damaged");
  write(saved_.substr(0, saved_.size() - 3));
  expect_refused("damaged");
  write("");
  expect_refused("no search");
}

TEST_F(Interrupted, AnotherScenarioOrOtherBoundsAreRefused) {
  write(saved_);
  Search other(one_after_the_other());
  EXPECT_THROW(load_exploration(path_, other.identity(), other.exploration_), scenario::InputError);
  Exploration::Plan plan;
  plan.bounds.delay_steps = 3;
  Search wider(text_, plan);
  EXPECT_THROW(load_exploration(path_, wider.identity(), wider.exploration_), scenario::InputError);
}

TEST(BoundedChoices, CutRangesIntoStepsFromTheLeastToTheMost) {
  const sim::Stream delay{sim::Purpose::network_delay, 1};
  const auto values_of = [&](std::uint32_t steps, std::uint64_t count, sim::Stream stream) {
    ExploreBounds bounds;
    bounds.delay_steps = bounds.range_steps = steps;
    BoundedChoices choices(bounds);
    choices.reset({});
    std::vector<std::uint64_t> values = {choices.choose(stream, count)};
    const std::uint32_t alternatives =
        choices.decisions().empty() ? 1 : choices.decisions().front().alternatives;
    for (std::uint32_t answer = 1; answer < alternatives; ++answer) {
      const Path path = {{0, answer}};
      choices.reset(path);
      values.push_back(choices.choose(stream, count));
    }
    return values;
  };
  using Values = std::vector<std::uint64_t>;
  EXPECT_EQ(values_of(1, 1'000'000, delay), (Values{0}));
  EXPECT_EQ(values_of(2, 1'000'000, delay), (Values{0, 999'999}));
  EXPECT_EQ(values_of(3, 1'000'001, delay), (Values{0, 500'000, 1'000'000}));
  EXPECT_EQ(values_of(3, 2, delay), (Values{0, 1}));
  EXPECT_EQ(values_of(2, UINT64_MAX, delay), (Values{0, UINT64_MAX - 1}));
  // What is no range is had whole.
  EXPECT_EQ(values_of(2, 5, {sim::Purpose::workload, 1}), (Values{0, 1, 2, 3, 4}));
}

TEST(DigestSet, HoldsWhatWasPutIn) {
  DigestSet set;
  for (std::uint64_t i = 0; i < 5'000; ++i) EXPECT_TRUE(set.insert({i * 7, i}));
  for (std::uint64_t i = 0; i < 5'000; ++i) {
    EXPECT_FALSE(set.insert({i * 7, i}));
    EXPECT_TRUE(set.contains({i * 7, i}));
    EXPECT_FALSE(set.contains({i * 7 + 1, i}));
  }
  EXPECT_EQ(set.size(), 5'000U);
  DigestSet backwards;
  for (std::uint64_t i = 5'000; i > 0; --i) backwards.insert({(i - 1) * 7, i - 1});
  EXPECT_EQ(backwards.hash(), set.hash());
  EXPECT_EQ(backwards.all().size(), 5'000U);
}

}  // namespace

}  // namespace lockstep::search::explore_test

// Known bugs that fit the bounds of exploring: each is found at its least number of interventions.

namespace lockstep::search::explore_known_bugs_test {
namespace {

using checker::Property;

struct KnownBug {
  const char* file;  ///< of scenarios/explore
  Property property;
  std::uint32_t faults;
  Merging merging = Merging::states;
};

class KnownBugExplored : public testing::TestWithParam<KnownBug> {};

TEST_P(KnownBugExplored, IsFoundWithItsLeastFaultsAndNothingLate) {
  const KnownBug& bug = GetParam();
  const scenario::Scenario scenario =
      scenario::load_scenario(source_folder() + "/scenarios/explore/" + bug.file + ".toml");
  EXPECT_EQ(scenario.expect.violates, std::vector<Property>{bug.property});
  Exploration::Plan plan;
  plan.bounds.merging = bug.merging;
  model::Engine engine({support::script_folder()});
  PathRunner runner(scenario, plan.bounds, engine);
  Exploration exploration(scenario, plan, runner.judged());
  explore_all(exploration, runner);
  const auto found =
      std::find_if(exploration.found().begin(), exploration.found().end(),
                   [&](const Counterexample& each) { return each.property == bug.property; });
  ASSERT_NE(found, exploration.found().end());
  EXPECT_EQ(found->faults, bug.faults);
  EXPECT_EQ(found->deviations, 0U);
  EXPECT_LE(found->run, 100U);
}

INSTANTIATE_TEST_SUITE_P(
    Files, KnownBugExplored,
    testing::Values(KnownBug{"failover", Property::mutual_exclusion, 1},              // K1
                    KnownBug{"pause", Property::mutual_exclusion, 1},                 // K2
                    KnownBug{"late-write", Property::harm, 1},                        // K2
                    KnownBug{"delete-without-token", Property::mutual_exclusion, 1},  // K11
                    KnownBug{"late-reply", Property::mutual_exclusion, 1},            // K16
                    KnownBug{"fixed-value", Property::mutual_exclusion, 1},           // N0
                    KnownBug{"get-then-del", Property::mutual_exclusion, 1},
                    KnownBug{"timestamp", Property::mutual_exclusion, 1},
                    KnownBug{"setnx-then-expire", Property::no_leak, 0, Merging::none},
                    KnownBug{"lost-acquire-reply", Property::hold_count, 1, Merging::none}),  // R1
    [](const auto& each) {
      std::string name = each.param.file;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

}  // namespace
}  // namespace lockstep::search::explore_known_bugs_test

// What spares an exhaustive search runs leaves none out: the same verdicts and the same least
// counterexamples with and without, and the same states in either order.

namespace lockstep::search::explore_reduction_test {
namespace {

using AfterFinding = Exploration::Plan::AfterFinding;

struct Outcome {
  ExploreEnd end{};
  ExploreCounts counts;
  model::StateDigest hash;
  std::set<std::pair<checker::Property, std::pair<std::uint32_t, std::uint32_t>>> found;
};

Outcome explored(const scenario::Scenario& scenario, const Exploration::Plan& plan,
                 std::size_t wave = 1) {
  model::Engine engine({support::script_folder()});
  PathRunner runner(scenario, plan.bounds, engine);
  Exploration exploration(scenario, plan, runner.judged());
  explore_all(exploration, runner, wave);
  Outcome outcome;
  outcome.end = exploration.is_exhausted() ? ExploreEnd::exhausted : ExploreEnd::found;
  outcome.counts = exploration.counts();
  outcome.hash = exploration.visited().hash();
  for (const Counterexample& each : exploration.found()) {
    outcome.found.insert({each.property, {each.faults, each.deviations}});
  }
  return outcome;
}

Outcome explored_without_reduction(const scenario::Scenario& scenario, Exploration::Plan plan) {
  plan.bounds.reduction = Reduction::none;
  return explored(scenario, plan);
}

std::string beginning(const std::string& lock, const std::string& expect,
                      const std::string& faults) {
  return "title = \"t\"\nlock = \"" + lock + "\"\nexpect = { " + expect + " }\n" + faults;
}

std::string all_at_once(const std::string& lock, const std::string& expect,
                        const std::string& faults) {
  return beginning(lock, expect, faults) +
         "[[client]]\nname = \"w\"\ncount = 2\nrun = [\"try_lock lease=2s\", \"unlock\"]\n";
}

std::string one_by_one(const std::string& lock, const std::string& expect,
                       const std::string& faults) {
  return beginning(lock, expect, faults) +
         "[[client]]\nname = \"a\"\nrun = [\"try_lock lease=2s\", \"unlock\"]\n"
         "[[client]]\nname = \"b\"\nstart = \"300us\"\n"
         "run = [\"try_lock lease=2s\", \"unlock\"]\n";
}

/// Everything within no other bounds: runs go far, until something breaks that was to hold.
struct Whole {
  const char* name;
  const char* lock;
  const char* expect;
  const char* faults;
  std::string (*text)(const std::string&, const std::string&, const std::string&) = &one_by_one;
};

class ExploredWhole : public testing::TestWithParam<Whole> {};

TEST_P(ExploredWhole, ComesToTheSameWithAndWithoutReduction) {
  const Whole& whole = GetParam();
  const scenario::Scenario scenario =
      scenario::parse_scenario("t.toml", whole.text(whole.lock, whole.expect, whole.faults));
  const Outcome with = explored(scenario, {});
  const Outcome without = explored_without_reduction(scenario, {});
  EXPECT_EQ(with.end, without.end);
  EXPECT_EQ(with.found, without.found);
  EXPECT_LE(with.counts.runs, without.counts.runs);
  if (with.end == ExploreEnd::exhausted) {
    EXPECT_GT(with.counts.foreseen, 0U);
    EXPECT_LT(with.counts.runs, without.counts.runs);
  }
  EXPECT_EQ(explored(scenario, {}, 16).found, with.found);
}

INSTANTIATE_TEST_SUITE_P(
    Scenarios, ExploredWhole,
    testing::Values(Whole{"Holds", "plain", "holds = \"mutual-exclusion\"", ""},
                    Whole{"HoldsWithoutComparing", "setnx/delete-without-token",
                          "holds = \"mutual-exclusion\"", ""},
                    Whole{"BreaksThoughItWasToHold", "plain", "holds = \"valid-grant\"",
                          "faults = [\"pause\"]\n[budget]\nfaults = 1\n"},
                    Whole{"HoldsAmongTheAlike", "plain", "holds = \"mutual-exclusion\"", "",
                          &all_at_once},
                    Whole{"BreaksAmongTheAlike", "plain", "holds = \"valid-grant\"",
                          "faults = [\"pause\"]\n[budget]\nfaults = 1\n", &all_at_once}),
    [](const auto& each) { return std::string(each.param.name); });

/// The order changes neither what is reached nor the ways to it.
TEST(ExploreOrders, ReachTheSameStates) {
  const scenario::Scenario scenario =
      scenario::parse_scenario("t.toml", one_by_one("plain", "holds = \"mutual-exclusion\"", ""));
  Exploration::Plan cheapest_first;
  cheapest_first.after_finding = AfterFinding::go_on;
  const Outcome least = explored(scenario, cheapest_first);
  for (const std::size_t wave : {1U, 16U}) {
    const Outcome far = explored(scenario, {}, wave);
    EXPECT_EQ(far.hash, least.hash);
    EXPECT_EQ(far.counts.transitions, least.counts.transitions);
    EXPECT_LT(far.counts.runs, least.counts.runs);
  }
}

class ExploredFile : public testing::TestWithParam<const char*> {};

TEST_P(ExploredFile, ComesToTheSameWithAndWithoutReduction) {
  const scenario::Scenario scenario =
      scenario::load_scenario(source_folder() + "/scenarios/explore/" + GetParam() + ".toml");
  Exploration::Plan plan;
  plan.bounds.deviations_max = 1;
  plan.after_finding = AfterFinding::go_on;
  const Outcome with = explored(scenario, plan);
  const Outcome without = explored_without_reduction(scenario, plan);
  EXPECT_EQ(with.end, without.end);
  EXPECT_EQ(with.found, without.found);
  EXPECT_LE(with.counts.runs, without.counts.runs);
}

INSTANTIATE_TEST_SUITE_P(Files, ExploredFile,
                         testing::Values("delete-without-token", "failover", "fair-no-fault",
                                         "pause", "plain-no-fault", "plain-one-fault",
                                         "redlock-one-fault"),
                         [](const auto& each) {
                           std::string name;
                           for (const char letter : std::string(each.param)) {
                             name += letter == '-' ? '_' : letter;
                           }
                           return name;
                         });

}  // namespace
}  // namespace lockstep::search::explore_reduction_test
