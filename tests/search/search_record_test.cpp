// Records of parts of a search: joining them is associative, commutative and idempotent, and loses
// nothing.
#include "search/fuzz/search_record.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

namespace lockstep::search::search_record_test {
namespace {

constexpr std::uint64_t batches = 8;
constexpr std::uint64_t runs_max = 4;

/// What a search comes to if nothing interrupts it: of each batch, the states of each run.
struct Truth {
  std::vector<std::vector<std::vector<std::uint64_t>>> states;
};

Truth generated_truth() {
  const auto state = rc::gen::inRange<std::uint64_t>(0, 30);
  const auto run = rc::gen::container<std::vector<std::uint64_t>>(state);
  Truth truth;
  for (std::uint64_t i = 0; i < batches; ++i) {
    truth.states.push_back(
        *rc::gen::container<std::vector<std::vector<std::uint64_t>>>(runs_max, run));
  }
  return truth;
}

/// The batch with its first runs.
void make(SearchRecord& record, const Truth& truth, std::uint64_t number, std::uint64_t runs) {
  std::vector<std::uint64_t> reached;
  for (std::uint64_t run = 0; run < runs; ++run) {
    const auto& states = truth.states[number][run];
    reached.insert(reached.end(), states.begin(), states.end());
  }
  add_to(record, number, {runs, std::to_string(number) + ":" + std::to_string(runs)}, reached);
}

/// Some batches of the truth, some of them cut short: what a shard has when a clock ends it.
SearchRecord generated_part(const Truth& truth) {
  SearchRecord record;
  record.search = "s";
  record.shards.insert({*rc::gen::inRange<std::uint64_t>(1, 4), 3});
  record.elapsed_ms = *rc::gen::inRange<std::uint64_t>(0, 100);
  for (std::uint64_t number = 0; number < batches; ++number) {
    const auto runs = *rc::gen::inRange<std::uint64_t>(0, runs_max + 1);
    if (runs > 0) make(record, truth, number, runs);
  }
  return record;
}

SearchRecord joined(SearchRecord one, const SearchRecord& other) {
  RC_ASSERT(join(one, other) == "");
  return one;
}

RC_GTEST_PROP(SearchRecords, JoinInAnyOrderAndGrouping, ()) {
  const Truth truth = generated_truth();
  const SearchRecord a = generated_part(truth);
  const SearchRecord b = generated_part(truth);
  const SearchRecord c = generated_part(truth);
  RC_ASSERT(joined(a, b) == joined(b, a));
  RC_ASSERT(joined(joined(a, b), c) == joined(a, joined(b, c)));
  RC_ASSERT(joined(a, a) == a);
  RC_ASSERT(joined(joined(a, b), a) == joined(a, b));
}

RC_GTEST_PROP(SearchRecords, PartsAreTheWhole, ()) {
  const Truth truth = generated_truth();
  const auto shards = *rc::gen::inRange<std::uint64_t>(1, 5);
  SearchRecord whole;
  std::vector<SearchRecord> parts(shards);
  for (std::uint64_t number = 0; number < batches; ++number) {
    make(whole, truth, number, runs_max);
    make(parts[number % shards], truth, number, runs_max);
  }
  SearchRecord together;
  for (const SearchRecord& part : parts) RC_ASSERT(join(together, part) == "");
  RC_ASSERT(together == whole);
}

TEST(SearchRecordJoin, KeepsTheLongerOfOneStretchAndTheFirstStretchOfAState) {
  SearchRecord one;
  add_to(one, 3, {10, "ten"}, std::vector<std::uint64_t>{7, 8});
  SearchRecord other;
  add_to(other, 3, {12, "twelve"}, std::vector<std::uint64_t>{8, 9});
  add_to(other, 1, {12, "x"}, std::vector<std::uint64_t>{9});
  EXPECT_EQ(join(one, other), "");
  EXPECT_EQ(one.batches.at(3).content, "twelve");
  EXPECT_EQ(one.first_reached, (std::map<std::uint64_t, std::uint64_t>{{7, 3}, {8, 3}, {9, 1}}));
}

TEST(SearchRecordJoin, RefusesWhatContradictsAndChangesNothing) {
  SearchRecord one;
  add_to(one, 3, {10, "ten"}, {});
  SearchRecord other;
  add_to(other, 2, {10, "new"}, {});
  add_to(other, 3, {10, "another ten"}, {});
  const SearchRecord before = one;
  EXPECT_NE(join(one, other).find("batch 3 came to something else"), std::string::npos);
  EXPECT_EQ(one, before);
}

}  // namespace
}  // namespace lockstep::search::search_record_test
