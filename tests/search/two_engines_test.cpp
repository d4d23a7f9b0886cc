// Engines share nothing: two in two threads of one process make the runs that one makes alone.
// Meant for ThreadSanitizer too: build with -fsanitize=thread and run this test.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <filesystem>
#include <thread>
#include <vector>

#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "sim/seeded_choices.h"
#include "tests/support/source_folder.h"

namespace lockstep {
namespace {

constexpr std::uint64_t seeds = 50;

std::vector<std::uint64_t> hashes_of(const char* scenario) {
  const std::filesystem::path source = source_folder();
  model::Engine engine({source / "scripts"});
  const auto simulation = engine.prepare(scenario::load_scenario(source / scenario));
  sim::SeededChoices choices(1);
  std::vector<std::uint64_t> hashes;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    choices.reset(seed);
    hashes.push_back(simulation->run(choices).hash);
  }
  return hashes;
}

TEST(TwoEngines, InTwoThreadsMakeTheRunsOfOne) {
  constexpr std::array scenarios = {"bench/reference.toml", "bench/reference_redlock.toml",
                                    "scenarios/fair/contention.toml"};
  for (const char* scenario : scenarios) {
    std::array<std::vector<std::uint64_t>, 2> hashes;
    {
      std::jthread first([&] { hashes[0] = hashes_of(scenario); });
      std::jthread second([&] { hashes[1] = hashes_of(scenario); });
    }
    const std::vector<std::uint64_t> alone = hashes_of(scenario);
    EXPECT_EQ(hashes[0], alone) << scenario;
    EXPECT_EQ(hashes[1], alone) << scenario;
  }
}

}  // namespace
}  // namespace lockstep
