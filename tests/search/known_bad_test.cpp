// What scenarios/ must have of every lock, that each known-bad variant is caught where the good
// lock is not, and that scripts which do the same go the same way.
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "checker/history.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "model/lock/lock_package.h"
#include "scenario/cluster_spec.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "scenario/text/source_file.h"
#include "search/runs/seed_runs.h"
#include "sim/seeded_choices.h"
#include "tests/support/script_folder.h"
#include "tests/support/source_folder.h"

namespace lockstep::search::known_bad {
namespace {

constexpr std::uint64_t seeds = 10;

std::vector<scenario::Scenario> all_scenarios() {
  std::vector<scenario::Scenario> scenarios;
  const std::filesystem::path folder = std::filesystem::path(source_folder()) / "scenarios";
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    if (!scenario::is_scenario_file(entry.path())) continue;
    for (scenario::Scenario& row : scenario::load_scenarios(entry.path())) {
      scenarios.push_back(std::move(row));
    }
  }
  return scenarios;
}

std::string base_of(const std::string& lock) { return lock.substr(0, lock.find('/')); }

model::LockPackage package_of(const std::string& lock) {
  scenario::Scenario scenario;
  scenario.lock = lock;
  return model::load_lock(scenario, {support::script_folder()});
}

struct Outcome {
  std::vector<std::string>
      broken;  ///< the properties that are expected to break and do, in any run
  bool all_faults_struck = true;
};

Outcome outcome_of(const scenario::Scenario& scenario, model::Engine& engine) {
  const ScenarioOutcome found = run_scenario(scenario, {1, seeds}, engine);
  Outcome outcome;
  for (const PropertySummary& summary : found.properties) {
    if (summary.expected == Expected::violated && summary.violated > 0) {
      outcome.broken.emplace_back(checker::to_string(summary.property));
    }
  }
  for (const ProbeSummary& probe : found.probes) outcome.all_faults_struck &= probe.runs_struck > 0;
  return outcome;
}

/// Stories whose fault strikes a message that the good lock does not send, and the story of the
/// same fault on a lock that does it right. That those hold, and that their faults strike, is for
/// Scenario.IsAsExpected to see.
const std::map<std::string, std::string>& twins() {
  static const std::map<std::string, std::string> twins = {
      {"plain/dead-renewal-entry", "plain/renewal-entry-made-anew"},
      {"known-bugs/failed-renewal-dropped", "known-bugs/failed-renewal-retried"},
      {"setnx/late-extension-takes-lock", "setnx/late-extension-compared"},
      {"known-bugs/unlock-by-force", "known-bugs/unlock-by-owner"},
      {"known-bugs/delete-without-token", "known-bugs/delete-with-token"},
      {"known-bugs/get-then-del", "known-bugs/get-and-del"},
      {"known-bugs/setnx-then-expire", "known-bugs/set-with-expire"},
  };
  return twins;
}

std::string name_of(const scenario::Scenario& scenario) {
  const std::filesystem::path path(scenario.path);
  return (path.parent_path().filename() / path.stem()).string();
}

/// Whether the story's twin holds everything that the story breaks.
bool has_twin_that_holds(const scenario::Scenario& story) {
  const auto twin = twins().find(name_of(story));
  if (twin == twins().end()) return false;
  const scenario::Scenario other = scenario::load_scenario(std::filesystem::path(source_folder()) /
                                                           "scenarios" / (twin->second + ".toml"));
  const auto& holds = other.expect.holds;
  return !other.faults.empty() && other.lock != story.lock &&
         std::all_of(story.expect.violates.begin(), story.expect.violates.end(),
                     [&](checker::Property property) {
                       return std::find(holds.begin(), holds.end(), property) != holds.end();
                     });
}

TEST(ScenariosOfLocks, TellWhatHoldsAndWhatHappensUnderFaults) {
  std::map<std::string, std::size_t> all;
  std::map<std::string, std::size_t> holding_without_faults;
  std::map<std::string, std::size_t> with_faults;
  for (const scenario::Scenario& scenario : all_scenarios()) {
    const std::string lock = base_of(scenario.lock);
    ++all[lock];
    if (!scenario.faults.empty()) ++with_faults[lock];
    if (scenario.faults.empty() && scenario.expect.violates.empty()) ++holding_without_faults[lock];
  }
  for (const std::string& lock : model::list_locks({support::script_folder()})) {
    if (base_of(lock) != lock) continue;
    EXPECT_GE(holding_without_faults[lock], 1U) << lock;
    EXPECT_GE(with_faults[lock], 1U) << lock;
  }
  for (const char* lock : {"plain", "fair", "redlock"}) EXPECT_GE(all[lock], 8U) << lock;
}

std::vector<std::string> known_bad_variants() {
  std::vector<std::string> variants;
  for (const std::string& lock : model::list_locks({support::script_folder()})) {
    if (!package_of(lock).flaw.empty()) variants.push_back(lock);
  }
  return variants;
}

class KnownBadVariant : public testing::TestWithParam<std::string> {};

/// Some story breaks with the variant what, under the same faults, does not break with the lock
/// itself, in no run.
TEST_P(KnownBadVariant, IsCaughtWhereTheGoodLockIsNot) {
  model::Engine engine({support::script_folder()});
  std::size_t stories = 0;
  std::string others;
  for (scenario::Scenario& scenario : all_scenarios()) {
    if (scenario.lock != GetParam() || scenario.expect.violates.empty()) continue;
    if (scenario.open_faults) continue;  // it need not break in every run
    EXPECT_EQ(outcome_of(scenario, engine).broken.size(), scenario.expect.violates.size())
        << scenario.path;
    if (has_twin_that_holds(scenario)) {
      ++stories;
      continue;
    }
    scenario.lock = base_of(scenario.lock);
    const Outcome good = outcome_of(scenario, engine);
    if (good.broken.empty() && good.all_faults_struck) ++stories;
    others += fmt::format("{}: {} {}\n", scenario.path, fmt::join(good.broken, ", "),
                          good.all_faults_struck ? "" : "(a fault never struck)");
  }
  EXPECT_GE(stories, 1U) << "no story tells it from the good lock\n" << others;
}

INSTANTIATE_TEST_SUITE_P(Variants, KnownBadVariant, testing::ValuesIn(known_bad_variants()),
                         [](const auto& test) {
                           std::string name = test.param;
                           for (char& letter : name) {
                             if (letter == '-' || letter == '/') letter = '_';
                           }
                           return name;
                         });

}  // namespace

}  // namespace lockstep::search::known_bad

