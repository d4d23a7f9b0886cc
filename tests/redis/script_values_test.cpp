// Generated programs about values and patterns give the same reply on both servers.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "tests/redis/comparison/generated_values.h"
#include "tests/redis/comparison/lua_corpus.h"
#include "tests/redis/comparison/real_server.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis::test {
namespace {

lockstep::confirm::RedisConnection& real() {
  static RealServer server;
  return server.connection;
}

using Generator = std::string (*)(Dice&);

/// A few programs from one seed.
void compare_programs(Generator generator) {
  constexpr int programs = 5;
  Dice dice(*rc::gen::noShrink(rc::gen::arbitrary<std::uint64_t>()));
  for (int count = 0; count < programs; ++count) {
    const std::string program = generator(dice);
    const std::string expected = describe(real().command({"EVAL", program, "0"}));
    const std::string simulated = describe(run_corpus_program(program));
    if (simulated != expected) {
      RC_FAIL(program + "\n  real:      " + expected + "\n  simulated: " + simulated);
    }
  }
}

RC_GTEST_PROP(ScriptValuesTest, JsonIsAsRedisWritesAndReadsIt, ()) {
  compare_programs(&json_program);
}

RC_GTEST_PROP(ScriptValuesTest, MessagePackIsAsRedisWritesAndReadsIt, ()) {
  compare_programs(&message_pack_program);
}

RC_GTEST_PROP(ScriptValuesTest, StructsAreAsRedisWritesAndReadsThem, ()) {
  compare_programs(&struct_program);
}

RC_GTEST_PROP(ScriptValuesTest, PatternsMatchAsInRedis, ()) { compare_programs(&pattern_program); }

}  // namespace
}  // namespace lockstep::redis::test
