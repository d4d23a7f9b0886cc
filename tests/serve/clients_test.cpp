// Many clients, rude clients, slow clients; and the end of the service.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <algorithm>
#include <csignal>
#include <string>
#include <vector>

#include "confirm/redis_connection.h"
#include "serve/start_error.h"
#include "tests/serve/served_redis.h"

namespace lockstep::serve::test {
namespace {

using lockstep::confirm::RedisConnection;

void expect_alive(const ServedRedis& served) {
  RawClient other(served.path());
  EXPECT_EQ(other.ask("PING\r\n", "+PONG\r\n"), "+PONG\r\n");
}

TEST(ClientsTest, AThousandClientsAreServedAtOnce) {
  rlimit files{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &files), 0);
  files.rlim_cur = std::min<rlim_t>(files.rlim_max, 4096);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &files), 0);
  const ServedRedis served;
  std::vector<RawClient> clients;
  for (int i = 0; i < 1'000; ++i) clients.emplace_back(served.path());
  for (RawClient& client : clients) client.send("INCR n\r\n");
  for (RawClient& client : clients) EXPECT_EQ(client.read(1), ":");
  EXPECT_EQ(clients[0].read_available().back(), '\n');
  RedisConnection connection(served.path());
  EXPECT_EQ(connection.command({"GET", "n"}).text, "1000");
}

std::string info_line(RedisConnection& connection, const std::string& name) {
  const std::string text = connection.command({"INFO", "replication"}).text;
  const std::size_t begin = text.find("\n" + name + ":");
  if (begin == text.npos) return {};
  const std::size_t value = begin + name.size() + 2;
  return text.substr(value, text.find('\r', value) - value);
}

TEST(ClientsTest, ReplicasAreListedAndComeBackWhenTheirLinksAreKilled) {
  ServiceOptions options;
  options.replicas = 2;
  const ServedRedis served(options);
  RedisConnection master(served.path());
  RedisConnection replica(served.path_of_replica(1));
  EXPECT_EQ(info_line(master, "connected_slaves"), "2");
  EXPECT_EQ(info_line(master, "slave0"),
            "ip=" + served.path_of_replica(1) + ",port=0,state=online,offset=0,lag=0");
  EXPECT_EQ(info_line(replica, "master_link_status"), "up");
  EXPECT_EQ(info_line(replica, "master_replid"), info_line(master, "master_replid"));
  EXPECT_EQ(master.command({"CLIENT", "KILL", "TYPE", "replica"}).integer, 2);
  master.command({"SET", "k", "v"});
  EXPECT_EQ(master.command({"WAIT", "2", "1000"}).integer, 2);
  EXPECT_EQ(info_line(master, "connected_slaves"), "2");
  EXPECT_EQ(replica.command({"GET", "k"}).text, "v");

  // A new master has a history of its own; those that follow it go on with it.
  RedisConnection second(served.path_of_replica(2));
  second.command({"REPLICAOF", served.path_of_replica(1), "0"});
  replica.command({"REPLICAOF", "NO", "ONE"});
  EXPECT_EQ(info_line(replica, "master_replid2"), info_line(master, "master_replid"));
  replica.command({"SET", "k", "w"});
  EXPECT_EQ(replica.command({"WAIT", "1", "1000"}).integer, 1);
  EXPECT_EQ(second.command({"GET", "k"}).text, "w");
  EXPECT_EQ(info_line(second, "master_replid"), info_line(replica, "master_replid"));
  EXPECT_EQ(info_line(master, "connected_slaves"), "0");
  second.command({"REPLICAOF", "127.0.0.1", "1"});
  EXPECT_EQ(info_line(second, "master_link_status"), "down");
}

TEST(ClientsTest, OneTooManyIsToldSo) {
  ServiceOptions options;
  options.limits.clients_max = 3;
  const ServedRedis served(options);
  RawClient first(served.path());
  RawClient second(served.path());
  {
    RawClient third(served.path());
    EXPECT_EQ(third.ask("PING\r\n", "+PONG\r\n"), "+PONG\r\n");
    RawClient fourth(served.path());
    EXPECT_EQ(fourth.read_to_end(), "-ERR max number of clients reached\r\n");
  }
  for (int i = 0; i < 1000; ++i) {  // the place of the third is free as soon as its end was seen
    RawClient fifth(served.path());
    if (fifth.ask("PING\r\n", "+PONG\r\n") == "+PONG\r\n") return;
  }
  FAIL() << "the place of a client that went was not given out again";
}

TEST(ClientsTest, ThoseWhoResetTheirConnectionsDisturbNobody) {
  ServiceOptions options;
  options.port = 0;
  const ServedRedis served(options);
  const std::string where = served.where();
  const auto port = static_cast<std::uint16_t>(std::stoi(where.substr(where.find(':') + 1)));
  for (int i = 0; i < 200; ++i) {
    RawClient client = RawClient::tcp(port);
    client.send("SUBSCRIBE news\r\n*3\r\n$3\r\nSET\r\n$1\r\na\r\n$100\r\nhalf of it");
    if (i % 2 == 0) client.read(5);
    client.reset();
  }
  RedisConnection connection(served.path());
  for (int i = 0; i < 5'000; ++i) {  // until the last reset was seen
    if (connection.command({"PUBLISH", "news", "x"}).integer == 0) break;
  }
  EXPECT_EQ(connection.command({"PUBLISH", "news", "x"}).integer, 0);
}

