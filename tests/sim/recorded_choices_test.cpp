#include "sim/recorded_choices.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

#include "sim/seeded_choices.h"

namespace lockstep::sim {
namespace {

constexpr Stream delay{Purpose::network_delay, 4};
constexpr Stream fault{Purpose::fault, 2};

TEST(RecordingChoices, KeepsWhatWasAskedAndAnswered) {
  SeededChoices seeded(1);
  SeededChoices same(1);
  RecordingChoices recording(seeded);
  const std::uint64_t value = recording.choose(delay, 100);
  EXPECT_EQ(value, same.choose(delay, 100));
  EXPECT_EQ(recording.choose(delay, 1), 0U);  // no decision: not in the record
  EXPECT_EQ(recording.record(), (std::vector<Choice>{{delay, 100, value}}));
  recording.clear();
  EXPECT_TRUE(recording.record().empty());
}

TEST(ReplayedChoices, TellsWhereTheRunAskedForSomethingElse) {
  ReplayedChoices replayed({{delay, 100, 17}, {fault, 3, 2}});
  EXPECT_EQ(replayed.choose(delay, 100), 17U);
  EXPECT_FALSE(replayed.divergence());
  EXPECT_EQ(replayed.unread_count(), 1U);
  EXPECT_EQ(replayed.choose(fault, 5), 0U);
  ASSERT_TRUE(replayed.divergence());
  EXPECT_EQ(
      *replayed.divergence(),
      "choice 1: the run asks for fault of owner 2 among 5, the record holds fault of owner 2 "
      "among 3 (answer 2)");
}

TEST(ReplayedChoices, GoesOnWithZerosAndKeepsTheFirstDivergence) {
  ReplayedChoices replayed({{delay, 100, 17}, {fault, 3, 2}});
  EXPECT_EQ(replayed.choose(fault, 3), 0U);
  const std::string first = replayed.divergence().value_or("none");
  EXPECT_EQ(replayed.choose(delay, 100), 0U);
  EXPECT_EQ(replayed.choose(fault, 3), 0U);
  EXPECT_EQ(replayed.divergence(), first);
  EXPECT_EQ(replayed.unread_count(), 2U);
}

TEST(ReplayedChoices, NeverReadsPastItsEnd) {
  ReplayedChoices replayed({});
  EXPECT_EQ(replayed.choose(delay, 1), 0U);
  EXPECT_FALSE(replayed.divergence());
  EXPECT_EQ(replayed.choose(delay, 100), 0U);
  EXPECT_EQ(
      replayed.divergence(),
      "choice 0: the run asks for network_delay of owner 4 among 100, the record holds nothing "
      "more");
}

TEST(ReplayedChoices, ADamagedAnswerIsADivergence) {
  ReplayedChoices replayed({{delay, 100, 100}});
  EXPECT_EQ(replayed.choose(delay, 100), 0U);
  EXPECT_TRUE(replayed.divergence());
}

TEST(ReplayedChoices, AResetBeginsAgain) {
  ReplayedChoices replayed({});
  EXPECT_EQ(replayed.choose(delay, 100), 0U);
  replayed.reset({{delay, 100, 5}});
  EXPECT_FALSE(replayed.divergence());
  EXPECT_EQ(replayed.choose(delay, 100), 5U);
  EXPECT_EQ(replayed.unread_count(), 0U);
}

using Question = std::pair<Stream, std::uint64_t>;

std::vector<Question> any_questions() {
  const auto stream = rc::gen::construct<Stream>(
      rc::gen::map(rc::gen::inRange(0, 7), [](int number) { return static_cast<Purpose>(number); }),
      rc::gen::inRange<std::uint32_t>(0, 5));
  return *rc::gen::container<std::vector<Question>>(
      rc::gen::pair(stream, rc::gen::inRange<std::uint64_t>(1, 50)));
}

RC_GTEST_PROP(ReplayedChoicesProperty, AReplayGivesTheSameAnswers, (std::uint64_t seed)) {
  const std::vector<Question> questions = any_questions();
  SeededChoices seeded(seed);
  RecordingChoices recording(seeded);
  std::vector<std::uint64_t> answers;
  answers.reserve(questions.size());
  for (const auto& [stream, count] : questions) answers.push_back(recording.choose(stream, count));
  ReplayedChoices replayed(recording.record());
  for (std::size_t index = 0; index < questions.size(); ++index) {
    RC_ASSERT(replayed.choose(questions[index].first, questions[index].second) == answers[index]);
  }
  RC_ASSERT(!replayed.divergence());
  RC_ASSERT(replayed.unread_count() == 0U);
}

RC_GTEST_PROP(ReplayedChoicesProperty, AnyOtherQuestionIsReported, (std::uint64_t seed)) {
  std::vector<Question> questions = any_questions();
  questions.push_back({delay, 9});
  SeededChoices seeded(seed);
  RecordingChoices recording(seeded);
  for (const auto& [stream, count] : questions) static_cast<void>(recording.choose(stream, count));
  auto& [stream, count] = questions[*rc::gen::inRange<std::size_t>(0, questions.size())];
  RC_PRE(count > 1U);
  const int change = *rc::gen::inRange(0, 3);
  if (change == 0) stream.owner += 1;
  if (change == 1)
    stream.purpose = static_cast<Purpose>((static_cast<int>(stream.purpose) + 1) % 7);
  if (change == 2) count += 1;
  ReplayedChoices replayed(recording.record());
  for (const auto& [asked, alternatives] : questions) {
    static_cast<void>(replayed.choose(asked, alternatives));
  }
  RC_ASSERT(replayed.divergence().has_value());
}

}  // namespace
}  // namespace lockstep::sim
