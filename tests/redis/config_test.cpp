// CONFIG, and a Config as a scenario sets it, against a real server's replies.
#include "redis/server/config.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "redis/server/config_parameters.h"
#include "tests/redis/comparison/real_server.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis::test {
namespace {

class ConfigTest : public ::testing::Test {
 protected:
  /// The same request to both; their replies must be equal, arrays of pairs in any order.
  void compare(const std::vector<std::string>& words) {
    const std::vector<std::string_view> views(words.begin(), words.end());
    const Reply here = simulated.run_in(SimulatedServer::first, views);
    const Reply there = real.connection.command(words);
    EXPECT_EQ(pairs(here), pairs(there)) << "of " << words.at(1) << ' ' << words.back();
  }

  static std::vector<std::string> pairs(const Reply& reply) {
    if (reply.kind != Reply::Kind::array) return {describe(reply)};
    std::vector<std::string> lines;
    for (std::size_t i = 0; i + 1 < reply.elements.size(); i += 2) {
      lines.push_back(describe(reply.elements[i]) + ' ' + describe(reply.elements[i + 1]));
    }
    std::sort(lines.begin(), lines.end());
    return lines;
  }

  RealServer real;
  SimulatedServer simulated;
};

TEST_F(ConfigTest, EveryParameterHasTheRealServersValueUnlessTheTestSetIt) {
  const Reply there = real.connection.command({"CONFIG", "GET", "*"});
  const Reply here = simulated.run("CONFIG GET *");
  std::map<std::string, std::string> ours;
  for (std::size_t i = 0; i < here.elements.size(); i += 2) {
    ours[here.elements[i].text] = here.elements[i + 1].text;
  }
  // What the real server was started with (confirm/real_redis.cpp).
  for (const char* name : {"port", "unixsocket", "dir", "save", "logfile", "enable-debug-command",
                           "repl-diskless-sync", "repl-ping-replica-period",
                           "repl-ping-slave-period", "repl-timeout"}) {
    EXPECT_EQ(ours.count(name), 1U) << name;
    ours.erase(name);
  }
  std::size_t compared = 0;
  for (std::size_t i = 0; i < there.elements.size(); i += 2) {
    const auto found = ours.find(there.elements[i].text);
    if (found == ours.end()) continue;
    EXPECT_EQ(found->second, there.elements[i + 1].text) << found->first;
    ours.erase(found);
    ++compared;
  }
  EXPECT_GT(compared, 150U);
  EXPECT_TRUE(ours.empty()) << ours.begin()->first;
}

TEST_F(ConfigTest, RepliesAreTheRealServers) {
  const std::vector<std::vector<std::string>> requests{
      {"CONFIG", "GET"},
      {"CONFIG", "GET", "nosuch"},
      {"CONFIG", "GET", "MaxMemory", "maxmemory"},
      {"CONFIG", "GET", "min-slaves*", "MIN-REPLICAS*"},
      {"CONFIG", "GET", "lua-time-limit", "busy*"},
      {"CONFIG", "SET"},
      {"CONFIG", "SET", "maxmemory"},
      {"CONFIG", "SET", "maxmemory", "1", "x"},
      {"CONFIG", "SET", "nosuch", "1"},
      {"CONFIG", "SET", "port", "1", "nosuch", "1"},
      {"CONFIG", "SET", "maxmemory", "1", "maxmemory", "2"},
      {"CONFIG", "SET", "dir", "/"},
      {"CONFIG", "SET", "databases", "3"},
      {"CONFIG", "SET", "maxmemory", "64mb", "appendfsync", "foo"},
      {"CONFIG", "GET", "maxmemory"},
      {"CONFIG", "SET", "hz", "10", "repl-timeout", "50"},
      {"CONFIG", "GET", "repl-timeout"},
      {"CONFIG", "SET", "lua-time-limit", "7", "min-slaves-max-lag", "3"},
      {"CONFIG", "GET", "busy-reply-threshold", "min-replicas-max-lag"},
      {"CONFIG", "RESETSTAT"},
      {"CONFIG", "RESETSTAT", "x"},
      {"CONFIG", "REWRITE"},
      {"CONFIG", "HELP"},
      {"CONFIG", "FOO"},
      {"CONFIG"},
  };
  for (const auto& words : requests) {
    const std::vector<std::string_view> views(words.begin(), words.end());
    const Reply here = simulated.run_in(SimulatedServer::first, views);
    EXPECT_EQ(pairs(here), pairs(real.connection.command(words)))
        << ::testing::PrintToString(words);
  }
}

TEST_F(ConfigTest, ValuesAreReadAsByTheRealServer) {
  const std::vector<std::string> values{"",
                                        "0",
                                        "1",
                                        "-1",
                                        "abc",
                                        "1.5",
                                        "50%",
                                        "0%",
                                        "101%",
                                        "-5%",
                                        "yes",
                                        "NO",
                                        "1k",
                                        "1kb",
                                        "2MB",
                                        "3g",
                                        "4gb",
                                        "1 k",
                                        " 1",
                                        "010",
                                        "-99999999999999999999",
                                        "b",
                                        "1x",
                                        "always",
                                        "EVERYSEC",
                                        "2147483647",
                                        "2147483648",
                                        "60 1",
                                        "60 1 0 1",
                                        "60  1",
                                        "3600 1 60 -1",
                                        "60 x",
                                        "volatile-TTL",
                                        "noeviction allkeys-lru",
                                        "9223372036854775807",
                                        "9223372036854775808",
                                        "18446744073709551615",
                                        "18446744073709551616",
                                        "99999999999gb",
                                        "normal 1k 0 0",
                                        "replica 1 2 3",
                                        "slave 1mb 2 3 pubsub 5 6 7",
                                        "normal 0 0",
                                        "foo 0 0 0",
                                        "normal 0 0 -1",
                                        "normal 0 x 1"};
  for (const char* name : {"maxmemory",
                           "appendonly",
                           "appendfsync",
                           "save",
                           "maxmemory-policy",
                           "repl-backlog-size",
                           "min-replicas-to-write",
                           "timeout",
                           "hash-max-listpack-value",
                           "set-max-intset-entries",
                           "busy-reply-threshold",
                           "list-max-listpack-size",
                           "client-output-buffer-limit",
                           "slowlog-log-slower-than",
                           "lazyfree-lazy-expire",
                           "repl-diskless-load",
                           "maxmemory-samples",
                           "replica-priority",
                           "active-expire-effort",
                           "maxmemory-clients"}) {
    const std::string before = simulated.run({"CONFIG", "GET", name}).elements.at(1).text;
    real.connection.command({"CONFIG", "SET", name, before});
    for (const std::string& value : values) {
      if (std::string_view(name) == "client-output-buffer-limit" && value == "normal 1k 0 0") {
        continue;  // it would cut this connection
      }
      compare({"CONFIG", "SET", name, value});
      compare({"CONFIG", "GET", name});
    }
    real.connection.command({"CONFIG", "SET", name, before});
    simulated.run({"CONFIG", "SET", name, before});
  }
}

TEST(ConfigValueTest, AFileMaySetWhatARunningServerRefuses) {
  Config config;
  EXPECT_EQ(config.set("dir", "/data"), "");
  EXPECT_EQ(config.set("Save", "1 1"), "");
  EXPECT_EQ(config.directory, "/data");
  EXPECT_EQ(config.save, SavePoints({{1, 1}}));
  EXPECT_EQ(config.set("nosuch", "1"), "Bad directive or wrong number of arguments");
  EXPECT_EQ(config.set("hz", "x"), "argument couldn't be parsed into an integer");
  EXPECT_EQ(config.get("slave-priority"), "100");
}

TEST(ConfigValueTest, WhatIsKeptWithoutEffectIsComparedByValue) {
  Config config;
  EXPECT_EQ(config.set("slowlog-max-len", "5"), "");
  EXPECT_EQ(config.get("slowlog-max-len"), "5");
  EXPECT_NE(config, Config{});
  EXPECT_EQ(config.set("slowlog-max-len", "128"), "");
  EXPECT_EQ(config, Config{});
}

TEST(ConfigValueTest, WhatIsNotSimulatedIsRefused) {
  Config config;
  EXPECT_EQ(config.set("requirepass", "secret"), "passwords are not simulated");
  EXPECT_EQ(config.set("notify-keyspace-events", "KEA"), "");
  EXPECT_EQ(config.get("notify-keyspace-events"), "AKE");
  EXPECT_EQ(config.set("notify-keyspace-events", "foo"),
            "Invalid event class character. Use 'Ag$lshzxeKEtmdn'.");
  EXPECT_EQ(config.set("notify-keyspace-events", ""), "");
}

}  // namespace
}  // namespace lockstep::redis::test
