// Recorded histories, decided: what outcomes mean, keys, witnesses, and what is told where there is
// no order.
#include "checker/recorded/decide.h"

#include <gtest/gtest.h>

#include "checker/recorded/specifications/key_value.h"
#include "recorded_history.h"

namespace lockstep::checker::recorded::testing {
namespace {

Answer answer(const RecordedHistory& told, Model model, const Settings& settings = {}) {
  return decide(told.history(), model, {}, settings).answer;
}

TEST(Decide, AnEmptyHistoryIsLinearizable) {
  for (const Model model : all_models()) {
    EXPECT_EQ(answer({}, model), Answer::linearizable) << to_string(model);
  }
}

TEST(Decide, ARegisterShowsWhatWasWrittenLast) {
  RecordedHistory told;
  told.read("1", "nil");
  told.write("1", "4");
  told.read("2", "4");
  EXPECT_EQ(answer(told, Model::reg), Answer::linearizable);
  told.read("2", "nil");
  EXPECT_EQ(answer(told, Model::reg), Answer::not_linearizable);
}

TEST(Decide, AnUnknownWriteMayHappenLateOrNever) {
  RecordedHistory told;
  told.write("1", "4", Outcome::info);
  told.write("2", "5");
  told.read("2", "5");
  EXPECT_EQ(answer(told, Model::reg), Answer::linearizable);
  told.read("2", "4");
  told.read("2", "4");
  EXPECT_EQ(answer(told, Model::reg), Answer::linearizable);
  told.read("2", "5");
  EXPECT_EQ(answer(told, Model::reg), Answer::not_linearizable);
}

TEST(Decide, AFailedWriteDidNothing) {
  RecordedHistory told;
  told.write("1", "4", Outcome::fail);
  told.read("2", "4");
  EXPECT_EQ(answer(told, Model::reg), Answer::not_linearizable);
}

TEST(Decide, KeysAreDecidedByThemselves) {
  RecordedHistory told;
  told.write("1", "4").key = told.text("x");
  told.read("2", "nil").key = told.text("y");
  told.read("2", "nil").key = told.text("x");
  const Decision decision = decide(told.history(), Model::reg);
  ASSERT_EQ(decision.parts.size(), 2U);
  EXPECT_EQ(decision.answer, Answer::not_linearizable);
  EXPECT_EQ(decision.parts[0].answer, Answer::not_linearizable);
  EXPECT_EQ(decision.parts[0].explanation.object, "register \"x\"");
  EXPECT_EQ(decision.parts[1].answer, Answer::linearizable);
  EXPECT_EQ(decision.parts[1].order, std::vector<std::uint32_t>{1});
}

TEST(Decide, TheWitnessIsAnOrderOfTheHistorysOperations) {
  RecordedHistory told;
  const auto slow = told.invoke("1", Function::write);
  told.at(slow).argument = told.text("4");
  told.read("2", "4");
  told.write("3", "5", Outcome::info);
  told.write("2", "6");
  told.complete(slow, Outcome::ok);
  EXPECT_EQ(decide(told.history(), Model::reg).parts.at(0).order,
            (std::vector<std::uint32_t>{0, 1, 3}));
}

TEST(Decide, TellsWhatIsStuckAndWhatItMet) {
  RecordedHistory told;
  told.did("a/1", Function::acquire);
  told.did("b/1", Function::acquire);
  told.did("a/1", Function::release);
  const Decision decision = decide(told.history(), Model::owned_mutex);
  ASSERT_EQ(decision.answer, Answer::not_linearizable);
  const Explanation& explanation = decision.parts.at(0).explanation;
  EXPECT_EQ(explanation.stuck, 1U);
  EXPECT_EQ(explanation.until, 3U);
  ASSERT_EQ(explanation.final_paths.size(), 1U);
  EXPECT_EQ(explanation.final_paths[0].order, std::vector<std::uint32_t>{0});
  EXPECT_EQ(explanation.final_paths[0].state, "held by a/1");
  ASSERT_EQ(explanation.final_paths[0].missing.size(), 1U);
  EXPECT_EQ(explanation.final_paths[0].missing[0].why, "the owner is a/1");
  EXPECT_EQ(in_words(told.history(), explanation),
            "the lock: no order of the operations gets past the return of b/1's acquire (ok, line "
            "3)\n"
            "These alone have no order:\n"
            "  a/1's acquire (ok, line 1)\n"
            "  b/1's acquire (ok, line 3)\n"
            "  after 1 of these, in some order, it is held by a/1, the last of them a/1's acquire "
            "(ok, line 1)\n"
            "    b/1's acquire (ok, line 3): not possible, the owner is a/1\n");
}

/// What it remembers of texts while it searches is part of the memory that it may take.
TEST(KeyValueMap, CountsWhatItLearnsWhileItIsAsked) {
  RecordedHistory told;
  for (const std::string_view piece : {"a", "b"}) {
    told.did("p", Function::append).argument = told.text(piece);
  }
  told.read("p", "ab");
  KeyValueMap map(told.history().texts, {});
  for (const Operation& operation : told.history().operations) map.notice(operation);
  std::vector<SearchOperation<KeyValueMap::Input>> operations;
  for (const Operation& operation : told.history().operations) {
    operations.push_back({*map.input_of(operation), operation.invoked, operation.completed});
  }
  map.foresee(operations);
  KeyValueMap::State state = map.initial();
  const std::uint64_t bytes = map.memory_bytes();
  EXPECT_TRUE(map.has_future(state, 0, never_returns, [](std::uint32_t) { return true; }));
  EXPECT_EQ(state, map.initial());
  EXPECT_GT(map.memory_bytes(), bytes);
}

TEST(Decide, GivesUpAtEachLimitAndSaysWhich) {
  RecordedHistory told;
  std::vector<std::uint32_t> writes;
  for (int index = 0; index < 20; ++index) {
    writes.push_back(told.invoke(std::to_string(index), Function::write));
    told.at(writes.back()).argument = told.text(std::to_string(index % 3));
  }
  for (int index = 0; index < 60; ++index) told.read("r", std::to_string((index / 2) % 3));
  for (const std::uint32_t write : writes) told.complete(write, Outcome::ok);
  told.read("r", "never written");
  Limits steps;
  steps.steps_max = 100;
  Limits memory;
  memory.memory_bytes_max = 1000;
  Limits time;
  int asked = 0;
  time.is_over = [&asked] { return ++asked == 2; };
  EXPECT_EQ(decide(told.history(), Model::cas_register).answer, Answer::not_linearizable);
  for (const auto& [limits, because] :
       {std::pair{steps, "100 steps were made"},
        std::pair{memory, "0 MiB of memory beside the history would not do"},
        std::pair{time, "the time allowed was over"}}) {
    const Decision decision = decide(told.history(), Model::cas_register, limits);
    EXPECT_EQ(decision.answer, Answer::unknown);
    EXPECT_EQ(decision.parts.at(0).unknown_because, because);
  }
  EXPECT_EQ(asked, 2);
}

}  // namespace
}  // namespace lockstep::checker::recorded::testing
