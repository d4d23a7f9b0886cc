// What is said of a place in a queue, or its deadline, that nobody waits in any more.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "model/engine/engine.h"
#include "reports/cause/cause.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "search/runs/seed_runs.h"
#include "tests/support/script_folder.h"

namespace lockstep::reports {
namespace {

constexpr std::string_view of_served =
    "  redis.call('lpop', KEYS[2])\n"
    "  redis.call('zrem', KEYS[3], ARGV[2])\n";

/// Of a fair lock whose acquire leaves out one of the two lines for who is served.
std::vector<Cause> causes_with(std::string_view kept) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / "lockstep-left-places";
  std::filesystem::create_directories(folder);
  std::ifstream file(std::filesystem::path(support::script_folder()) / "fair/acquire.lua");
  std::string script{std::istreambuf_iterator<char>(file), {}};
  const std::size_t begin = script.find(of_served);
  if (begin == std::string::npos) throw std::runtime_error("fair/acquire.lua has changed");
  script.replace(begin, of_served.size(), kept);
  std::ofstream(folder / "acquire.lua") << script;
  std::ofstream(folder / "lock.toml") << "title = \"t\"\nbase = \"fair\"\n"
                                         "[scripts]\nacquire = \"acquire.lua\"\n";
  model::Engine engine({support::script_folder()});
  const search::ScenarioOutcome outcome = search::run_scenario(
      scenario::parse_scenario("t.toml", "title = \"t\"\nlock = \"" + folder.string() +
                                             "\"\nexpect = { violates = \"no-leak\" }\n"
                                             "[redis]\nlatency = \"1ms\"\n"
                                             "[[client]]\nname = \"a\"\n"
                                             "run = [\"lock lease=5s\", \"sleep 1s\", \"unlock\"]\n"
                                             "[[client]]\nname = \"b\"\nstart = \"100ms\"\n"
                                             "run = [\"lock lease=5s\", \"unlock\"]\n"),
      {.first_seed = 1, .seeds = 1}, engine);
  std::filesystem::remove_all(folder);
  return causes_of(outcome.example, checker::Property::no_leak);
}

TEST(LeftPlaces, AreToldWithTheScriptThatGaveThem) {
  const std::vector<Cause> causes = causes_with("  redis.call('zrem', KEYS[3], ARGV[2])\n");
  ASSERT_FALSE(causes.empty());
  EXPECT_EQ(causes[0].kind, CauseKind::left_behind);
  EXPECT_EQ(causes[0].victim, "b/1");
  EXPECT_EQ(causes[0].says[0],
            "b/1's acquire, executed on n1 at 103 ms, gave b/1 a place in the queue, which it has "
            "still, though its unlock was over at 1,010 ms.");
}

TEST(LeftPlaces, ADeadlineIsToldWithTheScriptThatTookItsPlaceAway) {
  const std::vector<Cause> causes = causes_with("  redis.call('lpop', KEYS[2])\n");
  ASSERT_FALSE(causes.empty());
  EXPECT_EQ(causes[0].kind, CauseKind::left_behind);
  EXPECT_EQ(causes[0].victim, "b/1");
  EXPECT_EQ(causes[0].says[0],
            "b/1's acquire, executed on n1 at 1,007 ms, took b/1 out of the queue, and left its "
            "deadline.");
}

}  // namespace
}  // namespace lockstep::reports
