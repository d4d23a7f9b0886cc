#include "sim/host.h"

#include <gtest/gtest.h>

#include "tests/sim/recording_host.h"

namespace lockstep::sim {
namespace {

using testing::Lines;
using testing::RecordingHost;
using testing::World;

class HostTest : public ::testing::Test {
 protected:
  void deliver(Payload payload) {
    host.deliver({Incoming::Kind::message, ConnectionId{1}, payload});
  }

  World world;
  RecordingHost& host = *world.hosts[0];
};

TEST_F(HostTest, ARunningProcessIsGivenThingsAtOnce) {
  deliver(1);
  host.run_or_defer(2);
  EXPECT_EQ(host.log(), (Lines{"0 message 1 on 1", "0 work 2"}));
}

TEST_F(HostTest, APausedProcessHandlesEverythingInOrderWhenItResumes) {
  host.start_timer(20, 7);
  world.at(10, [&] { host.pause(40); });
  world.at(15, [&] { deliver(1); });
  world.at(25, [&] { deliver(2); });
  world.at(30, [&] { host.run_or_defer(3); });
  world.run_all();
  EXPECT_EQ(host.log(),
            (Lines{"50 message 1 on 1", "50 timer 7", "50 message 2 on 1", "50 work 3"}));
  EXPECT_EQ(world.sink.lines(), (Lines{"10 a process-paused for_ns=40", "50 a process-resumed"}));
}

TEST_F(HostTest, APauseWithoutEndLastsUntilResume) {
  host.pause();
  deliver(1);
  world.run_all();
  EXPECT_TRUE(host.log().empty());
  EXPECT_EQ(host.state(), HostState::paused);
  host.resume();
  EXPECT_EQ(host.log(), (Lines{"0 message 1 on 1"}));
  EXPECT_EQ(world.sink.lines(), (Lines{"0 a process-paused for_ns=-1", "0 a process-resumed"}));
}

TEST_F(HostTest, APauseThatIsEndedLeavesTheOthers) {
  PauseId longer{};
  PauseId shorter{};
  world.at(0, [&] { longer = host.pause(100); });
  world.at(10, [&] { shorter = host.pause(40); });
  world.at(20, [&] { deliver(1); });
  world.at(30, [&] { host.end_pause(longer); });
  world.at(31, [&] { host.end_pause(longer); });  // it is over
  world.at(200, [&] { longer = host.pause(); });
  world.at(210, [&] { shorter = host.pause(10); });
  world.at(230, [&] { host.end_pause(longer); });  // the shorter one would be over
  world.at(300, [&] { shorter = host.pause(50); });
  world.at(310, [&] { host.pause(70); });
  world.at(320, [&] { host.end_pause(shorter); });
  world.at(330, [&] { deliver(2); });
  world.run_all();
  EXPECT_EQ(host.log(), (Lines{"50 message 1 on 1", "380 message 2 on 1"}));
  EXPECT_EQ(world.sink.lines_of("process-resumed"),
            (Lines{"50 a process-resumed", "230 a process-resumed", "380 a process-resumed"}));
  host.crash();
  EXPECT_EQ(host.pause(10), PauseId{});
}

TEST_F(HostTest, OfTwoPausesTheLaterEndCounts) {
  world.at(0, [&] { host.pause(100); });
  world.at(10, [&] { host.pause(20); });
  world.at(20, [&] { deliver(1); });
  world.at(200, [&] { host.pause(100); });
  world.at(210, [&] { host.pause(200); });
  world.at(220, [&] { deliver(2); });
  world.run_all();
  EXPECT_EQ(host.log(), (Lines{"100 message 1 on 1", "410 message 2 on 1"}));
  EXPECT_EQ(world.sink.lines_of("process-resumed").size(), 2U);
}

TEST_F(HostTest, AResumedProcessIsNotResumedAgainByItsOldPause) {
  world.at(0, [&] { host.pause(100); });
  world.at(10, [&] {
    host.resume();
    EXPECT_EQ(world.queue.normal_pending(), 1U);  // the next line's only
  });
  world.at(20, [&] { host.pause(); });
  world.run_all();
  EXPECT_EQ(host.state(), HostState::paused);
}

TEST_F(HostTest, AProcessPausedAgainWhileItCatchesUpKeepsTheRest) {
  host.pause(100);
  for (const Payload payload : {1U, 2U, 3U}) deliver(payload);
  host.handler = [&](const Incoming& incoming) {
    if (incoming.argument == 2) host.pause(50);
  };
  world.run_all();
  EXPECT_EQ(host.log(), (Lines{"100 message 1 on 1", "100 message 2 on 1", "150 message 3 on 1"}));
}

TEST_F(HostTest, WorkDeferredWhileCatchingUpGoesBehindWhatWaits) {
  host.pause(100);
  deliver(1);
  deliver(2);
  host.handler = [&](const Incoming& incoming) {
    if (incoming.kind == Incoming::Kind::message) host.run_or_defer(10 + incoming.argument);
  };
  world.run_all();
  EXPECT_EQ(host.log(),
            (Lines{"100 message 1 on 1", "100 message 2 on 1", "100 work 11", "100 work 12"}));
}

TEST_F(HostTest, APauseAndResumeInOneHandlerKeepTheOrder) {
  host.pause(100);
  for (const Payload payload : {1U, 2U, 3U}) deliver(payload);
  host.handler = [&](const Incoming& incoming) {
    if (incoming.argument != 1) return;
    host.pause();
    host.resume();
    EXPECT_EQ(host.log().size(), 1U);  // the next is handled when this handler is done
  };
  world.run_all();
  EXPECT_EQ(host.log(), (Lines{"100 message 1 on 1", "100 message 2 on 1", "100 message 3 on 1"}));
}

TEST_F(HostTest, ACrashDropsInboxAndTimers) {
  host.start_timer(10, 1);
  host.start_timer(30, 2);
  world.at(5, [&] { host.pause(100); });
  world.at(15, [&] { deliver(7); });
  world.at(20, [&] { host.crash(); });
  world.at(25, [&] { deliver(8); });
  world.run_all();
  EXPECT_EQ(host.log(), (Lines{"20 crashed"}));
  EXPECT_EQ(host.dropped(), (std::vector<Payload>{7, 8}));
  EXPECT_EQ(host.state(), HostState::crashed);
  EXPECT_EQ(world.sink.lines(), (Lines{"5 a process-paused for_ns=100", "20 a process-crashed"}));
}

TEST_F(HostTest, ACrashTakesTheEndOfAPauseWithIt) {
  host.pause(100);
  host.crash();
  EXPECT_EQ(world.queue.normal_pending(), 0U);
  host.restart();
  host.pause();
  world.run_all();
  EXPECT_EQ(host.state(), HostState::paused);
}

TEST_F(HostTest, ACrashWhileCatchingUpDropsTheRest) {
  host.pause(100);
  for (const Payload payload : {1U, 2U, 3U}) deliver(payload);
  host.handler = [&](const Incoming& incoming) {
    if (incoming.argument == 2) host.crash();
  };
  world.run_all();
  EXPECT_EQ(host.log(), (Lines{"100 message 1 on 1", "100 message 2 on 1", "100 crashed"}));
  EXPECT_EQ(host.dropped(), (std::vector<Payload>{3}));
}

TEST_F(HostTest, ARestartedProcessStartsFromNothing) {
  host.start_timer(50, 1);
  world.at(10, [&] { host.crash(); });
  world.at(20, [&] { host.restart(); });
  world.at(30, [&] { deliver(5); });
  world.run_all();
  EXPECT_EQ(host.log(), (Lines{"10 crashed", "20 started", "30 message 5 on 1"}));
  EXPECT_EQ(world.sink.lines(), (Lines{"10 a process-crashed", "20 a process-restarted"}));
}

TEST_F(HostTest, ARestartInTheHandlerThatCrashedGoesOnWithNewThings) {
  host.pause(100);
  for (const Payload payload : {1U, 2U}) deliver(payload);
  host.handler = [&](const Incoming& incoming) {
    if (incoming.argument != 1) return;
    host.crash();
    host.restart();
    host.run_or_defer(9);
  };
  world.run_all();
  EXPECT_EQ(host.log(), (Lines{"100 message 1 on 1", "100 crashed", "100 started", "100 work 9"}));
  EXPECT_EQ(host.dropped(), (std::vector<Payload>{2}));
}

TEST_F(HostTest, StatesThatDoNotFitAreLeftAlone) {
  host.resume();
  host.restart();
  EXPECT_TRUE(world.sink.lines().empty());
  host.crash();
  host.crash();
  host.pause(10);
  host.resume();
  EXPECT_EQ(world.sink.lines(), (Lines{"0 a process-crashed"}));
  EXPECT_EQ(host.start_timer(5, 1), TimerId{});
  world.run_all();
  EXPECT_EQ(host.log(), (Lines{"0 crashed"}));
}

TEST_F(HostTest, AResetHostIsAsNewAndItsOldEventsAreGone) {
  host.start_timer(50, 1);
  host.pause(60);
  deliver(1);
  host.reset(Clock(500), Clock(7));
  EXPECT_EQ(host.state(), HostState::running);
  EXPECT_EQ(host.wall_ns(), 500);
  EXPECT_EQ(host.monotonic_ns(), 7);
  world.run_all();
  EXPECT_TRUE(host.log().empty());
  EXPECT_TRUE(host.dropped().empty());
  deliver(2);
  EXPECT_EQ(host.log().size(), 1U);
}

// -- slow processes --

TEST_F(HostTest, ASlowProcessHandlesOneThingAfterTheOther) {
  host.start_timer(15, 7);
  const TimerId cancelled = host.start_timer(16, 8);
  world.at(10, [&] { host.set_slowness(20); });
  world.at(12, [&] { deliver(1); });
  world.at(13, [&] { deliver(2); });
  world.at(40, [&] { host.cancel_timer(cancelled); });
  world.run_all();
  EXPECT_EQ(host.log(), (Lines{"32 message 1 on 1", "52 message 2 on 1", "72 timer 7"}));
  deliver(3);
  host.set_slowness(0);
  EXPECT_EQ(host.log().back(), "72 message 3 on 1");
  world.run_all();
  EXPECT_EQ(host.log().size(), 4U);
  EXPECT_EQ(world.sink.lines(),
            (Lines{"10 a process-slowed by_ns=20", "72 a process-slowed by_ns=0"}));
}

TEST_F(HostTest, ASlowProcessThatHandlesSomethingGoesOnSlowly) {
  host.set_slowness(20);
  host.handler = [&](const Incoming& incoming) {
    if (incoming.argument < 3) deliver(incoming.argument + 1);
  };
  deliver(1);
  world.run_all();
  EXPECT_EQ(host.log(), (Lines{"20 message 1 on 1", "40 message 2 on 1", "60 message 3 on 1"}));
}

TEST_F(HostTest, APauseInterruptsASlowProcess) {
  host.set_slowness(20);
  deliver(1);
  world.at(10, [&] { host.pause(100); });
  world.at(50, [&] { deliver(2); });
  world.run_all();
  EXPECT_EQ(host.log(), (Lines{"130 message 1 on 1", "150 message 2 on 1"}));
}

TEST_F(HostTest, ACrashEndsWhatASlowProcessIsAt) {
  host.set_slowness(20);
  deliver(1);
  world.at(10, [&] { host.crash(); });
  world.at(30, [&] {
    host.restart();
    deliver(2);
  });
  world.run_all();
  EXPECT_EQ(host.log(), (Lines{"10 crashed", "30 started", "50 message 2 on 1"}));
  EXPECT_EQ(host.dropped(), (std::vector<Payload>{1}));
}

TEST_F(HostTest, ASlowProcesssDaemonsKeepNoRunAlive) {
  host.set_slowness(20);
  host.start_timer(5, 7, EventKind::daemon);
  world.run_until(10);
  EXPECT_EQ(world.queue.normal_pending(), 0U);
  deliver(1);
  EXPECT_EQ(world.queue.normal_pending(), 1U);
  world.run_all();
  EXPECT_EQ(host.log(), (Lines{"25 timer 7", "45 message 1 on 1"}));
}

TEST_F(HostTest, AProcessMayBecomeSlowAndFastAgainInItsOwnHandler) {
  host.handler = [&](const Incoming& incoming) {
    if (incoming.argument == 1) host.set_slowness(20);
    if (incoming.argument == 3) host.set_slowness(0);
  };
  for (const Payload payload : {1U, 2U, 3U, 4U, 5U}) deliver(payload);
  world.run_all();
  EXPECT_EQ(host.log(), (Lines{"0 message 1 on 1", "20 message 2 on 1", "40 message 3 on 1",
                               "40 message 4 on 1", "40 message 5 on 1"}));
}

}  // namespace
}  // namespace lockstep::sim
