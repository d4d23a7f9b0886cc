// Of runs that differ in the names of clients that are alike, one is made: never none.
#include "search/explore/client_symmetry.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "checker/observations.h"
#include "model/engine/engine.h"
#include "scenario/file/scenario_file.h"
#include "search/explore/certificate.h"
#include "search/explore/exploration.h"
#include "search/explore/path_runner.h"
#include "tests/search/explore_all.h"
#include "tests/support/script_folder.h"
#include "tests/support/source_folder.h"

namespace lockstep::search::client_symmetry_test {
namespace {

// -- who is alike --

struct Alike {
  std::string name;
  const char* more;     ///< of the file
  const char* clients;  ///< the rest of it
  std::vector<std::uint32_t> pairs;
};

void PrintTo(const Alike& symmetric_clients, std::ostream* stream) {
  *stream << symmetric_clients.name;
}

class AlikeIn : public testing::TestWithParam<Alike> {};

TEST_P(AlikeIn, AFile) {
  const scenario::Scenario scenario = scenario::parse_scenario(
      "t.toml", "title = \"a and b\"\nlock = \"plain\"\nexpect = { holds = \"harm\" }\n" +
                    std::string(GetParam().more) + GetParam().clients);
  EXPECT_EQ(symmetric_pairs(scenario), GetParam().pairs);
}

constexpr const char* two = "[[client]]\nname = \"w\"\ncount = 2\nrun = [\"lock\", \"unlock\"]\n";
constexpr const char* a_b =
    "[[client]]\nname = \"a\"\nrun = [\"lock\"]\n[[client]]\nname = \"b\"\nrun = [\"lock\"]\n";

INSTANTIATE_TEST_SUITE_P(
    Files, AlikeIn,
    testing::Values(Alike{"Counted", "", two, {0}},  //
                    Alike{"WithOneName", "", a_b, {0}},
                    Alike{
                        "WithOpenFaults", "faults = [\"pause\"]\n[budget]\nfaults = 1\n", a_b, {0}},
                    Alike{"Three",
                          "",
                          "[[client]]\nname = \"w\"\ncount = 3\nrun = [\"lock\", \"unlock\"]\n",
                          {0, 1}},
                    Alike{"NotWithOtherSteps",
                          "",
                          "[[client]]\nname = \"a\"\nrun = [\"lock\"]\n"
                          "[[client]]\nname = \"b\"\nrun = [\"lock\", \"unlock\"]\n",
                          {}},
                    Alike{"NotWithAnotherStart",
                          "",
                          "[[client]]\nname = \"a\"\nrun = [\"lock\"]\n"
                          "[[client]]\nname = \"b\"\nstart = \"1ms\"\nrun = [\"lock\"]\n",
                          {}},
                    Alike{"NotWithAnotherClock",
                          "",
                          "[[client]]\nname = \"a\"\nrun = [\"lock\"]\n"
                          "[[client]]\nname = \"b\"\nwall_offset = \"1ms\"\nrun = [\"lock\"]\n",
                          {}},
                    Alike{"NotWithSomebodyBetweenThem",
                          "",
                          "[[client]]\nname = \"a\"\nrun = [\"lock\"]\n"
                          "[[client]]\nname = \"x\"\nrun = [\"lock\", \"unlock\"]\n"
                          "[[client]]\nname = \"b\"\nrun = [\"lock\"]\n",
                          {}},
                    Alike{"NotWhereALinkNamesOne",
                          "",
                          "[[client]]\nname = \"a\"\nrun = [\"lock\"]\n"
                          "[[client]]\nname = \"b\"\nrun = [\"lock\"]\n"
                          "[[link]]\nfrom = \"a\"\nto = \"n1\"\nlatency = \"1ms..2ms\"\n",
                          {}},
                    Alike{"NotWhereDelaysAreFixed", "[redis]\nlatency = \"1ms\"\n", a_b, {}},
                    Alike{"NotWithAFaultThatMayChoose",
                          "",
                          "[[client]]\nname = \"w\"\ncount = 2\nrun = [\"lock\", \"unlock\"]\n"
                          "[[fault]]\ndrop = \"acquire\"\n",
                          {}}),
    [](const auto& each) { return each.param.name; });

// -- of which runs one is made: clients that connect, are accepted, and send --

constexpr std::uint32_t clients = 3;
constexpr std::uint32_t server = 7;
constexpr std::uint32_t draws = 3;
using Answers = std::array<std::array<std::uint32_t, draws>, clients>;

Decision delay_of(std::uint32_t client, std::uint32_t draw, std::uint32_t answer) {
  const bool is_accept = draw == 1;
  const std::uint32_t owner = is_accept ? server << 16U | client : client << 16U | server;
  return {DecisionKind::delay, 2, answer, owner};
}

/// Goes through the instants of the run with these answers.
bool is_made(const Answers& answers) {
  ClientSymmetry symmetric_clients({0, 1});
  std::map<int, std::vector<std::pair<std::uint32_t, std::uint32_t>>> due;  // client, draw
  for (std::uint32_t client = 0; client < clients; ++client) due[0].push_back({client, 0});
  for (; !due.empty(); due.erase(due.begin())) {
    std::vector<Decision> instant;
    std::vector<std::uint32_t> given;
    const auto [at, all] = *due.begin();
    for (const auto& [client, draw] : all) {
      const std::uint32_t answer = answers[client][draw];
      instant.push_back(delay_of(client, draw, answer));
      given.push_back(answer);
      if (draw + 1 < draws) due[at + 2 + static_cast<int>(answer)].push_back({client, draw + 1});
    }
    if (!symmetric_clients.is_open()) return true;
    symmetric_clients.look_at(instant);
    if (!symmetric_clients.is_canonical(given)) return false;
    symmetric_clients.pass(given);
  }
  return true;
}

TEST(ClientSymmetry, OfAllExchangesOfNamesExactlyOneIsMade) {
  std::map<std::multiset<std::vector<std::uint32_t>>, int> made;
  for (std::uint32_t number = 0; number < 1U << clients * draws; ++number) {
    Answers answers{};
    std::multiset<std::vector<std::uint32_t>> orbit;
    for (std::uint32_t client = 0; client < clients; ++client) {
      for (std::uint32_t draw = 0; draw < draws; ++draw) {
        answers[client][draw] = number >> (client * draws + draw) & 1U;
      }
      orbit.insert({answers[client].begin(), answers[client].end()});
    }
    made[orbit] += is_made(answers) ? 1 : 0;
  }
  EXPECT_EQ(made.size(), 120U);  // three of eight, with repetition
  for (const auto& [orbit, count] : made) EXPECT_EQ(count, 1);
}

TEST(ClientSymmetry, NothingIsLeftOutOnceAFaultStruckOrAMessageCame) {
  const std::vector<std::uint32_t> second_is_faster = {1, 0};
  const std::vector<Decision> instant = {delay_of(0, 0, 1), delay_of(1, 0, 0)};
  ClientSymmetry calm({0});
  calm.look_at(instant);
  EXPECT_FALSE(calm.is_canonical(second_is_faster));

  ClientSymmetry struck({0});
  struck.look_at(std::vector<Decision>{{DecisionKind::fault, 3, 1, 0}});
  EXPECT_FALSE(struck.is_open());

  ClientSymmetry chosen({0});
  chosen.look_at(std::vector<Decision>{{DecisionKind::choice, 2, 0, 0}});
  EXPECT_FALSE(chosen.is_open());

  ClientSymmetry answered({0});
  for (const std::uint32_t draw : {0U, 1U, 0U}) {  // the last is a message
    answered.look_at(std::vector<Decision>{delay_of(0, draw, 0), delay_of(1, draw, 0)});
    answered.pass(std::vector<std::uint32_t>{0, 0});
  }
  EXPECT_FALSE(answered.is_open());
}

// -- the same of a scenario: what is left out is what was made, under other names --

using Story = std::multiset<std::string>;

/// Makes every run of a scenario to its end, but for those with more delays that are not the least.
class AllRuns : private model::StepListener {
 public:
  AllRuns(const std::string& text, std::size_t deviations_max)
      : scenario_(scenario::parse_scenario("t.toml", text)),
        simulation_(engine_.prepare(scenario_)),
        deviations_max_(deviations_max),
        choices_({}) {
    make({}, 0);
  }

