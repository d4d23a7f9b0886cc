#include "reports/formats/survival_comparison.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "checker/property.h"
#include "scenario/faults/fault_kind.h"
#include "scenario/text/input_error.h"
#include "tests/reports/survival_example.h"

namespace lockstep::reports {
namespace {

using checker::Property;
using model::Assumption;
using scenario::FaultKind;
using Sentences = std::vector<std::string>;

/// What got worse since the sound report, or another, in one that `change` changed.
template <typename Change>
Sentences worse_after(Change change, const SurvivalReport& before = test::sound_report()) {
  SurvivalReport after = before;
  change(after);
  return what_got_worse(summary_of(before), summary_of(after));
}

void add_found(SurvivalReport& report, CampaignFinding finding) {
  report.findings.push_back(std::move(finding));
}

class TableFile {
 public:
  explicit TableFile(const std::string& text) { std::ofstream(path()) << text; }
  ~TableFile() { std::filesystem::remove(path()); }
  TableFile(const TableFile&) = delete;
  TableFile& operator=(const TableFile&) = delete;
  [[nodiscard]] static std::string path() { return testing::TempDir() + "survival-table.json"; }
};

std::string complaint_of_table(const std::string& text) {
  const TableFile file(text);
  try {
    (void)read_survival(TableFile::path());
  } catch (const scenario::InputError& error) {
    std::string words = error.what();
    const std::size_t at = words.find(TableFile::path());
    return at == std::string::npos ? words : words.erase(at, TableFile::path().size());
  }
  return "nothing is wrong";
}

std::string with_replaced(std::string text, std::string_view what, std::string_view with) {
  const std::size_t at = text.find(what);
  if (at == std::string::npos) return "";
  return text.replace(at, what.size(), with);
}

TEST(SurvivalComparison, FindsNothingInEqualTables) {
  const auto nothing = [](SurvivalReport&) {};
  EXPECT_EQ(worse_after(nothing), Sentences{});
  EXPECT_EQ(worse_after(nothing, test::broken_report()), Sentences{});
}

TEST(SurvivalComparison, FindsNothingInWhatGotBetter) {
  EXPECT_EQ(what_got_worse(summary_of(test::broken_report()), summary_of(test::sound_report())),
            Sentences{"plain: fifo was put to the test, and is not any more"});
}

TEST(SurvivalComparison, SeesABugWhereItHeld) {
  EXPECT_EQ(worse_after([](SurvivalReport& after) {
              add_found(after, test::found(FindingKind::bug, Property::harm, {FaultKind::slow}));
            }),
            Sentences{"plain: a bug of harm, because of slow, which was not there; harm under "
                      "\"pauses\" held in 1,299 runs"});
}

TEST(SurvivalComparison, NamesTheCellOfWhatIsToldAndNotOfWhatBrokeBesides) {
  SurvivalReport before = test::sound_report();
  test::add_runs(before.survival, {FaultKind::pause}, {Property::mutual_exclusion}, 5000);
  EXPECT_EQ(worse_after(
                [](SurvivalReport& after) {
                  CampaignFinding bug =
                      test::found(FindingKind::bug, Property::harm, {FaultKind::slow});
                  bug.finding.also = {Property::mutual_exclusion};
                  add_found(after, std::move(bug));
                },
                before),
            Sentences{"plain: a bug of harm and mutual-exclusion, because of slow, which was not "
                      "there; harm under \"pauses\" held in 1,299 runs"});
}

TEST(SurvivalComparison, SeesASecondBugInACellThatHadOne) {
  EXPECT_EQ(worse_after(
                [](SurvivalReport& after) {
                  add_found(after,
                            test::found(FindingKind::bug, Property::harm, {FaultKind::pause}));
                },
                test::broken_report()),
            Sentences{"plain: a bug of harm, because of pause, which was not there"});
}

TEST(SurvivalComparison, SeesABugWhereThereWasALimit) {
  EXPECT_EQ(worse_after(
                [](SurvivalReport& after) {
                  after.findings[2].kind = FindingKind::bug;
                  after.findings[2].finding.broken = model::AssumptionSet{};
                },
                test::broken_report()),
            Sentences{"plain: a bug of mutual-exclusion, because of clock_step, which was not "
                      "there; mutual-exclusion under \"clocks\" was a limit"});
}

TEST(SurvivalComparison, SeesALimitThatWasNotThere) {
  EXPECT_EQ(worse_after([](SurvivalReport& after) {
              add_found(after, test::found(FindingKind::limit, Property::harm,
                                           {FaultKind::clock_step}, {Assumption::clocks_steady}));
            }),
            Sentences{"plain: a limit of harm, because of clock_step, which was not there: it "
                      "breaks where a clock steps, stops or drifts by more than is declared; harm "
                      "under \"clocks\" held in 12,345 runs"});
}

TEST(SurvivalComparison, SeesALimitByAnotherAssumptionInACellThatHadOne) {
  EXPECT_EQ(worse_after(
                [](SurvivalReport& after) {
                  add_found(after,
                            test::found(FindingKind::limit, Property::mutual_exclusion,
                                        {FaultKind::clock_step}, {Assumption::executed_once}));
                },
                test::broken_report()),
            Sentences{"plain: a limit of mutual-exclusion, because of clock_step, which was not "
                      "there: it breaks where a request that is sent again is executed "
                      "twice"});
}

TEST(SurvivalComparison, TakesALimitThatFewerAssumptionsExplainForTheSame) {
  EXPECT_EQ(worse_after(
                [](SurvivalReport& after) {
                  add_found(after, test::found(FindingKind::limit, Property::mutual_exclusion,
                                               {FaultKind::clock_leap},
                                               {Assumption::clocks_steady, Assumption::keys_stay}));
                },
                test::broken_report()),
            Sentences{});
}

TEST(SurvivalComparison, MindsNoBugThatBecameALimit) {
  EXPECT_EQ(worse_after(
                [](SurvivalReport& after) {
                  after.findings[0].kind = FindingKind::limit;
                  after.findings[0].finding.broken = {Assumption::executed_once};
                },
                test::broken_report()),
            Sentences{});
}

TEST(SurvivalComparison, SeesAKnownFlawWhereItHeld) {
  EXPECT_EQ(worse_after([](SurvivalReport& after) {
              add_found(after, test::found(FindingKind::known, Property::harm, {FaultKind::pause}));
            }),
            Sentences{"plain: a known flaw of harm, because of pause, which was not there; harm "
                      "under \"pauses\" held in 1,299 runs"});
}

TEST(SurvivalComparison, SeesAPromiseDropped) {
  EXPECT_EQ(worse_after([](SurvivalReport& after) { after.promises.pop_back(); }),
            Sentences{"plain: it does not promise fifo any more"});
}

TEST(SurvivalComparison, SeesAnAssumptionMore) {
  EXPECT_EQ(worse_after([](SurvivalReport& after) {
              for (auto& [promise, assumed] : after.contract.assumes) {
                assumed.insert(Assumption::clocks_steady);
                if (promise != Property::harm) assumed.insert(Assumption::keys_stay);
              }
            }),
            (Sentences{"plain: its contract assumes keys-stay for mutual-exclusion and fifo, and "
                       "did not before",
                       "plain: its contract assumes clocks-steady for fifo, and did not before"}));
}

TEST(SurvivalComparison, MindsNoAssumptionOfAPromiseThatIsNew) {
  EXPECT_EQ(worse_after([](SurvivalReport& after) {
              after.promises.push_back(Property::hold_count);
              after.contract.assumes[Property::hold_count] = {Assumption::keys_stay};
            }),
            Sentences{});
}

TEST(SurvivalComparison, SeesWhatElseMakesAContractWeaker) {
  SurvivalReport before = test::sound_report();
  before.contract.is_standard = false;
  before.contract.renews = true;
  EXPECT_EQ(worse_after(
                [](SurvivalReport& after) {
                  after.contract.renews = false;
                  after.contract.executed_once = {"acquire"};
                  after.contract.known = {{Property::fifo, "it\nwakes nobody", {}, "", ""}};
                },
                before),
            (Sentences{"plain: its contract does not say any more that it renews its own lease",
                       "plain: its contract assumes that 'acquire' is executed once, and did not "
                       "before",
                       "plain: its contract calls a flaw of fifo known, and did not before: it "
                       "wakes nobody"}));
}

TEST(SurvivalComparison, SeesAPromiseThatNothingPutsToTheTestAnyMore) {
  EXPECT_EQ(worse_after([](SurvivalReport& after) {
              after.survival = {};
              test::add_runs(after.survival, {FaultKind::crash}, {Property::harm}, 1);
            }),
            Sentences{"plain: mutual-exclusion was put to the test, and is not any more"});
}

TEST(SurvivalComparison, ReadsWhatWasWritten) {
  for (const SurvivalReport& report : {test::broken_report(), test::hostile_report()}) {
    const TableFile file(survival_json({test::sound_report(), report}));
    const std::vector<SurvivalSummary> read = read_survival(TableFile::path());
    ASSERT_EQ(read.size(), 2U);
    const SurvivalSummary written = summary_of(report);
    EXPECT_EQ(read[1].lock, written.lock);
    EXPECT_EQ(read[1].promises, written.promises);
    EXPECT_EQ(read[1].assumes, written.assumes);
    EXPECT_EQ(read[1].executed_once, written.executed_once);
    EXPECT_EQ(read[1].known, written.known);
    EXPECT_EQ(what_got_worse(read[1], written), Sentences{});
    EXPECT_EQ(what_got_worse(written, read[1]), Sentences{});
    EXPECT_EQ(what_got_worse(read[0], written),
              what_got_worse(summary_of(test::sound_report()), written));
    EXPECT_EQ(&summary_of_lock(read, report.lock, "table.json"),
              read[0].lock == read[1].lock ? &read[0] : &read[1]);
  }
}

TEST(SurvivalComparison, RefusesATableOfOtherLocks) {
  try {
    (void)summary_of_lock({summary_of(test::sound_report())}, "fair", "table.json");
    FAIL();
  } catch (const scenario::InputError& error) {
    EXPECT_STREQ(error.what(), "table.json: error: it has no table of 'fair', but of plain");
  }
}

TEST(SurvivalComparison, IsToldOnAConsole) {
  EXPECT_EQ(comparison_console({}, "a\nb"), "Nothing got worse since a b.\n");
  EXPECT_EQ(comparison_console({"plain: it does not promise fifo any more"}, "t.json"),
            "Worse than in t.json:\n  ! plain: it does not promise fifo any more\n");
}

TEST(SurvivalReader, SaysWhatIsWrongWithAFile) {
  const std::string table = survival_json({test::broken_report()});
  EXPECT_EQ(complaint_of_table(table), "nothing is wrong");
  EXPECT_EQ(complaint_of_table(""), ":1: error: this is not JSON, or it is cut short");
  EXPECT_EQ(complaint_of_table("{\n\"format\": }"),
            ":2: error: this is not JSON, or it is cut short");
  EXPECT_EQ(complaint_of_table("{}"),
            ": error: this is no survival table; `lockstep fuzz LOCK --format json` writes one");
  EXPECT_EQ(complaint_of_table("[]"), complaint_of_table("{}"));
  EXPECT_EQ(complaint_of_table(std::string(100'000, '[')),
            ": error: this is no survival table: it is nested too deeply");
  EXPECT_EQ(complaint_of_table(with_replaced(table, "\"version\": 1", "\"version\": 7")),
            ": error: the table has version 7; this Lockstep reads version 1");
  EXPECT_EQ(complaint_of_table(with_replaced(table, "\"promises\"", "\"premises\"")),
            ": error: targets[0].promises is missing");
  EXPECT_EQ(complaint_of_table(with_replaced(table, "\"renews\": false", "\"renews\": 0")),
            ": error: targets[0].contract.renews: expected true or false");
  EXPECT_EQ(complaint_of_table(with_replaced(table, "\"state\": \"bug\"", "\"state\": \"bag\"")),
            ": error: targets[0].rows[1].cells.mutual-exclusion.state: there is no state 'bag'");
  EXPECT_EQ(
      complaint_of_table(with_replaced(table, "\"faults\": \"pauses\"", "\"faults\": \"moods\"")),
      ": error: targets[0].rows[1].faults: there is no row 'moods'");
  EXPECT_EQ(complaint_of_table(with_replaced(table, "\"held\": 412", "\"held\": -1")),
            ": error: targets[0].rows[0].cells.mutual-exclusion.held: expected a whole number, at "
            "least 0");
}

}  // namespace
}  // namespace lockstep::reports
