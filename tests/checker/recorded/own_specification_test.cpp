// A specification of one's own, in use: the example that docs/checker.md names.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "checker/recorded/general.h"
#include "checker/recorded/specifications/sequential.h"
#include "recorded_history.h"

namespace lockstep::checker::recorded::testing {
namespace {

class Counter {
 public:
  struct State {
    std::int64_t count = 0;
    friend bool operator==(const State&, const State&) = default;
  };
  struct Input {
    bool reads = false;
    std::int64_t seen = 0;
    friend auto operator<=>(const Input&, const Input&) = default;
  };

  Counter(const Texts& /*texts*/, const Settings& /*settings*/) {}

  // What the operation says. Nothing, where it failed or nobody knows what it saw.
  std::optional<Input> input_of(const Operation& operation) const {
    const bool reads = operation.function == Function::await;
    const bool says_nothing =
        operation.outcome == Outcome::fail || (reads && operation.outcome == Outcome::info);
    if (says_nothing) return std::nullopt;
    return Input{reads, reads ? operation.number : 0};
  }
  State initial() const { return {}; }
  bool step(State& state, const Input& input) const {  // false: not legal here
    if (input.reads) return state.count == input.seen;
    ++state.count;
    return true;
  }
  bool observes(const Input& input) const { return input.reads; }
  std::uint64_t hash(const State& state) const { return static_cast<std::uint64_t>(state.count); }
  std::string describe(const State& state) const { return fmt::format("at {}", state.count); }
  std::string why_not(const State& state, const Input&) const {
    return fmt::format("the count is {}", state.count);
  }
};

TEST(OwnSpecification, IsDecidedAndExplained) {
  RecordedHistory told;
  told.did("1", Function::count_down);
  told.did("2", Function::count_down, Outcome::info);
  told.did("1", Function::await).number = 1;
  told.did("1", Function::await).number = 2;
  told.did("1", Function::await).number = 1;
  const Limits limits;
  GeneralDecision<Sequential<Counter>> general(told.history(), limits);
  Sequential<Counter> counter(told.history().texts, Settings{});
  KeyDecision part;
  const std::vector<std::uint32_t> all{0, 1, 2, 3, 4};
  general.decide(counter, std::span(all).first(4), part);
  EXPECT_EQ(part.answer, Answer::linearizable);
  EXPECT_EQ(part.order, (std::vector<std::uint32_t>{0, 2, 1, 3}));
  general.decide(counter, all, part);
  EXPECT_EQ(part.answer, Answer::not_linearizable);
  EXPECT_EQ(part.explanation.stuck, 4U);
  EXPECT_EQ(part.explanation.final_paths.at(0).missing.at(0).why, "the count is 2");
}

}  // namespace
}  // namespace lockstep::checker::recorded::testing