  /// What happens in them, as least by the names in it.
  [[nodiscard]] const std::set<Story>& made() const { return made_; }
  [[nodiscard]] const std::set<Story>& left_out() const { return left_out_; }
  [[nodiscard]] std::size_t runs() const { return runs_; }

 private:
  void make(const Path& path, std::uint32_t first) {
    ++runs_;
    choices_.reset(path);
    symmetry_ = ClientSymmetry(symmetric_pairs(scenario_));
    is_made_ = true;
    is_first_step_ = true;
    instant_begin_ = 0;
    simulation_->set_step_listener(this);
    const model::RunResult& result = simulation_->run(choices_);
    (is_made_ ? made_ : left_out_).insert(least_of(story_of(result)));
    if (path.size() == deviations_max_) return;
    const std::vector<Decision> decisions(choices_.decisions().begin(), choices_.decisions().end());
    for (std::uint32_t i = first; i < decisions.size(); ++i) {
      Path other = path;
      other.push_back({i, 1});
      make(other, i + 1);
    }
  }

  Next before_step() override {
    if (std::exchange(is_first_step_, false)) choices_.begin_steps();
    if (!simulation_->next_step().is_first_of_instant) return Next::go_on;
    const auto instant = choices_.decisions().subspan(instant_begin_);
    instant_begin_ = choices_.decisions().size();
    if (!symmetry_.is_open()) return Next::go_on;
    std::vector<std::uint32_t> answers;
    for (const Decision& each : instant) answers.push_back(each.answer);
    symmetry_.look_at(instant);
    is_made_ = is_made_ && symmetry_.is_canonical(answers);
    symmetry_.pass(answers);
    return Next::go_on;
  }

