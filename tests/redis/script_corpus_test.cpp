// Small programs (lua_corpus/*.lua) run on a simulated server and on a real one: the replies must
// be the same bytes. Each program begins with the string "x" at key `s` and nothing else.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "confirm/real_redis.h"
#include "tests/redis/lua_corpus.h"
#include "tests/redis/simulated_server.h"

namespace lockstep::redis::test {
namespace {

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

INSTANTIATE_TEST_SUITE_P(Corpus, ScriptCorpusTest, testing::ValuesIn(corpus_files()),
                         [](const auto& file) { return file.param; });

}  // namespace
}  // namespace lockstep::redis::test
