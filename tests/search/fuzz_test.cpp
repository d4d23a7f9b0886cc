// Searching in batches: a batch is the same whatever ran before, its findings are told apart
// and replay, and batches add up.
#include "search/fuzz/fuzz.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "search/campaign/campaign.h"
#include "search/fuzz/batch_sizes.h"
#include "search/fuzz/corpus.h"
#include "search/fuzz/corpus_entry.h"
#include "search/runs/rerun.h"
#include "search/runs/run_record.h"
#include "search/runs/seed_runs.h"
#include "sim/recorded_choices.h"
#include "sim/seeded_choices.h"
#include "tests/support/script_folder.h"

namespace lockstep::search::fuzz_test {
namespace {

using checker::Property;

constexpr std::string_view open = R"(
title  = "t"
lock   = "plain"
expect = { holds = ["mutual-exclusion", "lease-linearizability"] }
faults = ["pause", "evict", "clock_step"]
[budget]
faults = 2
[[client]]
name = "a"
run  = ["lock lease=10s", "write", "unlock"]
[[client]]
name  = "b"
start = "0ms..5ms"
run   = ["lock lease=10s", "write", "unlock"]
)";

class Fuzzing : public testing::Test {
 protected:
  /// The runs of a batch that has but so many.
  BatchResult batch_of(std::uint64_t number, std::uint64_t runs, FuzzPlan plan = {}) {
    plan.runs = number * runs_per_batch + runs;
    return fuzz_batch(scenario_, plan, number, engine_, *simulation_, nullptr);
  }
  static FuzzPlan going_on() {
    FuzzPlan plan;
    plan.after_finding = FuzzPlan::AfterFinding::go_on;
    return plan;
  }

