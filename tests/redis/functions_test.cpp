// Functions: loading, calling, replication, files, and what they leave behind. Their error texts
// are compared with the real server's by the family `functions`.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "redis/commands/function_dump.h"
#include "redis/persistence/stored_files.h"
#include "redis/protocol/reply.h"
#include "redis/server/server.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis::test {
namespace {

constexpr std::string_view counting =
    "#!lua name=counting\n"
    "local calls = 0\n"
    "redis.register_function('acquire', function(keys, args)\n"
    "  calls = calls + 1\n"
    "  if redis.call('set', keys[1], args[1], 'NX', 'PX', args[2]) then return calls end\n"
    "  return false\n"
    "end)\n"
    "redis.register_function{function_name='holder', flags={'no-writes'},\n"
    "  callback=function(keys) return redis.call('get', keys[1]) end}\n";

std::string ask(SimulatedServer& server, std::initializer_list<std::string_view> words) {
  return describe(server.run(words));
}

TEST(FunctionsTest, KeepTheirLibrarysVariablesAndAreReplicatedByEffect) {
  SimulatedServer server;
  server.take_requests();
  EXPECT_EQ(ask(server, {"FUNCTION", "LOAD", counting}), "\"counting\"");
  EXPECT_NE(server.take_requests().find("FUNCTION LOAD #!lua name=counting"), std::string::npos);
  EXPECT_EQ(ask(server, {"FCALL", "acquire", "1", "lock", "me", "1000"}), "(integer) 1");
  EXPECT_EQ(server.take_requests(), "SET lock me PXAT 1700000001000");
  EXPECT_EQ(ask(server, {"FCALL", "acquire", "1", "lock", "you", "1000"}), "(nil)");
  server.advance_ms(1001);
  EXPECT_EQ(ask(server, {"FCALL", "ACQUIRE", "1", "lock", "you", "1000"}), "(integer) 3");
  EXPECT_EQ(ask(server, {"FCALL_RO", "holder", "1", "lock"}), "\"you\"");
  server.run("SCRIPT FLUSH");
  server.run("FLUSHALL");
  EXPECT_EQ(ask(server, {"FCALL_RO", "holder", "1", "lock"}), "(nil)");
  EXPECT_EQ(server.run("FUNCTION FLUSH SYNC more").text,
            "ERR unknown subcommand or wrong number of arguments for 'FLUSH'. Try FUNCTION HELP.");
  server.run("FUNCTION FLUSH");
  EXPECT_EQ(server.run("FCALL holder 1 lock").text, "ERR Function not found");
}

TEST(FunctionsTest, ReachReplicasByTheStreamAndBySnapshot) {
  SimulatedServer master;
  SimulatedServer replica(ServerOptions{.role = Role::replica});
  master.run({"FUNCTION", "LOAD", counting});
  Snapshot snapshot;
  master.server().take_snapshot(snapshot);
  replica.server().load(snapshot);
  EXPECT_EQ(ask(replica, {"FCALL_RO", "holder", "1", "lock"}), "(nil)");
  EXPECT_EQ(replica.run({"FCALL", "acquire", "1", "lock", "me", "1"}).text,
            "READONLY You can't write against a read only replica.");
  master.take_stream();
  master.run("FUNCTION DELETE counting");
  replica.server().apply_stream(master.take_stream());
  EXPECT_EQ(replica.run("FCALL_RO holder 1 lock").text, "ERR Function not found");
  EXPECT_EQ(replica.run({"FUNCTION", "LOAD", counting}).text,
            "READONLY You can't write against a read only replica.");
}

TEST(FunctionsTest, ComeBackFromTheFiles) {
  for (const bool append_only : {false, true}) {
    StoredFiles files;
    ServerOptions options;
    options.files = &files;
    options.config.append_only = append_only;
    SimulatedServer server(options);
    static_cast<void>(server.server().restore());
    server.run({"FUNCTION", "LOAD", counting});
    server.run("SET k v");
    server.server().shut_down(SaveAtShutdown::as_configured);
    server.start(options);
    EXPECT_EQ(server.run("FCALL_RO holder 1 k").text, "ERR Function not found");
    static_cast<void>(server.server().restore());
    EXPECT_EQ(ask(server, {"FCALL_RO", "holder", "1", "k"}), "\"v\"") << append_only;
  }
}

TEST(FunctionsTest, ADumpHoldsThemAndIsCheckedBeforeItIsTaken) {
  SimulatedServer server;
  server.run({"FUNCTION", "LOAD", counting});
  const std::string dump = server.run("FUNCTION DUMP").text;
  EXPECT_EQ(server.run({"FUNCTION", "RESTORE", dump}).text, "ERR Library counting already exists");
  EXPECT_EQ(server.run({"FUNCTION", "RESTORE", dump, "FLUSH"}).text, "OK");
  server.run("FUNCTION FLUSH");
  EXPECT_EQ(server.run({"FUNCTION", "RESTORE", dump}).text, "OK");
  EXPECT_EQ(ask(server, {"FCALL_RO", "holder", "1", "lock"}), "(nil)");
  for (std::size_t i = 0; i < dump.size(); ++i) {
    std::string damaged = dump;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    EXPECT_EQ(libraries_of_dump(damaged), std::nullopt) << i;
    EXPECT_EQ(libraries_of_dump(dump.substr(0, i)), std::nullopt) << i;
  }
}

std::string library(std::string_view name, std::initializer_list<std::string_view> functions) {
  std::string code = "#!lua name=" + std::string(name) + "\n";
  for (const std::string_view each : functions) {
    code += "redis.register_function('" + std::string(each) + "', function() return '" +
            std::string(name) + "' end)\n";
  }
  return code;
}

TEST(FunctionsTest, ADumpIsRestoredAsAWholeOrNotAtAll) {
  SimulatedServer server;
  server.run({"FUNCTION", "LOAD", library("a", {"f", "g"})});
  const auto restore = [&](const std::vector<std::string>& codes, std::string_view policy) {
    return server.run({"FUNCTION", "RESTORE", dump_of_libraries(codes), policy}).text;
  };
  // Each as redis-server 7.0.15 answers it.
  EXPECT_EQ(restore({library("a", {"f"})}, "APPEND"), "ERR Library a already exists");
  EXPECT_EQ(restore({library("b", {"f"})}, "APPEND"), "ERR Function f already exists");
  EXPECT_EQ(restore({library("b", {"f"})}, "REPLACE"), "ERR Function f already exists");
  EXPECT_EQ(restore({library("b", {"x"}), library("b", {"y"})}, "REPLACE"),
            "ERR Library 'b' already exists");
  EXPECT_EQ(restore({library("b", {"x"}), library("c", {"x"})}, "APPEND"),
            "ERR Function x already exists");
  EXPECT_EQ(restore({library("b", {"x"}), "#!lua name=q\nnot lua"}, "FLUSH"),
            "ERR Error compiling function: user_function:2: unexpected symbol near 'not'");
  EXPECT_EQ(restore({"#!lua name=q\nlocal x = 1"}, "APPEND"), "ERR No functions registered");
  EXPECT_EQ(server.run("FCALL g 0").text, "a");
  EXPECT_EQ(server.run("FCALL x 0").text, "ERR Function not found");
  EXPECT_EQ(restore({library("d", {"f"}), library("a", {"g"})}, "REPLACE"), "OK");
  EXPECT_EQ(server.run("FCALL f 0").text, "d");
  EXPECT_EQ(server.run("FCALL g 0").text, "a");
}

TEST(FunctionsTest, EndAtTheInstructionLimitWhereverTheyLoop) {
  SimulatedServer server;
  EXPECT_EQ(server.run({"FUNCTION", "LOAD", "#!lua name=l\nwhile true do end"}).text,
            "ERR Error registering functions: ERR Script killed by user with SCRIPT KILL...");
  server.run({"FUNCTION", "LOAD",
              "#!lua name=l\nredis.register_function('loop', function() while true do end end)"});
  EXPECT_EQ(server.run("FCALL loop 0").text.substr(0, 42),
            "ERR Script killed by user with SCRIPT KILL");
}

}  // namespace
}  // namespace lockstep::redis::test
