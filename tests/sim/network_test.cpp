#include "sim/network.h"

#include <gtest/gtest.h>

#include "tests/sim/recording_host.h"

namespace lockstep::sim {
namespace {

using testing::Lines;
using testing::RecordingHost;
using testing::World;

class NetworkTest : public ::testing::Test {
 protected:
  World world;
  Network& network = world.network;
  RecordingHost& a = *world.hosts[0];
  RecordingHost& b = *world.hosts[1];
  const HostId a_id = world.ids[0];
  const HostId b_id = world.ids[1];
};

TEST_F(NetworkTest, AConnectionOpensAtTheListenerAndAHopLaterAtTheCaller) {
  const ConnectionId connection = network.connect(a_id, b_id);
  EXPECT_EQ(connection, ConnectionId{1});
  EXPECT_FALSE(network.is_open(connection));
  world.run_until(10'000);
  EXPECT_TRUE(network.is_open(connection, b_id));
  EXPECT_FALSE(network.is_open(connection, a_id));
  EXPECT_FALSE(network.is_open(connection));
  world.run_all();
  EXPECT_TRUE(network.is_open(connection));
  EXPECT_EQ(b.log(), (Lines{"10000 opened 1"}));
  EXPECT_EQ(a.log(), (Lines{"20000 opened 1"}));
  EXPECT_EQ(world.sink.lines(), (Lines{"0 a connection-opening connection=1 to=b",
                                       "10000 b connection-opened connection=1",
                                       "20000 a connection-opened connection=1"}));
  EXPECT_EQ(network.peer(connection, a_id), b_id);
  EXPECT_EQ(network.peer(connection, b_id), a_id);
  EXPECT_EQ(network.connect(b_id, a_id), ConnectionId{2});
}

TEST_F(NetworkTest, NothingIsSentBeforeTheHandshakeIsOver) {
  const ConnectionId connection = network.connect(a_id, b_id);
  EXPECT_FALSE(world.send(connection, 0, 1));
  EXPECT_FALSE(world.send(connection, 1, 1));
  EXPECT_FALSE(world.send(ConnectionId{}, 1, 1));
  EXPECT_FALSE(world.send(ConnectionId{9}, 1, 1));
  EXPECT_TRUE(a.dropped().empty());
}

TEST_F(NetworkTest, AListenerThatSpeaksFirstIsHeardAfterTheConnectionOpened) {
  b.handler = [&](const Incoming& incoming) { world.send(incoming.connection, 1, 5); };
  network.connect(a_id, b_id);
  world.run_all();
  EXPECT_EQ(a.log(), (Lines{"20000 opened 1", "20000 message 5 on 1"}));
}

TEST_F(NetworkTest, AMessageArrivesAHopLater) {
  const ConnectionId connection = world.connected();
  const ActorId thread = world.trace.add_actor({"a/1", "client-thread", "a"});
  EXPECT_TRUE(network.send(connection, a_id, 77, "acquire", thread));
  EXPECT_TRUE(network.send(connection, b_id, 78, "push", no_actor));
  world.run_all();
  EXPECT_EQ(b.log(), (Lines{"30000 message 77 on 1"}));
  EXPECT_EQ(a.log(), (Lines{"30000 message 78 on 1"}));
  EXPECT_EQ(
      world.sink.lines(),
      (Lines{"20000 a message-sent message=1 to=b connection=1 label=acquire on_behalf_of=a/1",
             "20000 b message-sent message=2 to=a connection=1 label=push on_behalf_of=",
             "30000 b message-delivered message=1", "30000 a message-delivered message=2"}));
}

TEST_F(NetworkTest, EachDirectionHasItsLatency) {
  network.set_latency(a_id, b_id, {microsecond_ns, microsecond_ns});
  const ConnectionId connection = world.connected();
  EXPECT_EQ(world.queue.now(), 11'000);
  world.send(connection, 0, 1);
  world.send(connection, 1, 2);
  world.run_all();
  EXPECT_EQ(b.log(), (Lines{"12000 message 1 on 1"}));
  EXPECT_EQ(a.log(), (Lines{"21000 message 2 on 1"}));
}

TEST_F(NetworkTest, AHostMoreDoesNotChangeTheLinksThatWereThere) {
  network.set_latency(a_id, b_id, {microsecond_ns, microsecond_ns});
  network.cut(a_id, world.ids[2]);
  RecordingHost d("d", world.queue, world.trace);
  const HostId d_id = network.add_host(d);
  EXPECT_EQ(network.host_count(), 4U);
  EXPECT_TRUE(network.is_cut(a_id, world.ids[2]));
  EXPECT_FALSE(network.is_cut(a_id, d_id));
  network.connect(a_id, b_id);
  world.run_all();
  EXPECT_EQ(b.log(), (Lines{"1000 opened 1"}));
}

TEST_F(NetworkTest, APausedListenersKernelAccepts) {
  b.pause(100'000);
  const ConnectionId connection = network.connect(a_id, b_id);
  world.run_until(20'000);
  EXPECT_EQ(a.log(), (Lines{"20000 opened 1"}));
  EXPECT_TRUE(world.send(connection, 0, 5));
  world.run_all();
  EXPECT_EQ(b.log(), (Lines{"100000 opened 1", "100000 message 5 on 1"}));
  EXPECT_EQ(world.sink.lines_of("message-delivered"),
            (Lines{"30000 b message-delivered message=1 waits=1"}));
}

TEST_F(NetworkTest, ACrashedListenerRefuses) {
  b.crash();
  const ConnectionId connection = network.connect(a_id, b_id);
  world.run_all();
  EXPECT_EQ(a.log(), (Lines{"20000 refused 1"}));
  EXPECT_FALSE(network.is_open(connection, a_id));
  EXPECT_EQ(world.sink.lines_of("connection-refused"),
            (Lines{"20000 a connection-refused connection=1"}));
}

TEST_F(NetworkTest, ACrashedCallerGetsAnIdThatNeverOpens) {
  a.crash();
  const ConnectionId connection = network.connect(a_id, b_id);
  world.run_all();
  EXPECT_FALSE(network.is_open(connection));
  EXPECT_TRUE(b.log().empty());
}

TEST_F(NetworkTest, WhatWasSentBeforeACloseArrivesBeforeIt) {
  const ConnectionId connection = world.connected();
  world.send(connection, 0, 1);
  world.send(connection, 0, 2);
  network.close(connection, a_id);
  EXPECT_FALSE(world.send(connection, 0, 3));
  EXPECT_FALSE(network.is_open(connection));
  EXPECT_TRUE(network.is_open(connection, b_id));
  world.run_all();
  EXPECT_EQ(b.log(), (Lines{"30000 message 1 on 1", "30000 message 2 on 1", "30000 closed 1"}));
  EXPECT_TRUE(a.log().empty());
  EXPECT_FALSE(world.send(connection, 1, 4));
  EXPECT_EQ(world.sink.lines_of("connection-closed"),
            (Lines{"20000 a connection-closed connection=1 why=closed",
                   "30000 b connection-closed connection=1 why=closed-by-peer"}));
}

TEST_F(NetworkTest, WhatReachesAClosedEndIsLostAndGivenBackToItsSender) {
  const ConnectionId connection = world.connected();
  world.send(connection, 1, 5);
  network.close(connection, a_id);
  world.at(25'000, [&] { EXPECT_TRUE(world.send(connection, 1, 6)); });  // b does not know yet
  world.run_all();
  EXPECT_TRUE(a.log().empty());
  EXPECT_EQ(b.dropped(), (std::vector<Payload>{5, 6}));
  EXPECT_EQ(world.sink.lines_of("message-lost"),
            (Lines{"30000 b message-lost message=1 why=connection-closed",
                   "35000 b message-lost message=2 why=connection-closed"}));
}

TEST_F(NetworkTest, BothEndsMayCloseAtOnceAndAgain) {
  const ConnectionId connection = world.connected();
  network.close(connection, a_id);
  network.close(connection, b_id);
  network.close(connection, a_id);
  network.close(ConnectionId{7}, a_id);
  world.run_all();
  EXPECT_TRUE(a.log().empty());
  EXPECT_TRUE(b.log().empty());
  EXPECT_EQ(world.sink.lines().size(), 2U);
}

TEST_F(NetworkTest, ACallerMayCloseBeforeTheConnectionOpens) {
  const ConnectionId connection = network.connect(a_id, b_id);
  network.close(connection, a_id);
  world.run_all();
  EXPECT_TRUE(a.log().empty());
  EXPECT_EQ(b.log(), (Lines{"10000 opened 1", "10000 closed 1"}));
}

// One of everything that the kernel emits.
TEST_F(NetworkTest, AFixedSequenceHasThisHashInEveryBuild) {
  network.set_default_latency({50 * microsecond_ns, 900 * microsecond_ns});
  const ConnectionId connection = network.connect(a_id, b_id);
  for (int turn = 1; turn <= 20; ++turn) {
    world.at(turn * millisecond_ns, [&, turn] {
      world.send(connection, turn % 2 == 0 ? 0 : 1, static_cast<Payload>(turn));
      if (turn == 3) b.pause(2 * millisecond_ns);
      if (turn == 8) network.cut(a_id, b_id);
      if (turn == 11) network.heal(a_id, b_id);
      if (turn == 14) world.crash(1);
      if (turn == 16) b.restart();
      if (turn == 17) network.reset(network.connect(b_id, a_id));
    });
  }
  world.run_all();
  EXPECT_EQ(world.trace.event_count(), 41U);
  EXPECT_EQ(world.trace.hash(), 10238452733287486921U);
}

TEST_F(NetworkTest, ARunAfterAResetIsAsTheFirst) {
  network.set_default_latency({microsecond_ns, 90 * microsecond_ns});
  std::vector<std::uint64_t> hashes;
  for (int run = 0; run < 3; ++run) {
    world.queue.reset();
    world.trace.reset();
    world.choices.reset(5);
    for (const auto& host : world.hosts) host->reset(Clock(), Clock());
    network.reset_run(world.choices);
    const ConnectionId connection = network.connect(a_id, b_id);
    EXPECT_EQ(connection, ConnectionId{1});
    world.run_all();
    for (Payload payload = 0; payload < 10; ++payload) world.send(connection, 0, payload);
    if (run != 1) world.run_all();  // the second run ends in the middle, behind a cut
    hashes.push_back(world.trace.hash());
    network.cut(a_id, b_id);
    world.send(connection, 0, 99);
  }
  EXPECT_EQ(hashes[0], hashes[2]);
  EXPECT_NE(hashes[0], hashes[1]);
}

}  // namespace
}  // namespace lockstep::sim
