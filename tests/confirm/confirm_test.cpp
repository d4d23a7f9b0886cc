// Scenarios confirmed on real servers.
#include <gtest/gtest.h>

#include <string>

#include "confirm/confirmation.h"
#include "confirm/recording.h"
#include "model/scenario/scenario_file.h"
#include "model/simulation/engine.h"
#include "sim/seeded_choices.h"
#include "tests/support/script_folder.h"

namespace lockstep::confirm::test {
namespace {

class ConfirmTest : public ::testing::TestWithParam<std::string> {};

TEST_P(ConfirmTest, IsConfirmed) {
  model::Engine engine({support::script_folder()});
  const auto simulation = engine.prepare(model::load_scenario(
      std::string(LOCKSTEP_SOURCE_DIR) + "/scenarios/" + GetParam() + ".toml"));
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Recording recording;
    sim::SeededChoices choices(seed);
    simulation->run(choices, nullptr, &recording);
    const Confirmation confirmation = confirm(simulation->actors(), recording.events());
    if (confirmation.difference) {
      ADD_FAILURE() << "event " << confirmation.difference->trace_event << " on "
                    << confirmation.difference->node << ": " << confirmation.difference->what
                    << "\n simulated " << confirmation.difference->simulated << "\n real "
                    << confirmation.difference->real;
    }
    std::cout << confirmation.commands << " commands " << confirmation.equal_replies << " equal "
              << confirmation.not_compared << " not compared " << confirmation.unanswered
              << " unanswered " << confirmation.messages << " messages "
              << confirmation.stream_requests << " stream\n";
  }
}

INSTANTIATE_TEST_SUITE_P(
    Scenarios, ConfirmTest,
    ::testing::Values("plain/gc-pause", "setnx/delete-without-token", "plain/lost-acquire-reply",
                      "plain/lost-release-reply", "plain/failover-before-replication",
                      "plain/failover-after-wait", "fenced/contention", "fenced/gc-pause",
                      "plain/contention", "plain/lost-release-reply-latched", "plain/watchdog",
                      "setnx/contention", "setnx/delete-with-token", "setnx/fixed-value",
                      "setnx/get-then-del", "setnx/setnx-then-expire", "setnx/timestamp"));

}  // namespace
}  // namespace lockstep::confirm::test
