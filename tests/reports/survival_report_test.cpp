#include "reports/formats/survival_report.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "checker/property.h"
#include "reports/formats/junit.h"
#include "reports/formats/survival_table.h"
#include "reports/html/html_report.h"
#include "reports/text.h"
#include "scenario/faults/fault_kind.h"
#include "tests/reports/survival_example.h"
#include "tests/reports/xml_check.h"

namespace lockstep::reports {
namespace {

using checker::Property;
using scenario::FaultGroup;
using scenario::FaultKind;

bool mentions(std::string_view text, std::string_view words) {
  return text.find(words) != std::string_view::npos;
}

std::size_t characters_in(std::string_view line) {
  return static_cast<std::size_t>(
      std::count_if(line.begin(), line.end(), [](char byte) { return (byte & 0xC0) != 0x80; }));
}

std::vector<std::string> split_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

const SurvivalCell& cell_of(const std::vector<SurvivalRow>& rows, std::optional<FaultGroup> group,
                            std::size_t promise) {
  const auto row = std::find_if(rows.begin(), rows.end(),
                                [&](const SurvivalRow& each) { return each.group == group; });
  return row->cells.at(promise);
}

TEST(SurvivalTable, HasARowWithoutFaultsAndOneForEachGroup) {
  const std::vector<SurvivalRow> rows = survival_rows(test::sound_report());
  ASSERT_EQ(rows.size(), scenario::fault_group_count + 1);
  EXPECT_EQ(row_words(rows[0].group), "no fault");
  EXPECT_EQ(rows[0].cells[0].held, 412U);
  EXPECT_EQ(rows[0].struck, 412U);
}

TEST(SurvivalTable, CountsARunOnceForAGroup) {
  const std::vector<SurvivalRow> rows = survival_rows(test::sound_report());
  EXPECT_EQ(cell_of(rows, FaultGroup::pauses, 0).held, 1'304U);
  EXPECT_EQ(cell_of(rows, FaultGroup::pauses, 1).held, 1'299U);
  EXPECT_EQ(cell_of(rows, FaultGroup::lost_messages, 0).held, 5U);
  EXPECT_EQ(cell_of(rows, FaultGroup::lost_messages, 1).state, CellState::untested);
  EXPECT_EQ(cell_of(rows, FaultGroup::failover, 0).state, CellState::untested);
}

TEST(SurvivalTable, PutsAFindingIntoEachRowThatItNeedsAndEachPromiseThatBroke) {
  const std::vector<SurvivalRow> rows = survival_rows(test::broken_report());
  for (const FaultGroup group : {FaultGroup::pauses, FaultGroup::lost_messages}) {
    for (const std::size_t promise : {0U, 1U}) {
      EXPECT_EQ(cell_of(rows, group, promise).state, CellState::bug);
      EXPECT_EQ(cell_of(rows, group, promise).findings.front(), 0U);
    }
  }
  EXPECT_EQ(cell_of(rows, std::nullopt, 0).state, CellState::held);
  EXPECT_EQ(cell_of(rows, std::nullopt, 2).state, CellState::known);
  EXPECT_EQ(cell_of(rows, FaultGroup::clocks, 0).state, CellState::limit);
  EXPECT_EQ(cell_of(rows, FaultGroup::clocks, 0).findings, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(cell_of(rows, FaultGroup::clocks, 1).state, CellState::held);
  EXPECT_EQ(cell_of(rows, FaultGroup::failover, 1).state, CellState::limit);
}

TEST(SurvivalTable, ShowsTheWorstOfACell) {
  SurvivalReport report = test::sound_report();
  const auto add = [&](FindingKind kind) {
    report.findings.push_back(test::found(kind, Property::harm, {FaultKind::pause}));
    return cell_of(survival_rows(report), FaultGroup::pauses, 1);
  };
  EXPECT_EQ(add(FindingKind::limit).state, CellState::limit);
  EXPECT_EQ(add(FindingKind::known).state, CellState::known);
  EXPECT_EQ(add(FindingKind::bug).state, CellState::bug);
  const SurvivalCell cell = add(FindingKind::limit);
  EXPECT_EQ(cell.state, CellState::bug);
  EXPECT_EQ(cell.held, 1'299U);
  EXPECT_EQ(cell.findings, (std::vector<std::size_t>{2, 1, 0, 3}));
}

TEST(SurvivalTable, TellsFaultsThatStrikeEveryDayBeforeRareOnes) {
  SurvivalReport report;
  for (const std::vector<FaultKind>& kinds :
       std::vector<std::vector<FaultKind>>{{FaultKind::pause, FaultKind::flush_all},
                                           {FaultKind::clock_step},
                                           {FaultKind::pause, FaultKind::slow},
                                           {FaultKind::pause},
                                           {}}) {
    report.findings.push_back(test::found(FindingKind::bug, Property::harm, kinds));
  }
  report.findings.push_back(test::found(FindingKind::limit, Property::harm, {}));
  EXPECT_EQ(in_order(report, FindingKind::bug), (std::vector<std::size_t>{4, 3, 2, 1, 0}));
}

TEST(SurvivalTable, TakesLimitsOfOnePromiseAndTheSameAssumptionsAsOne) {
  const std::vector<StatedLimit> limits = stated_limits(test::broken_report());
  ASSERT_EQ(limits.size(), 2U);
  EXPECT_EQ(limits[0].property, Property::mutual_exclusion);
  EXPECT_EQ(limits[0].groups, std::vector{FaultGroup::clocks});
  EXPECT_EQ(limits[0].findings, (std::vector<std::size_t>{2, 3}));
  EXPECT_EQ(limits[1].property, Property::harm);
}

TEST(SurvivalTable, ALimitNamesWhatBreaksWithItAndHasNoLimitOfItsOwn) {
  SurvivalReport report = test::sound_report();
  const model::AssumptionSet late = {model::Assumption::holds_within_lease};
  for (const Property property : {Property::mutual_exclusion, Property::harm}) {
    report.findings.push_back(test::found(FindingKind::limit, property, {FaultKind::cut}, late));
  }
  report.findings[0].finding.also = {Property::harm, Property::fifo};
  const std::vector<StatedLimit> limits = stated_limits(report);
  ASSERT_EQ(limits.size(), 2U);
  EXPECT_EQ(limit_in_words(limits[0]),
            "a hold outlasts the lease that its caller asked for (cut networks); fifo with it");
  EXPECT_EQ(limit_in_words(limits[1]),
            "a hold outlasts the lease that its caller asked for (cut networks)");
}

TEST(SurvivalTable, TakesWhatBreaksMoreAssumptionsThanALimitNeedsAsThatLimit) {
  SurvivalReport report = test::sound_report();
  using model::Assumption;
  const auto add = [&](std::vector<FaultKind> kinds, model::AssumptionSet broken) {
    report.findings.push_back(test::found(FindingKind::limit, Property::harm, kinds, broken));
  };
  add({FaultKind::pause}, {Assumption::holds_within_lease, Assumption::writes_survive});
  add({FaultKind::clock_step}, {Assumption::holds_within_lease});
  add({FaultKind::flush_all}, {Assumption::calls_answered, Assumption::messages_arrive});
  const std::vector<StatedLimit> limits = stated_limits(report);
  ASSERT_EQ(limits.size(), 2U);
  EXPECT_EQ(limits[0].broken, (model::AssumptionSet{Assumption::holds_within_lease}));
  EXPECT_EQ(limits[0].findings, (std::vector<std::size_t>{1, 0}));
  EXPECT_EQ(limit_in_words(limits[0]),
            "a hold outlasts the lease that its caller asked for (pauses, clocks)");
  EXPECT_EQ(limits[1].findings, (std::vector<std::size_t>{2}));
  EXPECT_TRUE(mentions(conclusion_of(report), ", 2 limits as stated."));
}

TEST(SurvivalTable, SaysThatWhatIsKnownToBeWrongDidNotShow) {
  SurvivalReport report = test::sound_report();
  report.contract.known.resize(1);
  EXPECT_TRUE(mentions(conclusion_of(report),
                       "plain keeps its contract: 41,200 runs, 0 bugs, 0 "
                       "limits. Its known flaw was not met."));
  report.contract.known.resize(2);
  EXPECT_TRUE(mentions(conclusion_of(report), " Of its 2 known flaws none was met."));
  report.flaw = "it frees too early";
  EXPECT_TRUE(mentions(conclusion_of(report),
                       "plain is known to be bad, and no run showed it: 41,200 runs, 0 bugs, 0 "
                       "limits. Its flaw: it frees too early."));
  report.findings.push_back(test::found(FindingKind::bug, Property::harm, {}));
  EXPECT_FALSE(mentions(conclusion_of(report), "known"));
}

TEST(SurvivalTable, KnowsWhatNothingPutToTheTest) {
  EXPECT_EQ(untested_promises(test::sound_report()), std::vector{Property::fifo});
  EXPECT_TRUE(untested_promises(test::broken_report()).empty());
}

TEST(SurvivalConclusion, SaysWhatItCameTo) {
  SurvivalReport report = test::sound_report();
  EXPECT_EQ(conclusion_of(report),
            "plain keeps its contract: 41,200 runs, 0 bugs, 0 limits. Not put to the test: fifo.");
  report.findings.push_back(test::found(FindingKind::limit, Property::fifo, {FaultKind::pause},
                                        {model::Assumption::holds_within_lease}));
  EXPECT_EQ(conclusion_of(report),
            "plain keeps its contract: 41,200 runs, 0 bugs, 1 limit as stated.");
  report.findings.push_back(test::found(FindingKind::known, Property::fifo, {}));
  EXPECT_EQ(conclusion_of(report),
            "plain keeps its contract but for what is known: 41,200 runs, 0 bugs, 1 known flaw, "
            "1 limit as stated.");
  report.interrupted = true;
  report.findings.push_back(test::found(FindingKind::bug, Property::fifo, {}));
  EXPECT_EQ(conclusion_of(report),
            "plain does not keep its contract: 41,200 runs, 1 bug, 1 known flaw, 1 limit as "
            "stated. It was interrupted.");
}

TEST(SurvivalConclusion, KnowsNothingWithoutARunThatTests) {
  SurvivalReport report = test::sound_report();
  report.survival = {};
  EXPECT_EQ(conclusion_of(report),
            "Nothing is known of plain: 41,200 runs, 0 bugs, 0 limits. Not put to the test: "
            "mutual-exclusion, harm and fifo.");
}

TEST(SurvivalConclusion, NeverHidesWhatElseWentWrong) {
  SurvivalReport report = test::broken_report();
  EXPECT_TRUE(mentions(conclusion_of(report), " 3 runs were cut off before all could be judged."));
  report = test::sound_report();
  report.incidents = test::broken_report().incidents;
  report.incidents[0].incident.kind = search::IncidentKind::script_failed;
  EXPECT_NE(conclusion_of(report).find("Nobody knows whether"), std::string::npos);
  const std::string page = survival_console(report, Style::plain);
  EXPECT_LT(page.find("script-failed: seen in "), page.find("no fault"));
  EXPECT_EQ(page.find("script-failed"), page.rfind("script-failed: seen in "));
  report.incidents[0].incident.kind = search::IncidentKind::client_failed;
  EXPECT_EQ(conclusion_of(report),
            "Nobody knows whether plain keeps its contract: 41,200 runs, 0 bugs, 0 limits. The "
            "client model failed in 3 runs. Not put to the test: fifo.");
}

TEST(SurvivalConclusion, CountsAnErrorWithoutAFaultAsABug) {
  SurvivalReport report = test::sound_report();
  report.incidents = test::broken_report().incidents;
  report.incidents[0].incident.kind = search::IncidentKind::error_without_fault;
  EXPECT_EQ(bug_count(report), 1U);
  EXPECT_EQ(conclusion_of(report),
            "plain does not keep its contract: 41,200 runs, 1 bug, 0 limits. A request of the lock "
            "failed without any fault in 3 runs. Not put to the test: fifo.");
  const std::string page = survival_console(report, Style::plain);
  EXPECT_LT(page.find("\nBugs\n"), page.find("error-without-fault: seen in 3 runs"));
  EXPECT_EQ(page.find("error-without-fault"), page.rfind("error-without-fault: seen in "));
}

TEST(SurvivalConclusion, CountsAKnownFlawOnceWhateverShowsIt) {
  SurvivalReport report = test::broken_report();
  const auto known =
      std::find_if(report.findings.begin(), report.findings.end(),
                   [](const CampaignFinding& each) { return each.kind == FindingKind::known; });
  ASSERT_NE(known, report.findings.end());
  const std::size_t flaws = known_flaws(report).size();
  CampaignFinding other = *known;
  other.finding.kinds = {scenario::FaultKind::power_loss};
  report.findings.push_back(other);
  EXPECT_EQ(known_flaws(report).size(), flaws);
  report.findings.back().known = "something else";
  EXPECT_EQ(known_flaws(report).size(), flaws + 1);
}

TEST(SurvivalConclusion, KnowsNothingWhereMostRunsWereCutOff) {
  SurvivalReport report = test::sound_report();
  report.incidents = test::broken_report().incidents;
  report.incidents[0].incident.kind = search::IncidentKind::unknown;
  report.incidents[0].incident.seen = report.runs / 2;
  EXPECT_FALSE(was_mostly_cut_off(report));
  EXPECT_TRUE(conclusion_of(report).starts_with("plain keeps its contract: "));
  ++report.incidents[0].incident.seen;
  EXPECT_TRUE(was_mostly_cut_off(report));
  EXPECT_TRUE(conclusion_of(report).starts_with(
      "Nobody knows whether plain keeps its contract: 41,200 runs, 0 bugs, 0 limits. 20,601 runs "
      "were cut off before all could be judged."));
}

TEST(SurvivalConsole, TellsTheWholeStory) {
  EXPECT_EQ(
      survival_console(test::broken_report(), Style::plain),
      R"(plain has no [contract]: judged by the standard one of lease locks. A hold taken without a lease
lasts until it is given back.

                 mut.
                excl.   harm   fifo
no fault          412    412  known
pauses            BUG    BUG      -
calls given up      -      -      -
late messages       -      -      -
lost messages     BUG    BUG      -
cut networks        -      -      -
process ends        -      -      -
failover            -  limit      -
server trouble      -      -      -
clocks          limit    12k      -
keys removed        -      -      -
A number: it held in so many runs in which such a fault mattered; -: no run put it to the test.
BUG: it broke though all was so that its contract assumes; limit: something was not.

Bugs
  ✗ mutual-exclusion (and harm), because of pause and drop: seen in 1,200 runs, first in run 7
      a/1 and b/1 both believed.
      The reply to acquire was lost. a/1 took the lock a second time.
      workload  reentry
      scenario  out/plain-mutual-exclusion-pause-drop.toml
      picture   out/plain-mutual-exclusion-pause-drop.svg
      replay    lockstep replay out/plain-mutual-exclusion-pause-drop.trace.jsonl

Known flaws
  ! fifo, without any fault: a release wakes a waiter that has given up (https://example.org/1):
    seen in 1 run, first in run 7
      workload  waiters

Limits: what may break by the contract
  mutual-exclusion where
  - a clock steps, stops or drifts by more than is declared (clocks)
    out/limits/plain-mutual-exclusion-clock_step.toml
  harm where
  - a hold outlasts the lease that its caller asked for, and a server loses a write that it has
    acknowledged (pauses, failover)

  ? 3 runs were cut off before all could be judged: what nobody knows counts neither as held nor as
    broken. The first is run 17: the horizon came first
      scenario  out/plain-unknown.toml
      replay    lockstep replay out/plain-unknown.found.trace.jsonl

plain does not keep its contract: 41,200 runs, 1 bug, 1 known flaw, 2 limits as stated. )"
      "3 runs were cut off before all could be judged.\n");
}

TEST(SurvivalConsole, EndsWithWhatWasNotCheckedSinceItIsNotPromised) {
  SurvivalReport report = test::sound_report();
  EXPECT_FALSE(mentions(survival_console(report, Style::plain), "Not checked"));
  report.not_promised = {Property::no_deadlock, Property::truthful_answers};
  EXPECT_TRUE(survival_console(report, Style::plain)
                  .ends_with("\n\nNot checked, as it does not promise them: no-deadlock and "
                             "truthful-answers; see promises in its\nlock.toml\n\n" +
                             conclusion_of(report) + "\n"));
}

TEST(SurvivalConsole, SaysWhyAnAssumptionIsMade) {
  SurvivalReport report = test::sound_report();
  report.contract.is_standard = false;
  report.contract.reasons = {{model::Assumption::messages_arrive, "its users never wait"}};
  EXPECT_TRUE(survival_console(report, Style::plain)
                  .starts_with("plain, judged by its [contract]\n"
                               "  It may assume that no message, connection or server fails: "
                               "its users never wait\n"));
}

TEST(SurvivalConsole, TellsRunsThatWereCutOffOnceHoweverManyWorkloads) {
  SurvivalReport report = test::broken_report();
  report.incidents[0].incident.what = "nobody knows whether harm held; it came to its horizon";
  report.incidents.push_back(report.incidents[0]);
  report.incidents[1].incident.what = "nobody knows whether fifo held; it came to its horizon";
  report.incidents.push_back(report.incidents[0]);
  report.incidents[2].incident.what = "nobody knows whether harm held; it had too many events";
  const std::string text = survival_console(report, Style::plain);
  EXPECT_TRUE(mentions(text, "? 6 runs were cut off"));
  EXPECT_TRUE(mentions(text, "      and 1 more file of other workloads beside it\n"));
  EXPECT_TRUE(mentions(text, "? 3 runs were cut off"));
  EXPECT_FALSE(mentions(text, "fifo held"));
  EXPECT_TRUE(mentions(text, "9 runs were cut off before all could be judged.\n"));
}

TEST(SurvivalConsole, ShowsTenBugsAndCountsTheRest) {
  SurvivalReport report = test::sound_report();
  for (int i = 0; i < 13; ++i) {
    report.findings.push_back(test::found(FindingKind::bug, Property::harm, {FaultKind::pause}));
  }
  const std::string text = survival_console(report, Style::plain);
  std::size_t shown = 0;
  for (const std::string& line : split_lines(text)) shown += line.starts_with("  ✗") ? 1U : 0U;
  EXPECT_EQ(shown, 10U);
  EXPECT_TRUE(mentions(text, "\n  and 3 more\n"));
}

TEST(SurvivalConsole, SaysWithHowManySeedsAFindingBreaks) {
  const auto told = [](std::uint64_t violated) {
    SurvivalReport report = test::broken_report();
    CampaignFinding& bug = report.findings.front();
    bug.breaks_always = false;
    bug.shrunk.runs = 5;
    search::PropertySummary summary{.property = bug.property};
    summary.violated = violated;
    bug.shrunk.properties = {summary};
    return survival_console(report, Style::plain);
  };
  EXPECT_TRUE(mentions(told(5), "It breaks with each of the seeds 1 to 5;"));
  EXPECT_TRUE(mentions(told(2), "It breaks with 2 of the seeds 1 to 5;"));
  EXPECT_TRUE(mentions(told(0), "It breaks with none of the seeds 1 to 5, only as its messages"));
}

TEST(SurvivalConsole, FitsTheScreenWithAPromiseOfEachProperty) {
  SurvivalReport report = test::hostile_report();
  report.findings.clear();
  report.incidents.clear();
  std::vector<std::string> lines = split_lines(survival_console(report, Style::plain));
  lines.pop_back();  // what it came to is one line, for programs
  for (const std::string& line : lines) EXPECT_LE(characters_in(line), 100U) << line;
  report = test::sound_report();
  EXPECT_LE(split_lines(survival_console(report, Style::plain)).size(), 24U);
}

TEST(SurvivalConsole, WritesCountsInFourCharacters) {
  SurvivalReport report = test::sound_report();
  report.promises = {Property::mutual_exclusion};
  const auto shown = [&](std::uint64_t more) {
    search::Survival survival;
    test::add_runs(survival, {}, report.promises, more);
    report.survival = survival;
    const std::string line = split_lines(survival_console(report, Style::plain)).at(5);
    return line.substr(line.rfind(' ') + 1);
  };
  EXPECT_EQ(shown(1), "1");
  EXPECT_EQ(shown(999), "999");
  EXPECT_EQ(shown(1'000), "1.0k");
  EXPECT_EQ(shown(9'999), "9.9k");
  EXPECT_EQ(shown(10'000), "10k");
  EXPECT_EQ(shown(123'456), "123k");
}

TEST(SurvivalConsole, ColoursAreNeverTheOnlyMark) {
  const std::string plain = survival_console(test::broken_report(), Style::plain);
  std::string bare = survival_console(test::broken_report(), Style::colour);
  EXPECT_NE(bare, plain);
  for (std::size_t at = bare.find('\x1b'); at != std::string::npos; at = bare.find('\x1b', at)) {
    bare.erase(at, bare.find('m', at) + 1 - at);
  }
  EXPECT_EQ(bare, plain);
}

TEST(SurvivalReports, LetNoNameSteerATerminal) {
  const SurvivalReport report = test::hostile_report();
  const std::string text = survival_console(report, Style::plain);
  EXPECT_EQ(text, sanitized_lines(text));
  EXPECT_FALSE(mentions(text, "\n::error"));
}

TEST(SurvivalJson, SaysEverythingThatAProgramNeeds) {
  const auto json = nlohmann::json::parse(survival_json({test::broken_report()}));
  EXPECT_EQ(json.at("format"), "lockstep-survival");
  EXPECT_EQ(json.at("version"), 1);
  const auto& target = json.at("targets").at(0);
  EXPECT_EQ(target.at("target"), "plain");
  EXPECT_EQ(target.at("lock"), "plain");
  EXPECT_EQ(target.at("runs"), 41'200);
  EXPECT_EQ(target.at("interrupted"), false);
  EXPECT_EQ(target.at("promises").size(), 3U);
  EXPECT_TRUE(target.at("untested").empty());
  EXPECT_EQ(target.at("contract").at("standard"), true);
  EXPECT_EQ(target.at("contract").at("assumes").at("harm").size(), 3U);
  EXPECT_EQ(target.at("incidents").at(0).at("kind"), "unknown");
  const auto& pauses = target.at("rows").at(1);
  EXPECT_EQ(pauses.at("faults"), "pauses");
  EXPECT_EQ(pauses.at("kinds").at(0).at("kind"), "pause");
  EXPECT_EQ(pauses.at("kinds").at(0).at("struck"), 1'304);
  const auto& cell = pauses.at("cells").at("mutual-exclusion");
  EXPECT_EQ(cell.at("state"), "bug");
  EXPECT_EQ(cell.at("held"), 1'304);
  EXPECT_EQ(cell.at("findings"), nlohmann::json::array({0}));
}

TEST(SurvivalConsole, SaysNothingTwice) {
  SurvivalReport report = test::broken_report();
  report.findings.front().violation = "a/1 held it at no instant";
  report.findings.front().cause = {"a/1 held it at no instant.", "Its lease had ended."};
  for (const std::string& text :
       {survival_console(report, Style::plain), survival_markdown({report})}) {
    const std::size_t first = text.find("a/1 held it at no instant");
    ASSERT_NE(first, std::string::npos) << text;
    EXPECT_EQ(text.find("a/1 held it at no instant", first + 1), std::string::npos) << text;
    EXPECT_NE(text.find("Its lease had ended."), std::string::npos) << text;
  }
}

TEST(SurvivalJson, TellsBugsFromLimitsAndTheirCause) {
  const auto json = nlohmann::json::parse(survival_json({test::broken_report()}));
  const auto& findings = json.at("targets").at(0).at("findings");
  const auto& bug = findings.at(0);
  EXPECT_EQ(bug.at("kind"), "bug");
  EXPECT_EQ(bug.at("property"), "mutual-exclusion");
  EXPECT_EQ(bug.at("also"), nlohmann::json::array({"harm"}));
  EXPECT_EQ(bug.at("kinds"), (nlohmann::json::array({"pause", "drop"})));
  EXPECT_EQ(bug.at("run"), 7);
  EXPECT_EQ(bug.at("seen"), 1'200);
  EXPECT_TRUE(bug.at("broken").empty());
  EXPECT_EQ(bug.at("violation"), "a/1 and b/1 both believed");
  EXPECT_EQ(bug.at("cause").at(0), "The reply to acquire was lost.");
  EXPECT_EQ(bug.at("workload"), "reentry");
  EXPECT_EQ(bug.at("scenario"), "out/plain-mutual-exclusion-pause-drop.toml");
  EXPECT_EQ(bug.at("timeline"), "out/plain-mutual-exclusion-pause-drop.svg");
  EXPECT_EQ(findings.at(1).at("kind"), "known");
  EXPECT_EQ(findings.at(2).at("kind"), "limit");
  EXPECT_EQ(findings.at(2).at("broken"), nlohmann::json::array({"clocks-steady"}));
  EXPECT_TRUE(findings.at(3).at("scenario").is_null());
}

TEST(SurvivalJson, IsJsonWhateverTheNamesHold) {
  const auto json =
      nlohmann::json::parse(survival_json({test::hostile_report(), test::sound_report()}));
  EXPECT_EQ(json.at("targets").size(), 2U);
  EXPECT_EQ(json.at("targets").at(0).at("lock"), sanitized(test::hostile_report().lock));
}

TEST(SurvivalMarkdown, HasATableAndWhatBroke) {
  const std::string text = survival_markdown({test::broken_report()});
  EXPECT_TRUE(text.starts_with("## plain\n\nplain has no &#91;contract&#93;: judged by"));
  EXPECT_TRUE(
      mentions(text,
               "|  | mutual-exclusion | harm | fifo |\n| --- | --- | --- | --- |\n"
               "| no fault | 412 | 412 | known flaw |\n| pauses | **BUG** | **BUG** | - |\n"));
  EXPECT_TRUE(mentions(text,
                       "- **mutual-exclusion (and harm), because of pause and drop**. a/1 and "
                       "b/1 both believed. The"));
  EXPECT_TRUE(mentions(text, "- mutual-exclusion may break where a clock steps, stops or drifts"));
  EXPECT_TRUE(mentions(text, "**What else went wrong**\n\n- unknown in 3 runs"));
  EXPECT_FALSE(mentions(text, "What they survive"));
}

TEST(SurvivalMarkdown, SumsUpWhatWasCutOffInAnyWorkload) {
  SurvivalReport report = test::broken_report();
  report.incidents[0].incident.kind = search::IncidentKind::unknown;
  report.incidents.resize(1);
  report.incidents.push_back(report.incidents[0]);
  report.incidents[0].incident.seen = 3;
  report.incidents[1].incident.seen = 4;
  const std::string text = survival_markdown({report});
  EXPECT_NE(text.find("- unknown in 7 runs, first in run"), std::string::npos) << text;
  EXPECT_EQ(text.find("unknown in 3 runs"), std::string::npos) << text;
}

TEST(SurvivalMarkdown, PutsSeveralLocksSideBySide) {
  SurvivalReport fair = test::sound_report();
  fair.lock = "fair";
  const std::string text = survival_markdown({test::broken_report(), fair});
  EXPECT_TRUE(text.starts_with("## What they survive\n\n|  | plain | fair |\n"));
  EXPECT_TRUE(mentions(text, "\n| no fault | known flaw: fifo | held |\n"));
  EXPECT_TRUE(mentions(text, "\n| pauses | **BUG**: mutual-exclusion and harm | held |\n"));
  EXPECT_TRUE(mentions(text, "\n| failover | limit: harm | - |\n"));
  EXPECT_TRUE(mentions(text, "\n## plain\n"));
  EXPECT_TRUE(mentions(text, "\n## fair\n"));
}

TEST(SurvivalMarkdown, LetsNoNameBreakATableOrBringMarkup) {
  const std::string text = survival_markdown({test::hostile_report(), test::hostile_report()});
  EXPECT_FALSE(mentions(text, "<b>"));
  EXPECT_FALSE(mentions(text, "[a](b)"));
  EXPECT_FALSE(mentions(text, "\n::error"));
  for (const std::string& line : split_lines(text)) {
    if (!line.starts_with("|")) continue;
    const auto bars = std::count(line.begin(), line.end(), '|');
    EXPECT_TRUE(bars == 4 || bars == 16) << line;
  }
}

TEST(SurvivalJunit, HasATestCaseForEachPromiseAndOneForTheRuns) {
  JunitReport junit;
  junit.add(test::broken_report());
  const std::string broken = junit.text();
  EXPECT_EQ(test::xml_problem(broken), "");
  EXPECT_TRUE(mentions(broken, "tests=\"4\" failures=\"2\" errors=\"1\" skipped=\"0\""));
  EXPECT_TRUE(mentions(broken, "<testcase classname=\"plain\" name=\"mutual-exclusion\""));
  EXPECT_TRUE(mentions(broken, "<failure message=\"mutual-exclusion (and harm), because of pause"));
  JunitReport sound;
  sound.add(test::sound_report());
  EXPECT_TRUE(mentions(sound.text(), "tests=\"4\" failures=\"0\" errors=\"0\" skipped=\"1\""));
}

TEST(SurvivalJunit, IsXmlWhateverTheNamesHold) {
  JunitReport junit;
  junit.add(test::hostile_report());
  EXPECT_EQ(test::xml_problem(junit.text()), "");
}

TEST(SurvivalAnnotations, SayBugsKnownFlawsAndIncidents) {
  const std::vector<std::string> lines =
      split_lines(github_commands(annotations_of(test::broken_report())));
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0],
            "::error file=out/plain-mutual-exclusion-pause-drop.toml,title=mutual-exclusion (and "
            "harm)%2C because of pause and drop::a/1 and b/1 both believed. The reply to acquire "
            "was lost. a/1 took the lock a second time. (lockstep replay "
            "out/plain-mutual-exclusion-pause-drop.trace.jsonl)");
  EXPECT_TRUE(lines[1].starts_with("::notice title=known flaw%3A fifo%2C without any fault::"));
  EXPECT_TRUE(lines[2].starts_with("::warning file=out/plain-unknown.toml,title=plain::unknown"));
  EXPECT_TRUE(annotations_of(test::sound_report()).empty());
}

TEST(SurvivalAnnotations, AreALineEachWhateverTheNamesHold) {
  const std::string commands = github_commands(annotations_of(test::hostile_report()));
  for (const std::string& line : split_lines(commands)) {
    EXPECT_TRUE(line.starts_with("::error ") || line.starts_with("::notice ") ||
                line.starts_with("::warning "))
        << line;
  }
}

TEST(SurvivalHtml, HasTheTableAndTheEntriesOfItsFindings) {
  HtmlReport html;
  html.add(test::broken_report(), {2, std::nullopt});
  const std::string text = html.text();
  const std::string_view opening = "id=\"data\">";
  const std::size_t begin = text.find(opening) + opening.size();
  const auto data =
      nlohmann::json::parse(text.substr(begin, text.find("</script>", begin) - begin));
  const auto& target = data.at("survival").at(0);
  EXPECT_EQ(target.at("lock"), "plain");
  EXPECT_EQ(target.at("findings").at(0).at("entry"), 2);
  EXPECT_TRUE(target.at("findings").at(1).at("entry").is_null());
  EXPECT_TRUE(mentions(text, "showSurvival()"));
}

}  // namespace
}  // namespace lockstep::reports