  model::Engine engine_{{support::script_folder()}};
  scenario::Scenario scenario_ = scenario::parse_scenario("t.toml", std::string(open));
  std::unique_ptr<model::Simulation> simulation_ = engine_.prepare(scenario_);
};

void expect_the_same(const BatchResult& one, const BatchResult& other) {
  EXPECT_EQ(one.states, other.states);
  EXPECT_EQ(one.outcome.runs, other.outcome.runs);
  ASSERT_EQ(one.findings.size(), other.findings.size());
  for (std::size_t i = 0; i < one.findings.size(); ++i) {
    EXPECT_EQ(one.findings[i].run, other.findings[i].run);
    EXPECT_EQ(one.findings[i].strategy, other.findings[i].strategy);
    EXPECT_EQ(one.findings[i].choices, other.findings[i].choices);
    EXPECT_EQ(one.findings[i].hash, other.findings[i].hash);
    EXPECT_EQ(one.findings[i].seen, other.findings[i].seen);
    EXPECT_EQ(one.findings[i].kinds, other.findings[i].kinds);
  }
}

TEST_F(Fuzzing, AStretchIsTheSameWhateverRanBefore) {
  const BatchResult first = batch_of(3, 40, going_on());
  ASSERT_FALSE(first.findings.empty());
  (void)batch_of(0, 20, going_on());
  const auto other = engine_.prepare(
      scenario::parse_scenario("u.toml",
                               "title = \"u\"\nlock = \"fair\"\nexpect = { holds = \"fifo\" "
                               "}\n[[client]]\nname = \"a\"\nrun = [\"lock\", \"unlock\"]\n"));
  sim::SeededChoices choices(1);
  (void)other->run(choices);
  expect_the_same(first, batch_of(3, 40, going_on()));
  model::Engine engine({support::script_folder()});
  FuzzPlan plan = going_on();
  plan.runs = 3 * runs_per_batch + 40;
  const auto simulation = engine.prepare(scenario_);
  expect_the_same(first, fuzz_batch(scenario_, plan, 3, engine, *simulation, nullptr));
}

TEST_F(Fuzzing, AStretchOfAnotherSeedIsAnother) {
  FuzzPlan plan = going_on();
  plan.root_seed = 2;
  EXPECT_NE(batch_of(0, 20, going_on()).states, batch_of(0, 20, plan).states);
}

TEST_F(Fuzzing, StopsAfterTheFirstFinding) {
  const BatchResult all = batch_of(0, 100, going_on());
  ASSERT_GT(all.findings.size(), 1U);
  const BatchResult first = batch_of(0, 100);
  ASSERT_EQ(first.findings.size(), 1U);
  EXPECT_EQ(first.findings[0].hash, all.findings[0].hash);
  EXPECT_EQ(first.outcome.runs, first.findings[0].run);
}

TEST_F(Fuzzing, GoesOnUntilAllBrokeThatWasToBreak) {
  std::string text(open);
  const std::string_view holds = "holds = [\"mutual-exclusion\", \"lease-linearizability\"]";
  text.replace(text.find(holds), holds.size(),
               "violates = [\"mutual-exclusion\", \"lease-linearizability\"]");
  scenario_ = scenario::parse_scenario("t.toml", text);
  simulation_ = engine_.prepare(scenario_);
  const BatchResult result = batch_of(0, 500);
  EXPECT_TRUE(is_enough(result.outcome));
  EXPECT_GT(result.findings.size(), 1U);
  EXPECT_LT(result.outcome.runs, 500U);
  EXPECT_FALSE(is_enough(batch_of(0, 20).outcome));
}

TEST_F(Fuzzing, StopsWhereItIsAskedTo) {
  FuzzPlan plan = going_on();
  int asked = 0;
  const BatchResult result =
      fuzz_batch(scenario_, plan, 0, engine_, *simulation_, [&asked] { return ++asked == 6; });
  EXPECT_EQ(result.outcome.runs, 5U);
  EXPECT_TRUE(result.outcome.interrupted);
}

TEST_F(Fuzzing, TellsFindingsApartByWhatBrokeAndTheFaultsItNeeds) {
  const BatchResult result = batch_of(0, 100, going_on());
  std::uint64_t seen = 0;
  for (const Finding& finding : result.findings) {
    seen += finding.seen;
    const auto alike =
        std::count_if(result.findings.begin(), result.findings.end(),
                      [&](const Finding& each) { return each.is_the_same(finding); });
    EXPECT_EQ(alike, 1);
    EXPECT_FALSE(finding.kinds.empty()) << "without faults the lock works";
    for (const scenario::FaultKind kind : finding.kinds) {
      EXPECT_TRUE(
          std::any_of(finding.faults.begin(), finding.faults.end(),
                      [kind](const scenario::FaultSpec& fault) { return fault.kind == kind; }));
    }
  }
  std::uint64_t broken = 0;
  for (const PropertySummary& each : result.outcome.properties) {
    if (each.expected != Expected::nothing) broken = std::max(broken, each.violated);
  }
  EXPECT_GE(seen, broken);
  EXPECT_GT(result.findings.size(), 1U);
}

// The same property breaks by faults of the same kinds, but not for the same reason.
TEST_F(Fuzzing, TellsFindingsApartByTheirCause) {
  scenario_.open_faults->kinds = {scenario::FaultKind::pause};
  simulation_ = engine_.prepare(scenario_);
  FuzzPlan plan = going_on();
  std::size_t told = 0;
  plan.story_of = [&told](const RunRecord& record, Property property) {
    EXPECT_FALSE(record.trace.events.empty());
    if (property != Property::mutual_exclusion) return std::string("it was told so");
    return std::string(told++ % 2 == 0 ? "it slept" : "it was late");
  };
  BatchResult batch = batch_of(0, 300, plan);
  std::erase_if(batch.findings, [](const Finding& finding) {
    return finding.property != Property::mutual_exclusion;
  });
  ASSERT_EQ(batch.findings.size(), 2U);
  EXPECT_EQ(batch.findings[0].kinds, batch.findings[1].kinds);
  EXPECT_NE(batch.findings[0].story, batch.findings[1].story);
  FuzzResult result = empty_result(scenario_, plan, simulation_->judged());
  add_batch(result, batch);
  EXPECT_EQ(result.findings.size(), 2U);
}

TEST_F(Fuzzing, FindingsReplay) {
  const BatchResult result = batch_of(0, 100, going_on());
  ASSERT_FALSE(result.findings.empty());
  for (const Finding& finding : result.findings) {
    sim::ReplayedChoices choices(finding.choices);
    EXPECT_EQ(simulation_->run(choices).hash, finding.hash);
    EXPECT_EQ(choices.divergence(), std::nullopt);
    EXPECT_EQ(choices.unread_count(), 0U);
    // Closed, it breaks as well.
    Rerun rerun(engine_, 1, finding.choices);
    EXPECT_TRUE(rerun.breaks(close_faults(scenario_, finding.faults), finding.property));
  }
}

TEST(BatchSizes, MayBeSmallerForTheFirstBatches) {
  const BatchSizes sizes{.runs = 25, .short_batches = 3, .runs_of_short = 5};
  std::uint64_t batch = 0;
  for (const std::uint64_t first : {0U, 5U, 10U, 15U, 40U, 65U}) {
    EXPECT_EQ(sizes.first_run(batch), first);
    EXPECT_EQ(sizes.batches(first), batch);
    EXPECT_EQ(sizes.batches(first + 1), batch + 1);
    ++batch;
  }
}

std::vector<CampaignPart> parts_of_twenty_workloads() {
  std::vector<CampaignPart> made;
  for (const Tier tier : {Tier::without_faults, Tier::within_contract}) {
    for (int i = 0; i < 20; ++i) {
      CampaignPart& part = made.emplace_back();
      part.workload = std::to_string(i);
      part.tier = tier;
      part.weight = 1 + static_cast<std::size_t>(i % 3);
    }
  }
  return made;
}

// What breaks easily is found in the first seconds, whichever workload it takes.
TEST(Rota, BeginsWithAShortBatchOfEachWorkloadWithAndWithoutFaults) {
  const std::vector<CampaignPart> all = parts_of_twenty_workloads();
  const Rota rota(all);
  const BatchSizes sizes = rota.sizes();
  std::set<std::pair<std::string, Tier>> begun;
  std::uint64_t batch = 0;
  for (; sizes.first_run(batch) < 5 * all.size(); ++batch) {
    EXPECT_EQ(sizes.first_run(batch + 1) - sizes.first_run(batch), 5U);
    const CampaignPart& part = all[rota.part_of(batch)];
    begun.emplace(part.workload, part.tier);
  }
  EXPECT_EQ(begun.size(), all.size());

  for (std::uint64_t turn = 0; turn < 100; ++turn) {
    EXPECT_EQ(sizes.first_run(batch + turn + 1) - sizes.first_run(batch + turn), 25U);
  }
  EXPECT_EQ(rota.part_of(batch), rota.part_of(0)) << "then the rounds begin";
}

TEST(FuzzPlan, CutsRunsIntoStretchesAndDealsThemToShards) {
  FuzzPlan plan;
  for (const auto& [runs, batches] : {std::pair{1U, 1U}, {500U, 1U}, {501U, 2U}, {10'000U, 20U}}) {
    plan.runs = runs;
    EXPECT_EQ(plan.batches(), batches) << runs;
  }
  plan.shards = 3;
  for (std::uint64_t batch = 0; batch < 10; ++batch) {
    int owners = 0;
    for (plan.shard = 0; plan.shard < plan.shards; ++plan.shard) {
      owners += plan.is_mine(batch) ? 1 : 0;
    }
    EXPECT_EQ(owners, 1) << batch;
  }
}

Finding finding(std::uint64_t run, Property property, std::vector<scenario::FaultKind> kinds,
                std::uint64_t seen) {
  Finding made;
  made.run = run;
  made.property = property;
  made.kinds = std::move(kinds);
  made.seen = seen;
  return made;
}

TEST_F(Fuzzing, StretchesAddUp) {
  FuzzResult result;
  BatchResult first = batch_of(0, 10, going_on());
  BatchResult second = batch_of(1, 7, going_on());
  using scenario::FaultKind;
  first.findings = {finding(3, Property::harm, {FaultKind::pause}, 2),
                    finding(5, Property::harm, {}, 1)};
  second.findings = {finding(501, Property::harm, {FaultKind::pause, FaultKind::crash}, 4),
                     finding(502, Property::harm, {FaultKind::pause}, 3),
                     finding(503, Property::fifo, {FaultKind::pause}, 1)};
  first.states = {1, 4, 9};
  second.states = {2, 4, 10};
  add_batch(result, first);
  add_batch(result, second);
  EXPECT_EQ(result.outcome.runs, 17U);
  EXPECT_EQ(result.states, (std::vector<std::uint64_t>{1, 2, 4, 9, 10}));
  std::vector<std::pair<std::uint64_t, std::uint64_t>> found;
  for (const Finding& each : result.findings) found.emplace_back(each.run, each.seen);
  EXPECT_EQ(found, (std::vector<std::pair<std::uint64_t, std::uint64_t>>{
                       {3, 5}, {5, 1}, {501, 4}, {503, 1}}));
}

}  // namespace

}  // namespace lockstep::search::fuzz_test

// Corpora: entries are read as they were written and refused when damaged, replay as the runs they
// were made of, and make a search begin where others ended.

namespace lockstep::search::corpus_test {
namespace {

constexpr std::string_view open = R"(
title  = "t"
lock   = "plain"
expect = { holds = ["mutual-exclusion", "lease-linearizability"] }
faults = ["pause", "evict", "clock_step"]
[budget]
faults = 2
[[client]]
name = "a"
run  = ["lock lease=10s", "write", "unlock"]
[[client]]
name  = "b"
start = "0ms..5ms"
run   = ["lock lease=10s", "write", "unlock"]
)";

rc::Gen<std::vector<ChoiceTrack>> tracks_generator() {
  const auto track = rc::gen::build<ChoiceTrack>(
      rc::gen::set(&ChoiceTrack::stream,
                   rc::gen::construct<sim::Stream>(
                       rc::gen::map(rc::gen::inRange(0, static_cast<int>(sim::last_purpose) + 1),
                                    [](int number) { return static_cast<sim::Purpose>(number); }),
                       rc::gen::arbitrary<std::uint32_t>())),
      rc::gen::set(&ChoiceTrack::values,
                   rc::gen::container<std::vector<std::uint64_t>>(rc::gen::oneOf(
                       rc::gen::inRange<std::uint64_t>(0, 300), rc::gen::arbitrary<std::uint64_t>(),
                       rc::gen::just(UINT64_MAX)))));
  return rc::gen::container<std::vector<ChoiceTrack>>(track);
}

RC_GTEST_PROP(CorpusEntry, IsReadAsItWasWritten, ()) {
  CorpusEntry entry;
  entry.scenario_digest = *rc::gen::arbitrary<std::uint64_t>();
  entry.lock_digest = *rc::gen::arbitrary<std::uint64_t>();
  entry.tracks = *tracks_generator();
  const ReadEntry read = read_entry(write_entry(entry));
  RC_ASSERT(read.complaint == "");
  RC_ASSERT(read.entry == entry);
}

RC_GTEST_PROP(CorpusEntry, NumbersAreReadAsTheyWereWritten, (std::uint64_t number)) {
  for (const std::uint64_t each : {number, number >> 32U, number | (std::uint64_t{1} << 63U)}) {
    std::string bytes;
    append_number(bytes, each);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
      std::string_view cut = std::string_view(bytes).substr(0, size);
      std::uint64_t read = 0;
      RC_ASSERT(!take_number(cut, read));
      RC_ASSERT(cut.size() == size);
    }
    bytes += "x";
    std::string_view rest = bytes;
    std::uint64_t read = 0;
    RC_ASSERT(take_number(rest, read));
    RC_ASSERT(read == each);
    RC_ASSERT(rest == "x");
  }
}

TEST(CorpusEntry, NumbersBeyond64BitsAreRefused) {
  for (const std::string& bytes : {std::string(9, '\xff') + "\x02",
                                   std::string(10, '\xff') + "\x01", std::string(20, '\x80')}) {
    std::string_view rest = bytes;
    std::uint64_t number = 0;
    EXPECT_FALSE(take_number(rest, number));
    EXPECT_EQ(rest.size(), bytes.size());
  }
}

CorpusEntry some_entry() {
  CorpusEntry entry;
  entry.scenario_digest = 0x0123456789abcdef;
  entry.lock_digest = 0xfedcba9876543210;
  entry.tracks = {{{sim::Purpose::network_delay, 3}, {1, 200, 70'000}},
                  {{sim::Purpose::fault_kind, 0}, {2}}};
  return entry;
}

TEST(CorpusEntry, AnyFlippedBitAndAnyMissingByteIsNoticed) {
  const std::string bytes = write_entry(some_entry());
  EXPECT_EQ(read_entry(bytes).complaint, "");
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    EXPECT_NE(read_entry(std::string_view(bytes).substr(0, i)).complaint, "") << i;
    for (unsigned bit = 0; bit < 8; ++bit) {
      std::string damaged = bytes;
      damaged[i] = static_cast<char>(static_cast<unsigned char>(damaged[i]) ^ (1U << bit));
      const ReadEntry read = read_entry(damaged);
      EXPECT_NE(read.complaint, "") << i << ": " << damaged;
      EXPECT_TRUE(read.entry.tracks.empty());
    }
  }
  EXPECT_NE(read_entry(bytes + "x").complaint, "");
}

/// Signed anew, so that only what it says is wrong.
std::string signed_again(std::string bytes) {
  const std::size_t end = bytes.find(" checksum=");
  const std::size_t line_feed = bytes.find('\n');
  const std::string body = bytes.substr(line_feed + 1);
  return bytes.substr(0, end + 10) + entry_name(bytes.substr(0, end + 10) + body) + "\n" + body;
}

TEST(CorpusEntry, SaysWhyItIsNone) {
  const std::string bytes = write_entry(some_entry());
  ASSERT_EQ(signed_again(bytes), bytes);
  std::string other_model = bytes;
  const std::size_t version = other_model.find("model=") + 6;
  other_model.replace(version, other_model.find_first_not_of("0123456789", version) - version,
                      "99999");
  const auto with_body = [&bytes](const std::string& body) {
    return signed_again(bytes.substr(0, bytes.find('\n') + 1) + body);
  };
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "it is empty"},
      {"#!/bin/sh\n", "it is no entry of a corpus"},
      {"lockstep choices 2 whatever\n", "its format is another"},
      {"lockstep choices 1 model=x\n", "its first line is damaged"},
      {std::string(entry_bytes_max + 1, 'x'), "it is larger than any entry"},
      {with_body("\x0b\x01\x01\x01"), "it is damaged: its choices are cut short"},
      {with_body(std::string("\x01\x01\xff\xff\x7f\x01", 6)),
       "it is damaged: its choices are cut short"},
  };
  for (const auto& [text, complaint] : cases) EXPECT_EQ(read_entry(text).complaint, complaint);
  EXPECT_EQ(read_entry(signed_again(other_model)).complaint.substr(0, 36),
            "it was made by version 99999 of the ");
}