// scenarios/known-bugs/README.md is complete and true: every bug that must be rediscovered stands
// there, with a story that breaks what it says, and a twin that keeps what it says.

namespace lockstep::search::catalogue {
namespace {

namespace fs = std::filesystem;

fs::path catalogue() { return fs::path(source_folder()) / "scenarios" / "known-bugs"; }

/// What must be in the catalogue, and what each bug breaks: of each group of words one.
struct Wanted {
  std::string_view id;
  std::vector<std::set<std::string>> breaks;
};

const std::set<std::string> me{"mutual-exclusion"};
const std::set<std::string> df{"no-deadlock", "no-leak"};
const std::set<std::string> st{"no-starvation", "no-deadlock"};
const std::set<std::string> hc{"hold-count"};
const std::set<std::string> fifo{"fifo"};
const std::set<std::string> lw{"no-lost-wakeup"};

const std::vector<Wanted>& wanted() {
  static const std::vector<Wanted> rows = {
      {"K1", {me}},     {"K2", {me, {"harm"}}},
      {"K3", {me}},     {"K4", {me}},
      {"K5", {me}},     {"K6", {me}},
      {"K8", {me}},     {"K9", {me}},
      {"K10", {st}},    {"K11", {me}},
      {"K12", {df}},    {"K13", {me}},
      {"K16", {me}},    {"N0", {me, {"no-leak"}}},
      {"R1", {hc, st}}, {"R2", {me, hc}},
      {"R2b", {me}},    {"R3", {st}},
      {"R4", {hc, df}}, {"R5", {me}},
      {"W1", {df}},     {"W2", {me}},
      {"W3", {df}},     {"W4", {me}},
      {"F1", {st}},     {"F3", {fifo}},
      {"F4", {df}},     {"F6", {df}},
      {"F7", {fifo}},   {"RW1", {me}},
      {"RW3", {me}},    {"M1", {me}},
      {"M2", {me}},     {"M3", {me}},
      {"M6", {df}},     {"M10", {df}},
      {"P4", {lw}},     {"P5", {lw}},
      {"N1", {me}},     {"N3", {df}},
      {"G3", {me}},     {"S3", {{"latch"}, {"permits"}}},
      {"SL", {me}},
  };
  return rows;
}

struct Row {
  std::vector<std::string> stories;
  std::set<std::string> breaks;
  std::vector<std::string> twins;
  std::set<std::string> then_holds;
};

std::vector<std::string> split(std::string_view text, std::string_view at) {
  std::vector<std::string> parts;
  for (;;) {
    const std::size_t end = text.find(at);
    std::string_view part = text.substr(0, end);
    part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    part = part.substr(0, part.find_last_not_of(' ') + 1);
    if (!part.empty()) parts.emplace_back(part);
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + at.size());
  }
}

/// "[name](name.toml), …" → the names.
std::vector<std::string> linked(std::string_view cell) {
  std::vector<std::string> names;
  for (const std::string& link : split(cell, ",")) {
    const std::string name = link.substr(1, link.find(']') - 1);
    EXPECT_EQ(link, "[" + name + "](" + name + ".toml)");
    names.push_back(name);
  }
  return names;
}

std::map<std::string, Row> rows() {
  std::map<std::string, Row> found;
  std::ifstream page(catalogue() / "README.md");
  for (std::string line; std::getline(page, line);) {
    const std::vector<std::string> cells = split(line, "|");
    if (cells.size() != 6 || cells[0] == "id" || cells[0] == "---") continue;
    const auto breaks = split(cells[3], ",");
    const auto holds = split(cells[5], ",");
    const bool is_new = found
                            .emplace(cells[0], Row{linked(cells[2]),
                                                   {breaks.begin(), breaks.end()},
                                                   linked(cells[4]),
                                                   {holds.begin(), holds.end()}})
                            .second;
    EXPECT_TRUE(is_new) << cells[0] << " stands there twice";
  }
  return found;
}

std::set<std::string> names(const std::vector<checker::Property>& properties) {
  std::set<std::string> result;
  for (const checker::Property property : properties) result.emplace(to_string(property));
  return result;
}

scenario::Expectation expectation_of(const std::string& name) {
  return scenario::load_scenario(catalogue() / (name + ".toml")).expect;
}

TEST(Catalogue, HasEveryBugThatMustBeRediscovered) {
  const auto found = rows();
  for (const Wanted& each : wanted()) {
    const auto row = found.find(std::string(each.id));
    ASSERT_NE(row, found.end()) << each.id << " is missing";
    for (const std::set<std::string>& group : each.breaks) {
      const bool breaks_one = std::any_of(
          group.begin(), group.end(),
          [&](const std::string& property) { return row->second.breaks.count(property) > 0; });
      EXPECT_TRUE(breaks_one) << each.id << " should break " << *group.begin();
    }
  }
  EXPECT_EQ(found.size(), wanted().size());
}

TEST(Catalogue, SaysWhatStoriesBreakAndWhatTheirTwinsKeep) {
  for (const auto& [id, row] : rows()) {
    std::set<std::string> broken;
    std::set<std::string> kept;
    for (const std::string& story : row.stories) {
      const std::set<std::string> violates = names(expectation_of(story).violates);
      EXPECT_FALSE(violates.empty()) << id << ": " << story << " breaks nothing";
      broken.insert(violates.begin(), violates.end());
    }
    EXPECT_EQ(broken, row.breaks) << id;
    ASSERT_FALSE(row.twins.empty()) << id;
    for (const std::string& twin : row.twins) kept.merge(names(expectation_of(twin).holds));
    EXPECT_FALSE(row.then_holds.empty()) << id;
    for (const std::string& property : row.then_holds) {
      EXPECT_EQ(kept.count(property), 1U) << id << ": no twin holds " << property;
    }
  }
}

/// Where a fix bounds what breaks, the twin says by how much.
TEST(Catalogue, BoundsTheOverlapOfAnOldMaster) {
  const scenario::Expectation twin = expectation_of("old-master-refuses-soon");
  EXPECT_TRUE(twin.overlap_at_most_ns.has_value());
  EXPECT_FALSE(twin.sometimes.empty());
}

TEST(Catalogue, NamesEveryStoryOfItsFolder) {
  std::set<std::string> named;
  for (const auto& [id, row] : rows()) {
    named.insert(row.stories.begin(), row.stories.end());
    named.insert(row.twins.begin(), row.twins.end());
  }
  for (const auto& entry : fs::directory_iterator(catalogue())) {
    if (entry.path().extension() != ".toml") continue;
    EXPECT_EQ(named.count(entry.path().stem()), 1U) << entry.path();
  }
}

TEST(Catalogue, AndEveryOtherScenarioIsShort) {
  constexpr std::size_t lines_max = 60;
  for (const auto& entry : fs::recursive_directory_iterator(catalogue().parent_path())) {
    if (entry.path().extension() != ".toml") continue;
    std::ifstream file(entry.path());
    std::size_t lines = 0;
    for (std::string line; std::getline(file, line);) ++lines;
    EXPECT_LT(lines, lines_max) << entry.path();
  }
}

}  // namespace
}  // namespace lockstep::search::catalogue

