#include "reports/console.h"

#include <gtest/gtest.h>

#include "tests/reports/told_story.h"

namespace lockstep::reports {
namespace {

bool says(std::string_view text, std::string_view words) {
  return text.find(words) != std::string_view::npos;
}

TEST(ConsoleReport, TellsTheWholeStory) {
  const ReportPlaces places{"out/gc-pause.svg", "out/gc-pause.trace.jsonl",
                            "lockstep confirm out/gc-pause.trace.jsonl",
                            "lockstep replay out/gc-pause.trace.jsonl"};
  EXPECT_EQ(console_report(test::pause_outcome(), Style::plain, places),
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
       15,002.7 ms: 5,002 ms after it had lost the lock.

  held     valid-grant
  struck   in 1 of 1 run: pause a for 15s when a read
  picture  out/gc-pause.svg
  trace    out/gc-pause.trace.jsonl
  confirm  lockstep confirm out/gc-pause.trace.jsonl
  replay   lockstep replay out/gc-pause.trace.jsonl
)");
}

TEST(ConsoleReport, SaysWhatHappenedInsteadOfWhatWasExpected) {
  search::ScenarioOutcome outcome = test::pause_outcome();
  outcome.kind = search::OutcomeKind::not_as_expected;
  outcome.runs = 10;
  outcome.properties[0].expected = search::Expected::holds;
  outcome.properties[0].violated = 3;
  outcome.properties[0].held = 7;
  outcome.complaints = {
      "mutual-exclusion was expected to hold, but it was violated in 3 of 10 runs"};
  const std::string report = console_report(outcome, Style::plain, {});
  EXPECT_TRUE(says(report,
                   "  not as expected, 10 runs  scenarios/known-bugs/gc-pause.toml\n"
                   "  !  mutual-exclusion was expected to hold, but it was violated in 3 "
                   "of 10 runs\n"));
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
                   "  unknown  lease-linearizability: in 1 of 1 run: the limit of 1,000 "
                   "configurations was reached\n"));
  EXPECT_TRUE(says(report, "  struck   in 0 of 1 run: pause a for 15s when a read\n"));
}

TEST(ConsoleReport, OfNoRunsIsShort) {
  search::ScenarioOutcome outcome;
  outcome.scenario.title = "stopped at once";
  outcome.scenario.path = "x.toml";
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
  outcome.scenario.title = "\x1b]0;owned\x07 title\r\n";
  outcome.scenario.path = "\x1b[2J";
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
}

}  // namespace
}  // namespace lockstep::reports