  /// Lines with the number of the client, and what it did.
  using Lines = std::vector<std::pair<std::size_t, std::string>>;
  [[nodiscard]] Lines story_of(const model::RunResult& result) const {
    Lines lines;
    const auto number_of = [&](checker::NameId owner) {
      for (std::size_t i = 0; i < scenario_.clients.size(); ++i) {
        if (result.names->text(owner).starts_with(scenario_.clients[i].name + "/")) return i;
      }
      ADD_FAILURE() << result.names->text(owner);
      return std::size_t{0};
    };
    for (const checker::Operation& each : result.history->operations) {
      const checker::TimeNs ended = each.completed ? each.completed->at_ns : -1;
      lines.push_back({number_of(each.owner),
                       "operation " + std::to_string(static_cast<int>(each.kind)) + " " +
                           std::to_string(each.invoked.at_ns) + " " + std::to_string(ended) + " " +
                           std::to_string(static_cast<int>(each.outcome))});
    }
    for (const checker::HoldChange& each : result.observations->hold_changes) {
      lines.push_back({number_of(each.owner), "hold " + std::to_string(each.at.at_ns) + " " +
                                                  std::to_string(each.count_after)});
    }
    return lines;
  }

  [[nodiscard]] Story least_of(const Lines& lines) const {
    std::vector<std::size_t> names(scenario_.clients.size());
    std::iota(names.begin(), names.end(), std::size_t{0});
    std::vector<Story> stories;
    do {
      Story& story = stories.emplace_back();
      for (const auto& [client, what] : lines) {
        story.insert(std::to_string(names[client]) + " " + what);
      }
    } while (std::next_permutation(names.begin(), names.end()));
    return *std::min_element(stories.begin(), stories.end());
  }

