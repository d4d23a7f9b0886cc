// The timeline for other programs: Chrome's trace events, PlantUML.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "reports/timeline/chrome_trace.h"
#include "reports/timeline/plantuml.h"
#include "scenario/scenario.h"
#include "search/runs/scenario_outcome.h"
#include "tests/reports/trace_builder.h"

namespace lockstep::reports {
namespace {

struct Export : testing::Test {
  search::ScenarioOutcome outcome = test::pause_outcome();
  TimelineSubject subject = timeline_subject(outcome, "lockstep replay \"x\"");
};

// -- Chrome's trace event format --

struct OpenAsync {
  std::string name;
  double ts;
};

void expect_async_pairs(const nlohmann::json& events) {
  std::map<std::string, OpenAsync> open;
  for (const nlohmann::json& event : events) {
    const std::string phase = event.at("ph");
    if (phase == "b") {
      const OpenAsync begun{event.at("name"), event.at("ts")};
      EXPECT_TRUE(open.emplace(event.at("id"), begun).second) << event;
    } else if (phase == "e") {
      const auto found = open.find(event.at("id"));
      ASSERT_NE(found, open.end()) << event;
      EXPECT_EQ(found->second.name, event.at("name"));
      EXPECT_LE(found->second.ts, event.at("ts").get<double>());
      open.erase(found);
    }
  }
  EXPECT_TRUE(open.empty());
}

TEST_F(Export, AsAChromeTraceFollowsItsFormat) {
  const auto trace = nlohmann::json::parse(chrome_trace_of(subject));
  EXPECT_EQ(trace.at("displayTimeUnit"), "ms");
  EXPECT_EQ(trace.at("otherData").at("replay"), "lockstep replay \"x\"");
  const nlohmann::json& events = trace.at("traceEvents");
  ASSERT_TRUE(events.is_array());
  std::set<std::string> phases;
  std::set<std::pair<int, int>> named;
  for (const nlohmann::json& event : events) {
    const std::string phase = event.at("ph");
    phases.insert(phase);
    EXPECT_TRUE(event.at("name").is_string());
    const std::pair<int, int> place(event.at("pid"), event.at("tid"));
    if (phase == "M") {
      EXPECT_TRUE(event.at("args").at("name").is_string());
      named.insert(place);
      continue;
    }
    EXPECT_TRUE(named.contains(place)) << event;
    EXPECT_GE(event.at("ts").get<double>(), 0.0);
    if (phase == "X") {
      EXPECT_GT(event.at("dur").get<double>(), 0.0);
    } else if (phase == "i") {
      EXPECT_EQ(event.at("s"), "t");
    } else if (phase == "f") {
      EXPECT_EQ(event.at("bp"), "e");
    }
  }
  EXPECT_EQ(phases, (std::set<std::string>{"M", "X", "b", "e", "f", "i", "s"}));
  expect_async_pairs(events);
}

TEST_F(Export, AsAChromeTraceTellsWhatThePictureTells) {
  const std::string text = chrome_trace_of(subject);
  for (const std::string_view words :
       {"believes in lock", "holds lock", "both believe", "paused", "goes on", "acquire"}) {
    EXPECT_NE(text.find(words), std::string::npos) << words;
  }
  EXPECT_EQ(text, chrome_trace_of(subject));
}

// -- PlantUML --

/// What PlantUML would refuse, or draw as something else; empty: nothing.
std::string plantuml_problem(const std::string& text) {
  static const std::string plain = R"(([^#;:&<>"'`%{}\\*_~\[\]()|@!/=^$-]|<U\+[0-9A-F]{4}>)*)";
  static const std::regex participant("participant \"" + plain + "\" as (L[0-9]+)");
  static const std::regex title("title " + plain);
  static const std::regex note("note over (L[0-9]+)(, (L[0-9]+))? : " + plain);
  static const std::regex message("(L[0-9]+) --?>[xo]? (L[0-9]+) : " + plain +
                                  R"( \([0-9.,]+( → [0-9.,]+)?\))");
  static const std::regex activation("(de)?activate (L[0-9]+)");
  if (!text.starts_with("@startuml\n") || !text.ends_with("\n@enduml\n")) return "no diagram";
  std::istringstream in(text);
  std::string line;
  std::set<std::string> known;
  std::map<std::string, int> active;
  int groups = 0;
  while (std::getline(in, line)) {
    std::smatch parts;
    bool is_known = true;
    if (line == "@startuml" || line == "@enduml") continue;
    if (std::regex_match(line, parts, participant)) {
      is_known = known.insert(parts[2]).second;
    } else if (line == "group both believe") {
      ++groups;
    } else if (line == "end") {
      if (--groups < 0) return "an end of nothing";
    } else if (std::regex_match(line, parts, note)) {
      is_known = known.contains(parts[1]) && (!parts[3].matched || known.contains(parts[3]));
    } else if (std::regex_match(line, parts, message)) {
      is_known = known.contains(parts[1]) && known.contains(parts[2]);
    } else if (std::regex_match(line, parts, activation)) {
      is_known = known.contains(parts[2]);
      active[parts[2]] += parts[1].matched ? -1 : 1;
      if (active[parts[2]] < 0) return "deactivates what is not active: " + line;
    } else if (!std::regex_match(line, parts, title)) {
      return "no statement: " + line;
    }
    if (!is_known) return "nobody, or twice: " + line;
  }
  for (const auto& [name, count] : active) {
    if (count != 0) return name + " stays active";
  }
  return groups == 0 ? "" : "a group has no end";
}

TEST_F(Export, AsPlantUmlIsWellFormed) {
  const std::string text = plantuml_of(subject);
  EXPECT_EQ(plantuml_problem(text), "") << text;
  EXPECT_NE(text.find("both believe"), std::string::npos);
  outcome.scenario->title = "<b>'a' -> \"b\" ~ \\n @enduml !include x $y **z**";
  EXPECT_EQ(plantuml_problem(plantuml_of(timeline_subject(outcome, "#; %n(1)"))), "");
}

TEST(PlantUmlEscaped, LeavesNothingToBeTakenForMarkup) {
  EXPECT_EQ(plantuml_escaped("a <b> 1"), "a <U+003C>b<U+003E> 1");
  EXPECT_EQ(plantuml_escaped("größer"), "größer");
}

}  // namespace
}  // namespace lockstep::reports
