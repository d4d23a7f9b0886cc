#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "sim/host.h"
#include "tests/sim/recording_host.h"

namespace lockstep::sim {
namespace {

using testing::Lines;
using testing::RecordingHost;
using testing::World;

class HostTimers : public ::testing::Test {
 protected:
  World world;
  RecordingHost& host = *world.hosts[0];
};

TEST_F(HostTimers, FireAfterTheirSpanOfTheMonotonicClock) {
  host.reset(Clock(), Clock(1'000, -500'000));
  host.start_timer(10, 1);
  world.run_all();
  EXPECT_EQ(host.log(), (Lines{"20 timer 1"}));
}

TEST_F(HostTimers, OfSpanZeroFireAfterWhatIsScheduledForTheInstant) {
  world.at(5, [&] { host.start_timer(0, 1); });
  world.at(5, [&] { host.run_or_defer(2); });
  world.run_all();
  EXPECT_EQ(host.log(), (Lines{"5 work 2", "5 timer 1"}));
}

TEST_F(HostTimers, CancelledNeverFire) {
  const TimerId timer = host.start_timer(10, 1);
  host.start_timer(10, 2);
  host.cancel_timer(timer);
  host.cancel_timer(timer);
  world.run_all();
  EXPECT_EQ(host.log(), (Lines{"10 timer 2"}));
}

TEST_F(HostTimers, CancelledWhileTheyWaitInTheInboxNeverFire) {
  const TimerId timer = host.start_timer(10, 1);
  host.pause(50);
  world.at(5, [&] { host.run_or_defer(0); });
  host.handler = [&](const Incoming& incoming) {
    if (incoming.kind != Incoming::Kind::resumed_work) return;
    host.cancel_timer(timer);
    host.start_timer(0, 2);  // takes the same place, with another generation
  };
  world.run_all();
  EXPECT_EQ(host.log(), (Lines{"50 work 0", "50 timer 2"}));
}

TEST_F(HostTimers, StaleIdsAreHarmless) {
  const TimerId fired = host.start_timer(0, 1);
  world.run_all();
  const TimerId next = host.start_timer(5, 2);
  EXPECT_NE(fired, next);
  host.cancel_timer(fired);
  host.cancel_timer(TimerId{});
  host.cancel_timer(TimerId{UINT32_MAX});
  world.run_all();
  EXPECT_EQ(host.log(), (Lines{"0 timer 1", "5 timer 2"}));
}

TEST_F(HostTimers, IdsOfACrashedProcessDoNotNameThoseOfTheNext) {
  const TimerId old = host.start_timer(5, 1);
  host.crash();
  host.restart();
  const TimerId fresh = host.start_timer(5, 2);
  EXPECT_NE(old, fresh);
  host.cancel_timer(old);
  world.run_all();
  EXPECT_EQ(host.log(), (Lines{"0 crashed", "0 started", "5 timer 2"}));
}

TEST_F(HostTimers, IdsAreNotReusedWithinARunHoweverMany) {
  const TimerId first = host.start_timer(1, 0);
  host.cancel_timer(first);
  for (int round = 0; round < 200'000; ++round) {
    const TimerId next = host.start_timer(1, 0);
    ASSERT_NE(next, first);
    host.cancel_timer(next);
  }
}

TEST_F(HostTimers, WithoutADeadlineNeverFireAndKeepNoRunAlive) {
  host.start_timer(never_ns, 1);
  host.reset(Clock(), Clock(50));
  host.start_timer(never_ns, 2);
  EXPECT_EQ(world.queue.normal_pending(), 0U);
  host.set_monotonic_drift(500);
  world.run_all();
  EXPECT_TRUE(host.log().empty());
}

TEST_F(HostTimers, MoveWhenTheClockChangesItsRate) {
  host.start_timer(1'000, 1);
  world.at(500, [&] { host.set_monotonic_drift(-500'000); });
  world.at(700, [&] { host.set_monotonic_drift(900'000); });
  world.run_all();
  // 500 at the true rate, 100 in 200 ns, and the last 400 at 1.9 times the rate: 210.5 ns.
  EXPECT_EQ(host.log(), (Lines{"911 timer 1"}));
}

TEST_F(HostTimers, WaitWhileTheClockIsFrozenAndAreDueAtOnceWhereItStepsOverThem) {
  host.start_timer(100, 1);
  host.start_timer(300, 2);
  world.at(50, [&] { host.freeze_monotonic(); });
  world.at(60, [&] { EXPECT_EQ(world.queue.normal_pending(), 2U); });  // this test's own two
  world.at(1'050, [&] { host.thaw_monotonic(); });
  world.at(1'150, [&] { host.step_monotonic(500); });
  world.run_all();
  EXPECT_EQ(host.log(), (Lines{"1100 timer 1", "1150 timer 2"}));
}

TEST_F(HostTimers, DueAtOneInstantKeepTheOrderOfTheirStartsAcrossAChangeOfRate) {
  const TimerId placeholder = host.start_timer(9, 9);
  host.start_timer(100, 1);
  host.cancel_timer(placeholder);
  host.start_timer(100, 2);  // in the place of the first, before the second
  world.at(50, [&] { host.set_monotonic_drift(10); });
  world.run_all();
  EXPECT_EQ(host.log(), (Lines{"100 timer 1", "100 timer 2"}));
}

TEST_F(HostTimers, OfADaemonKeepNoRunAlive) {
  host.start_timer(5, 1, EventKind::daemon);
  EXPECT_EQ(world.queue.normal_pending(), 0U);
  host.set_monotonic_drift(5);
  EXPECT_EQ(world.queue.normal_pending(), 0U);
}

TEST_F(HostTimers, HaveTheSameIdsInEveryRun) {
  const TimerId first = host.start_timer(5, 1);
  world.run_all();
  host.start_timer(5, 1);
  world.queue.reset();
  host.reset(Clock(), Clock());
  EXPECT_EQ(host.start_timer(5, 1), first);
}

/// What one timer ought to do, found by asking the clock at every change instead of by events.
struct ModelTimer {
  TimerId id;
  std::int64_t deadline_ns;
  bool cancelled = false;
  std::optional<TimeNs> fired_at;
};

// Random starts, cancels, pauses and changes of the clock: a timer fires once, unless it is
// cancelled before, not before its deadline, and at the first instant when its clock shows the
// deadline and its process runs.
RC_GTEST_PROP(HostTimersProperty, FireOnceAtTheFirstInstantThatIsLateEnough, ()) {
  World world;
  RecordingHost& host = *world.hosts[0];
  std::vector<ModelTimer> timers;
  std::vector<std::pair<TimeNs, TimeNs>> stopped;  // pauses, from and until
  host.handler = [&](const Incoming& incoming) {
    ModelTimer& timer = timers[incoming.argument];
    RC_ASSERT(!timer.cancelled);
    RC_ASSERT(!timer.fired_at.has_value());
    RC_ASSERT(host.monotonic_ns() >= timer.deadline_ns);
    timer.fired_at = world.queue.now();
    const TimeNs due_at = host.monotonic_clock().true_time_of(timer.deadline_ns);
    const bool was_stopped =
        std::any_of(stopped.begin(), stopped.end(), [&](const std::pair<TimeNs, TimeNs>& pause) {
          return pause.first <= due_at && world.queue.now() <= pause.second;
        });
    if (!was_stopped) RC_ASSERT(due_at == world.queue.now());
  };
  TimeNs at = 0;
  const int steps = *rc::gen::inRange(0, 30);
  for (int step = 0; step < steps; ++step) {
    at += *rc::gen::inRange<TimeNs>(0, 40);
    const int what = *rc::gen::inRange(0, 10);
    const std::int64_t number = *rc::gen::inRange(1, 100);
    world.at(at, [&, what, number] {
      if (what < 5) {
        const TimerId id = host.start_timer(number, timers.size());
        timers.push_back({id, host.monotonic_ns() + number, false, std::nullopt});
      } else if (what < 7) {
        if (timers.empty()) return;
        ModelTimer& timer = timers[static_cast<std::size_t>(number) % timers.size()];
        if (!timer.fired_at) timer.cancelled = true;
        host.cancel_timer(timer.id);
      } else if (what == 7) {
        host.pause(number);
        const TimeNs now = world.queue.now();
        if (stopped.empty() || stopped.back().second < now) stopped.emplace_back(now, now);
        stopped.back().second = std::max(stopped.back().second, now + number);
      } else if (what == 8) {
        host.set_monotonic_drift((number - 50) * 19'000);
      } else if (number < 30) {
        host.step_monotonic(number);
      } else if (number < 65) {
        host.freeze_monotonic();
      } else {
        host.thaw_monotonic();
      }
    });
  }
  world.at(at + 1, [&] { host.thaw_monotonic(); });
  world.run_all();
  for (const ModelTimer& timer : timers) {
    RC_ASSERT(timer.fired_at.has_value() != timer.cancelled);
  }
}

}  // namespace
}  // namespace lockstep::sim
