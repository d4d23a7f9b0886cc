// The time that is left is shared, and leaves room for what has to be saved however little there
// is.
#include "app/search/saving_time.h"

#include <gtest/gtest.h>

#include <string>

namespace lockstep::app {
namespace {

class SharedTime : public testing::Test {
 protected:
  /// Goes on until it is told to end, as shrinking does, then takes so long to save.
  void make_one(SavingTime& time, std::size_t left, std::int64_t saving) {
    time.begin_one_of(left);
    while (!time.is_over()) ++now_;
    now_ += saving;
  }

  std::int64_t now_ = 1'000;
};

TEST_F(SharedTime, IsEndlessWithoutAClock) {
  bool is_to_end = false;
  std::string asked;
  SavingTime time([&](std::size_t number, std::size_t of) {
    asked = std::to_string(number) + " of " + std::to_string(of);
    return is_to_end;
  });
  time.begin_one_of(3);
  EXPECT_FALSE(time.is_over());
  EXPECT_FALSE(time.is_all_over());
  EXPECT_EQ(asked, "1 of 3");
  is_to_end = true;
  time.begin_one_of(2);
  EXPECT_TRUE(time.is_over());
  EXPECT_EQ(asked, "2 of 3");
}

TEST_F(SharedTime, IsLeftForTheLastToo) {
  SavingTime time(
      {}, [this] { return now_; }, 2'000);
  time.begin_one_of(4);
  while (!time.is_over()) ++now_;
  EXPECT_EQ(now_, 1'250);
  // What one leaves is for the others.
  time.begin_one_of(3);
  ++now_;
  time.begin_one_of(2);
  while (!time.is_over()) ++now_;
  EXPECT_NEAR(static_cast<double>(now_), 1'625, 2);
}

TEST_F(SharedTime, IsKeptForSavingWhatIsToEnd) {
  SavingTime time(
      {}, [this] { return now_; }, 2'000);
  constexpr std::size_t findings = 8;
  for (std::size_t left = findings; left > 0; --left) make_one(time, left, 40);
  // But for the first, of which nobody knew how long saving takes, each ended in its share.
  EXPECT_LE(now_, 2'000 + 40);
  EXPECT_TRUE(time.is_all_over());
}

TEST_F(SharedTime, IsKeptForTheFirstToo) {
  SavingTime time(
      {}, [this] { return now_; }, 2'000, 40);
  for (std::size_t left = 8; left > 0; --left) make_one(time, left, 40);
  EXPECT_LE(now_, 2'000);
}

TEST_F(SharedTime, IsOverAtOnceWhereNoneIsLeft) {
  SavingTime time(
      {}, [this] { return now_; }, 900);
  time.begin_one_of(2);
  EXPECT_TRUE(time.is_over());
  EXPECT_TRUE(time.is_all_over());
}

}  // namespace
}  // namespace lockstep::app
