// The search itself, with a specification of its own: a register that is written and read.
#include "checker/linearizability/linearizability.h"

#include <gtest/gtest.h>

namespace lockstep::checker {
namespace {

class Register {
 public:
  struct Input {
    bool is_read = false;
    int value = 0;
  };
  using State = int;
  static constexpr std::size_t successors_max = 1;

  [[nodiscard]] State initial() const { return 0; }
  std::size_t successors(const State& state, const Input& operation, const Input& /*next*/,
                         std::array<State, successors_max>& out) const {
    if (operation.is_read && operation.value != state) return 0;
    out[0] = operation.value;
    return 1;
  }
  [[nodiscard]] bool observes(const State& state, const Input& operation) const {
    return operation.is_read && operation.value == state;
  }
  [[nodiscard]] bool covers(const State& state, const State& other, const Input& /*next*/) const {
    return state == other;
  }
  [[nodiscard]] std::uint64_t hash(const State& state) const {
    return static_cast<std::uint64_t>(state);
  }
  [[nodiscard]] bool interchangeable(const Input& one, const Input& two,
                                     const Input& /*next*/) const {
    return one.is_read == two.is_read && one.value == two.value;
  }
  [[nodiscard]] std::uint64_t hash_of_effect(const Input& operation, const Input& /*next*/) const {
    return static_cast<std::uint64_t>(operation.value);
  }
};

using Search = LinearizabilitySearch<Register>;
using Operations = std::vector<Search::Operation>;

Search::Operation write(int value, std::uint64_t invoked, std::uint64_t returned = never_returns) {
  return {{false, value}, invoked, returned};
}
Search::Operation read(int value, std::uint64_t invoked, std::uint64_t returned) {
  return {{true, value}, invoked, returned};
}

SearchResult decide(const Operations& operations, Limits limits = {}) {
  return Search().run(Register(), operations, limits);
}

TEST(LinearizabilitySearch, AcceptsTheEmptyHistory) {
  EXPECT_EQ(decide({}).end, SearchEnd::linearizable);
}

TEST(LinearizabilitySearch, AcceptsReadsOfEitherValueDuringAWrite) {
  EXPECT_EQ(decide({write(1, 0, 9), read(0, 1, 2), read(1, 3, 4)}).end, SearchEnd::linearizable);
}

TEST(LinearizabilitySearch, RefusesTheOldValueAfterTheNew) {
  const SearchResult result = decide({write(1, 0, 9), read(1, 1, 2), read(0, 3, 4)});
  EXPECT_EQ(result.end, SearchEnd::not_linearizable);
  EXPECT_EQ(result.stuck, 2U);
}

TEST(LinearizabilitySearch, AnOptionalWriteHappensOnceAtMost) {
  EXPECT_EQ(decide({write(1, 0), read(0, 1, 2), read(1, 3, 4), read(1, 5, 6)}).end,
            SearchEnd::linearizable);
  const SearchResult result =
      decide({write(1, 0), read(1, 1, 2), write(2, 3, 4), read(2, 5, 6), read(1, 7, 8)});
  EXPECT_EQ(result.end, SearchEnd::not_linearizable);
  EXPECT_EQ(result.stuck, 4U);
}

TEST(LinearizabilitySearch, OneOptionalWriteDoesNotStandForTwo) {
  const Operations twice = {write(1, 0),   write(1, 1),    read(1, 2, 3),  write(2, 4, 5),
                            read(1, 6, 7), write(3, 8, 9), read(3, 10, 11)};
  EXPECT_EQ(decide(twice).end, SearchEnd::linearizable);
  Operations thrice = twice;
  thrice.push_back(read(1, 12, 13));
  EXPECT_EQ(decide(thrice).stuck, 7U);
}

/// Of which only the first is tried: each subset of them would be a configuration of its own.
TEST(LinearizabilitySearch, OneOptionalWriteStandsForAllLikeIt) {
  Operations operations;
  for (std::uint64_t i = 0; i < 24; ++i)
    operations.push_back(write(1 + static_cast<int>(i % 2), i));
  operations.push_back(read(3, 30, 31));
  const SearchResult result = decide(operations);
  EXPECT_EQ(result.end, SearchEnd::not_linearizable);
  EXPECT_LT(result.steps, 1'000U);
}

TEST(LinearizabilitySearch, SurvivorsAreTheStatesBeforeTheStuckReturn) {
  Search search;
  const Operations operations = {write(1, 0, 3), write(2, 1, 4), read(7, 5, 6)};
  EXPECT_EQ(search.run(Register(), operations, {}).stuck, 2U);
  std::vector<int> states;
  search.visit_survivors([&](int state) { states.push_back(state); });
  std::sort(states.begin(), states.end());
  EXPECT_EQ(states, (std::vector<int>{1, 2}));
}

/// `count` writes and as many reads, the writes all under way at once; the reads see one after the
/// other.
Operations crowd(int count) {
  Operations operations;
  const auto all = static_cast<std::uint64_t>(count);
  for (int value = 1; value <= count; ++value) {
    operations.push_back(write(value, static_cast<std::uint64_t>(value), 1000 * all));
  }
  for (int index = 0; index < count; ++index) {
    const std::uint64_t at = all + 10 * static_cast<std::uint64_t>(index + 1);
    operations.push_back(read(index + 1, at, at + 1));
  }
  for (std::size_t index = 0; index < all; ++index) operations[index].returned += index;
  return operations;
}

TEST(LinearizabilitySearch, MoreThanSixtyFourOperationsMayBeUnderWay) {
  EXPECT_EQ(decide(crowd(150)).end, SearchEnd::linearizable);
}

TEST(LinearizabilitySearch, MoreThanSixtyFourOperationsMayBeOptional) {
  Operations operations;
  for (int value = 1; value <= 150; ++value) {
    operations.push_back(write(value, static_cast<std::uint64_t>(value)));
  }
  for (int value = 1; value <= 150; ++value) {
    const auto at = static_cast<std::uint64_t>(1000 + 2 * value);
    operations.push_back(read(value, at, at + 1));
  }
  EXPECT_EQ(decide(operations).end, SearchEnd::linearizable);
}

/// Not linearizable, and hard to refuse: any subset of the writes may have happened.
Operations hopeless(int count) {
  Operations operations = crowd(count);
  operations.push_back(read(-1, 2000 * static_cast<std::uint64_t>(count),
                            2000 * static_cast<std::uint64_t>(count) + 1));
  return operations;
}

TEST(LinearizabilitySearch, GivesUpAtTheLimitOfSteps) {
  Limits limits;
  limits.steps_max = 1000;
  const SearchResult result = decide(hopeless(20), limits);
  EXPECT_EQ(result.end, SearchEnd::out_of_steps);
  EXPECT_GE(result.steps, 1000U);
  EXPECT_LE(result.steps, 1100U);
}

/// Tells how often the search asks.
class AskedRegister : public Register {
 public:
  explicit AskedRegister(std::uint64_t& questions) : questions_(questions) {}
  std::size_t successors(const State& state, const Input& operation, const Input& next,
                         std::array<State, successors_max>& out) const {
    ++questions_;
    return Register::successors(state, operation, next, out);
  }
  [[nodiscard]] bool observes(const State& state, const Input& operation) const {
    ++questions_;
    return Register::observes(state, operation);
  }

 private:
  std::uint64_t& questions_;
};

/// Hopeless, and in each configuration there are as many reads to try in vain: their outcome is
/// unknown, and nobody wrote what they would have read.
Operations in_vain(int count) {
  Operations operations;
  for (int index = 0; index < count; ++index) {
    operations.push_back({{true, -2 - index}, 0, never_returns});
  }
  for (const Search::Operation& each : hopeless(20)) operations.push_back(each);
  return operations;
}

TEST(LinearizabilitySearch, WhatIsTriedInVainCountsToo) {
  Limits limits;
  limits.steps_max = 1000;
  for (const Operations& operations : {in_vain(400), hopeless(400)}) {
    std::uint64_t questions = 0;
    const SearchResult result =
        LinearizabilitySearch<AskedRegister>().run(AskedRegister(questions), operations, limits);
    EXPECT_EQ(result.end, SearchEnd::out_of_steps);
    EXPECT_LE(questions, 17 * result.steps);
  }
}

TEST(LinearizabilitySearch, AsksEveryThousandStepsWhetherItIsOver) {
  std::uint64_t asked = 0;
  Limits limits;
  limits.is_over = [&asked] { return ++asked == 20; };
  for (const Operations& operations : {in_vain(400), hopeless(20)}) {
    asked = 0;
    std::uint64_t questions = 0;
    const SearchResult result =
        LinearizabilitySearch<AskedRegister>().run(AskedRegister(questions), operations, limits);
    EXPECT_EQ(result.end, SearchEnd::out_of_time);
    EXPECT_LE(questions, 17U * 22'000U);
  }
}

TEST(LinearizabilitySearch, GivesUpAtTheLimitOfMemory) {
  Limits limits;
  limits.memory_bytes_max = 200'000;
  EXPECT_EQ(decide(hopeless(20), limits).end, SearchEnd::out_of_memory);
}

TEST(LinearizabilitySearch, MemoryGrowsWithTheConcurrencyNotWithTheSquareOfTheLength) {
  Operations operations;
  for (std::uint64_t index = 0; index < 20'000; ++index) {
    operations.push_back(write(static_cast<int>(index), 10 * index, 10 * index + 15));
  }
  Limits limits;
  limits.memory_bytes_max = 8U << 20U;
  EXPECT_EQ(decide(operations, limits).end, SearchEnd::linearizable);
}

TEST(LinearizabilitySearch, ASearchLeavesNoTraceInTheNext) {
  Search search;
  Limits limits;
  limits.steps_max = 5000;
  const Operations hard = hopeless(20);
  const Operations easy = {write(1, 0, 9), read(1, 1, 2), read(0, 3, 4)};
  const SearchResult fresh = decide(easy);
  for (int round = 0; round < 3; ++round) {
    EXPECT_EQ(search.run(Register(), hard, limits).end, SearchEnd::out_of_steps);
    const SearchResult again = search.run(Register(), easy, {});
    EXPECT_EQ(again.end, fresh.end);
    EXPECT_EQ(again.stuck, fresh.stuck);
    EXPECT_EQ(again.steps, fresh.steps);
  }
}

}  // namespace
}  // namespace lockstep::checker