class Corpora : public testing::Test {
 protected:
  std::vector<ChoiceTrack> tracks_of_seed(std::uint64_t seed) {
    sim::SeededChoices seeded(seed);
    sim::RecordingChoices recording(seeded);
    (void)simulation_->run(recording);
    return tracks_of(recording.record());
  }
  std::set<std::uint64_t> states_of(const std::vector<std::vector<ChoiceTrack>>& entries) {
    const std::vector<std::uint64_t> states =
        make_corpus(entries, *simulation_, nullptr).states.ascending();
    return {states.begin(), states.end()};
  }
  BatchResult batch_of(std::uint64_t number, const Corpus* corpus, std::uint64_t runs = 100) {
    FuzzPlan plan;
    plan.after_finding = FuzzPlan::AfterFinding::go_on;
    plan.corpus = corpus;
    plan.runs = number * runs_per_batch + runs;
    return fuzz_batch(scenario_, plan, number, engine_, *simulation_, nullptr);
  }
  std::vector<std::vector<ChoiceTrack>> entries_of(const BatchResult& batch) {
    FuzzPlan plan;
    FuzzResult result = empty_result(scenario_, plan, simulation_->judged());
    add_batch(result, batch);
    std::vector<std::vector<ChoiceTrack>> entries;
    for (Discovery& each : result.discoveries) entries.push_back(std::move(each.tracks));
    return entries;
  }