  model::Engine engine_{{support::script_folder()}};
  scenario::Scenario scenario_;
  std::unique_ptr<model::Simulation> simulation_;
  const std::size_t deviations_max_;
  BoundedChoices choices_;
  ClientSymmetry symmetry_;
  bool is_made_ = true;
  bool is_first_step_ = true;
  std::size_t instant_begin_ = 0;
  std::size_t runs_ = 0;
  std::set<Story> made_;
  std::set<Story> left_out_;
};

TEST(ClientSymmetryOfAScenario, WhatIsLeftOutIsMadeUnderOtherNames) {
  struct Case {
    std::string count;
    std::string steps;
    std::size_t deviations_max;
  };
  for (const auto& [count, steps, deviations_max] :
       {Case{"2", R"("try_lock lease=2s", "unlock")", 10},
        Case{"3", R"("try_lock lease=2s")", 4}}) {
    const AllRuns all(
        "title = \"t\"\nlock = \"plain\"\nexpect = { holds = \"harm\" }\n[[client]]\n"
        "name = \"w\"\ncount = " +
            count + "\nrun = [" + steps + "]\n",
        deviations_max);
    EXPECT_GT(all.runs(), 200U);
    EXPECT_FALSE(all.left_out().empty());
    for (const Story& story : all.left_out()) EXPECT_TRUE(all.made().contains(story));
  }
}

// -- client models that ask which client they are --

struct Searched {
  std::size_t found;
  std::vector<std::vector<std::string>> symmetric_clients;
};

scenario::Scenario two_who_try(const std::string& lock) {
  return scenario::parse_scenario(
      "t.toml", "title = \"t\"\nlock = \"" + lock +
                    "\"\nexpect = { holds = \"mutual-exclusion\" }\n[redis]\nmasters = 3\n"
                    "[[client]]\nname = \"w\"\ncount = 2\nrun = [\"try_lock lease=2s\"]\n");
}

Searched searched(const scenario::Scenario& scenario, std::uint32_t deviations_max = 1) {
  Exploration::Plan plan;
  plan.bounds.deviations_max = deviations_max;
  model::Engine engine({support::script_folder()});
  PathRunner runner(scenario, plan.bounds, engine);
  Exploration exploration(scenario, plan, runner.judged());
  explore_all(exploration, runner, 4);
  return {exploration.found().size(),
          certify(scenario, exploration, runner, ExploreEnd::exhausted).symmetric_clients};
}

TEST(ClientSymmetryOfAScenario, AreNotAlikeWhereTheClientModelAsksForTheirNumbers) {
  const std::vector<std::vector<std::string>> both = {{"w1", "w2"}};
  const Searched redlock = searched(two_who_try("redlock"));
  EXPECT_EQ(redlock.symmetric_clients, both);
  EXPECT_EQ(redlock.found, 0U);
  EXPECT_TRUE(searched(two_who_try("redlock/fixed-delay")).symmetric_clients.empty());
}

/// Looks at the state before each step, as a search does.
class Looking : private model::StepListener {
 public:
  /// The run without deviations.
  const model::RunResult& run(const scenario::Scenario& scenario) {
    simulation_ = engine_.prepare(scenario, model::OpenFaultsBy::listener);
    simulation_->set_step_listener(this);
    choices_.reset({});
    return simulation_->run(choices_);
  }
  /// Whether it may depend on which client is which, but for what Lua compares.
  bool is_told_apart(const scenario::Scenario& scenario) {
    return run(scenario).are_clients_distinguishable;
  }

 private:
  Next before_step() override {
    static_cast<void>(simulation_->digest());
    return Next::go_on;
  }

  model::Engine engine_{{support::script_folder()}};
  std::unique_ptr<model::Simulation> simulation_;
  BoundedChoices choices_{{}};
};

TEST(ClientSymmetryOfAScenario, AreToldApartByWhatAServerOrdersByTheirTexts) {
  const std::string favours_a_token = source_folder() + "/tests/search/locks/favours-a-token";
  EXPECT_TRUE(Looking().is_told_apart(two_who_try(favours_a_token + "/last-of-queue")));
  EXPECT_TRUE(Looking().is_told_apart(two_who_try(favours_a_token + "/by-lex")));
  EXPECT_FALSE(Looking().is_told_apart(two_who_try("plain")));
}

/// The waiters stand in a sorted set, by deadlines that are never the same here.
TEST(ClientSymmetryOfAScenario, AreAlikeWhereScoresDecideAllOrders) {
  const scenario::Scenario fair =
      scenario::load_scenario(source_folder() + "/scenarios/explore/fair-no-fault.toml");
  Looking looking;
  const model::RunResult& result = looking.run(fair);
  EXPECT_FALSE(result.are_clients_distinguishable);
  const auto refused = std::count_if(
      result.history->operations.begin(), result.history->operations.end(),
      [](const checker::Operation& each) { return each.outcome == checker::Outcome::fail; });
  EXPECT_GE(refused, 2) << "nobody has waited";

  const std::vector<std::vector<std::string>> all = {{"w1", "w2", "w3"}};
  EXPECT_EQ(searched(fair, 2).symmetric_clients, all);
}

/// The second of two gets these locks too if its token is the greater. No run exchanges the tokens:
/// where the first of the file has the greater one, the runs in which it is the slower tell of it.
TEST(ClientSymmetryOfAScenario, AreNotAlikeWhereTheOrderOfTokensMatters) {
  for (const std::string lock :
       {"favours-a-token", "favours-a-token/last-of-queue", "favours-a-token/by-lex"}) {
    SCOPED_TRACE(lock);
    const Searched result = searched(two_who_try(source_folder() + "/tests/search/locks/" + lock));
    EXPECT_TRUE(result.symmetric_clients.empty());
    EXPECT_GE(result.found, 1U);
  }
}

}  // namespace
}  // namespace lockstep::search::client_symmetry_test