// Scripts that were written a second time to the same KEYS and ARGV, in place of a lock's own: the
// scenarios go the same way, client by client, message by message, seed by seed.
namespace lockstep::search {
namespace {

namespace fs = std::filesystem;

/// One run as lines: its history, what was observed, what the events tell of data and messages, and
/// its verdicts. How many writes a script needed, how many bytes the replicas were sent and at
/// which line an error was raised is all that may differ.
class RunText final : public sim::TraceSink {
 public:
  explicit RunText(model::Simulation& simulation) : simulation_(simulation) {}

  std::string run(std::uint64_t seed) {
    text_.str({});
    sim::SeededChoices choices(seed);
    const model::RunResult& result = simulation_.run(choices, this);
    for (const checker::Operation& operation : result.history->operations) {
      write_operation(*result.names, operation);
    }
    const auto judged = simulation_.judged();
    for (std::size_t i = 0; i < judged.size(); ++i) {
      text_ << static_cast<int>((*result.verdicts)[i].kind) << (*result.verdicts)[i].summary
            << '\n';
    }
    return text_.str();
  }

  void on_event(const sim::EventView& event) override {
    if (event.kind == "stream-applied") return;
    text_ << event.at << ' ' << event.kind << ' ' << static_cast<std::uint32_t>(event.actor);
    for (const sim::Field& field : event.fields) {
      if (field.name == "writes" || field.name == "bytes" || field.name == "offset") continue;
      text_ << ' ' << field.name << '=';
      if (const auto* number = std::get_if<std::int64_t>(&field.value)) {
        text_ << *number;
      } else {
        const auto text = std::get<std::string_view>(field.value);
        text_ << text.substr(0, text.find(" script: "));  // an error: its digest and line follow
      }
    }
    text_ << '\n';
  }