  model::Engine engine_{{support::script_folder()}};
  scenario::Scenario scenario_ = scenario::parse_scenario("t.toml", std::string(open));
  std::unique_ptr<model::Simulation> simulation_ = engine_.prepare(scenario_);
  const Corpus nothing_ = {};
};

TEST_F(Corpora, TracksReplayAsTheRunTheyWereMadeOf) {
  TrackChoices choices;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    sim::SeededChoices seeded(seed);
    sim::RecordingChoices recording(seeded);
    const std::uint64_t hash = simulation_->run(recording).hash;
    const std::vector<ChoiceTrack> tracks = tracks_of(recording.record());
    choices.reset(tracks);
    EXPECT_EQ(simulation_->run(choices).hash, hash) << seed;
  }
}

TEST_F(Corpora, WhatTracksDoNotSayIsTheSameEachTime) {
  TrackChoices choices;
  std::vector<ChoiceTrack> tracks = tracks_of_seed(5);
  for (ChoiceTrack& track : tracks) {
    track.values.resize(track.values.size() / 2);
    for (std::uint64_t& value : track.values) value ^= std::uint64_t{1} << 60U;
  }
  choices.reset(tracks);
  const std::uint64_t hash = simulation_->run(choices).hash;
  choices.reset(tracks);
  EXPECT_EQ(simulation_->run(choices).hash, hash);
}

