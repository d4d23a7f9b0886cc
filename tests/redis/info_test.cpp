// INFO beside a real server's: every line that both have and that tells no real time.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "redis/persistence/stored_files.h"
#include "redis/server/server.h"
#include "tests/redis/comparison/real_server.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis::test {
namespace {

/// The lines "name:value" of INFO.
std::map<std::string, std::string> lines_of(std::string_view text) {
  std::map<std::string, std::string> lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find("\r\n"));
    text.remove_prefix(std::min(line.size() + 2, text.size()));
    const std::size_t colon = line.find(':');
    if (colon != line.npos) lines.emplace(line.substr(0, colon), line.substr(colon + 1));
  }
  return lines;
}

class InfoTest : public ::testing::Test {
 protected:
  InfoTest() {
    simulated.start({.files = &files});
    static_cast<void>(simulated.server().restore());
    run({"CONFIG", "SET", "save", ""});
    run({"CONFIG", "RESETSTAT"});
  }

  void run(const std::vector<std::string>& words) {
    const std::vector<std::string_view> views(words.begin(), words.end());
    const Reply here = simulated.run_in(SimulatedServer::first, views);
    EXPECT_EQ(describe(here), describe(real.connection.command(words)));
  }
  /// Our lines are the real server's, but for those named.
  void compare(const std::string& section, const std::set<std::string>& others = {}) {
    const auto here = lines_of(simulated.run({"INFO", section}).text);
    const auto there = lines_of(real.connection.command({"INFO", section}).text);
    EXPECT_GE(here.size(), 1U);
    for (const auto& [name, value] : here) {
      if (others.contains(name)) continue;
      const auto found = there.find(name);
      ASSERT_NE(found, there.end()) << name;
      EXPECT_EQ(value, found->second) << name;
    }
  }

  RealServer real;
  StoredFiles files;
  SimulatedServer simulated;
};

TEST_F(InfoTest, CountsErrorsOfEachKindOnce) {
  run({"NOSUCH"});
  run({"GET"});
  run({"SET", "text", "x"});
  run({"LPUSH", "text", "x"});
  run({"EVALSHA", "x", "0"});
  run({"EVAL", "return redis.call('nosuch')", "0"});
  run({"EVAL", "return redis.pcall('get')", "0"});
  run({"EVAL", "redis.pcall('hget', KEYS[1], 'f') return 1", "1", "text"});
  run({"EVAL", "return redis.call('hget', KEYS[1], 'f')", "1", "text"});
  run({"EVAL", "return {err = 'MINE is this'}", "0"});
  run({"EVAL", "return redis.error_reply('without code')", "0"});
  run({"EVAL", "error({err = 'RAISED by hand'})", "0"});
  run({"EVAL", "return nil + 1", "0"});
  run({"MULTI"});
  run({"LPUSH", "text", "x"});
  run({"INCR", "text"});
  run({"EXEC"});
  run({"MULTI"});
  run({"NOSUCH"});
  run({"EXEC"});
  compare("errorstats");
  EXPECT_EQ(lines_of(simulated.run("INFO errorstats").text).size(), 7U);
  EXPECT_EQ(lines_of(simulated.run("INFO stats").text)["total_error_replies"],
            lines_of(real.connection.command({"INFO", "stats"}).text)["total_error_replies"]);
  run({"CONFIG", "RESETSTAT"});
  EXPECT_EQ(simulated.run("INFO errorstats").text, "# Errorstats\r\n");
}

/// Without the times, which the simulated server has none of.
std::map<std::string, std::string> calls_of(std::string_view text) {
  std::map<std::string, std::string> lines = lines_of(text);
  for (auto& [name, value] : lines) {
    const std::size_t times = value.find(",usec=");
    const std::size_t behind = value.find(",rejected_calls");
    if (times != value.npos) {
      value.erase(times, behind == value.npos ? value.npos : behind - times);
    }
  }
  return lines;
}

TEST_F(InfoTest, CountsCallsRefusalsAndFailuresOfEachCommand) {
  run({"NOSUCH"});
  run({"GET"});
  run({"CLIENT", "NOSUCH"});
  run({"SET", "text", "x"});
  run({"LPUSH", "text", "x"});
  run({"CONFIG", "GET", "maxmemory"});
  run({"EVALSHA", "x", "0"});
  run({"EVAL", "return nonsense(", "0"});
  run({"EVAL", "return redis.call('nosuch')", "0"});
  run({"EVAL", "return redis.call('get')", "0"});
  run({"EVAL", "return redis.pcall('get')", "0"});
  run({"EVAL", "redis.pcall('hget', KEYS[1], 'f') return 1", "1", "text"});
  run({"EVAL", "return redis.call('hget', KEYS[1], 'f')", "1", "text"});
  run({"EVAL", "return {redis.pcall('incr', KEYS[1]), redis.pcall('lpush', 'a')}", "1", "text"});
  run({"EVAL", "return {{err='A b'}, {err='C d'}}", "0"});
  run({"EVAL", "redis.call('set', KEYS[1], 'y')", "1", "text"});
  run({"MULTI"});
  run({"LPUSH", "text", "x"});
  run({"SET", "text", "z"});
  run({"EVAL", "return redis.pcall('incr', KEYS[1])", "1", "text"});
  run({"EXEC"});
  run({"MULTI"});
  run({"NOSUCH"});
  run({"EXEC"});
  run({"BLPOP", "text", "1"});
  const auto here = calls_of(simulated.run("INFO commandstats").text);
  EXPECT_EQ(here, calls_of(real.connection.command({"INFO", "commandstats"}).text));
  EXPECT_EQ(here.at("cmdstat_eval"), "calls=10,rejected_calls=0,failed_calls=9");
  run({"CONFIG", "RESETSTAT"});
  EXPECT_EQ(lines_of(simulated.run("INFO commandstats").text).size(), 1U);
}

