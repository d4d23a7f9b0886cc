// Small programs (lua_corpus/*.lua) run on a simulated server and on a real one: the replies must
// be the same bytes. Each program begins with the string "x" at key `s` and nothing else.
//
// A file is programs parted by lines `--%%`. A program's first line may be `--! reply`: there ours
// is known to differ and must be the one given, as describe() writes it.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "confirm/real_redis.h"
#include "tests/redis/simulated_server.h"

namespace lockstep::redis::test {
namespace {

struct Program {
  std::string text;
  std::optional<std::string> known_reply;
};

std::string corpus_folder() { return std::string(LOCKSTEP_SOURCE_DIR) + "/tests/redis/lua_corpus"; }

Program read_program(std::string text) {
  constexpr std::string_view mark = "--! ";
  Program program;
  if (text.starts_with(mark)) {
    const std::size_t end = text.find('\n');
    program.known_reply = text.substr(mark.size(), end - mark.size());
    text.erase(0, end + 1);
  }
  program.text = std::move(text);
  return program;
}

std::vector<Program> read_programs(const std::filesystem::path& path) {
  constexpr std::string_view border = "--%%\n";
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::vector<Program> programs;
  std::size_t begin = text.find(border);
  while (begin != std::string::npos) {
    begin += border.size();
    const std::size_t end = text.find(border, begin);
    std::string program = text.substr(begin, end - begin);
    if (program.ends_with('\n')) program.pop_back();
    programs.push_back(read_program(std::move(program)));
    begin = end;
  }
  return programs;
}

std::vector<std::string> corpus_files() {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(corpus_folder())) {
    files.push_back(entry.path().stem().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

class ScriptCorpusTest : public testing::TestWithParam<std::string> {
 protected:
  /// One real server for all programs of the process.
  static lockstep::confirm::RedisConnection& real() {
    static lockstep::confirm::TemporaryDirectory directory;
    static lockstep::confirm::StepClock clock{directory.path(), SimulatedServer::start_us};
    static lockstep::confirm::RealRedis redis{clock};
    static lockstep::confirm::RedisConnection connection{redis.socket_path()};
    return connection;
  }

  static Reply run_real(const std::string& program) {
    real().command({"FLUSHALL"});
    real().command({"SET", "s", "x"});
    return real().command({"EVAL", program, "0"});
  }

  static Reply run_simulated(const std::string& program) {
    SimulatedServer server;
    server.run({"SET", "s", "x"});
    return server.run({"EVAL", program, "0"});
  }
};

TEST_P(ScriptCorpusTest, BehavesAsOnTheRealServer) {
  const std::vector<Program> programs = read_programs(corpus_folder() + "/" + GetParam() + ".lua");
  ASSERT_FALSE(programs.empty());
  for (const Program& program : programs) {
    const std::string real = describe(run_real(program.text));
    const std::string simulated = describe(run_simulated(program.text));
    if (program.known_reply) {
      EXPECT_EQ(simulated, *program.known_reply) << program.text;
      EXPECT_NE(simulated, real) << "no longer a difference: " << program.text;
    } else {
      EXPECT_EQ(simulated, real) << program.text;
    }
  }
}

// The guarded environment is the one for scripts whose text could write to globals; it must behave
// as the open one.
TEST_P(ScriptCorpusTest, BehavesAlikeInTheGuardedEnvironment) {
  for (const Program& program : read_programs(corpus_folder() + "/" + GetParam() + ".lua")) {
    if (program.text.starts_with("#!")) continue;
    const std::string guarded = "local _ = _G " + program.text;
    const Reply real = run_real(guarded);
    const Reply simulated = run_simulated(guarded);
    const bool was_compiled = real.text.find("Error compiling") == std::string::npos;
    if (!program.known_reply && was_compiled) {
      EXPECT_EQ(describe(simulated), describe(real)) << program.text;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Corpus, ScriptCorpusTest, testing::ValuesIn(corpus_files()),
                         [](const auto& file) { return file.param; });

}  // namespace
}  // namespace lockstep::redis::test
