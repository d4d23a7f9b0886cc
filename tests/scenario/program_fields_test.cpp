// The keys of [[client]] that make it a real program.
#include <gtest/gtest.h>

#include <string>

#include "scenario/file/scenario_file.h"
#include "scenario/file/write_scenario.h"
#include "scenario/scenario.h"
#include "scenario/text/input_error.h"
#include "scenario/thread_order.h"

namespace lockstep::scenario {
namespace {

std::string file_with(const std::string& keys) {
  return "title = \"t\"\nlock = \"plain\"\nexpect = { holds = \"harm\" }\n[[client]]\nname = "
         "\"a\"\n" +
         keys + "\n";
}

ProgramSpec program_of(const std::string& keys, const std::string& path = "t.toml") {
  return parse_scenario(path, file_with(keys)).clients.front().program.value();
}

std::string complaint_of(const std::string& keys) {
  try {
    static_cast<void>(parse_scenario("t.toml", file_with(keys)));
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(ProgramFields, SayHowAProgramIsStarted) {
  const ProgramSpec program = program_of(
      "command = [\"python3\", \"worker.py\"]\nreuse = \"fork\"\nfolder = \"there\"\n"
      "connect = { \"redis-1:6379\" = \"n1\" }\nenv = { ORDERS = \"3\" }",
      "here/t.toml");
  EXPECT_EQ(program.command, (std::vector<std::string>{"python3", "worker.py"}));
  EXPECT_EQ(program.folder, "here/there");
  EXPECT_EQ(program.reuse, ProgramSpec::Reuse::fork);
  EXPECT_EQ(program.connect.at("redis-1:6379"), "n1");
  EXPECT_EQ(program.env.at("ORDERS"), "3");
}

TEST(ProgramFields, HaveDefaults) {
  const ProgramSpec program = program_of("command = \"./worker\"");
  EXPECT_EQ(program.command, (std::vector<std::string>{"./worker"}));
  EXPECT_EQ(program.folder, "");
  EXPECT_EQ(program.reuse, ProgramSpec::Reuse::process);
  EXPECT_FALSE(threads_run_in_any_order(program));
  EXPECT_TRUE(program.env.empty());
}

TEST(ProgramFields, TellTheProgramOfTheOrderOfItsThreads) {
  EXPECT_TRUE(threads_run_in_any_order(program_of("command = \"x\"\nthread_order = \"any\"")));
  EXPECT_FALSE(threads_run_in_any_order(program_of("command = \"x\"\nthread_order = \"in turn\"")));
}

TEST(ProgramFields, AreWrittenAsTheyAreRead) {
  const std::string keys =
      "command = [\"python3\", \"worker.py\"]\nreuse = \"fork\"\nthread_order = \"any\"\n"
      "connect = { \"redis-1:6379\" = \"n1\" }\nenv = { ORDERS = \"3\" }";
  const Scenario read = parse_scenario("t.toml", file_with(keys));
  const Scenario again = parse_scenario("t.toml", write_scenario(read, "t.toml"));
  EXPECT_EQ(read.clients.front().program, again.clients.front().program);
  const Scenario elsewhere = parse_scenario("out/t.toml", write_scenario(read, "out/t.toml"));
  EXPECT_EQ(elsewhere.clients.front().program->folder, ".");
}

TEST(ProgramFields, ComplainOfWhatDoesNotFit) {
  struct Row {
    std::string keys;
    std::string complaint;  ///< a part of it
  };
  const Row rows[] = {
      {"command = []", "there is no program to run"},
      {"command = [\"\"]", "there is no program to run"},
      {"command = 3", "expected"},
      {"command = [\"x\"]\nrun = [\"lock\"]", "'run' for the lock's client model, not both"},
      {"command = [\"x\"]\nthreads = 2", "'threads' for the lock's client model"},
      {"command = [\"x\"]\nrounds = 2", "'rounds' for the lock's client model"},
      {"command = [\"x\"]\nreuse = \"spoon\"", "expected \"process\" or \"fork\""},
      {"command = [\"x\"]\nthread_order = \"random\"", "expected \"in turn\" or \"any\""},
      {"run = [\"lock\"]\nthread_order = \"any\"",
       "'thread_order' is of a client that is a program"},
      {"command = [\"x\"]\nconnect = { \"redis\" = \"n1\" }", "is no host and port"},
      {"command = [\"x\"]\nconnect = { \":1\" = \"n1\" }", "is no host and port"},
      {"command = [\"x\"]\nconnect = { \"redis:99999\" = \"n1\" }", "is no host and port"},
      {"command = [\"x\"]\nconnect = { \"redis:1\" = \"n7\" }", "n7"},
      {"command = [\"x\"]\nenv = { A = 3 }", "expected"},
      {"command = [\"x\\u0000y\"]", "zero byte"},
      {"run = [\"lock\"]\nreuse = \"fork\"", "'reuse' is of a client that is a program"},
      {"run = [\"lock\"]\nenv = { A = \"b\" }", "'env' is of a client that is a program"},
  };
  for (const Row& row : rows) {
    const std::string complaint = complaint_of(row.keys);
    EXPECT_NE(complaint.find(row.complaint), std::string::npos) << row.keys << "\n" << complaint;
    EXPECT_TRUE(complaint.starts_with("t.toml:")) << complaint;
  }
}

}  // namespace
}  // namespace lockstep::scenario
