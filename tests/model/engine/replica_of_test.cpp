// REPLICAOF as a client sends it: masters become replicas, also of replicas, and masters again.
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "model/recorded_trace.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "sim/seeded_choices.h"
#include "tests/model/client/lock_folder.h"

namespace lockstep::model::test {
namespace {

/// Runs a client that sends commands to three masters; "GET at n3: v" for each that was executed.
std::vector<std::string> commands_of(const std::string& steps) {
  const lockstep::test::LockFolder folder;
  folder.write("client.lua", lockstep::test::LockFolder::client_model(
                                 "function model.lock(lock)\n" + steps + "\nreturn true\nend"));
  Engine engine({folder.folders()});
  const auto simulation = engine.prepare(scenario::parse_scenario(
      "test.toml",
      "title = \"t\"\nlock = \"own\"\nexpect = { holds = \"harm\" }\n"
      "[redis]\nmasters = 3\n[[client]]\nname = \"a\"\nrun = [\"lock lease=1s\"]\n"));
  sim::SeededChoices choices(1);
  RecordedTrace trace;
  TraceRecorder sink(trace.events);
  simulation->run(choices, &sink);
  std::vector<std::string> lines;
  for (const RecordedEvent& event : trace.events) {
    if (event.kind != "command-executed") continue;
    std::string line(event.text("command"));
    line += " at ";
    line += simulation->actors()[static_cast<std::uint32_t>(event.actor)].name;
    line += ": ";
    line += event.text("reply");
    lines.push_back(line);
  }
  return lines;
}

TEST(ReplicaOf, MakesChainsThatHandTheStreamOn) {
  const std::vector<std::string> lines = commands_of(R"(
    client.command(1, "SET", "k", "before")
    client.command(2, "REPLICAOF", "n1", "6379")
    client.command(3, "REPLICAOF", "n2", "6379")
    client.sleep(3000)
    client.command(3, "GET", "k")
    client.command(1, "SET", "k", "after")
    client.sleep(100)
    client.command(2, "GET", "k")
    client.command(3, "GET", "k"))");
  EXPECT_EQ(lines,
            (std::vector<std::string>{"SET at n1: OK", "REPLICAOF at n2: OK", "REPLICAOF at n3: OK",
                                      "GET at n3: before", "SET at n1: OK", "GET at n2: after",
                                      "GET at n3: after"}));
}

TEST(ReplicaOf, NoOneMakesAMasterWhoseReplicasStay) {
  const std::vector<std::string> lines = commands_of(R"(
    client.command(2, "REPLICAOF", "n1", "6379")
    client.command(3, "REPLICAOF", "n2", "6379")
    client.sleep(3000)
    client.command(2, "REPLICAOF", "NO", "ONE")
    client.sleep(3000)
    client.command(2, "SET", "k", "own")
    client.sleep(100)
    client.command(1, "GET", "k")
    client.command(3, "GET", "k"))");
  EXPECT_EQ(lines, (std::vector<std::string>{"REPLICAOF at n2: OK", "REPLICAOF at n3: OK",
                                             "REPLICAOF at n2: OK", "SET at n2: OK",
                                             "GET at n1: (nil)", "GET at n3: own"}));
}

TEST(ReplicaOf, AHostThatIsNotThereIsWaitedFor) {
  const std::vector<std::string> lines = commands_of(R"(
    client.command(2, "SET", "k", "v")
    client.command(2, "REPLICAOF", "elsewhere", "6379")
    client.sleep(3000)
    client.command(2, "GET", "k"))");
  EXPECT_EQ(lines,
            (std::vector<std::string>{"SET at n2: OK", "REPLICAOF at n2: OK", "GET at n2: v"}));
}

}  // namespace
}  // namespace lockstep::model::test