TEST(InfoOfCommandsTest, CountsWhatWaitsAsItsVersionDoes) {
  const auto calls_of_blpop = [](ServerVersion version) {
    SimulatedServer server(options_of(version));
    const SessionId waiting = server.open();
    const std::string id = std::to_string(server.run_in(waiting, "CLIENT ID").integer);
    const auto told = [&server] {
      const auto lines = calls_of(server.run("INFO commandstats").text);
      const auto found = lines.find("cmdstat_blpop");
      return found == lines.end() ? std::string("none") : found->second;
    };
    EXPECT_TRUE(server.blocks(waiting, "BLPOP list 0"));
    std::vector<std::string> all{told()};
    server.run("LPUSH list x");
    all.push_back(told());
    EXPECT_TRUE(server.blocks(waiting, "BLPOP list 0"));
    server.run("CLIENT UNBLOCK " + id + " ERROR");
    all.push_back(told());
    return all;
  };
  using Told = std::vector<std::string>;
  EXPECT_EQ(calls_of_blpop(ServerVersion::redis_6_0), (Told{"calls=1", "calls=1", "calls=2"}));
  EXPECT_EQ(
      calls_of_blpop(ServerVersion::redis_7_0),
      (Told{"calls=1,rejected_calls=0,failed_calls=0", "calls=1,rejected_calls=0,failed_calls=0",
            "calls=2,rejected_calls=0,failed_calls=1"}));
  EXPECT_EQ(calls_of_blpop(ServerVersion::redis_8_0),
            (Told{"none", "calls=1,rejected_calls=0,failed_calls=0",
                  "calls=2,rejected_calls=0,failed_calls=1"}));
  EXPECT_EQ(calls_of_blpop(ServerVersion::valkey_9_1),
            (Told{"none", "calls=1,rejected_calls=0,failed_calls=0",
                  "calls=2,rejected_calls=1,failed_calls=0"}));
}

TEST_F(InfoTest, TellsWhoIsMaster) {
  compare("replication", {"master_replid"});
  run({"REPLICAOF", "127.0.0.1", "1"});
  // Redis begins the backlog when the link stands, the simulated server at once.
  const std::set<std::string> others{"master_replid", "master_replid2", "repl_backlog_active",
                                     "repl_backlog_first_byte_offset"};
  compare("replication", others);
  EXPECT_EQ(lines_of(simulated.run("INFO replication").text)["master_link_status"], "down");
  run({"ROLE"});
  run({"REPLICAOF", "NO", "ONE"});
  compare("replication", others);
}

TEST_F(InfoTest, TellsWhatIsSaved) {
  compare("persistence");
  run({"SET", "a", "1"});
  run({"MSET", "b", "1", "c", "1"});
  compare("persistence");
  EXPECT_EQ(lines_of(simulated.run("INFO persistence").text)["rdb_changes_since_last_save"], "3");
  run({"SAVE"});
  run({"SET", "a", "2"});
  compare("persistence");
  EXPECT_EQ(lines_of(simulated.run("INFO persistence").text)["rdb_saves"], "1");
}

TEST(InfoOfReplicasTest, ListsThemAndTheirLinks) {
  SimulatedServer master;
  master.server().attach_replica("n2", 6379);
  const std::uint32_t second = master.server().attach_replica("n3", 6380);
  master.run("SET k v");
  master.advance_ms(3'000);
  master.server().acknowledge(second, 50);
  auto lines = lines_of(master.run("INFO replication").text);
  EXPECT_EQ(lines["connected_slaves"], "2");
  EXPECT_EQ(lines["slave0"], "ip=n2,port=6379,state=online,offset=0,lag=3");
  EXPECT_EQ(lines["slave1"], "ip=n3,port=6380,state=online,offset=50,lag=0");
  EXPECT_EQ(lines["repl_backlog_histlen"], lines["master_repl_offset"]);

  SimulatedServer replica({.role = Role::replica});
  Snapshot snapshot;
  master.server().take_snapshot(snapshot);
  replica.server().load(snapshot);
  auto linked = lines_of(replica.run("INFO replication").text);
  EXPECT_EQ(linked["master_link_status"], "up");
  EXPECT_EQ(linked["slave_repl_offset"], lines["master_repl_offset"]);
  EXPECT_EQ(linked["master_replid"], lines["master_replid"]);
  replica.server().mark_link_down();
  replica.advance_ms(2'000);
  auto cut = lines_of(replica.run("INFO replication").text);
  EXPECT_EQ(cut["master_link_status"], "down");
  EXPECT_EQ(cut["master_link_down_since_seconds"], "2");
  EXPECT_EQ(replica.run("ROLE").elements[3].text, "connect");
  replica.server().promote();
  auto promoted = lines_of(replica.run("INFO replication").text);
  EXPECT_EQ(promoted["master_replid2"], lines["master_replid"]);
  EXPECT_EQ(promoted["second_repl_offset"],
            std::to_string(std::stoll(lines["master_repl_offset"]) + 1));
}

}  // namespace
}  // namespace lockstep::redis::test
