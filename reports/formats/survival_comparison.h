// A lock's survival table beside an earlier one: what got worse. The gate for pull requests.
//
// Worse is: something broke in a cell that showed nothing so bad before; a limit that was not
// there; a contract that grew weaker (a promise dropped, an assumption or a known flaw more); a
// promise that is not put to the test any more. What got better is no matter here.
//
// Not covered: how much was searched. A table made with fewer runs, or another seed, may show less;
// make both with the same --runs and --seed.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/lock/assumption.h"
#include "reports/formats/survival_report.h"
#include "reports/formats/survival_table.h"

namespace lockstep::reports {

/// What is compared of a lock's table.
struct SurvivalSummary {
  struct Cell {
    CellState state = CellState::untested;
    std::uint64_t held = 0;
  };
  struct Flaw {
    checker::Property property{};
    std::string what;

    friend bool operator==(const Flaw&, const Flaw&) = default;
  };
  struct Found {
    FindingKind kind = FindingKind::bug;
    checker::Property property{};
    std::vector<checker::Property> also;
    std::vector<scenario::FaultKind> kinds;
    model::AssumptionSet broken;
  };
  using Place = std::pair<std::optional<scenario::FaultGroup>, checker::Property>;

  std::string lock;
  bool is_standard = true;
  bool renews = false;
  std::map<checker::Property, model::AssumptionSet> assumes;
  std::vector<std::string> executed_once;
  std::vector<Flaw> known;
  std::vector<checker::Property> promises;
  std::map<Place, Cell> cells;  ///< of each row and promise
  std::vector<Found> findings;
};

[[nodiscard]] SurvivalSummary summary_of(const SurvivalReport& report);

/// Reads what survival_json wrote. Throws scenario::InputError, with the line where that is known.
[[nodiscard]] std::vector<SurvivalSummary> read_survival(const std::string& path);

/// The summary of the lock. Throws scenario::InputError where the file at `path` has none.
[[nodiscard]] const SurvivalSummary& summary_of_lock(const std::vector<SurvivalSummary>& all,
                                                     const std::string& lock,
                                                     const std::string& path);

/// A sentence each, sanitized; none: nothing got worse. REQUIRES: of one lock.
[[nodiscard]] std::vector<std::string> what_got_worse(const SurvivalSummary& before,
                                                      const SurvivalSummary& after);

/// What got worse since the table at `path`, a line or more each; one line where nothing did.
[[nodiscard]] std::string comparison_console(const std::vector<std::string>& worse,
                                             const std::string& path);
[[nodiscard]] std::string comparison_markdown(const std::vector<std::string>& worse,
                                              const std::string& path);

/// Their words, in that order.
[[nodiscard]] std::vector<std::string_view> words_of_kinds(
    const std::vector<scenario::FaultKind>& kinds);
/// "because of drop and pause", "without any fault".
[[nodiscard]] std::string because_of(const std::vector<scenario::FaultKind>& kinds);

}  // namespace lockstep::reports
