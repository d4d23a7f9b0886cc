#include "sim/event_queue.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <tuple>
#include <vector>

namespace lockstep::sim {
namespace {

struct Recorder final : EventTarget {
  void on_event(std::uint32_t code, std::uint64_t argument) override {
    codes.push_back(code);
    arguments.push_back(argument);
  }
  std::vector<std::uint32_t> codes;
  std::vector<std::uint64_t> arguments;
};

TEST(EventQueue, EventsOfOneInstantRunInTheOrderOfScheduling) {
  EventQueue queue;
  Recorder target;
  for (std::uint64_t argument = 0; argument < 100; ++argument) {
    queue.schedule(argument < 50 ? 7 : 3, target, 1, argument);
  }
  while (queue.run_next()) {
  }
  std::vector<std::uint64_t> expected;
  for (std::uint64_t argument = 50; argument < 100; ++argument) expected.push_back(argument);
  for (std::uint64_t argument = 0; argument < 50; ++argument) expected.push_back(argument);
  EXPECT_EQ(target.arguments, expected);
  EXPECT_EQ(queue.now(), 7);
}

TEST(EventQueue, AnEventScheduledByAnotherForTheSameInstantRunsAfterThoseThatWait) {
  EventQueue queue;
  Recorder target;
  struct Chained final : EventTarget {
    Chained(EventQueue& its_queue, Recorder& its_target) : queue(its_queue), target(its_target) {}
    void on_event(std::uint32_t, std::uint64_t) override {
      queue.schedule(queue.now(), target, 0, 2);
    }
    EventQueue& queue;
    Recorder& target;
  } chained(queue, target);
  queue.schedule(5, chained, 0);
  queue.schedule(5, target, 0, 1);
  while (queue.run_next()) {
  }
  EXPECT_EQ(target.arguments, (std::vector<std::uint64_t>{1, 2}));
}

TEST(EventQueue, AMovedEventKeepsThePlaceOfItsSchedulingAmongThoseOfItsNewInstant) {
  EventQueue queue;
  Recorder target;
  queue.schedule(5, target, 0, 1);
  const EventHandle moved = queue.schedule(9, target, 0, 2);
  queue.schedule(5, target, 0, 3);
  const EventHandle there_and_back = queue.schedule(3, target, 0, 0);
  queue.move(moved, 5);
  queue.move(there_and_back, 8);
  EXPECT_TRUE(queue.is_pending(moved));
  EXPECT_EQ(queue.next_at(), 5);
  queue.move(there_and_back, 3);
  EXPECT_EQ(queue.next_at(), 3);
  while (queue.run_next()) {
  }
  EXPECT_EQ(target.arguments, (std::vector<std::uint64_t>{0, 1, 2, 3}));
  EXPECT_FALSE(queue.is_pending(moved));
}

TEST(EventQueue, AHandleOfAnEventThatRanOrWasCancelledIsHarmless) {
  EventQueue queue;
  Recorder target;
  const EventHandle first = queue.schedule(1, target, 0, 1);
  EXPECT_TRUE(queue.run_next());
  const EventHandle second = queue.schedule(2, target, 0, 2);  // takes the place of the first
  EXPECT_FALSE(queue.cancel(first));
  EXPECT_TRUE(queue.cancel(second));
  EXPECT_FALSE(queue.cancel(second));
  EXPECT_FALSE(queue.cancel(EventHandle{}));
  EXPECT_FALSE(queue.run_next());
  EXPECT_EQ(target.arguments, (std::vector<std::uint64_t>{1}));
}

TEST(EventQueue, DaemonsDoNotCountAsPending) {
  EventQueue queue;
  Recorder target;
  queue.schedule(1, target, 0, 0, EventKind::daemon);
  EXPECT_EQ(queue.normal_pending(), 0U);
  const EventHandle normal = queue.schedule(2, target, 0, 0);
  queue.schedule(3, target, 0, 0);
  EXPECT_EQ(queue.normal_pending(), 2U);
  queue.cancel(normal);
  EXPECT_EQ(queue.normal_pending(), 1U);
  while (queue.run_next()) {
  }
  EXPECT_EQ(queue.normal_pending(), 0U);
  EXPECT_EQ(target.arguments.size(), 2U);
}

TEST(EventQueue, AResetForgetsEventsAndMakesTheirHandlesStale) {
  EventQueue queue;
  Recorder target;
  queue.schedule(1, target, 0, 1);
  EXPECT_TRUE(queue.run_next());
  const EventHandle forgotten = queue.schedule(5, target, 0, 2);
  queue.reset();
  EXPECT_EQ(queue.now(), 0);
  EXPECT_EQ(queue.next_at(), never_ns);
  EXPECT_EQ(queue.normal_pending(), 0U);
  queue.schedule(1, target, 0, 3);
  EXPECT_FALSE(queue.cancel(forgotten));
  EXPECT_TRUE(queue.run_next());
  EXPECT_EQ(target.arguments, (std::vector<std::uint64_t>{1, 3}));
}

/// What an EventQueue ought to do, by a list that is searched.
class ModelQueue {
 public:
  std::size_t schedule(TimeNs at, EventKind kind) {
    events_.push_back({at, kind, true});
    return events_.size() - 1;
  }
  bool cancel(std::size_t event) { return std::exchange(events_[event].pending, false); }
  /// The next event, or the number of events where none is left.
  [[nodiscard]] std::size_t next() const {
    std::size_t best = events_.size();
    for (std::size_t event = 0; event < events_.size(); ++event) {
      if (!events_[event].pending) continue;
      if (best == events_.size() || events_[event].at < events_[best].at) best = event;
    }
    return best;
  }
  [[nodiscard]] TimeNs at(std::size_t event) const {
    return event == events_.size() ? never_ns : events_[event].at;
  }
  [[nodiscard]] std::size_t normal_pending() const {
    return static_cast<std::size_t>(std::count_if(
        events_.begin(), events_.end(),
        [](const Event& event) { return event.pending && event.kind == EventKind::normal; }));
  }
  [[nodiscard]] std::size_t size() const { return events_.size(); }

