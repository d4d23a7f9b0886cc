// What is said of a try that goes on when its wait is over.
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

TEST(LateReturn, IsNoWaiterThatNobodyWoke) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / "lockstep-late-return";
  std::filesystem::create_directories(folder);
  std::ifstream file(support::script_folder() / "setnx/client.lua");
  std::string script{std::istreambuf_iterator<char>(file), {}};
  constexpr std::string_view gives_up =
      "if left_ms <= 0 or not wait(lock, left_ms) then return false end";
  const std::size_t begin = script.find(gives_up);
  if (begin == std::string::npos) throw std::runtime_error("setnx/client.lua has changed");
  script.replace(begin, gives_up.size(), "wait(lock)");
  std::ofstream(folder / "client.lua") << script;
  std::ofstream(folder / "lock.toml")
      << "title = \"t\"\nbase = \"setnx\"\nclient = \"client.lua\"\n";
  model::Engine engine({support::script_folder()});
  const search::ScenarioOutcome outcome = search::run_scenario(
      scenario::parse_scenario(
          "t.toml", "title = \"t\"\nlock = \"" + folder.string() +
                        "\"\nexpect = { violates = \"no-lost-wakeup\" }\n"
                        "[redis]\nlatency = \"1ms\"\n"
                        "[[client]]\nname = \"a\"\nrun = [\"lock\", \"sleep 20s\", \"unlock\"]\n"
                        "[[client]]\nname = \"b\"\nstart = \"1s\"\n"
                        "run = [\"try_lock wait=2s\", \"unlock\"]\n"),
      {.first_seed = 1, .seeds = 1}, engine);
  std::filesystem::remove_all(folder);
  const std::vector<Cause> causes = causes_of(outcome.example, checker::Property::no_lost_wakeup);
  ASSERT_FALSE(causes.empty());
  EXPECT_EQ(causes[0].kind, CauseKind::late_return);
  EXPECT_EQ(causes[0].victim, "b/1");
  EXPECT_NE(causes[0].says[0].find("b/1's try_lock wait=2s, begun at 1,000 ms, was to end at "
                                   "3,000 ms, and its client model did not end it then"),
            std::string::npos)
      << causes[0].says[0];
}

}  // namespace
}  // namespace lockstep::reports
