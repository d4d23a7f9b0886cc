// Replicas of the service, WAIT, and time that the test steps.
#include <gtest/gtest.h>

#include <string>

#include "confirm/redis_connection.h"
#include "confirm/step_clock.h"
#include "tests/serve/served_redis.h"

namespace lockstep::serve::test {
namespace {

using lockstep::confirm::RedisConnection;
using redis::Reply;

constexpr std::int64_t start_us = 1'700'000'000'000'000;

ServiceOptions with_replicas(std::uint16_t replicas) {
  ServiceOptions options;
  options.replicas = replicas;
  return options;
}

TEST(ReplicasTest, GetWhatTheirMasterWrites) {
  const ServedRedis served(with_replicas(2));
  RedisConnection master(served.path());
  RedisConnection replica(served.path_of_replica(2));
  master.command({"SET", "a", "b"});
  EXPECT_EQ(master.command({"WAIT", "2", "0"}).integer, 2);
  EXPECT_EQ(replica.command({"GET", "a"}).text, "b");
  EXPECT_EQ(replica.command({"SET", "a", "c"}).text,
            "READONLY You can't write against a read only replica.");
}

TEST(ReplicasTest, SayWhatIsOnTheirDisks) {
  ServiceOptions options = with_replicas(1);
  options.version = redis::ServerVersion::redis_8_0;
  const ServedRedis served(options);
  RedisConnection master(served.path());
  RedisConnection replica(served.path_of_replica(1));
  const auto wait = [&](std::string_view own, std::string_view replicas) {
    return redis::describe(master.command({"WAITAOF", own, replicas, "5000"}));
  };
  for (RedisConnection* const each : {&master, &replica}) {
    each->command({"CONFIG", "SET", "appendonly", "yes"});
    each->command({"CONFIG", "SET", "appendfsync", "always"});
  }
  master.command({"SET", "a", "b"});
  EXPECT_EQ(wait("1", "1"), "[(integer) 1, (integer) 1]");
  master.command({"CONFIG", "SET", "appendfsync", "everysec"});
  replica.command({"CONFIG", "SET", "appendfsync", "everysec"});
  for (int i = 0; i < 2; ++i) {  // the first may open a second
    master.command({"SET", "a", "c"});
    EXPECT_EQ(wait("1", "1"), "[(integer) 1, (integer) 1]");
  }
}

TEST(ReplicasTest, HearTheirMastersMessages) {
  const ServedRedis served(with_replicas(1));
  RawClient listener(served.path_of_replica(1));
  listener.ask("SUBSCRIBE news\r\n", "*3\r\n$9\r\nsubscribe\r\n$4\r\nnews\r\n:1\r\n");
  RedisConnection(served.path()).command({"PUBLISH", "news", "hi"});
  const std::string message = "*3\r\n$7\r\nmessage\r\n$4\r\nnews\r\n$2\r\nhi\r\n";
  EXPECT_EQ(listener.read(message.size()), message);
}

TEST(ReplicasTest, AreMastersAfterReplicaofNoOne) {
  const ServedRedis served(with_replicas(1));
  RedisConnection master(served.path());
  RedisConnection replica(served.path_of_replica(1));
  master.command({"SET", "a", "1"});
  EXPECT_EQ(master.command({"WAIT", "1", "0"}).integer, 1);
  EXPECT_EQ(replica.command({"REPLICAOF", "NO", "ONE"}).text, "OK");
  EXPECT_EQ(replica.command({"INCR", "a"}).integer, 2);
  EXPECT_EQ(master.command({"INCRBY", "a", "10"}).integer, 11);
  EXPECT_EQ(master.command({"WAIT", "1", "50"}).integer, 0);
  EXPECT_EQ(replica.command({"GET", "a"}).text, "2");
  // The old master comes back as a replica and loses what it wrote alone.
  EXPECT_EQ(master.command({"REPLICAOF", served.path_of_replica(1), "0"}).text, "OK");
  EXPECT_EQ(replica.command({"WAIT", "1", "0"}).integer, 1);
  EXPECT_EQ(master.command({"GET", "a"}).text, "2");
}

TEST(ReplicasTest, FeedReplicasOfTheirOwn) {
  const ServedRedis served(with_replicas(2));
  RedisConnection master(served.path());
  RedisConnection last(served.path_of_replica(2));
  EXPECT_EQ(last.command({"REPLICAOF", served.path_of_replica(1), "0"}).text, "OK");
  master.command({"SET", "a", "b"});
  EXPECT_EQ(master.command({"WAIT", "1", "0"}).integer, 1);
  std::string value;
  for (int i = 0; i < 1000 && value != "b"; ++i) value = last.command({"GET", "a"}).text;
  EXPECT_EQ(value, "b");
}

TEST(ReplicasTest, ThatFollowEachOtherHaveNoMaster) {
  const ServedRedis served(with_replicas(1));
  RedisConnection master(served.path());
  EXPECT_EQ(master.command({"REPLICAOF", served.path_of_replica(1), "0"}).text, "OK");
  EXPECT_EQ(master.command({"PING"}).text, "PONG");
  EXPECT_TRUE(master.command({"SET", "a", "b"}).is_error());
}

TEST(WaitingTest, EndsAfterItsTime) {
  const ServedRedis served;
  RedisConnection client(served.path());
  EXPECT_EQ(client.command({"WAIT", "1", "30"}).integer, 0);
}

TEST(WaitingTest, KeepsLaterRequestsOfTheConnectionWaiting) {
  const ServedRedis served;
  RawClient waiting(served.path());
  RedisConnection other(served.path());
  waiting.send("WAIT 1 150\r\nSET a b\r\nPING\r\n");
  EXPECT_TRUE(other.command({"GET", "a"}).is_null());
  EXPECT_EQ(waiting.read(16), ":0\r\n+OK\r\n+PONG\r\n");
  EXPECT_EQ(other.command({"GET", "a"}).text, "b");
}

TEST(WaitingTest, EndsForOneWhoGoes) {
  const ServedRedis served;
  {
    RawClient waiting(served.path());
    waiting.send("WAIT 1 20\r\n");
  }
  RedisConnection other(served.path());
  EXPECT_EQ(other.command({"WAIT", "1", "60"}).integer, 0);
}

// A killed client that waits, and has not fetched what it was sent before: its time-out must not
// find it any more.
TEST(WaitingTest, EndsForOneWhoIsKilledBeforeItReads) {
  const ServedRedis served;
  RedisConnection other(served.path());
  EXPECT_EQ(other.command({"SET", "big", std::string(1 << 20, 'x')}).text, "OK");
  RawClient waiting(served.path());
  std::string requests = "CLIENT SETNAME waiting\r\n";
  for (int i = 0; i < 20; ++i) requests += "GET big\r\n";
  waiting.send(requests + "BLPOP nokey 0.05\r\n");
  other.command({"PING"});
  EXPECT_EQ(other.command({"CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"}).integer, 1);
  EXPECT_EQ(other.command({"WAIT", "1", "200"}).integer, 0);
  EXPECT_EQ(other.command({"PING"}).text, "PONG");
}

TEST(WaitingTest, GivesAnElementToWhoWaitedFirst) {
  const ServedRedis served;
  RawClient first(served.path());
  RawClient second(served.path());
  RedisConnection other(served.path());
  first.send("BLPOP q 0\r\nPING\r\n");
  other.command({"PING"});  // the first is served before
  second.send("BRPOP p q 5\r\n");
  other.command({"PING"});
  EXPECT_EQ(other.command({"RPUSH", "q", "a", "b"}).integer, 2);
  const std::string to_first = "*2\r\n$1\r\nq\r\n$1\r\na\r\n+PONG\r\n";
  EXPECT_EQ(first.read(to_first.size()), to_first);
  const std::string to_second = "*2\r\n$1\r\nq\r\n$1\r\nb\r\n";
  EXPECT_EQ(second.read(to_second.size()), to_second);
  EXPECT_EQ(other.command({"EXISTS", "q"}).integer, 0);
}

TEST(WaitingTest, GivesNothingToOneWhoWent) {
  const ServedRedis served;
  RedisConnection other(served.path());
  {
    RawClient waiting(served.path());
    waiting.send("BLPOP q 0\r\n");
    other.command({"PING"});
  }
  other.command({"PING"});
  other.command({"PING"});
  EXPECT_EQ(other.command({"RPUSH", "q", "a"}).integer, 1);
  EXPECT_EQ(other.command({"LLEN", "q"}).integer, 1);
}

TEST(WaitingTest, ReachesReplicasAsAPop) {
  const ServedRedis served(with_replicas(1));
  RawClient waiting(served.path());
  RedisConnection other(served.path());
  waiting.send("BLPOP q 0\r\n");
  other.command({"PING"});
  other.command({"RPUSH", "q", "a", "b"});
  EXPECT_EQ(other.command({"WAIT", "1", "0"}).integer, 1);
  RedisConnection replica(served.path_of_replica(1));
  EXPECT_EQ(replica.command({"LRANGE", "q", "0", "-1"}).elements.at(0).text, "b");
}

TEST(ExpiryTest, HappensWithoutSomebodyAsking) {
  const ServedRedis served(with_replicas(1));
  RedisConnection client(served.path());
  client.command({"SET", "a", "b", "PX", "20"});
  std::int64_t keys = 1;
  for (int i = 0; i < 100 && keys == 1; ++i) {
    usleep(20'000);
    keys = client.command({"DBSIZE"}).integer;
  }
  EXPECT_EQ(keys, 0);
}

/// A service whose clock stands still.
struct SteppedService {
  lockstep::confirm::TemporaryDirectory directory;
  lockstep::confirm::StepClock clock{directory.path(), start_us};
  ServedRedis served{options()};

  ServiceOptions options() const {
    ServiceOptions result;
    result.clock_path = clock.path();
    return result;
  }
};

TEST(SteppedClockTest, KeysExpireAMillisecondAfterTheirTime) {
  SteppedService stepped;
  RedisConnection client(stepped.served.path());
  client.command({"SET", "a", "b", "PX", "1000"});
  stepped.clock.set_us(start_us + 1'000'999);
  EXPECT_EQ(client.command({"PTTL", "a"}).integer, 0);
  EXPECT_EQ(client.command({"TIME"}).elements[1].text, "999");
  stepped.clock.set_us(start_us + 1'001'000);
  EXPECT_EQ(client.command({"PTTL", "a"}).integer, -2);
}

TEST(SteppedClockTest, TimeOutsComeWithItsSteps) {
  SteppedService stepped;
  RawClient waiting(stepped.served.path());
  waiting.send("WAIT 1 50\r\n");
  usleep(120'000);
  EXPECT_EQ(waiting.read_available(), "");
  stepped.clock.set_us(start_us + 51'000);
  EXPECT_EQ(waiting.read(4), ":0\r\n");
  waiting.send("BLPOP q 0.5\r\n");
  usleep(20'000);
  stepped.clock.set_us(start_us + 551'000);
  usleep(50'000);
  EXPECT_EQ(waiting.read_available(), "");
  stepped.clock.set_us(start_us + 552'000);
  EXPECT_EQ(waiting.read(5), "*-1\r\n");
}

}  // namespace
}  // namespace lockstep::serve::test
