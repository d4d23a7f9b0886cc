// What all forms of a survival report say alike: the cells of its table, the limits that are one,
// the order of bugs, and the sentence that it comes to.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/lock/assumption.h"
#include "reports/formats/survival_report.h"
#include "scenario/faults/fault_group.h"

namespace lockstep::reports {

/// From what says least to what is worst: a cell shows the worst that is known of it.
enum class CellState : std::uint8_t {
  untested,  ///< no run put the promise to the test there
  held,
  limit,
  known,
  bug,
};
/// "untested", "held", …
[[nodiscard]] std::string_view to_string(CellState state);
[[nodiscard]] std::optional<CellState> cell_state_from(std::string_view word);
[[nodiscard]] CellState state_of(FindingKind kind);

struct SurvivalCell {
  CellState state = CellState::untested;
  std::uint64_t held = 0;             ///< runs in which it held though a fault of the row mattered
  std::vector<std::size_t> findings;  ///< their places in the report, the worst first
};

struct SurvivalRow {
  std::optional<scenario::FaultGroup> group;  ///< none: without any fault
  std::uint64_t struck = 0;                   ///< runs in which such a fault struck
  std::vector<SurvivalCell> cells;            ///< one for each promise
};
/// "no fault", "pauses", …
[[nodiscard]] std::string_view row_words(std::optional<scenario::FaultGroup> group);

/// The rows that a finding belongs to: of the kinds of fault that it needs.
[[nodiscard]] std::vector<std::optional<scenario::FaultGroup>> rows_of(
    const std::vector<scenario::FaultKind>& kinds);

/// A row without faults, then one for each group, always all of them.
[[nodiscard]] std::vector<SurvivalRow> survival_rows(const SurvivalReport& report);

/// The places of the findings of a kind: what strikes every day before what is rare, few kinds of
/// fault before many.
[[nodiscard]] std::vector<std::size_t> in_order(const SurvivalReport& report, FindingKind kind);
/// Of each known flaw the first that shows it: many kinds of fault may.
[[nodiscard]] std::vector<std::size_t> known_flaws(const SurvivalReport& report);
/// Findings and errors without a fault.
[[nodiscard]] std::size_t bug_count(const SurvivalReport& report);

/// A limit of the contract: findings of one promise that breaks where the same assumptions are not
/// kept. What breaks where still more of them are not is no limit of its own.
struct StatedLimit {
  checker::Property property{};
  model::AssumptionSet broken;
  std::vector<scenario::FaultGroup> groups;  ///< of all of them, each once
  std::vector<std::size_t> findings;         ///< first those that break no more than `broken`
  /// What broke with it in one of them, and in no finding of its own.
  std::vector<checker::Property> also = {};
};
/// In the order of the promises.
[[nodiscard]] std::vector<StatedLimit> stated_limits(const SurvivalReport& report);

/// "a hold outlasts …, and a clock steps …": what "where" stands before.
[[nodiscard]] std::string broken_clauses(model::AssumptionSet assumptions);
/// The same, the groups of faults that did it, and what broke with it: "… (pauses, clocks); harm
/// with it".
[[nodiscard]] std::string limit_in_words(const StatedLimit& limit);
/// "plain has no [contract]: judged by the standard one of lease locks".
[[nodiscard]] std::string judged_by(const SurvivalReport& report);
/// "It may assume that …: …": of each assumption that needs a reason.
[[nodiscard]] std::vector<std::string> reasons_of(const SurvivalReport& report);
/// "plain keeps its contract: 41,200 runs, 0 bugs, 6 limits as stated. Not put to the test: …."
[[nodiscard]] std::string conclusion_of(const SurvivalReport& report);
/// The property, others that broke with it, and the kinds of fault: "harm (and fifo), because of
/// pause".
[[nodiscard]] std::string headline_of(const CampaignFinding& finding);

/// The sentences of its cause, without the one that its violation says already.
[[nodiscard]] std::vector<std::string> causes_to_add(const CampaignFinding& finding);

}  // namespace lockstep::reports