 private:
  struct Event {
    TimeNs at;
    EventKind kind;
    bool pending;
  };
  std::vector<Event> events_;
};

/// Runs one random sequence of calls on both and compares everything that can be seen.
void compare_with_model(EventQueue& queue, int schedule_weight, int cancel_weight) {
  Recorder target;
  ModelQueue model;
  std::vector<EventHandle> handles;
  const auto calls = *rc::gen::container<std::vector<std::tuple<int, int>>>(rc::gen::tuple(
      rc::gen::inRange(0, schedule_weight + cancel_weight + 2), rc::gen::inRange(0, 1'000)));
  for (const auto& [call, number] : calls) {
    if (call < schedule_weight) {
      const TimeNs at = queue.now() + number % 13;
      const EventKind kind = number % 3 == 0 ? EventKind::daemon : EventKind::normal;
      handles.push_back(queue.schedule(at, target, 9, model.size(), kind));
      model.schedule(at, kind);
    } else if (call < schedule_weight + cancel_weight) {
      if (handles.empty()) continue;
      const std::size_t event = static_cast<std::size_t>(number) % handles.size();
      RC_ASSERT(queue.cancel(handles[event]) == model.cancel(event));
    } else {
      const std::size_t next = model.next();
      RC_ASSERT(queue.next_at() == model.at(next));
      RC_ASSERT(queue.run_next() == (next < model.size()));
      if (next == model.size()) continue;
      RC_ASSERT(target.arguments.back() == next);
      RC_ASSERT(queue.now() == model.at(next));
      model.cancel(next);
    }
    RC_ASSERT(queue.normal_pending() == model.normal_pending());
  }
}

RC_GTEST_PROP(EventQueueProperty, ItRunsWhatASortedListWouldRun, ()) {
  EventQueue queue;
  compare_with_model(queue, 4, 2);
  queue.reset();
  compare_with_model(queue, 4, 2);
}

TEST(EventQueue, ManyCancelledEventsNeitherRunNorDisturbTheOrder) {
  EventQueue queue;
  Recorder target;
  std::vector<std::uint64_t> expected;
  for (std::uint64_t argument = 0; argument < 2'000; ++argument) {
    const EventHandle handle =
        queue.schedule(static_cast<TimeNs>(argument * 7919 % 1'000), target, 0, argument);
    if (argument % 20 == 0) {
      expected.push_back(argument);
    } else {
      EXPECT_TRUE(queue.cancel(handle));
    }
  }
  std::stable_sort(expected.begin(), expected.end(), [](std::uint64_t one, std::uint64_t other) {
    return one * 7919 % 1'000 < other * 7919 % 1'000;
  });
  while (queue.run_next()) {
  }
  EXPECT_EQ(target.arguments, expected);
}

}  // namespace
}  // namespace lockstep::sim