TEST(ClientsTest, AReaderThatIsTooSlowForItsMessagesIsCutOff) {
  const ServedRedis served;
  RawClient slow(served.path());
  slow.send("SUBSCRIBE news\r\n");
  slow.read(1);
  RedisConnection publisher(served.path());
  publisher.command({"CONFIG", "SET", "client-output-buffer-limit", "pubsub 1mb 0 0"});
  const std::string message(100'000, 'x');
  int published = 0;
  while (published < 1000 && publisher.command({"PUBLISH", "news", message}).integer == 1) {
    ++published;
  }
  EXPECT_GE(published, 9);
  EXPECT_LT(published, 100);
  EXPECT_LT(slow.read_to_end().size(), 100 * message.size());
  expect_alive(served);
}

TEST(ClientsTest, AReaderThatStaysSlowIsCutOffAfterATime) {
  const ServedRedis served;
  RawClient slow(served.path());
  slow.send("SUBSCRIBE news\r\n");
  slow.read(1);
  RedisConnection publisher(served.path());
  publisher.command({"CONFIG", "SET", "client-output-buffer-limit", "pubsub 32mb 100000 1"});
  EXPECT_EQ(publisher.command({"PUBLISH", "news", std::string(5 * mebibyte, 'x')}).integer, 1);
  int receivers = 1;
  for (int i = 0; i < 100 && receivers == 1; ++i) {
    usleep(50'000);
    receivers = static_cast<int>(publisher.command({"PUBLISH", "news", ""}).integer);
  }
  EXPECT_EQ(receivers, 0);
}

TEST(ClientsTest, WhoNeverReadsRepliesIsCutOff) {
  const ServedRedis served;
  RedisConnection control(served.path());
  control.command({"CONFIG", "SET", "client-output-buffer-limit", "normal 40mb 0 0"});
  control.command({"SET", "big", std::string(mebibyte, 'x')});
  RawClient greedy(served.path());
  std::string requests;
  for (int i = 0; i < 1'000; ++i) requests += "GET big\r\n";
  greedy.send(requests);
  EXPECT_LT(greedy.read_to_end().size(), 200 * mebibyte);
  expect_alive(served);
}

/// The replies to `requests` GETs of a megabyte that were sent at once.
std::size_t bytes_of_pipelined_reads(const ServedRedis& served, int requests) {
  const std::string value(1'000'000, 'x');
  RedisConnection(served.path()).command({"SET", "big", value});
  RawClient client(served.path());
  std::string pipeline;
  for (int i = 0; i < requests; ++i) pipeline += "GET big\r\n";
  client.send(pipeline + "QUIT\r\n");
  return client.read_to_end().size();
}

constexpr std::size_t reply_bytes = 1'000'000 + std::string_view("$1000000\r\n\r\n").size();

TEST(ClientsTest, ManyUnreadRepliesKeepFurtherRequestsWaiting) {
  ServiceOptions options;
  options.limits.unsent_bytes_max = 3 * mebibyte;
  const ServedRedis served(options);
  EXPECT_EQ(bytes_of_pipelined_reads(served, 12), 12 * reply_bytes + 5);
  RawClient deaf(served.path());
  std::string requests;
  for (int i = 0; i < 12; ++i) requests += "GET big\r\n";
  deaf.send(requests + "SET seen yes\r\n");
  expect_alive(served);
  RedisConnection other(served.path());
  EXPECT_EQ(other.command({"GET", "seen"}).kind, redis::Reply::Kind::null_bulk);
  deaf.read(12 * reply_bytes + 5);
  EXPECT_EQ(other.command({"GET", "seen"}).text, "yes");
}

TEST(ClientsTest, ASlowReaderGetsAllOfALargeReply) {
  const ServedRedis served;
  const std::string value(30 * mebibyte, 'x');
  RedisConnection(served.path()).command({"SET", "big", value});
  RawClient slow(served.path());
  slow.send("GET big\r\nPING\r\n");
  usleep(20'000);
  const std::string expected =
      "$" + std::to_string(value.size()) + "\r\n" + value + "\r\n+PONG\r\n";
  EXPECT_TRUE(slow.read(expected.size()) == expected);
}

TEST(ClientsTest, WhoReadsAtOnceGetsAllOfManyLargeReplies) {
  const ServedRedis served;
  const std::string value(mebibyte, 'x');
  RedisConnection(served.path()).command({"SET", "big", value});
  constexpr int times = 260;
  std::string requests;
  for (int i = 0; i < times; ++i) requests += "GET big\r\n";
  RawClient client(served.path());
  client.send(requests);
  const std::string expected = "$" + std::to_string(value.size()) + "\r\n" + value + "\r\n";
  for (int i = 0; i < times; ++i) ASSERT_TRUE(client.read(expected.size()) == expected) << i;
}

RC_GTEST_PROP(ClientsPropertyTest, NoBytesKeepTheServiceFromOthers, ()) {
  static const ServedRedis served;
  const auto parts = *rc::gen::container<std::vector<std::string>>(
      rc::gen::oneOf(rc::gen::string<std::string>(),
                     rc::gen::elementOf(std::vector<std::string>{"*",
                                                                 "$",
                                                                 "*3\r\n",
                                                                 "$3\r\n",
                                                                 "\r\n",
                                                                 "SET",
                                                                 "EVAL",
                                                                 "*1\r\n$4\r\nQUIT\r\n",
                                                                 "MULTI\r\n",
                                                                 "*2147483647\r\n",
                                                                 "$-1\r\n",
                                                                 "SUBSCRIBE a\r\n",
                                                                 "EXEC\r\n",
                                                                 "EVAL \"return KEYS\" 0\r\n",
                                                                 "*0\r\n",
                                                                 "*-1\r\n",
                                                                 "\"",
                                                                 "WAIT 1 1\r\n",
                                                                 "PUBLISH a b\r\n",
                                                                 std::string("\0\xff", 2)})));
  {
    RawClient client(served.path());
    for (const std::string& part : parts) client.send(part);
  }
  RawClient other(served.path());
  RC_ASSERT(other.ask("PING\r\n", "+PONG\r\n") == "+PONG\r\n");
}

TEST(EndTest, SigtermEndsItWithRepliesSentAndTheSocketGone) {
  ServedRedis served;
  RawClient client(served.path());
  RedisConnection(served.path()).command({"SET", "big", std::string(5 * mebibyte, 'x')});
  client.send("GET big\r\n");
  EXPECT_EQ(client.read(1), "$");
  kill(served.process(), SIGTERM);
  EXPECT_GT(client.read_to_end().size(), 5 * mebibyte);
  EXPECT_EQ(served.wait(), 0);
  struct stat status {};
  EXPECT_NE(stat(served.path().c_str(), &status), 0);
}

TEST(EndTest, SigintEndsItToo) {
  ServedRedis served;
  kill(served.process(), SIGINT);
  EXPECT_EQ(served.wait(), 0);
}

TEST(EndTest, WaitsNotForEverForThoseWhoDoNotRead) {
  ServedRedis served;
  RedisConnection(served.path()).command({"SET", "big", std::string(5 * mebibyte, 'x')});
  RawClient deaf(served.path());
  deaf.send("GET big\r\n");
  deaf.read(1);
  EXPECT_EQ(served.end(), 0);
}

TEST(StartTest, TakesOverASocketThatNobodyListensAt) {
  const lockstep::confirm::TemporaryDirectory directory;
  ServiceOptions options;
  options.unix_path = directory.path() + "/left";
  {
    const ListeningSocket left = ListeningSocket::unix_socket(options.unix_path);
    ASSERT_EQ(rename(options.unix_path.c_str(), (options.unix_path + "x").c_str()), 0);
  }
  ASSERT_EQ(rename((options.unix_path + "x").c_str(), options.unix_path.c_str()), 0);
  EXPECT_NO_THROW(Service{options});
}

TEST(StartTest, RefusesWhatIsInUseOrNoPlaceToListenOn) {
  const lockstep::confirm::TemporaryDirectory directory;
  const ListeningSocket taken = ListeningSocket::tcp("127.0.0.1", 0);
  const ListeningSocket taken_path = ListeningSocket::unix_socket(directory.path() + "/taken");
  const auto refusal = [](const ServiceOptions& options) -> std::string {
    try {
      const Service service(options);
    } catch (const StartError& error) {
      return error.what();
    }
    return "none";
  };
  ServiceOptions options;
  options.port = taken.port();
  EXPECT_NE(refusal(options).find("Address already in use"), std::string::npos);
  options.port = 0;
  options.address = "no.where";
  EXPECT_NE(refusal(options).find("is no address to listen on"), std::string::npos);
  options.address = "203.0.113.1";  // of documentation: no machine has it
  EXPECT_NE(refusal(options).find("cannot listen on 203.0.113.1 port 0"), std::string::npos);
  options.address = "127.0.0.1";
  options.port = 65'535;
  options.replicas = 1;
  EXPECT_NE(refusal(options), "none");
  options = {};
  options.unix_path = directory.path() + "/taken";
  EXPECT_NE(refusal(options).find("Address already in use"), std::string::npos);
  options.unix_path = directory.path();
  EXPECT_NE(refusal(options).find("File exists"), std::string::npos);
  options.unix_path = std::string(200, 'x');
  EXPECT_NE(refusal(options).find("is no path for a socket"), std::string::npos);
  options.unix_path = directory.path() + "/free";
  options.clock_path = directory.path() + "/no-clock";
  EXPECT_NE(refusal(options).find("cannot open the clock"), std::string::npos);
  options.clock_path = directory.path();
  EXPECT_NE(refusal(options).find("is no file of 8 bytes"), std::string::npos);
}

}  // namespace
}  // namespace lockstep::serve::test