 private:
  void write_operation(const checker::Names& names, const checker::Operation& operation) {
    text_ << static_cast<int>(operation.kind) << ' ' << names.text(operation.process) << ' '
          << names.text(operation.owner) << ' ' << names.text(operation.lock) << ' '
          << operation.invoked.order << ' ' << static_cast<int>(operation.outcome) << ' '
          << operation.lease_ns;
    if (operation.completed) text_ << ' ' << operation.completed->order;
    text_ << '\n';
  }

  model::Simulation& simulation_;
  std::ostringstream text_;
};

std::string first_difference(const std::string& expected, const std::string& found) {
  std::istringstream left(expected);
  std::istringstream right(found);
  std::string expected_line;
  std::string found_line;
  while (std::getline(left, expected_line)) {
    std::getline(right, found_line);
    if (expected_line != found_line) return expected_line + "\nis now\n" + found_line;
  }
  return {};
}

struct Swap {
  std::string lock;
  std::vector<std::string> scripts;
};

/// The scenarios in which a lock is used as it is. Where memory is short it matters how long a
/// script is; sentinels read in INFO how much a script has changed.
std::vector<scenario::Scenario> scenarios_of(const std::string& lock) {
  std::vector<scenario::Scenario> scenarios;
  const fs::path folder = fs::path(source_folder()) / "scenarios";
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (!scenario::is_scenario_file(entry.path())) continue;
    scenario::Scenario scenario = scenario::load_scenario(entry.path().string());
    const bool is_short_of_memory = entry.path().stem().string().find("evict") != std::string::npos;
    const bool is_watched = scenario.redis.topology == scenario::TopologyKind::sentinel;
    if (scenario.lock != lock || is_short_of_memory || is_watched) continue;
    scenarios.push_back(std::move(scenario));
  }
  return scenarios;
}

class SwappedScripts : public testing::TestWithParam<Swap> {};

TEST_P(SwappedScripts, GoTheSameWay) {
  const std::vector<scenario::Scenario> scenarios = scenarios_of(GetParam().lock);
  EXPECT_GE(scenarios.size(), 8U);
  for (const scenario::Scenario& scenario : scenarios) {
    scenario::Scenario swapped = scenario;
    for (const std::string& script : GetParam().scripts) {
      swapped.scripts[script] =
          source_folder() + "/tests/scripts/independent/" + GetParam().lock + "-" + script + ".lua";
    }
    model::Engine engine({support::script_folder()});
    const auto ours = engine.prepare(scenario);
    const auto theirs = engine.prepare(swapped);
    EXPECT_NE(ours->lock_digest(), theirs->lock_digest()) << "the scripts were not swapped";
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      const std::string expected = RunText(*ours).run(seed);
      const std::string found = RunText(*theirs).run(seed);
      ASSERT_EQ(first_difference(expected, found), "") << scenario.path << " with seed " << seed;
      ASSERT_EQ(expected.size(), found.size()) << scenario.path << " with seed " << seed;
    }
  }
}

/// The oracle: a script that keeps no contract is noticed.
TEST(SwappedScript, ThatDoesSomethingElseShows) {
  const std::vector<scenario::Scenario> scenarios = scenarios_of("plain");
  scenario::Scenario swapped = scenarios.front();
  swapped.scripts["acquire"] = source_folder() + "/scripts/plain/force_release.lua";
  model::Engine engine({support::script_folder()});
  const auto ours = engine.prepare(scenarios.front());
  const auto theirs = engine.prepare(swapped);
  EXPECT_NE(first_difference(RunText(*ours).run(1), RunText(*theirs).run(1)), "");
}

INSTANTIATE_TEST_SUITE_P(Locks, SwappedScripts,
                         testing::Values(Swap{"plain", {"acquire", "release"}},
                                         Swap{"fair", {"acquire", "acquire_failed", "release"}},
                                         Swap{"redlock", {"extend", "release"}}),
                         [](const testing::TestParamInfo<Swap>& parameter) {
                           return parameter.param.lock;
                         });

}  // namespace
}  // namespace lockstep::search
