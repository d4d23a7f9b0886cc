// Random sequences go to the simulated server and to a real one under a stepped clock: every reply,
// every message and the replication stream must be the same, and so must the data at the end. A few
// of each kind here; tools/fidelity runs many.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>

#include "tests/redis/comparison/command_sequences.h"
#include "tests/redis/comparison/server_pair.h"

namespace lockstep::redis::test {
namespace {

void expect_equal_servers(const SequenceKind& kind) {
  static StreamedServer real;
  const Sequence sequence = *any_sequence(kind);
  try {
    compare_servers(real, kind, sequence);
  } catch (const Difference& difference) {
    RC_FAIL(difference.what());
  }
}

class DifferentialFamilyTest : public testing::TestWithParam<CommandFamily> {};

TEST_P(DifferentialFamilyTest, BehavesAsOnTheRealServer) {
  const SequenceKind kind = kind_of(GetParam());
  EXPECT_TRUE(rc::check([&kind] { expect_equal_servers(kind); }));
}

INSTANTIATE_TEST_SUITE_P(Families, DifferentialFamilyTest, testing::ValuesIn(command_families()),
                         [](const auto& family) { return std::string(family.param.name); });

RC_GTEST_PROP(DifferentialTest, CommandsOfAllFamiliesBehaveAsOnTheRealServer, ()) {
  expect_equal_servers(mixed_kind());
}

RC_GTEST_PROP(DifferentialTest, GeneratedScriptsBehaveAsOnTheRealServer, ()) {
  expect_equal_servers(generated_scripts_kind());
}

RC_GTEST_PROP(DifferentialTest, TheLocksOwnScriptsBehaveAsOnTheRealServer, ()) {
  expect_equal_servers(lock_scripts_kind());
}

}  // namespace
}  // namespace lockstep::redis::test
