// Reports for programs: JSON and JUnit.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <nlohmann/json.hpp>

#include "checker/evidence.h"
#include "checker/verdict.h"
#include "reports/formats/json_report.h"
#include "reports/formats/junit.h"
#include "reports/text.h"
#include "scenario/scenario.h"
#include "scenario/text/input_error.h"
#include "scenario/text/source_location.h"
#include "search/runs/scenario_outcome.h"
#include "sim/versions.h"
#include "tests/reports/trace_builder.h"
#include "tests/reports/xml_check.h"

namespace lockstep::reports {
namespace {

search::ScenarioOutcome named(const std::string& text) {
  search::ScenarioOutcome outcome = test::pause_outcome();
  outcome.kind = search::OutcomeKind::not_as_expected;
  outcome.scenario->title = text;
  outcome.scenario->path = text + "/" + text;
  outcome.scenario->lock = text;
  outcome.complaints = {text, text};
  outcome.example.verdicts[0].summary = text;
  outcome.example.verdicts[0].evidence[0].what = text;
  outcome.probes[0].fault = text;
  return outcome;
}

TEST(JsonReport, SaysEverythingThatAProgramNeeds) {
  const RunArtifacts artifacts{"out/x.svg", "", "", "lockstep replay out/x.trace"};
  const auto json = nlohmann::json::parse(json_report(test::pause_outcome(), artifacts));
  EXPECT_EQ(json.at("schema"), run_document_version);
  EXPECT_EQ(json.at("as_expected"), 1);
  EXPECT_EQ(json.at("not_as_expected"), 0);
  EXPECT_EQ(json.at("runs"), 1);
  const auto& scenario = json.at("scenarios").at(0);
  EXPECT_EQ(scenario.at("path"), "scenarios/known-bugs/gc-pause.toml");
  EXPECT_EQ(scenario.at("outcome"), "as-expected");
  EXPECT_EQ(scenario.at("timeline"), "out/x.svg");
  EXPECT_TRUE(scenario.at("trace").is_null());
  EXPECT_EQ(scenario.at("properties").at(0).at("property"), "mutual-exclusion");
  EXPECT_EQ(scenario.at("properties").at(0).at("expected"), "violated");
  EXPECT_EQ(scenario.at("properties").at(0).at("first_violating_seed"), 1);
  EXPECT_EQ(scenario.at("not_asked_for").size(), 0U);
  EXPECT_EQ(scenario.at("probes").at(0).at("runs_struck"), 1);
  const auto& example = scenario.at("example");
  EXPECT_EQ(example.at("events"), 81);
  EXPECT_EQ(example.at("hash").get<std::string>().size(), 16U);
  EXPECT_EQ(example.at("struck").at(0).at("at_ns"), 2'100'000);
  EXPECT_EQ(example.at("why").size(), 3U);
  const auto& verdict = example.at("verdicts").at(0);
  EXPECT_EQ(verdict.at("result"), "violated");
  EXPECT_EQ(verdict.at("overlap").at("from_ns"), 10'001'800'000);
  EXPECT_EQ(verdict.at("evidence").at(0).at("who"), "a/1");
}

TEST(JsonReport, NamesWhatBrokeThoughNobodyAsked) {
  search::ScenarioOutcome outcome = test::pause_outcome();
  outcome.properties[0].expected = search::Expected::nothing;
  JsonReport report;
  report.add(outcome, {});
  report.refuse(scenario::InputError(scenario::SourceLocation{"x.toml", 3, 1}, "it is wrong"));
  report.pass_over(*outcome.scenario);
  const auto json = nlohmann::json::parse(report.text());
  EXPECT_EQ(json.at("scenarios").at(0).at("not_asked_for"),
            nlohmann::json::array({"mutual-exclusion"}));
  EXPECT_EQ(json.at("files_refused"), 1);
  EXPECT_EQ(json.at("passed_over"), nlohmann::json::array({"scenarios/known-bugs/gc-pause.toml"}));
}

TEST(JsonReport, WritesLargeNumbersAsStrings) {
  search::ScenarioOutcome outcome = test::pause_outcome();
  outcome.example.seed = UINT64_MAX;
  const auto json = nlohmann::json::parse(json_report(outcome, {}));
  EXPECT_EQ(json.at("scenarios").at(0).at("example").at("seed"), "18446744073709551615");
}

TEST(JsonReport, HoldsSeveralScenariosInTheirOrder) {
  JsonReport report;
  EXPECT_TRUE(nlohmann::json::parse(report.text()).at("scenarios").empty());
  report.add(named("first"), {});
  search::ScenarioOutcome stopped;
  stopped.interrupted = true;
  report.add(stopped, {});
  const auto json = nlohmann::json::parse(report.text());
  EXPECT_EQ(json.at("scenarios").at(0).at("title"), "first");
  EXPECT_EQ(json.at("scenarios").at(0).at("outcome"), "not-as-expected");
  EXPECT_TRUE(json.at("scenarios").at(1).at("example").is_null());
  EXPECT_EQ(json.at("unknown"), 1);
}

TEST(JunitReport, PassesWhatWentAsExpected) {
  JunitReport report;
  report.add(test::pause_outcome(), {});
  EXPECT_EQ(report.text(), R"(<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="1" failures="0" errors="0">
<testsuite name="lockstep" tests="1" failures="0" errors="0" skipped="0">
  <testcase classname="scenarios.known-bugs" name="A pause longer than the lease" file="scenarios/known-bugs/gc-pause.toml">
  </testcase>
</testsuite>
</testsuites>
)");
}

TEST(JunitReport, FailsWithTheComplaintsAndTheWholeStory) {
  search::ScenarioOutcome outcome = test::pause_outcome();
  outcome.kind = search::OutcomeKind::not_as_expected;
  outcome.complaints = {"harm was expected to hold, but <b>\"it\"</b> was violated", "and more"};
  JunitReport report;
  report.add(outcome, {});
  outcome.kind = search::OutcomeKind::unknown;
  outcome.complaints.clear();
  report.add(outcome, {});
  const std::string xml = report.text();
  EXPECT_EQ(test::xml_problem(xml), "");
  EXPECT_NE(xml.find("<testsuites tests=\"2\" failures=\"1\" errors=\"1\">"), std::string::npos);
  EXPECT_NE(xml.find("<failure message=\"harm was expected to hold, but &lt;b&gt;&quot;it&quot;"
                     "&lt;/b&gt; was violated; and more\">"),
            std::string::npos);
  EXPECT_NE(xml.find("<error message=\"unknown\">"), std::string::npos);
  EXPECT_NE(test::xml_text(xml).find("a/1 and b/1 both believed"), std::string::npos);
}

TEST(JunitReport, SkipsWhatIsToBeSearched) {
  JunitReport report;
  report.add(test::pause_outcome(), {});
  report.pass_over(*test::pause_outcome().scenario);
  const std::string xml = report.text();
  EXPECT_EQ(test::xml_problem(xml), "");
  EXPECT_NE(xml.find("tests=\"2\" failures=\"0\" errors=\"0\" skipped=\"1\""), std::string::npos);
  EXPECT_NE(xml.find("<skipped message="), std::string::npos);
}

TEST(JunitReport, OfNothingIsWellFormed) { EXPECT_EQ(test::xml_problem(JunitReport().text()), ""); }

RC_GTEST_PROP(MachineReports, AreWellFormedWhateverTheNames, (const std::string& bytes)) {
  const search::ScenarioOutcome outcome = named(bytes + "<&>\"']]>--\x01\xFF");
  JunitReport junit;
  junit.add(outcome, {bytes, bytes, bytes, bytes});
  RC_ASSERT(test::xml_problem(junit.text()) == "");
  const std::string json = json_report(outcome, {bytes, bytes, bytes, bytes});
  RC_ASSERT(is_utf8(json));
  RC_ASSERT(nlohmann::json::accept(json));
}

TEST(XmlCheck, SeesWhatIsWrong) {
  for (const std::string_view wrong :
       {"", "text", "<a>", "<a></b>", "<a/><b/>", "<a b=\"1\" b=\"2\"/>", "<a b=\"<\"/>",
        "<a>&</a>", "<a>&nbsp;</a>", "<a b=1/>", "<a>\x01</a>", "<a>\xFF</a>", "<!-- -- --><a/>"}) {
    EXPECT_NE(test::xml_problem(wrong), "") << wrong;
  }
  EXPECT_EQ(test::xml_problem("<?xml version=\"1.0\"?><!-- x --><a b=\"&lt;\">&#45;<c/></a>"), "");
}

}  // namespace
}  // namespace lockstep::reports
