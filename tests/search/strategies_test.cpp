// How searches make choices: what each strategy promises of its runs, on a run that asks for a
// little of everything.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "search/fuzz/corpus_strategies.h"
#include "search/fuzz/state_set.h"
#include "search/fuzz/strategy.h"
#include "search/runs/streamwise_choices.h"
#include "sim/recorded_choices.h"
#include "sim/seeded_choices.h"

namespace lockstep::search::strategies_test {
namespace {

using Record = std::vector<sim::Choice>;

constexpr std::uint32_t clients = 3;
constexpr std::uint64_t delays = 1'001;
constexpr std::uint64_t fault_kinds = 20;

struct Asked {
  sim::Stream stream;
  std::uint64_t count;
};

sim::Stream message(std::uint32_t from, std::uint32_t to) {
  return {sim::Purpose::network_delay, from << 16 | to};
}

/// What a run asks for: some faults, then messages between each client and a node, to and fro.
std::vector<Asked> questions() {
  std::vector<Asked> asked;
  for (std::uint32_t fault = 0; fault < 12; ++fault) {
    asked.push_back({{sim::Purpose::fault_kind, fault}, fault_kinds});
    asked.push_back({{sim::Purpose::fault_kind, fault}, 3});
    asked.push_back({{sim::Purpose::fault_moment, fault}, 50});
    asked.push_back({{sim::Purpose::fault_extent, fault}, 5'000});
  }
  for (std::uint32_t round = 0; round < 60; ++round) {
    for (std::uint32_t client = 0; client < clients; ++client) {
      asked.push_back({message(client, clients), delays});
      asked.push_back({message(clients, client), delays});
      asked.push_back({{sim::Purpose::client_random, client}, 1'000'000});
    }
    asked.push_back({message(clients, clients + 1), delays});
  }
  return asked;
}

Record answers(sim::ChoiceSource& source, const std::vector<Asked>& asked = questions()) {
  sim::RecordingChoices recording(source);
  for (const Asked& each : asked) (void)recording.choose(each.stream, each.count);
  return recording.record();
}

/// Those that are about a purpose.
Record about(const Record& record, sim::Purpose purpose, std::uint64_t count) {
  Record some;
  std::copy_if(record.begin(), record.end(), std::back_inserter(some), [&](const auto& choice) {
    return choice.stream.purpose == purpose && choice.count == count;
  });
  return some;
}

std::vector<StrategyKind> single_kinds() {
  std::vector<StrategyKind> kinds;
  for (std::size_t i = 0; i < strategy_count; ++i) {
    if (static_cast<StrategyKind>(i) != StrategyKind::portfolio) {
      kinds.push_back(static_cast<StrategyKind>(i));
    }
  }
  return kinds;
}

/// Some runs, of which every third reached something new.
std::vector<Record> runs_of(Strategy& strategy, std::uint64_t count) {
  std::vector<Record> runs;
  for (std::uint64_t run = 0; run < count; ++run) {
    runs.push_back(answers(strategy.begin_run(run * 7 + 1)));
    RunFeedback feedback{runs.back(), std::nullopt};
    if (run % 3 == 0) feedback.discovery = 40 + run;
    strategy.learn(feedback);
  }
  return runs;
}

TEST(Strategies, AreTheSameFromTheSameSeedsAndLessons) {
  for (const StrategyKind kind : single_kinds()) {
    const auto runs = runs_of(*make_strategy(kind, clients), 20);
    EXPECT_EQ(runs, runs_of(*make_strategy(kind, clients), 20)) << to_string(kind);
    for (const Record& run : runs) EXPECT_NE(&run == &runs[0] ? runs[1] : runs[0], run);
  }
}

TEST(Strategies, HaveNamesThatAreReadBack) {
  for (std::size_t i = 0; i < strategy_count; ++i) {
    const auto kind = static_cast<StrategyKind>(i);
    EXPECT_EQ(strategy_from(to_string(kind)), kind);
  }
  EXPECT_EQ(strategy_from("chance"), std::nullopt);
}

TEST(Strategies, OfAPortfolioAllHaveTheirTurns) {
  std::set<StrategyKind> seen;
  for (std::uint64_t run = 500; run < 510; ++run) {
    seen.insert(strategy_of_run(StrategyKind::portfolio, run));
    EXPECT_EQ(strategy_of_run(StrategyKind::pct, run), StrategyKind::pct);
  }
  EXPECT_EQ(seen.size(), strategy_count - 1);
  EXPECT_FALSE(seen.contains(StrategyKind::portfolio));
}

TEST(Swarm, HasAtMostFourKindsOfFaultInARun) {
  const auto strategy = make_strategy(StrategyKind::swarm, clients);
  std::set<std::uint64_t> all;
  std::set<std::size_t> sizes;
  for (const Record& run : runs_of(*strategy, 60)) {
    std::set<std::uint64_t> kinds;
    for (const auto& each : about(run, sim::Purpose::fault_kind, fault_kinds)) {
      kinds.insert(each.value);
    }
    EXPECT_LE(kinds.size(), 4U);
    sizes.insert(kinds.size());
    all.insert(kinds.begin(), kinds.end());
  }
  EXPECT_EQ(sizes, (std::set<std::size_t>{1, 2, 3, 4}));
  EXPECT_EQ(all.size(), fault_kinds);
}

TEST(Swarm, LeavesOpenHowManyFaultsThereAre) {
  const auto strategy = make_strategy(StrategyKind::swarm, clients);
  std::set<std::uint64_t> numbers;
  for (const auto& each : about(runs_of(*strategy, 1)[0], sim::Purpose::fault_kind, 3)) {
    numbers.insert(each.value);
  }
  EXPECT_EQ(numbers.size(), 3U);
}

TEST(Swarm, HasAllFastAllSlowTheOneOrTheOtherOrAnything) {
  const auto strategy = make_strategy(StrategyKind::swarm, clients);
  std::map<std::size_t, std::size_t> runs_by_values;
  std::set<std::uint64_t> alone;
  for (const Record& run : runs_of(*strategy, 60)) {
    std::set<std::uint64_t> values;
    for (const auto& each : about(run, sim::Purpose::network_delay, delays)) {
      values.insert(each.value);
    }
    if (values.size() == 1) alone.insert(*values.begin());
    if (values.size() == 2) {
      EXPECT_EQ(values, (std::set<std::uint64_t>{0, delays - 1}));
    }
    ++runs_by_values[std::min<std::size_t>(values.size(), 3)];
  }
  EXPECT_EQ(alone, (std::set<std::uint64_t>{0, delays - 1}));
  EXPECT_EQ(runs_by_values.size(), 3U);
}

TEST(Priorities, MakeLowerClientsSlowerAndChangeAFewTimes) {
  const auto strategy = make_strategy(StrategyKind::pct, clients);
  std::map<std::size_t, std::size_t> runs_by_changes;
  for (const Record& run : runs_of(*strategy, 100)) {
    std::vector<std::uint64_t> delay_of(clients, UINT64_MAX);
    std::size_t changes = 0;
    for (const auto& each : about(run, sim::Purpose::network_delay, delays)) {
      const std::uint32_t client = std::min(each.stream.owner >> 16, each.stream.owner & 0xffffU);
      if (client >= clients) continue;
      EXPECT_EQ(each.value % ((delays - 1) / (clients - 1)), 0U) << "one of three ranks";
      // Who falls behind is the slowest; the others may only move up.
      const bool falls = delay_of[client] != UINT64_MAX && each.value > delay_of[client];
      if (falls) {
        EXPECT_EQ(each.value, delays - 1);
        ++changes;
      }
      delay_of[client] = each.value;
    }
    EXPECT_LE(changes, 4U);
    ++runs_by_changes[changes];
    std::sort(delay_of.begin(), delay_of.end());
    EXPECT_LE(delay_of.front(), (delays - 1) / 2);
  }
  EXPECT_GT(runs_by_changes.size(), 2U);
}

TEST(Priorities, ArePermutationsOfTheClients) {
  const auto strategy = make_strategy(StrategyKind::pct, clients);
  std::set<std::vector<std::uint64_t>> orders;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    sim::ChoiceSource& source = strategy->begin_run(seed);
    std::vector<std::uint64_t> order;
    // The largest count there is: nothing overflows.
    for (std::uint32_t client = 0; client < clients; ++client) {
      order.push_back(source.choose(message(client, 9), UINT64_MAX) / (UINT64_MAX / 2));
    }
    orders.insert(order);
  }
  for (const std::vector<std::uint64_t>& order : {std::vector<std::uint64_t>{0, 1, 2},
                                                  {0, 2, 1},
                                                  {1, 0, 2},
                                                  {1, 2, 0},
                                                  {2, 0, 1},
                                                  {2, 1, 0}}) {
    EXPECT_TRUE(orders.contains(order)) << testing::PrintToString(order);
  }
}

TEST(PartialOrder, HasOnlyTheFastestAndTheSlowest) {
  const auto strategy = make_strategy(StrategyKind::partial_order, clients);
  std::map<std::uint64_t, std::size_t> messages;
  for (const auto& each : about(runs_of(*strategy, 1)[0], sim::Purpose::network_delay, delays)) {
    ++messages[each.value];
  }
  ASSERT_EQ(messages.size(), 2U);
  EXPECT_GT(messages[0], 100U);
  EXPECT_GT(messages[delays - 1], 100U);
}

TEST(BoundedDelays, AreAtMostThree) {
  const auto strategy = make_strategy(StrategyKind::delay_bounded, clients);
  std::map<std::size_t, std::size_t> runs_by_slow;
  for (const Record& run : runs_of(*strategy, 100)) {
    std::size_t slow = 0;
    for (const auto& each : about(run, sim::Purpose::network_delay, delays)) {
      slow += each.value != 0 ? 1U : 0U;
      EXPECT_TRUE(each.value == 0 || each.value == delays - 1);
    }
    ++runs_by_slow[slow];
  }
  EXPECT_LE(runs_by_slow.rbegin()->first, 3U);
  EXPECT_GT(runs_by_slow[1], 0U);
  EXPECT_GT(runs_by_slow[3], 0U);
}

// -- strategies that learn --

Record by_chance(std::uint64_t seed) {
  sim::SeededChoices choices(seed);
  return answers(choices);
}

TEST(Learning, BeginsWithChance) {
  for (const StrategyKind kind : {StrategyKind::mutation, StrategyKind::branching}) {
    const auto strategy = make_strategy(kind, clients);
    strategy->learn({by_chance(1), std::nullopt});
    EXPECT_EQ(answers(strategy->begin_run(5)), by_chance(5)) << to_string(kind);
  }
}

TEST(Mutation, KeepsAllButAFewStreams) {
  const Record kept = by_chance(1);
  const auto strategy = make_strategy(StrategyKind::mutation, clients);
  strategy->learn({kept, 100});
  std::set<std::size_t> streams_changed;
  std::size_t faults_changed = 0;
  std::size_t single_choices = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Record run = answers(strategy->begin_run(seed));
    ASSERT_EQ(run.size(), kept.size());
    std::map<std::pair<sim::Purpose, std::uint32_t>, std::size_t> changed;
    for (std::size_t i = 0; i < run.size(); ++i) {
      const sim::Stream stream = run[i].stream;
      if (run[i] != kept[i]) ++changed[{stream.purpose, stream.owner}];
    }
    EXPECT_LE(changed.size(), 3U);
    streams_changed.insert(changed.size());
    for (const auto& [stream, choices] : changed) {
      const bool is_of_fault = stream.first == sim::Purpose::fault_kind ||
                               stream.first == sim::Purpose::fault_moment ||
                               stream.first == sim::Purpose::fault_extent;
      faults_changed += is_of_fault ? 1U : 0U;
      single_choices += !is_of_fault && choices == 1 ? 1U : 0U;
    }
  }
  EXPECT_GE(streams_changed.size(), 3U);
  EXPECT_GT(faults_changed, 100U);
  EXPECT_GT(single_choices, 0U);
}

TEST(Branching, RepeatsUpToTheDiscoveryAndGoesOnByChance) {
  const Record kept = by_chance(1);
  for (const std::size_t discovery : {std::size_t{0}, std::size_t{77}, kept.size()}) {
    const auto strategy = make_strategy(StrategyKind::branching, clients);
    strategy->learn({kept, discovery});
    Record expected = by_chance(9);
    const auto prefix = static_cast<std::ptrdiff_t>(discovery);
    std::copy(kept.begin(), kept.begin() + prefix, expected.begin());
    EXPECT_EQ(answers(strategy->begin_run(9)), expected) << discovery;
  }
}

TEST(Branching, GoesOnByChanceWhereTheRunAsksForSomethingElse) {
  const auto strategy = make_strategy(StrategyKind::branching, clients);
  strategy->learn({by_chance(1), 300});
  std::vector<Asked> asked = questions();
  asked[10].count += 1;
  sim::SeededChoices chance(9);
  Record expected = answers(chance, asked);
  const Record kept = by_chance(1);
  std::copy(kept.begin(), kept.begin() + 10, expected.begin());
  EXPECT_EQ(answers(strategy->begin_run(9), asked), expected);
}

TEST(KeptRuns, AreTheNewestThatReachedSomethingNew) {
  KeptRuns kept;
  EXPECT_TRUE(kept.empty());
  for (std::uint64_t run = 0; run < 300; ++run) {
    const Record choices = {{{sim::Purpose::token, 0}, 1'000, run}};
    kept.learn({choices, run % 2 == 0 ? std::optional<std::size_t>(run) : std::nullopt});
  }
  EXPECT_EQ(kept.size(), 128U);
  for (std::size_t age = 0; age < kept.size(); ++age) {
    EXPECT_EQ(kept.newest(age).discovery, 298 - 2 * age);
    EXPECT_EQ(kept.newest(age).choices[0].value, 298 - 2 * age);
  }
}

// -- what they are made of --

constexpr sim::Stream one{sim::Purpose::fault, 1};
constexpr sim::Stream two{sim::Purpose::fault, 2};

/// What chance says first to the stream, and then.
std::vector<std::uint64_t> chance(sim::Stream stream, std::uint64_t count, std::size_t length) {
  sim::SeededChoices choices(7);
  std::vector<std::uint64_t> values;
  for (std::size_t i = 0; i < length; ++i) values.push_back(choices.choose(stream, count));
  return values;
}

TEST(StreamwiseChoices, AnswerEachStreamInItsOwnOrder) {
  const Record record = {{one, 90, 11}, {two, 90, 21}, {one, 90, 12}, {two, 90, 22}};
  StreamwiseChoices choices;
  choices.reset(record, 7);
  EXPECT_EQ(choices.choose(two, 90), 21U);
  EXPECT_EQ(choices.choose(two, 90), 22U);
  EXPECT_EQ(choices.choose(one, 90), 11U);
  EXPECT_EQ(choices.choose(two, 90), chance(two, 90, 3)[2]) << "used up";
  EXPECT_EQ(choices.choose(one, 90), 12U);
  const sim::Stream unknown{sim::Purpose::fault, 3};
  EXPECT_EQ(choices.choose(unknown, 90), chance(unknown, 90, 1)[0]);
}

TEST(StreamwiseChoices, LeaveToChanceWhatIsForgottenOrAskedOtherwise) {
  const Record record = {{one, 90, 11}, {one, 90, 12}, {one, 90, 13}, {two, 90, 21}};
  StreamwiseChoices choices;
  choices.reset(record, 7);
  ASSERT_EQ(choices.tracks().size(), 2U);
  EXPECT_EQ(choices.tracks()[0].size(), 3U);
  choices.tracks()[0].forget(1);
  choices.tracks()[1].forget_all();
  EXPECT_EQ(choices.choose(one, 90), 11U);
  EXPECT_EQ(choices.choose(one, 90), chance(one, 90, 2)[1]);
  EXPECT_EQ(choices.choose(one, 90), 13U);
  EXPECT_EQ(choices.choose(two, 90), chance(two, 90, 1)[0]);

  choices.reset(record, 7);
  EXPECT_EQ(choices.choose(two, 90), 21U) << "nothing of the run before is left";
  EXPECT_EQ(choices.choose(one, 80), chance(one, 80, 1)[0]);
  EXPECT_EQ(choices.choose(one, 90), 12U) << "the one that was asked otherwise is passed over";
}

RC_GTEST_PROP(AStateSet, IsASet, ()) {
  // Few numbers, and many: with repetitions, and past the moments at which it grows.
  const auto range = *rc::gen::element<std::uint64_t>(50, 100'000);
  const auto count = *rc::gen::inRange<std::size_t>(0, 3'000);
  sim::SeededChoices draws(*rc::gen::arbitrary<std::uint64_t>());
  StateSet states;
  std::set<std::uint64_t> expected;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t state = 1 + draws.choose(one, range);
    RC_ASSERT(states.insert(state) == expected.insert(state).second);
  }
  RC_ASSERT(states.size() == expected.size());
  RC_ASSERT(states.ascending() == std::vector<std::uint64_t>(expected.begin(), expected.end()));
}

TEST(StateSet, KeepsNoughtToo) {
  StateSet states;
  EXPECT_TRUE(states.insert(0));
  EXPECT_FALSE(states.insert(0));
  EXPECT_EQ(states.size(), 1U);
}

}  // namespace
}  // namespace lockstep::search::strategies_test
