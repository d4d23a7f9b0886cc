#include "sim/clock.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <vector>

namespace lockstep::sim {
namespace {

__extension__ using Wide = __int128;

TEST(Clock, ReadsTrueTimeFromItsStart) {
  const Clock clock(1'700'000'000 * second_ns);
  EXPECT_EQ(clock.reading_at(0), 1'700'000'000 * second_ns);
  EXPECT_EQ(clock.reading_at(5), 1'700'000'000 * second_ns + 5);
  EXPECT_EQ(clock.true_time_of(1'700'000'000 * second_ns + 5), 5);
}

TEST(Clock, StepsStopWhereReadingsWouldLeaveTheSixtyFourBits) {
  constexpr DurationNs year_ns = DurationNs{365} * 24 * 3'600 * second_ns;
  Clock clock(54 * year_ns);
  for (int i = 0; i < 400; ++i) clock.step(0, year_ns);
  EXPECT_EQ(clock.reading_at(year_ns), 251 * year_ns);
  clock.step(2 * year_ns, year_ns);  // it has run beyond: steps take it no further
  EXPECT_EQ(clock.reading_at(2 * year_ns), 252 * year_ns);
  for (int i = 0; i < 800; ++i) clock.step(2 * year_ns, -year_ns);
  EXPECT_EQ(clock.reading_at(2 * year_ns), -250 * year_ns);
  clock.step(2 * year_ns, 250 * year_ns);
  EXPECT_EQ(clock.reading_at(2 * year_ns), 0);
}

TEST(Clock, DriftIsMillionthsAndReadingsAreRoundedDown) {
  const Clock fast(0, 100);
  EXPECT_EQ(fast.reading_at(second_ns), second_ns + 100 * microsecond_ns);
  EXPECT_EQ(fast.reading_at(9'999), 9'999);
  EXPECT_EQ(fast.reading_at(10'000), 10'001);
  const Clock slow(0, -500'000);
  EXPECT_EQ(slow.reading_at(1), 0);
  EXPECT_EQ(slow.reading_at(2), 1);
  EXPECT_EQ(slow.true_time_of(1), 2);
}

TEST(Clock, AReadingOfThePastIsReachedAtTheLastChange) {
  Clock clock(1'000);
  EXPECT_EQ(clock.true_time_of(0), 0);
  clock.step(50, 500);
  EXPECT_EQ(clock.reading_at(50), 1'550);
  EXPECT_EQ(clock.true_time_of(1'060), 50);
  EXPECT_EQ(clock.true_time_of(1'551), 51);
}

TEST(Clock, AStepBackShowsReadingsAgain) {
  Clock clock(0);
  clock.step(100, -60);
  EXPECT_EQ(clock.reading_at(100), 40);
  EXPECT_EQ(clock.true_time_of(100), 160);
}

TEST(Clock, ChangesThatChangeNothingLoseNoFraction) {
  Clock clock(0, -500'000);
  for (TimeNs instant = 1; instant <= 99; instant += 2) {
    clock.step(instant, 0);
    clock.set_drift(instant, -500'000);
  }
  EXPECT_EQ(clock.reading_at(1'000), 500);
  EXPECT_EQ(clock.drift_ppm(), -500'000);
}

TEST(Clock, AFrozenClockStandsStillAndGoesOnFromThere) {
  Clock clock(1'000, 100'000);
  clock.freeze(100);
  EXPECT_TRUE(clock.is_frozen());
  EXPECT_EQ(clock.drift_ppm(), 100'000);
  EXPECT_EQ(clock.reading_at(100), 1'110);
  EXPECT_EQ(clock.reading_at(5'000), 1'110);
  EXPECT_EQ(clock.true_time_of(1'110), 100);
  EXPECT_EQ(clock.true_time_of(1'111), never_ns);
  clock.step(6'000, 5);
  clock.set_drift(7'000, 0);
  EXPECT_EQ(clock.reading_at(7'000), 1'115);
  clock.thaw(8'000);
  EXPECT_FALSE(clock.is_frozen());
  EXPECT_EQ(clock.reading_at(8'010), 1'125);
}

TEST(Clock, AReadingBeyondEveryRunIsNeverReached) {
  EXPECT_EQ(Clock(0, -999'999).true_time_of(INT64_MAX), never_ns);
  EXPECT_EQ(Clock(-5, 0).true_time_of(INT64_MAX), never_ns);
  EXPECT_EQ(Clock(0, 0).true_time_of(INT64_MAX - 1), INT64_MAX - 1);
}

/// A clock and, beside it, all that ever happened to it: readings are summed from the beginning.
class Changed {
 public:
  Changed(std::int64_t reading_ns, std::int64_t drift_ppm) : clock_(reading_ns, drift_ppm) {
    changes_.push_back({0, reading_ns, drift_ppm, false});
  }
  void step(DurationNs after_ns, std::int64_t by_ns) {
    change(after_ns).step_ns = by_ns;
    clock_.step(last_change(), by_ns);
  }
  void set_drift(DurationNs after_ns, std::int64_t drift_ppm) {
    change(after_ns).drift_ppm = drift_ppm;
    clock_.set_drift(last_change(), drift_ppm);
  }
  void freeze(DurationNs after_ns) {
    change(after_ns).is_frozen = true;
    clock_.freeze(last_change());
  }
  void thaw(DurationNs after_ns) {
    change(after_ns).is_frozen = false;
    clock_.thaw(last_change());
  }
  [[nodiscard]] const Clock& clock() const { return clock_; }
  [[nodiscard]] TimeNs last_change() const { return changes_.back().at; }

  [[nodiscard]] std::int64_t reading_at(TimeNs instant) const {
    Wide millionths = 0;
    for (std::size_t index = 0; index < changes_.size(); ++index) {
      const TimeNs end = index + 1 < changes_.size() ? changes_[index + 1].at : instant;
      millionths += Wide{changes_[index].step_ns} * 1'000'000;
      if (changes_[index].is_frozen) continue;
      millionths += Wide{end - changes_[index].at} * (1'000'000 + changes_[index].drift_ppm);
    }
    Wide reading = millionths / 1'000'000;
    if (reading * 1'000'000 > millionths) --reading;  // towards minus infinity
    return static_cast<std::int64_t>(reading);
  }

 private:
  struct Change {
    TimeNs at;
    std::int64_t step_ns;
    std::int64_t drift_ppm;
    bool is_frozen;
  };
  /// The next change: so far nothing but the time is another.
  Change& change(DurationNs after_ns) {
    Change next = changes_.back();
    next.at += after_ns;
    next.step_ns = 0;
    changes_.push_back(next);
    return changes_.back();
  }
  Clock clock_;
  std::vector<Change> changes_;
};

Changed any_clock(std::int64_t span_ns_max) {
  const auto drift = rc::gen::oneOf(rc::gen::inRange<std::int64_t>(-999'999, 1'000'000),
                                    rc::gen::element<std::int64_t>(0, 1, -1, 50, -999'999));
  const auto span = rc::gen::inRange<std::int64_t>(0, span_ns_max);
  Changed clock(*rc::gen::inRange(-span_ns_max, span_ns_max), *drift);
  const int changes = *rc::gen::inRange(0, 12);
  for (int change = 0; change < changes; ++change) {
    switch (*rc::gen::inRange(0, 5)) {
      case 0:
        clock.freeze(*span);
        break;
      case 1:
        clock.thaw(*span);
        break;
      case 2:
        clock.set_drift(*span, *drift);
        break;
      default:
        clock.step(*span, *rc::gen::inRange(-span_ns_max, span_ns_max));
    }
  }
  return clock;
}

RC_GTEST_PROP(ClockProperty, ReadingsAreTheSumOfEverythingThatHappened, ()) {
  const Changed changed = any_clock(*rc::gen::element<std::int64_t>(100, 1'000'000, 1LL << 50));
  const TimeNs instant =
      changed.last_change() + *rc::gen::inRange<std::int64_t>(0, std::int64_t{1} << 50);
  RC_ASSERT(changed.clock().reading_at(instant) == changed.reading_at(instant));
}

RC_GTEST_PROP(ClockProperty, TheInverseIsTheFirstInstantThatReadsEnough, ()) {
  const Changed changed = any_clock(*rc::gen::element<std::int64_t>(100, 1'000'000, 1LL << 40));
  const std::int64_t wanted =
      changed.reading_at(changed.last_change()) +
      *rc::gen::oneOf(rc::gen::inRange<std::int64_t>(-100, 100),
                      rc::gen::inRange<std::int64_t>(-1'000'000'000, std::int64_t{1} << 40));
  const TimeNs instant = changed.clock().true_time_of(wanted);
  RC_ASSERT(instant >= changed.last_change());
  if (instant == never_ns) {  // frozen: it has not got there, and never will
    RC_ASSERT(changed.reading_at(changed.last_change() + (std::int64_t{1} << 50)) < wanted);
    return;
  }
  RC_ASSERT(changed.reading_at(instant) >= wanted);
  RC_ASSERT(instant == changed.last_change() || changed.reading_at(instant - 1) < wanted);
}

RC_GTEST_PROP(ClockProperty, TheInverseIsWhatCountingNanosecondsFinds, ()) {
  const Changed changed = any_clock(50);
  const std::int64_t wanted =
      changed.reading_at(changed.last_change()) + *rc::gen::inRange<std::int64_t>(-5, 20);
  TimeNs counted = changed.last_change();
  while (changed.reading_at(counted) < wanted && counted < 200'000) ++counted;
  RC_PRE(changed.reading_at(counted) >= wanted);
  RC_ASSERT(changed.clock().true_time_of(wanted) == counted);
}

}  // namespace
}  // namespace lockstep::sim
