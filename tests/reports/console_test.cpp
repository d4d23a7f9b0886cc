#include "reports/formats/console.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "checker/evidence.h"
#include "checker/kept_run.h"
#include "checker/property.h"
#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "model/lock/assumption.h"
#include "model/trace_vocabulary.h"
#include "reports/formats/json_report.h"
#include "reports/formats/junit.h"
#include "reports/shown_run.h"
#include "reports/text.h"
#include "scenario/scenario.h"
#include "scenario/text/input_error.h"
#include "scenario/text/source_location.h"
#include "search/runs/run_record.h"
#include "search/runs/scenario_outcome.h"
#include "sim/versions.h"
#include "tests/reports/trace_builder.h"
#include "tests/reports/xml_check.h"

namespace lockstep::reports {
namespace {

bool says(std::string_view text, std::string_view words) {
  return text.find(words) != std::string_view::npos;
}

TEST(ConsoleReport, TellsTheWholeStory) {
  const RunArtifacts artifacts{"out/gc-pause.svg", "out/gc-pause.trace.jsonl",
                               "lockstep confirm out/gc-pause.trace.jsonl",
                               "lockstep replay out/gc-pause.trace.jsonl"};
  EXPECT_EQ(console_report(test::pause_outcome(), Style::plain, artifacts),
            R"(A pause longer than the lease
  as expected, 1 run  scenarios/known-bugs/gc-pause.toml

  ✗ mutual-exclusion  violated, as expected
      a/1 and b/1 both believed that they held lock "lock" for 5,000.9 ms (from 10,001.8 ms to
      15,002.7 ms)
      1 ms to 15,002.7 ms  a/1 believed that it held lock "lock", until it released
      10,001.8 ms to 18,003.2 ms  b/1 believed that it held lock "lock", until it released

  ✗ harm  violated, as expected
      a/1 wrote resource "resource" at 15,002.4 ms on the basis of version 0, but b/1 had made
      it version 1 at 10,002.9 ms: that update is lost
      10,002.9 ms  b/1 wrote it: version 1

  why  The lease of a/1 ended at 10,000.7 ms on n1, while a was paused from 2.1 ms to
       15,002.1 ms. b/1 was granted the lock at 10,001.8 ms. a/1 went on believing until
       15,002.7 ms: 5,002 ms too long.

  held     valid-grant
  tested   valid-grant in 1 of 1 run
  struck   in 1 of 1 run: pause a for 15s when a read
  failed   a/1 unlock at 15,003.3 ms: not locked by current thread
  picture  out/gc-pause.svg
  trace    out/gc-pause.trace.jsonl
  confirm  lockstep confirm out/gc-pause.trace.jsonl
  replay   lockstep replay out/gc-pause.trace.jsonl
)");
}

TEST(ConsoleReport, SaysWhatTheLockDoesNotPromise) {
  search::ScenarioOutcome outcome = test::pause_outcome();
  constexpr model::AssumptionSet outlasts{model::Assumption::holds_within_lease};
  outcome.example.excused = {{checker::Property::mutual_exclusion, outlasts}};
  EXPECT_TRUE(says(console_report(outcome, Style::plain, {}),
                   "  limit    plain does not promise mutual-exclusion where a hold outlasts the "
                   "lease that its\n           caller asked for, as here\n"));
  outcome.scenario->lock = "../../team-lock";
  EXPECT_TRUE(says(console_report(outcome, Style::plain, {}),
                   "  limit    team-lock does not promise mutual-exclusion where "));
  outcome.scenario->lock = "/srv/locks/team-lock/";
  EXPECT_TRUE(says(console_report(outcome, Style::plain, {}),
                   "  limit    team-lock does not promise mutual-exclusion where "));
}

TEST(ConsoleReport, SaysToWhatAFaultDidNotMatterWhereSomethingElseBrokeByIt) {
  search::ScenarioOutcome outcome = test::pause_outcome();
  outcome.probes[0].runs_mattered = 0;
  EXPECT_TRUE(says(console_report(outcome, Style::plain, {}), "in 1 of 1 run, mattered in none: "));
  outcome.needed = {{checker::Property::harm, {0}}};
  EXPECT_TRUE(says(console_report(outcome, Style::plain, {}),
                   "in 1 of 1 run, mattered in none to what the file asks about: "));
}

// What else broke in the run comes behind, as in one that a search has saved for one property.
TEST(ConsoleReport, TellsFirstOfWhatTheScenarioAsksFor) {
  search::ScenarioOutcome outcome = test::pause_outcome();
  outcome.properties[0].expected = search::Expected::nothing;
  const std::string report = console_report(outcome, Style::plain, {});
  const std::size_t expected = report.find("harm  violated, as expected");
  const std::size_t other = report.find("mutual-exclusion  violated, not asked for");
  ASSERT_NE(expected, std::string::npos) << report;
  ASSERT_NE(other, std::string::npos) << report;
  EXPECT_LT(expected, other) << report;
}

TEST(ConsoleReport, SaysWhatHappenedInsteadOfWhatWasExpected) {
  search::ScenarioOutcome outcome = test::pause_outcome();
  outcome.kind = search::OutcomeKind::not_as_expected;
  outcome.runs = 10;
  outcome.properties[0].expected = search::Expected::holds;
  outcome.properties[0].violated = 3;
  outcome.properties[0].held = 7;
  outcome.complaints = {
      "mutual-exclusion was expected to hold, but it was violated in 3 of 10 runs",
      "valid-grant was expected to hold, but it was violated in 1 of 10 runs (first with seed 7)"};
  const std::string report = console_report(outcome, Style::plain, {});
  // What the run that is shown tells is not told twice; what broke in another one is.
  EXPECT_TRUE(says(report,
                   "  not as expected, 10 runs  scenarios/known-bugs/gc-pause.toml\n"
                   "  !  valid-grant was expected to hold, but it was violated in 1 of 10 runs "
                   "(first with seed 7)\n"));
  EXPECT_FALSE(says(report, "!  mutual-exclusion"));
  EXPECT_TRUE(says(report, "violated, though it was expected to hold, in 3 of 10 runs"));
  EXPECT_TRUE(says(report, "shown    the run with seed 1"));
  EXPECT_FALSE(says(report, "picture"));
  EXPECT_FALSE(says(report, "replay"));
}

TEST(ConsoleReport, SaysWhatIsUnknownAndWhichFaultNeverStruck) {
  search::ScenarioOutcome outcome = test::pause_outcome();
  outcome.kind = search::OutcomeKind::unknown;
  outcome.example.verdicts = {{}};
  outcome.example.verdicts[0].property = checker::Property::lease_linearizability;
  outcome.example.verdicts[0].kind = checker::VerdictKind::unknown;
  outcome.example.verdicts[0].summary = "the limit of 1,000 configurations was reached";
  outcome.properties = {{}};
  outcome.properties[0].property = checker::Property::lease_linearizability;
  outcome.properties[0].unknown = 1;
  outcome.probes[0].runs_struck = 0;
  const std::string report = console_report(outcome, Style::plain, {});
  EXPECT_TRUE(says(report,
                   "  unknown, 1 run  scenarios/known-bugs/gc-pause.toml\n"
                   "  unknown  lease-linearizability: in 1 of 1 run: the limit of 1,000 "
                   "configurations was reached\n"));
  EXPECT_TRUE(says(report, "  struck   in 0 of 1 run: pause a for 15s when a read\n"));
}

TEST(ConsoleReport, SaysWhatHoldsWithoutWhichFaults) {
  search::ScenarioOutcome outcome = test::pause_outcome();
  using checker::Property;
  outcome.example.faults.resize(1);
  outcome.needed = {{Property::mutual_exclusion, {0}}, {Property::harm, {0}}};
  EXPECT_TRUE(says(console_report(outcome, Style::plain, {}),
                   "  without  the fault: mutual-exclusion and harm hold\n"));
  outcome.example.faults.push_back(outcome.example.faults[0]);
  const std::string pause = outcome.example.faults[0].describe();
  EXPECT_TRUE(says(console_report(outcome, Style::plain, {}),
                   "  without  " + pause + ": mutual-exclusion and harm hold\n"));
  outcome.needed = {{Property::mutual_exclusion, {0, 1}}, {Property::harm, {}}};
  const std::string report = console_report(outcome, Style::plain, {});
  EXPECT_TRUE(says(report, "  without  any one of the 2 faults: mutual-exclusion holds\n"));
  EXPECT_TRUE(says(report, "  without  any fault: harm breaks all the same\n"));
}

TEST(ConsoleReport, SaysWhatBreaksAlsoAtAnotherTime) {
  search::ScenarioOutcome outcome = test::pause_outcome();
  using checker::Property;
  constexpr std::int64_t second = sim::second_ns;
  outcome.example.faults.resize(1);
  outcome.example.faults[0].kind = scenario::FaultKind::pause;
  const std::vector<search::MovedFault> moves{
      {0, -sim::millisecond_ns, false}, {0, second, true}, {0, 10 * second, false}};
  outcome.needed = {{Property::mutual_exclusion, {0}, {}, moves}, {Property::harm, {0}, {}, moves}};
  EXPECT_TRUE(says(console_report(outcome, Style::plain, {}),
                   "  moved    the fault 1 s later: mutual-exclusion and harm break all the same; "
                   "1 ms earlier or 10\n           s later: hold\n"));
  outcome.needed[1].moved = {{0, second, false}};
  const std::string report = console_report(outcome, Style::plain, {});
  EXPECT_TRUE(says(report, "the fault 1 s later: mutual-exclusion breaks all the same; 1 ms"));
  EXPECT_TRUE(says(report, "  moved    the fault 1 s later: harm holds\n"));
  outcome.example.faults[0].kind = scenario::FaultKind::drop;
  outcome.needed = {{Property::harm, {0}, {}, {{0, 1, false}}}};
  EXPECT_TRUE(says(console_report(outcome, Style::plain, {}),
                   "  moved    the fault on the next such message: harm holds\n"));
}

TEST(ConsoleReport, OfNoRunsIsShort) {
  search::ScenarioOutcome outcome;
  outcome.scenario->title = "stopped at once";
  outcome.scenario->path = "x.toml";
  outcome.interrupted = true;
  EXPECT_EQ(console_report(outcome, Style::plain, {}),
            "stopped at once\n  unknown, 0 runs (stopped)  x.toml\n");
}

TEST(ConsoleReport, ColoursOnlyWhereAsked) {
  const search::ScenarioOutcome outcome = test::pause_outcome();
  const std::string coloured = console_report(outcome, Style::colour, {});
  EXPECT_TRUE(says(coloured, "\x1b[1;31m✗ mutual-exclusion\x1b[0m"));
  std::string bare;
  for (std::size_t i = 0; i < coloured.size(); ++i) {
    if (coloured[i] == '\x1b') {
      i = coloured.find('m', i);
    } else {
      bare += coloured[i];
    }
  }
  EXPECT_EQ(bare, console_report(outcome, Style::plain, {}));
}

TEST(ConsoleReport, LetsNoTextSteerTheTerminal) {
  search::ScenarioOutcome outcome = test::pause_outcome();
  outcome.scenario->title = "\x1b]0;owned\x07 title\r\n";
  outcome.scenario->path = "\x1b[2J";
  outcome.complaints = {"\x1b[31m\u202E"};
  outcome.probes[0].fault = "\b\b\b";
  outcome.example.verdicts[0].summary =
      "\x9b"
      "31m";
  const std::string report =
      console_report(outcome, Style::plain, {"\x1b", "\x1b", "\x1b", "\x1b"}) +
      scenario_line(outcome, Style::plain);
  for (const char character : report) {
    EXPECT_TRUE(character == '\n' || static_cast<unsigned char>(character) >= 0x20);
    EXPECT_NE(static_cast<unsigned char>(character), 0x9B);
  }
  EXPECT_FALSE(says(report, "\u202E"));
}

TEST(ScenarioLine, FitsOneLine) {
  EXPECT_EQ(scenario_line(test::pause_outcome(), Style::plain),
            "as expected     scenarios/known-bugs/gc-pause.toml             A pause longer than "
            "the lease\n");
}

TEST(ScenarioLine, SaysWhatWasMeasuredAgainstItsBounds) {
  search::ScenarioOutcome outcome = test::pause_outcome();
  outcome.bounds = {
      {search::BoundKind::overlap, 500 * sim::millisecond_ns, 480 * sim::millisecond_ns},
      {search::BoundKind::wait, sim::second_ns, sim::never_ns},
      {search::BoundKind::requests, 20, 1523}};
  EXPECT_TRUE(says(scenario_line(outcome, Style::plain),
                   "A pause longer than the lease; overlap 480 ms of at most 500 ms; wait for ever "
                   "of at most 1,000 ms; requests 1523 of at most 20 in a second\n"));
}

TEST(ScenarioLine, SaysWhatBrokeThoughNobodyAsked) {
  search::ScenarioOutcome outcome = test::pause_outcome();
  ASSERT_EQ(unexpected_violations(outcome),
            "");  // a scenario that expects a violation has more of them
  for (search::PropertySummary& each : outcome.properties) {
    each.expected = search::Expected::nothing;
  }
  EXPECT_EQ(
      unexpected_violations(outcome),
      "mutual-exclusion in 1 of 1 run, first with seed 1; harm in 1 of 1 run, first with seed 1");
  EXPECT_TRUE(says(scenario_line(outcome, Style::plain),
                   "the lease\n                not asked for, but violated: mutual-exclusion in 1 "
                   "of 1 run, first with seed 1; harm"));
  EXPECT_TRUE(says(console_report(outcome, Style::plain, {}), "harm  violated, not asked for\n"));
  EXPECT_TRUE(says(console_report(outcome, Style::plain, {}),
                   "  as expected, 1 run; not asked for, but violated: mutual-exclusion, harm  "));
}

/// A violation that the shown run does not have is in no list of the report, unless this one.
TEST(ConsoleReport, NamesWhatBrokeInARunThatIsNotShown) {
  search::ScenarioOutcome outcome = test::pause_outcome();
  outcome.runs = 10;
  search::PropertySummary leak{};
  leak.property = checker::Property::no_leak;
  leak.violated = 2;
  leak.held = 8;
  leak.first_violating_seed = 7;
  outcome.properties.push_back(leak);
  const std::string words =
      "besides  not asked for, but violated: no-leak in 2 of 10 runs, first "
      "with seed 7\n";
  EXPECT_TRUE(says(console_report(outcome, Style::plain, {}), words));
  EXPECT_EQ(unexpected_violations(outcome), "") << "its expected violations came";
  for (search::PropertySummary& each : outcome.properties) {
    if (each.expected == search::Expected::violated) each.held = 1;
  }
  EXPECT_TRUE(says(console_report(outcome, Style::plain, {}), words));
  EXPECT_EQ(unexpected_violations(outcome), "no-leak in 2 of 10 runs, first with seed 7");
  outcome.properties.back().expected = search::Expected::holds;  // which a complaint says
  EXPECT_FALSE(says(console_report(outcome, Style::plain, {}), "besides"));
}

TEST(ConsoleReport, SaysWhichLimitEndedRuns) {
  search::ScenarioOutcome outcome = test::pause_outcome();
  outcome.runs = 3;
  outcome.runs_out_of_events = 2;
  outcome.runs_out_of_time = 1;
  outcome.scenario->events_max = 5000;
  outcome.example.end = model::RunEnd::event_limit;
  outcome.example.ended_at_ns = 7 * sim::second_ns;
  const std::string report = console_report(outcome, Style::plain, {});
  EXPECT_TRUE(
      says(report,
           "  cut off  in 2 of 3 runs by the limit of 5000 events ([limits] events); the one "
           "shown at\n           7,000 ms\n"
           "  cut off  in 1 of 3 runs by the horizon, 10m ([limits] horizon)\n"))
      << report;
}

TEST(ConsoleReport, ShowsTheWaitsBeyondTheBoundLongestFirst) {
  search::ScenarioOutcome outcome = test::pause_outcome();
  checker::Names& names = outcome.example.judged->names;
  const auto wait = [&](const char* owner, std::int64_t from_ms, std::int64_t until_ms,
                        checker::WaitEnd end) {
    return checker::Wait{.owner = names.intern(owner),
                         .lock = names.intern("lock"),
                         .from = {from_ms * sim::millisecond_ns, 1},
                         .until = {until_ms * sim::millisecond_ns, 2},
                         .end = end};
  };
  using checker::WaitEnd;
  outcome.example.judged->observations.waits = {
      wait("a/1", 0, 100, WaitEnd::granted), wait("b/1", 0, 101, WaitEnd::refused),
      wait("c/1", 0, 500, WaitEnd::run_over), wait("d/1", 0, 900, WaitEnd::crashed)};
  EXPECT_EQ(
      waits_beyond(outcome.example, 100 * sim::millisecond_ns),
      (std::vector<std::string>{"c/1 waited for \"lock\" from 0 ms to the end of the run, 500 ms",
                                "b/1 waited for \"lock\" from 0 ms to 101 ms"}));
}

TEST(ConsoleReport, ShowsStepsThatFailedAndCountsTheRest) {
  search::RunRecord example = test::pause_outcome().example;
  ASSERT_EQ(failed_steps(example).size(), 1U);
  const auto completed = std::find_if(
      example.trace.events.begin(), example.trace.events.end(),
      [](const auto& event) { return event.kind == model::trace_kind::step_completed; });
  ASSERT_NE(completed, example.trace.events.end());
  model::RecordedEvent failed = *completed;
  failed.at = 5 * sim::millisecond_ns;
  failed.fields = {{"step", "unlock"}, {"outcome", "fail"}};
  example.trace.events.push_back(failed);
  ASSERT_EQ(failed_steps(example).size(), 1U) << "a refusal is no failure";
  failed.fields.emplace_back("detail", "TIMEOUT no reply");
  for (int i = 0; i < 5; ++i) example.trace.events.push_back(failed);
  const std::vector<std::string> lines = failed_steps(example);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[1], "a/1 unlock at 5 ms: TIMEOUT no reply");
  EXPECT_EQ(lines[2], "a/1 unlock at 5 ms: TIMEOUT no reply; and 3 more");

