// scenarios/known-bugs/README.md is complete and true: every bug that must be rediscovered stands
// there, with a story that breaks what it says, and a twin that keeps what it says.
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

#include "checker/property.h"
#include "scenario/file/scenario_file.h"
#include "scenario/scenario.h"
#include "tests/support/source_folder.h"

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
