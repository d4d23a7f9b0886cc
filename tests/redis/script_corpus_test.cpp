// Small programs (lua_corpus/*.lua) run on a simulated server and on a real one: the replies must
// be the same bytes. Each program begins with the string "x" at key `s` and nothing else.
#include <gtest/gtest.h>

#include <iostream>
#include <string>
#include <variant>
#include <vector>

#include "redis/scripting/script_engine.h"
#include "tests/redis/comparison/lua_corpus.h"
#include "tests/redis/comparison/real_server.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis::test {
namespace {

class ScriptCorpusTest : public testing::TestWithParam<std::string> {
 protected:
  /// One real server for all programs of the process.
  static lockstep::confirm::RedisConnection& real() {
    static RealServer server;
    return server.connection;
  }

  static Reply run_real(const std::string& program) {
    real().command({"FLUSHALL"});
    real().command({"SET", "s", "x"});
    return real().command({"EVAL", program, "0"});
  }

  static Reply run_simulated(const std::string& program) { return run_corpus_program(program); }
};

TEST_P(ScriptCorpusTest, BehavesAsOnTheRealServer) {
  const std::vector<CorpusProgram> programs = corpus_programs(GetParam());
  ASSERT_FALSE(programs.empty());
  for (const CorpusProgram& program : programs) {
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
  for (const CorpusProgram& program : corpus_programs(GetParam())) {
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

/// What is told of a program when it is loaded: an error, or warnings.
bool is_reported(const std::string& program) {
  const auto compiled = shared_script_engine().compile(program);
  const auto* const script = std::get_if<ScriptId>(&compiled);
  return script == nullptr || !shared_script_engine().warnings(*script).empty();
}

TEST(ScriptCorpusFigureTest, BridgesMostProgramsAndReportsTheOthersWhenTheyAreLoaded) {
  std::size_t programs = 0;
  std::size_t bridged = 0;
  for (const std::string& file : corpus_files()) {
    for (const CorpusProgram& program : corpus_programs(file)) {
      ++programs;
      if (!program.known_reply) {
        ++bridged;
      } else {
        EXPECT_TRUE(is_reported(program.text)) << program.text;
      }
    }
  }
  std::cout << "Lua corpus: " << bridged << " of " << programs
            << " programs give Redis's reply, the others are reported when they are loaded\n";
  EXPECT_GE(programs, 500U);
  EXPECT_GE(bridged * 100, programs * 95);
}

INSTANTIATE_TEST_SUITE_P(Corpus, ScriptCorpusTest, testing::ValuesIn(corpus_files()),
                         [](const auto& file) { return file.param; });

}  // namespace
}  // namespace lockstep::redis::test
