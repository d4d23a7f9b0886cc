// What is said of real clients: that do not do the same twice, that get stuck, that fail.
#include "search/runs/with_programs.h"

#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "model/engine/engine.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "scenario/text/input_error.h"
#include "search/runs/seed_runs.h"
#include "tests/model/program/scripted_program.h"
#include "tests/support/source_folder.h"

namespace lockstep::search {
namespace {

using model::ProgramStep;
using model::test::ScriptedProgram;

constexpr const char* program = "[[client]]\nname = \"a\"\ncommand = [\"x\"]\n";
constexpr const char* modelled = "[[client]]\nname = \"b\"\nrun = [\"sleep 1s\"]\n";

class WithPrograms : public ::testing::Test {
 protected:
  /// A program that connects, and then does this; told how often it has been started.
  void let_it(const std::function<void(int run, ProgramStep& step)>& act) {
    launcher_.behaviours["a"] = [act, this](ScriptedProgram& each, ProgramStep& step) {
      if (each.steps == 1) ++runs_;
      if (each.steps == 1) step.connects.push_back(model::test::connect_to(1, 6379));
      if (each.steps == 2) act(runs_, step);
    };
  }
  [[nodiscard]] int runs() const { return runs_; }
  [[nodiscard]] static scenario::Scenario scenario_of(const std::string& clients) {
    return scenario::parse_scenario("test.toml",
                                    "title = \"t\"\nlock = \"setnx\"\nlock_name = \"orders\"\n"
                                    "expect = { holds = \"mutual-exclusion\" }\n" +
                                        clients);
  }
  [[nodiscard]] std::string complaint() {
    try {
      require_reproducible(scenario_of(program), 7, engine_, &launcher_);
    } catch (const scenario::InputError& error) {
      return error.what();
    }
    return {};
  }
  [[nodiscard]] std::string complaint_of_runs(const std::string& clients) {
    const ScenarioOutcome outcome =
        run_scenario(scenario_of(clients), {.first_seed = 1, .seeds = 2}, engine_);
    return outcome.complaints.empty() ? std::string() : outcome.complaints.front();
  }

 private:
  model::test::ScriptedLauncher launcher_;
  model::Engine engine_{{source_folder() + "/scripts"}, &launcher_};
  int runs_ = 0;
};

void get_stuck(ProgramStep& step) {
  step.state = ProgramStep::State::stuck;
  step.why = "it is stuck: it computes";
}

TEST_F(WithPrograms, ThatDoTheSameTwiceAreNotComplainedOf) {
  let_it([](int, ProgramStep& step) { step.state = ProgramStep::State::ended; });
  EXPECT_EQ(complaint(), "");
  EXPECT_EQ(runs(), 2);
}

TEST_F(WithPrograms, ThatAreStuckAtOnceAreNotTriedTwice) {
  let_it([](int, ProgramStep& step) { get_stuck(step); });
  EXPECT_EQ(complaint(), "");
  EXPECT_EQ(runs(), 1);
}

TEST_F(WithPrograms, ThatDifferAreNamedWithTheFirstEventAndTheLikelySources) {
  let_it([](int run, ProgramStep& step) {
    step.state = ProgramStep::State::ended;
    step.status = run;
  });
  const std::string said = complaint();
  EXPECT_NE(said.find("test.toml:7:11: error: its real clients don't do the same twice: seed 7 "),
            std::string::npos)
      << said;
  EXPECT_NE(said.find("how=exit 2"), std::string::npos) << said;
  EXPECT_NE(said.find("; likely sources: the test"), std::string::npos) << said;
}

TEST_F(WithPrograms, ThatAreStuckInTheSecondOfTwoRunsAreCalledStuck) {
  let_it([](int run, ProgramStep& step) {
    if (run == 2) get_stuck(step);
  });
  EXPECT_EQ(complaint(),
            "test.toml:7:11: error: one of its real clients was stuck in one of two runs of seed "
            "7: a/1: it is stuck: it computes");
}

TEST_F(WithPrograms, ThatFailAreNotCalledModels) {
  let_it([](int, ProgramStep& step) { get_stuck(step); });
  EXPECT_EQ(complaint_of_runs(program),
            "the program failed in 2 of 2 runs (first with seed 1): a: it is stuck: it computes");
  EXPECT_EQ(complaint_of_runs(std::string(program) + modelled),
            "a client failed in 2 of 2 runs (first with seed 1): a: it is stuck: it computes");
}

}  // namespace
}  // namespace lockstep::search