  // Nobody knows whether it took effect: its caller was told of the error all the same.
  failed.fields = {{"step", "lock"}, {"outcome", "info"}, {"detail", "TIMEOUT no reply"}};
  example.trace.events.back() = failed;
  EXPECT_EQ(failed_steps(example).size(), 3U);
  example.trace.events.resize(example.trace.events.size() - 4);
  EXPECT_EQ(failed_steps(example)[1], "a/1 unlock at 5 ms: TIMEOUT no reply");
  example.trace.events.back() = failed;
  EXPECT_EQ(failed_steps(example)[1], "a/1 lock at 5 ms: TIMEOUT no reply");
}

TEST(ConsoleReport, NamesRunsOfASearchByTheirPlaces) {
  search::ScenarioOutcome outcome = test::pause_outcome();
  outcome.runs = 10;
  outcome.example.seed = 3;
  outcome.properties[0].expected = search::Expected::nothing;
  outcome.properties[0].violated = 4;
  outcome.properties[0].first_violating_seed = 7;
  outcome.example.verdicts.clear();
  search::BoundSummary bound;
  bound.kind = search::BoundKind::wait;
  bound.most_seed = 5;
  outcome.bounds = {bound};
  const auto all_say = [&](std::vector<std::string_view> words) {
    const std::string report = console_report(outcome, Style::plain, {});
    for (const std::string_view each : words) EXPECT_TRUE(says(report, each)) << report;
  };
  all_say({"runs, first with seed 7", "0 ms, with seed 5", "shown    the run with seed 3\n"});
  outcome.numbers = search::RunNumbering::places;
  all_say({"runs, first in run 7", "0 ms, in run 5", "shown    run 3\n"});
  outcome.example = {};
  EXPECT_FALSE(says(console_report(outcome, Style::plain, {}), "shown"));
}

TEST(SummaryLine, CountsScenariosAndRuns) {
  OutcomeCounts counts;
  search::ScenarioOutcome outcome;
  outcome.runs = 10;
  outcome.kind = search::OutcomeKind::as_expected;
  counts.add(outcome);
  EXPECT_EQ(summary_line(counts, Style::plain), "1 scenario, 10 runs: 1 as expected\n");
  counts.add(outcome);
  outcome.kind = search::OutcomeKind::not_as_expected;
  counts.add(outcome);
  outcome.kind = search::OutcomeKind::unknown;
  counts.add(outcome);
  EXPECT_EQ(summary_line(counts, Style::plain),
            "4 scenarios, 40 runs: 2 as expected, 1 not as expected, 1 unknown\n");
  EXPECT_TRUE(says(summary_line(counts, Style::colour), "\x1b[1;31m1 not as expected\x1b[0m"));
  counts.files_refused = 2;
  EXPECT_TRUE(says(summary_line(counts, Style::plain), ", 1 unknown; 2 files were refused\n"));
  counts.passed_over = 52;
  EXPECT_TRUE(says(summary_line(counts, Style::plain),
                   "; 2 files were refused; 52 open scenarios were passed over, which are for "
                   "`lockstep fuzz`\n"));
}

TEST(SummaryLine, OfNothingSaysSo) {
  OutcomeCounts counts;
  EXPECT_EQ(summary_line(counts, Style::plain), "nothing was run\n");
  counts.files_refused = 1;
  EXPECT_EQ(summary_line(counts, Style::plain), "nothing was run: 1 file was refused\n");
  counts.passed_over = 1;
  EXPECT_EQ(summary_line(counts, Style::plain),
            "nothing was run: 1 file was refused; 1 open scenario was passed over, which is for "
            "`lockstep fuzz`\n");
}

}  // namespace

// Reports for programs: JSON and JUnit.

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