TEST_F(Corpora, DigestsTellScenariosApartAndNotTheirComments) {
  const std::uint64_t digest = digest_of(scenario_);
  EXPECT_EQ(digest_of(scenario::parse_scenario("far/u.toml", "# hello\n" + std::string(open))),
            digest);
  std::string text(open);
  text.replace(text.find("lease=10s"), 9, "lease=11s");
  EXPECT_NE(digest_of(scenario::parse_scenario("t.toml", text)), digest);
}

TEST_F(Corpora, KeepWhatReachesNewStatesAndAllOfThose) {
  const BatchResult batch = batch_of(0, &nothing_);
  ASSERT_FALSE(batch.discoveries.empty());
  EXPECT_LT(batch.discoveries.size(), batch.outcome.runs);
  const std::set<std::uint64_t> reached = states_of(entries_of(batch));
  EXPECT_TRUE(std::equal(reached.begin(), reached.end(), batch.states.begin(), batch.states.end()));
  EXPECT_TRUE(batch_of(0, nullptr).discoveries.empty());
}

TEST_F(Corpora, OnlyWhatStretchesBeforeDidNotReachIsAdded) {
  FuzzResult result = empty_result(scenario_, {}, simulation_->judged());
  std::vector<std::vector<ChoiceTrack>> entries;
  std::size_t discoveries = 0;
  for (std::uint64_t number = 0; number < 3; ++number) {
    BatchResult batch = batch_of(number, &nothing_);
    discoveries += batch.discoveries.size();
    add_batch(result, std::move(batch));
  }
  for (Discovery& each : result.discoveries) entries.push_back(std::move(each.tracks));
  EXPECT_LT(entries.size(), discoveries);
  const Corpus corpus = make_corpus(entries, *simulation_, nullptr);
  EXPECT_EQ(corpus.runs.size(), entries.size()) << "each adds something to those before it";
  EXPECT_EQ(corpus.states.ascending(), result.states);
}

