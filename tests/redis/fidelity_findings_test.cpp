// What tools/fidelity found, as small as it made it: each failed first. The replies are those of
// Redis 7.0.15.
#include <gtest/gtest.h>

#include <string_view>
#include <vector>

#include "redis/protocol/reply.h"
#include "redis/server/server.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis::test {
namespace {

struct Finding {
  std::string_view about;
  std::vector<std::string_view> before;
  std::string_view command;
  std::string_view reply;
};

const Finding findings[] = {
    {"BLMPOP reads its other arguments before its time-out",
     {},
     "BLMPOP -1 1 l LEFT 1",
     "(error) ERR syntax error"},
    {"seconds are rounded up to the end of time",
     {"SET k v", "PEXPIREAT k 9223372036854775807"},
     "EXPIRETIME k",
     "(integer) 9223372036854776"},
    {"the smallest rank counts no matches",
     {"RPUSH l 1 2 1 x 1 2"},
     "LPOS l 1 RANK -9223372036854775808 COUNT 1",
     "[(integer) 4, (integer) 2, (integer) 0]"},
    {"the smallest rank finds one match where one is asked for",
     {"RPUSH l 1 2 1 x 1 2"},
     "LPOS l 1 RANK -9223372036854775808",
     "(integer) 4"},
    {"a small number is shared", {"SET k 9999"}, "OBJECT REFCOUNT k", "(integer) 2147483647"},
    {"a big number is not", {"SET k 10000"}, "OBJECT REFCOUNT k", "(integer) 1"},
};

TEST(FidelityFindingsTest, AnswersAsRedisDoes) {
  for (const Finding& finding : findings) {
    SimulatedServer server;
    for (const std::string_view line : finding.before) server.run(line);
    EXPECT_EQ(describe(server.run(finding.command)), finding.reply) << finding.about;
  }
}

// A snapshot is loaded into the smallest form that suits each value.
TEST(FidelityFindingsTest, AFullSynchronisationGivesValuesTheirNaturalForm) {
  struct Row {
    std::vector<std::string_view> made_by;
    std::string_view form;
    std::string_view form_after;
  };
  const std::string long_text(65, 'x');
  const std::string add_long = "HSET k long " + long_text;
  const std::string add_long_member = "ZADD k 1 " + long_text;
  const std::string remove_long_member = "ZREM k " + long_text;
  const Row rows[] = {
      {{"SETRANGE k 0 abc"}, "raw", "embstr"},
      {{"SET k 1", "APPEND k 2"}, "raw", "int"},
      {{add_long, "HSET k f v", "HDEL k long"}, "hashtable", "listpack"},
      {{"SADD k 1 x", "SREM k x"}, "hashtable", "intset"},
      {{add_long_member, "ZADD k 2 m", remove_long_member}, "skiplist", "listpack"},
  };
  for (const Row& row : rows) {
    SimulatedServer master;
    for (const std::string_view line : row.made_by) master.run(line);
    EXPECT_EQ(master.run("OBJECT ENCODING k").text, row.form);
    SimulatedServer replica;
    replica.server().load_from(master.server());
    EXPECT_EQ(replica.run("OBJECT ENCODING k").text, row.form_after) << row.form;
  }
}

// A replica that takes over all data anew: only keys that were there are changed by that.
TEST(FidelityFindingsTest, AFullSynchronisationChangesWatchedKeysThatWereThere) {
  const auto exec_after = [](std::string_view stored, std::int64_t advance_ms) {
    SimulatedServer master;
    SimulatedServer server;
    master.run("SET k from-the-master");
    if (!stored.empty()) server.run(stored);
    server.advance_ms(advance_ms);
    server.run("WATCH k");
    server.run("MULTI");
    server.server().load_from(master.server());
    server.server().demote();
    return describe(server.run("EXEC"));
  };
  EXPECT_EQ(exec_after("SET k v", 0), "(nil)");
  EXPECT_EQ(exec_after("SET k v PX 10", 11), "[]");
  EXPECT_EQ(exec_after("", 0), "[]");
}

}  // namespace
}  // namespace lockstep::redis::test
