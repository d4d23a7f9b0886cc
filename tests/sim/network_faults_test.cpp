#include <gtest/gtest.h>

#include <functional>

#include "sim/network.h"
#include "tests/sim/recording_host.h"

namespace lockstep::sim {
namespace {

using testing::Lines;
using testing::RecordingHost;
using testing::World;

/// Answers with what a test puts into it.
struct Scripted final : Interceptor {
  SendDecision on_send(const MessageInfo& message) override { return decide(message); }
  void on_arrived(std::uint64_t message) override { arrived.push_back(message); }
  std::function<SendDecision(const MessageInfo&)> decide;
  std::vector<std::uint64_t> arrived;
};

class NetworkFaults : public ::testing::Test {
 protected:
  World world;
  Network& network = world.network;
  RecordingHost& a = *world.hosts[0];
  RecordingHost& b = *world.hosts[1];
  const HostId a_id = world.ids[0];
  const HostId b_id = world.ids[1];
  const HostId c_id = world.ids[2];
  const ConnectionId connection = world.connected();  // at 20,000 ns
  Scripted interceptor;
};

// -- interceptors --

TEST_F(NetworkFaults, ALostMessageIsGivenBackAndNobodyIsTold) {
  network.set_interceptor(&interceptor);
  interceptor.decide = [&](const MessageInfo& message) {
    EXPECT_EQ(message.from, a_id);
    EXPECT_EQ(message.to, b_id);
    EXPECT_EQ(message.connection, connection);
    EXPECT_EQ(message.label, "label");
    EXPECT_EQ(message.on_behalf_of, no_actor);
    return SendDecision{SendDecision::Kind::drop};
  };
  EXPECT_TRUE(world.send(connection, 0, 5));
  network.set_interceptor(nullptr);
  EXPECT_TRUE(world.send(connection, 0, 6));
  world.run_all();
  EXPECT_EQ(b.log(), (Lines{"30000 message 6 on 1"}));
  EXPECT_EQ(a.dropped(), (std::vector<Payload>{5}));
  EXPECT_EQ(world.sink.lines_of("message-lost"),
            (Lines{"20000 a message-lost message=1 why=dropped"}));
}

TEST_F(NetworkFaults, ADelayedMessageHoldsUpThoseBehindIt) {
  network.set_interceptor(&interceptor);
  interceptor.decide = [](const MessageInfo&) {
    return SendDecision{SendDecision::Kind::delay, 500};
  };
  world.send(connection, 0, 1);
  network.set_interceptor(nullptr);
  world.send(connection, 0, 2);
  world.send(connection, 1, 3);
  world.run_all();
  EXPECT_EQ(b.log(), (Lines{"30500 message 1 on 1", "30500 message 2 on 1"}));
  EXPECT_EQ(a.log(), (Lines{"30000 message 3 on 1"}));
  EXPECT_EQ(world.sink.lines_of("message-delayed"),
            (Lines{"20000 a message-delayed message=1 by_ns=500"}));
}

TEST_F(NetworkFaults, AnInterceptorMayResetTheConnection) {
  world.send(connection, 1, 1);
  world.send(connection, 0, 2);
  network.set_interceptor(&interceptor);
  interceptor.decide = [](const MessageInfo&) { return SendDecision{SendDecision::Kind::reset}; };
  EXPECT_TRUE(world.send(connection, 0, 3));
  EXPECT_FALSE(world.send(connection, 0, 4));
  EXPECT_TRUE(a.log().empty());  // told later, not inside of its own send
  world.run_all();
  EXPECT_EQ(a.log(), (Lines{"20000 closed 1"}));
  EXPECT_EQ(b.log(), (Lines{"20000 closed 1"}));
  EXPECT_EQ(a.dropped(), (std::vector<Payload>{2, 3}));
  EXPECT_EQ(b.dropped(), (std::vector<Payload>{1}));
}

TEST_F(NetworkFaults, AnInterceptorMayCrashTheSender) {
  network.set_interceptor(&interceptor);
  interceptor.decide = [&](const MessageInfo&) {
    world.crash(0);
    return SendDecision{};
  };
  EXPECT_TRUE(world.send(connection, 0, 3));
  world.run_all();
  EXPECT_EQ(a.dropped(), (std::vector<Payload>{3}));
  EXPECT_EQ(b.log(), (Lines{"30000 closed 1"}));
  EXPECT_EQ(world.sink.lines_of("message-lost"),
            (Lines{"20000 a message-lost message=1 why=connection-closed"}));
}

// -- resets --

TEST_F(NetworkFaults, AResetLosesWhatIsUnderWayAndTellsBothEnds) {
  world.send(connection, 0, 1);
  b.pause(100);
  network.reset(connection);
  network.reset(connection);
  EXPECT_FALSE(network.is_open(connection, a_id));
  world.run_all();
  EXPECT_EQ(a.log(), (Lines{"20000 closed 1"}));
  EXPECT_EQ(b.log(), (Lines{"20100 closed 1"}));
  EXPECT_EQ(world.sink.lines_of("connection-closed"),
            (Lines{"20000 a connection-closed connection=1 why=reset",
                   "20000 b connection-closed connection=1 why=reset"}));
  EXPECT_EQ(world.sink.lines_of("message-lost"),
            (Lines{"20000 a message-lost message=1 why=connection-reset"}));
}

TEST_F(NetworkFaults, AResetOfAnAttemptTellsTheCallerOnly) {
  const ConnectionId attempt = network.connect(a_id, b_id);
  network.reset(attempt);
  world.run_all();
  EXPECT_EQ(a.log(), (Lines{"20000 closed 2"}));
  EXPECT_TRUE(b.log().empty());
}

TEST_F(NetworkFaults, AnEndThatClosesRightAfterAResetIsNotTold) {
  network.reset(connection);
  network.close(connection, a_id);
  world.run_all();
  EXPECT_TRUE(a.log().empty());
  EXPECT_EQ(b.log(), (Lines{"20000 closed 1"}));
}

TEST_F(NetworkFaults, ResetAllBreaksAllBetweenTwoHostsInBothDirections) {
  network.connect(b_id, a_id);
  const ConnectionId other = network.connect(a_id, c_id);
  world.run_all();
  a.clear_log();
  network.reset_all(b_id, a_id);
  world.run_all();
  EXPECT_EQ(a.log(), (Lines{"40000 closed 1", "40000 closed 2"}));
  EXPECT_TRUE(network.is_open(other));
}

// -- crashes --

TEST_F(NetworkFaults, ACrashTellsPeersAfterWhatWasSentBefore) {
  world.send(connection, 0, 1);
  world.send(connection, 1, 2);
  world.crash(0);
  world.run_all();
  EXPECT_EQ(b.log(), (Lines{"30000 message 1 on 1", "30000 closed 1"}));
  EXPECT_EQ(b.dropped(), (std::vector<Payload>{2}));
  EXPECT_EQ(a.log(), (Lines{"20000 crashed"}));
  EXPECT_EQ(world.sink.lines_of("connection-closed"),
            (Lines{"20000 a connection-closed connection=1 why=process-crashed",
                   "30000 b connection-closed connection=1 why=closed-by-peer"}));
}

TEST_F(NetworkFaults, WhatIsDelayedAtItsSenderDiesWithIt) {
  network.set_interceptor(&interceptor);
  interceptor.decide = [](const MessageInfo& message) {
    const bool is_late = message.message == 2;
    return is_late ? SendDecision{SendDecision::Kind::delay, 50'000} : SendDecision{};
  };
  for (const Payload payload : {1U, 2U, 3U})
    world.send(connection, 0, payload);  // 3 waits behind 2
  world.send(connection, 1, 4);
  world.crash(0);
  world.run_all();
  EXPECT_EQ(b.log(), (Lines{"30000 message 1 on 1", "30000 closed 1"}));
  EXPECT_EQ(a.dropped(), (std::vector<Payload>{2, 3}));
  EXPECT_EQ(world.sink.lines_of("message-lost"),
            (Lines{"20000 a message-lost message=2 why=process-crashed",
                   "20000 a message-lost message=3 why=process-crashed",
                   "30000 b message-lost message=4 why=process-crashed"}));
}

TEST_F(NetworkFaults, WhatHasLeftItsSenderArrivesThoughTheLinkIsSlow) {
  network.set_interceptor(&interceptor);
  interceptor.decide = [](const MessageInfo&) {
    return SendDecision{SendDecision::Kind::delay, 5'000};
  };
  network.slow_link(a_id, b_id, 50'000);
  world.send(connection, 0, 1);
  world.queue.advance_to(25'001);  // the delay is over, and the message on its way
  world.crash(0);
  world.run_all();
  EXPECT_EQ(b.log().front(), "85000 message 1 on 1");
  EXPECT_TRUE(a.dropped().empty());
}

TEST_F(NetworkFaults, WhatIsHeldForAnotherDiesWithItsSender) {
  network.set_interceptor(&interceptor);
  interceptor.decide = [](const MessageInfo&) {
    return SendDecision{SendDecision::Kind::hold, 50'000};
  };
  world.send(connection, 0, 1);
  world.crash(0);
  network.release_held(1);
  world.run_all();
  EXPECT_EQ(b.log(), (Lines{"30000 closed 1"}));
  EXPECT_EQ(a.dropped(), (std::vector<Payload>{1}));
}

TEST_F(NetworkFaults, ARestartedProcessHearsNothingOfItsOldConnections) {
  world.send(connection, 1, 2);
  network.reset(network.connect(a_id, c_id));
  world.crash(0);
  a.restart();
  a.clear_log();
  EXPECT_FALSE(world.send(connection, 0, 9));
  world.run_all();
  EXPECT_TRUE(a.log().empty());
  EXPECT_EQ(b.dropped(), (std::vector<Payload>{2}));
}

TEST_F(NetworkFaults, AnAttemptThatReachesARestartedProcessIsAccepted) {
  const ConnectionId attempt = network.connect(a_id, b_id);
  world.crash(1);
  b.restart();
  world.run_all();
  EXPECT_TRUE(network.is_open(attempt));
}

TEST_F(NetworkFaults, AListenerThatCrashesAfterAcceptingClosesTheConnection) {
  const ConnectionId attempt = network.connect(a_id, b_id);
  world.run_until(30'000);
  world.crash(1);
  world.run_all();
  EXPECT_EQ(a.log(), (Lines{"40000 opened 2", "40000 closed 1", "40000 closed 2"}));
  EXPECT_FALSE(network.is_open(attempt));
}

// -- cuts --

TEST_F(NetworkFaults, ACutHoldsEverythingBackUntilItHeals) {
  world.send(connection, 0, 1);  // under way when it is cut
  network.cut(a_id, b_id);
  EXPECT_TRUE(network.is_cut(b_id, a_id));
  EXPECT_TRUE(world.send(connection, 0, 2));
  EXPECT_TRUE(world.send(connection, 1, 3));
  network.connect(a_id, b_id);
  world.at(100'000, [&] { network.heal(b_id, a_id); });
  world.run_all();
  EXPECT_EQ(b.log(), (Lines{"110000 message 1 on 1", "110000 message 2 on 1", "110000 opened 2"}));
  EXPECT_EQ(a.log(), (Lines{"110000 message 3 on 1", "120000 opened 2"}));
  EXPECT_EQ(world.sink.lines_of("network-cut"), (Lines{"20000 - network-cut one=a other=b"}));
  EXPECT_EQ(world.sink.lines_of("network-healed"),
            (Lines{"100000 - network-healed one=b other=a"}));
}

TEST_F(NetworkFaults, ACutConcernsItsTwoHostsOnly) {
  network.cut(a_id, b_id);
  network.connect(a_id, c_id);
  world.run_all();
  EXPECT_EQ(a.log(), (Lines{"40000 opened 2"}));
}

TEST_F(NetworkFaults, ARunIsQuiescentWhereEverythingWaitsBehindACut) {
  network.cut(a_id, b_id);
  world.send(connection, 0, 1);
  EXPECT_EQ(world.queue.normal_pending(), 0U);
}

TEST_F(NetworkFaults, ADelayedMessageIsDelayedAfterTheHealToo) {
  network.set_interceptor(&interceptor);
  interceptor.decide = [](const MessageInfo&) {
    return SendDecision{SendDecision::Kind::delay, 500};
  };
  network.cut(a_id, b_id);
  world.send(connection, 0, 1);
  network.heal(a_id, b_id);
  world.run_all();
  EXPECT_EQ(b.log(), (Lines{"30500 message 1 on 1"}));
}

TEST_F(NetworkFaults, WhatACutHoldsBackDiesWithItsSender) {
  network.cut(a_id, b_id);
  world.send(connection, 0, 1);
  world.send(connection, 1, 2);
  world.crash(0);
  EXPECT_EQ(a.dropped(), (std::vector<Payload>{1}));
  EXPECT_EQ(world.sink.lines_of("message-lost"),
            (Lines{"20000 a message-lost message=1 why=process-crashed"}));
  world.at(100'000, [&] { network.heal(a_id, b_id); });
  world.run_all();
  EXPECT_EQ(b.log(), (Lines{"110000 closed 1"}));
  EXPECT_EQ(b.dropped(), (std::vector<Payload>{2}));
}

TEST_F(NetworkFaults, WhatACutCatchesOnItsWayOutlivesItsSender) {
  network.set_interceptor(&interceptor);
  interceptor.decide = [](const MessageInfo& message) {
    const bool is_late = message.message == 2;
    return is_late ? SendDecision{SendDecision::Kind::delay, 50'000} : SendDecision{};
  };
  for (const Payload payload : {1U, 2U, 3U})
    world.send(connection, 0, payload);  // 3 waits behind 2
  network.cut(a_id, b_id);
  world.send(connection, 0, 4);
  world.crash(0);
  EXPECT_EQ(a.dropped(), (std::vector<Payload>{2, 3, 4}));
  world.at(100'000, [&] { network.heal(a_id, b_id); });
  world.run_all();
  EXPECT_EQ(b.log(), (Lines{"110000 message 1 on 1", "110000 closed 1"}));
}

TEST_F(NetworkFaults, WhatACutCatchesOnItsWayDiesWithTheMachine) {
  world.send(connection, 0, 1);
  network.cut(a_id, b_id);
  network.lose_what_cuts_caught(b_id);
  EXPECT_TRUE(a.dropped().empty());
  network.lose_what_cuts_caught(a_id);
  EXPECT_EQ(world.sink.lines_of("message-lost"),
            (Lines{"20000 a message-lost message=1 why=process-crashed"}));
  network.heal(a_id, b_id);
  world.run_all();
  EXPECT_TRUE(b.log().empty());
  EXPECT_EQ(a.dropped(), (std::vector<Payload>{1}));
}

TEST_F(NetworkFaults, NothingWaitsForAMessageThatACutTookAway) {
  network.set_interceptor(&interceptor);
  interceptor.decide = [](const MessageInfo&) {
    return SendDecision{SendDecision::Kind::delay, second_ns};
  };
  world.send(connection, 0, 1);
  network.cut(a_id, b_id);
  world.crash(0);
  network.heal(a_id, b_id);
  world.run_all();
  EXPECT_EQ(b.log(), (Lines{"30000 closed 1"}));
}

TEST_F(NetworkFaults, ARefusalHeldByACutOutlivesItsKernelsNextProcess) {
  world.crash(1);
  network.connect(a_id, b_id);
  world.run_until(30'000);
  network.cut(a_id, b_id);
  b.restart();
  world.crash(1);
  network.heal(a_id, b_id);
  world.run_all();
  EXPECT_EQ(a.log(), (Lines{"30000 closed 1", "40000 refused 2"}));
}

TEST_F(NetworkFaults, AClosingProcesssLastMessagesOutliveACut) {
  network.cut(a_id, b_id);
  world.send(connection, 0, 1);
  network.close(connection, a_id);
  network.heal(a_id, b_id);
  world.run_all();
  EXPECT_EQ(b.log(), (Lines{"30000 message 1 on 1", "30000 closed 1"}));
}

TEST_F(NetworkFaults, AnAttemptHeldByACutDiesWithItsCaller) {
  network.cut(a_id, b_id);
  network.connect(a_id, b_id);
  world.crash(0);
  network.heal(a_id, b_id);
  world.run_all();
  EXPECT_EQ(b.log(), (Lines{"30000 closed 1"}));
}

TEST_F(NetworkFaults, AnAnswerHeldByACutDiesWithItsListener) {
  network.connect(a_id, b_id);
  world.run_until(30'000);
  network.cut(a_id, b_id);
  world.crash(1);
  network.heal(a_id, b_id);
  world.run_all();
  EXPECT_EQ(a.log(), (Lines{"40000 closed 1", "40000 refused 2"}));
}

TEST_F(NetworkFaults, AResetReachesBothEndsThroughACut) {
  network.cut(a_id, b_id);
  world.send(connection, 0, 1);
  network.reset(connection);
  world.run_all();
  EXPECT_EQ(a.log(), (Lines{"20000 closed 1"}));
  EXPECT_EQ(b.log(), (Lines{"20000 closed 1"}));
  EXPECT_EQ(a.dropped(), (std::vector<Payload>{1}));
}

// -- cuts that overlap, and of one direction --

TEST_F(NetworkFaults, WhatIsCutTwiceIsHealedByTheSecondHeal) {
  network.cut(a_id, b_id);
  network.cut(b_id, a_id);
  world.send(connection, 0, 1);
  network.heal(a_id, b_id);
  world.run_all();
  EXPECT_EQ(b.log(), Lines{});
  network.heal(a_id, b_id);
  network.heal(a_id, b_id);  // one too many
  world.run_all();
  EXPECT_EQ(b.log(), (Lines{"30000 message 1 on 1"}));
  EXPECT_EQ(world.sink.lines_of("network-cut").size(), 1U);
  EXPECT_EQ(world.sink.lines_of("network-healed").size(), 1U);
  EXPECT_FALSE(network.is_cut(a_id, b_id));
}

TEST_F(NetworkFaults, ACutOneWayLetsTheOtherDirectionThrough) {
  network.cut_one_way(a_id, b_id);
  world.send(connection, 0, 1);
  world.send(connection, 1, 2);
  world.run_all();
  EXPECT_EQ(a.log(), (Lines{"30000 message 2 on 1"}));
  EXPECT_EQ(b.log(), Lines{});
  network.heal_one_way(a_id, b_id);
  world.run_all();
  EXPECT_EQ(b.log(), (Lines{"40000 message 1 on 1"}));
  EXPECT_EQ(world.sink.lines_of("direction-cut"), (Lines{"20000 - direction-cut from=a to=b"}));
  EXPECT_EQ(world.sink.lines_of("direction-healed"),
            (Lines{"30000 - direction-healed from=a to=b"}));
}

TEST_F(NetworkFaults, ACutOfBothWaysTellsOnlyOfTheDirectionThatWasWhole) {
  network.cut_one_way(a_id, b_id);
  network.cut(a_id, b_id);
  EXPECT_EQ(world.sink.lines_of("network-cut"), Lines{});
  EXPECT_EQ(world.sink.lines_of("direction-cut").size(), 2U);
  network.heal_one_way(a_id, b_id);
  EXPECT_TRUE(network.is_cut(a_id, b_id));
  network.heal(a_id, b_id);
  EXPECT_EQ(world.sink.lines_of("network-healed").size(), 1U);
}

// -- slow links, refused and half-open connections, messages held back --

TEST_F(NetworkFaults, ASlowLinkAddsToEveryDelayOfWhatIsSentThen) {
  world.send(connection, 0, 1);
  network.slow_link(a_id, b_id, 500);
  network.slow_link(b_id, a_id, 70);
  world.send(connection, 0, 2);
  world.send(connection, 1, 3);
  network.slow_link(a_id, b_id, -500);
  world.run_all();
  EXPECT_EQ(b.log(), (Lines{"30000 message 1 on 1", "30570 message 2 on 1"}));
  EXPECT_EQ(a.log(), (Lines{"30570 message 3 on 1"}));
  EXPECT_EQ(world.sink.lines_of("link-slowed"),
            (Lines{"20000 - link-slowed one=a other=b by_ns=500",
                   "20000 - link-slowed one=b other=a by_ns=570",
                   "20000 - link-slowed one=a other=b by_ns=70"}));
}

TEST_F(NetworkFaults, WhoDoesNotListenRefusesAndKeepsItsConnections) {
  network.stop_listening(b_id);
  network.stop_listening(b_id);
  network.connect(a_id, b_id);
  world.send(connection, 0, 1);
  world.run_all();
  EXPECT_EQ(b.log(), (Lines{"30000 message 1 on 1"}));
  EXPECT_EQ(a.log(), (Lines{"40000 refused 2"}));
  network.resume_listening(b_id);
  network.connect(a_id, b_id);
  world.run_all();
  network.resume_listening(b_id);
  network.connect(a_id, b_id);
  world.run_all();
  EXPECT_EQ(a.log(), (Lines{"40000 refused 2", "60000 refused 3", "80000 opened 4"}));
  EXPECT_EQ(world.sink.lines_of("listening-stopped").size(), 1U);
  EXPECT_EQ(world.sink.lines_of("listening-again").size(), 1U);
}

TEST_F(NetworkFaults, AHalfOpenConnectionSwallowsWhatIsSent) {
  world.send(connection, 1, 1);
  network.make_half_open(b_id, a_id);
  EXPECT_TRUE(network.is_open(connection, a_id));
  EXPECT_FALSE(network.is_open(connection, b_id));
  EXPECT_TRUE(world.send(connection, 0, 2));
  world.run_all();
  EXPECT_EQ(b.log(), (Lines{"20000 closed 1"}));
  EXPECT_EQ(a.log(), (Lines{"30000 message 1 on 1"}));  // it was on its way
  EXPECT_EQ(a.dropped(), (std::vector<Payload>{2}));
  network.close(connection, a_id);
  world.run_all();
  EXPECT_EQ(b.log().size(), 1U);
}

TEST_F(NetworkFaults, AMessageHeldBackWaitsUntilItIsLetGoOrItsTimeIsOver) {
  network.set_interceptor(&interceptor);
  interceptor.decide = [](const MessageInfo& message) {
    if (message.message % 2 == 0) return SendDecision{};
    return SendDecision{.kind = SendDecision::Kind::hold, .extra_delay_ns = 900'000};
  };
  world.send(connection, 0, 1);  // held
  world.send(connection, 0, 2);  // behind it
  world.at(50'000, [&] { network.release_held(1); });
  world.run_all();
  EXPECT_EQ(b.log(), (Lines{"60000 message 1 on 1", "60000 message 2 on 1"}));
  EXPECT_EQ(world.sink.lines_of("message-held"),
            (Lines{"20000 a message-held message=1 at_most_ns=900000"}));
  network.release_held(1);  // it has arrived
  b.clear_log();
  world.send(connection, 0, 3);
  world.run_all();
  EXPECT_EQ(b.log(), (Lines{"970000 message 3 on 1"}));
  EXPECT_EQ(world.sink.lines_of("message-let-go").size(), 1U);
}

TEST_F(NetworkFaults, AMessageThatIsLetGoBehindACutArrivesAfterTheHeal) {
  network.set_interceptor(&interceptor);
  interceptor.decide = [](const MessageInfo&) {
    return SendDecision{.kind = SendDecision::Kind::hold, .extra_delay_ns = 900'000};
  };
  world.send(connection, 0, 1);
  network.cut(a_id, b_id);
  network.release_held(1);
  world.run_all();
  EXPECT_EQ(b.log(), Lines{});
  network.heal(a_id, b_id);
  world.run_all();
  EXPECT_EQ(b.log(), (Lines{"30000 message 1 on 1"}));
}

TEST_F(NetworkFaults, AMessageIsDelayedOnceThoughACutHoldsItBackMeanwhile) {
  network.set_interceptor(&interceptor);
  interceptor.decide = [](const MessageInfo&) {
    return SendDecision{SendDecision::Kind::delay, 900'000};
  };
  world.send(connection, 0, 1);
  network.cut(a_id, b_id);
  world.at(100'000, [&] { network.heal(a_id, b_id); });
  world.run_all();
  EXPECT_EQ(b.log(), (Lines{"930000 message 1 on 1"}));
  b.clear_log();
  world.send(connection, 0, 2);  // at 930,000 ns
  network.cut(a_id, b_id);
  world.at(5'000'000, [&] { network.heal(a_id, b_id); });
  world.run_all();
  EXPECT_EQ(b.log(), (Lines{"5010000 message 2 on 1"}));
}

TEST_F(NetworkFaults, ALinkThatIsSlowedWithoutEndIsAsFastAsBeforeOnceAllOfItIsTakenBack) {
  constexpr DurationNs year_ns = DurationNs{365} * 24 * 3'600 * second_ns;
  for (int i = 0; i < 400; ++i) network.slow_link(a_id, b_id, year_ns);
  world.send(connection, 0, 1);
  EXPECT_EQ(world.queue.next_at(), 30'000 + 100 * year_ns);
  for (int i = 0; i < 399; ++i) network.slow_link(a_id, b_id, -year_ns);
  EXPECT_EQ(world.sink.lines_of("link-slowed").back(),
            "20000 - link-slowed one=a other=b by_ns=" + std::to_string(year_ns));
  network.slow_link(a_id, b_id, -year_ns);
  EXPECT_EQ(world.sink.lines_of("link-slowed").back(), "20000 - link-slowed one=a other=b by_ns=0");
}

TEST_F(NetworkFaults, AnArrivalIsReportedWhereTheVerdictAskedForIt) {
  network.set_interceptor(&interceptor);
  interceptor.decide = [](const MessageInfo& message) {
    return SendDecision{.report_arrival = message.message == 2};
  };
  world.send(connection, 0, 1);
  world.send(connection, 0, 2);
  world.run_all();
  EXPECT_EQ(interceptor.arrived, (std::vector<std::uint64_t>{2}));
}

}  // namespace
}  // namespace lockstep::sim