TEST_F(Corpora, ASearchBeginsWithTheirRuns) {
  const Corpus corpus = make_corpus(entries_of(batch_of(0, &nothing_)), *simulation_, nullptr);
  const std::size_t entries = corpus.entries.size();
  const BatchResult first = batch_of(0, &corpus);
  EXPECT_EQ(first.outcome.runs, 100 + entries);
  ASSERT_FALSE(first.findings.empty());
  EXPECT_TRUE(first.findings.front().is_of_corpus);
  EXPECT_EQ(found_by(first.findings.front()), "corpus");
  EXPECT_LE(first.findings.front().run, entries);
  for (const std::uint64_t state : first.states) EXPECT_FALSE(corpus.states.contains(state));
  // Those behind it are not made again, but learnt from all the same.
  const BatchResult second = batch_of(1, &corpus);
  EXPECT_EQ(second.outcome.runs, 100U);
  for (const Finding& finding : second.findings) {
    EXPECT_FALSE(finding.is_of_corpus);
    EXPECT_GT(finding.run, runs_per_batch + entries);
  }
  EXPECT_NE(batch_of(1, &nothing_).states, second.states);
}

TEST_F(Corpora, FewEntriesReachWhatAllDo) {
  std::vector<std::vector<ChoiceTrack>> entries;
  for (std::uint64_t seed = 1; seed <= 80; ++seed) entries.push_back(tracks_of_seed(seed));
  entries.push_back(entries.front());
  const std::vector<std::size_t> few = few_with_all_states(entries, *simulation_, nullptr);
  EXPECT_LT(few.size(), entries.size());
  EXPECT_TRUE(std::is_sorted(few.begin(), few.end()));
  std::vector<std::vector<ChoiceTrack>> kept;
  for (const std::size_t each : few) kept.push_back(entries[each]);
  const std::set<std::uint64_t> all = states_of(entries);
  EXPECT_EQ(states_of(kept), all);
  for (std::size_t left_out = 0; left_out < kept.size(); ++left_out) {
    std::vector<std::vector<ChoiceTrack>> others = kept;
    others.erase(others.begin() + static_cast<std::ptrdiff_t>(left_out));
    EXPECT_LT(states_of(others).size(), all.size()) << left_out;
  }
  int asked = 0;
  EXPECT_EQ(few_with_all_states(entries, *simulation_, [&asked] { return ++asked > 7; }).size(),
            entries.size());
}

}  // namespace
}  // namespace lockstep::search::corpus_test
