#include "reports/console.h"

#include <gtest/gtest.h>

#include "reports/cause.h"
#include "tests/reports/told_story.h"

namespace lockstep::reports {
namespace {

namespace model_kind = model::trace_kind;
namespace sim_kind = sim::trace_kind;
using sim::Field;

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

// -- causes --

/// Who lost the lock how, in an overlap of a/1's belief and b/1's.
struct LostLock {
  test::ToldStory story;
  sim::ActorId faults = story.actor("faults", "faults", "faults");
  sim::ActorId a = story.actor("a", "client", "a");
  sim::ActorId a1 = story.actor("a/1", "client-thread", "a");
  sim::ActorId b1 = story.actor("b/1", "client-thread", "b");
  sim::ActorId n1 = story.actor("n1", "redis", "n1");
  sim::ActorId n2 = story.actor("n1-replica-1", "redis", "n1");

  void lock_changes(sim::ActorId node, std::string_view holders, std::string_view cause,
                    std::string_view by) {
    story.tell(node, model_kind::lock_changed, Field("lock", "lock"), Field("holders", holders),
               Field("lease_ends_ns", 0), Field("cause", cause), Field("by", by));
  }
  void execute(std::string_view label, std::string_view by) {
    story.tell(n1, model_kind::command_executed, Field("label", label), Field("command", "X"),
               Field("arguments", ""), Field("reply", "1"), Field("on_behalf_of", by),
               Field("writes", 1));
  }
  std::string why() {
    search::Example example = story.example();
    checker::Verdict verdict{};
    verdict.kind = checker::VerdictKind::violated;
    verdict.evidence = {{"", example.names.intern("a/1"), {}, checker::Moment{9'000'000'000, 999}},
                        {"", example.names.intern("b/1"), story.moment(), std::nullopt}};
    example.verdicts = {verdict};
    std::string sentences;
    for (const std::string& sentence : explain(example)) sentences += sentence + "\n";
    return sentences;
  }
};

TEST(Cause, IsTheExpiryAfterAClockStep) {
  LostLock lost;
  lost.lock_changes(lost.n1, "a/1:1", "acquire", "a/1");
  lost.story.at_us(1'000'000).tell(lost.n1, model_kind::clock_changed,
                                   Field("by_ns", 20 * sim::second_ns));
  lost.lock_changes(lost.n1, "", "expiry", "");
  lost.story.at_us(2'000'000);
  EXPECT_EQ(lost.why(),
            "The lease of a/1 ended at 1,000 ms on n1, after n1's clock had stepped by 20,000 ms.\n"
            "b/1 was granted the lock at 2,000 ms.\n"
            "a/1 went on believing until 9,000 ms: 8,000 ms after it had lost the lock.\n");
}

TEST(Cause, IsTheFailoverThatForgot) {
  LostLock lost;
  lost.lock_changes(lost.n1, "a/1:1", "acquire", "a/1");
  lost.story.at_us(1'000'000).tell(lost.n1, sim_kind::process_crashed);
  lost.lock_changes(lost.n1, "", "failover", "");
  lost.story.at_us(2'000'000).tell(lost.n2, model_kind::node_promoted, Field("in_place_of", "n1"));
  EXPECT_TRUE(says(lost.why(),
                   "n1 crashed at 1,000 ms, and a/1's lock with it.\n"
                   "n1-replica-1 became master in place of n1 at 2,000 ms without knowing of a/1's "
                   "lock: the write had not reached it.\n"));
}

TEST(Cause, IsAnothersReleaseThatCameLate) {
  LostLock lost;
  lost.story.at_us(1'000);
  const auto message = lost.story.send(lost.a, lost.n1, "del", lost.b1);
  lost.story.tell(lost.a, sim_kind::message_delayed, Field("message", message),
                  Field("by_ns", 2 * sim::second_ns));
  lost.lock_changes(lost.n1, "a/1:1", "acquire", "a/1");
  lost.story.at_us(2'001'000).arrives(message, lost.n1);
  lost.execute("del", "b/1");
  lost.lock_changes(lost.n1, "", "release", "b/1");
  EXPECT_TRUE(says(lost.why(),
                   "b/1's del, executed on n1 at 2,001 ms, took the lock from a/1; it had been "
                   "sent at 1 ms and came 2,000 ms late.\n"));
}

TEST(Cause, IsARequestThatRanTwice) {
  LostLock lost;
  lost.lock_changes(lost.n1, "a/1:2", "acquire", "a/1");
  lost.story.at_us(1'000);
  lost.execute("release", "a/1");
  lost.lock_changes(lost.n1, "a/1:1", "release", "a/1");
  const auto reply = lost.story.send(lost.n1, lost.a, "reply to release", lost.a1);
  lost.story.tell(lost.n1, sim_kind::message_lost, Field("message", reply),
                  Field("why", "dropped"));
  lost.story.at_us(4'000'000).tell(lost.a1, model_kind::call_retried, Field("label", "release"),
                                   Field("attempt", 2));
  lost.story.at_us(4'000'500);
  lost.execute("release", "a/1");
  lost.lock_changes(lost.n1, "", "release", "a/1");
  const std::string why = lost.why();
  EXPECT_TRUE(says(why,
                   "The reply to a/1's release was lost (dropped), so a/1 sent it again, and n1 "
                   "executed it twice: at 1 ms and at 4,000.5 ms.\n"))
      << why;
  EXPECT_TRUE(says(why, "a/1's own release, executed on n1 at 4,000.5 ms, gave up its last hold"));
}

TEST(Cause, IsTheOperator) {
  LostLock lost;
  lost.lock_changes(lost.n1, "a/1:1", "acquire", "a/1");
  lost.story.at_us(5'000);
  lost.lock_changes(lost.n1, "", "other", "");
  EXPECT_TRUE(says(lost.why(), "An operator deleted a/1's lock on n1 at 5 ms.\n"));
}

TEST(Cause, IsTheEviction) {
  LostLock lost;
  lost.lock_changes(lost.n1, "a/1:1", "acquire", "a/1");
  lost.story.at_us(5'000);
  lost.lock_changes(lost.n1, "", "eviction", "");
  EXPECT_TRUE(says(lost.why(), "n1 was at its memory limit and evicted a/1's lock at 5 ms.\n"));
}

TEST(Cause, IsTheFaultThatStruckWhereNothingElseIsKnown) {
  LostLock lost;
  lost.story.at_us(3'000).tell(lost.faults, model_kind::fault_struck, Field("fault", 0),
                               Field("what", "crash a at 3ms"), Field("target", "a"));
  EXPECT_EQ(lost.why(), "At 3 ms a fault struck: crash a at 3ms.\n");
}

TEST(Cause, OfNothingBrokenIsNothing) {
  search::Example example = test::pause_outcome().example;
  example.verdicts.clear();
  EXPECT_TRUE(explain(example).empty());
}

}  // namespace
}  // namespace lockstep::reports
