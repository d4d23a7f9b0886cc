// What a lock survives: the survival table of a campaign, and what broke, judged by the lock's
// contract.
//
// For a console, for programs (docs/fuzz.md describes the JSON), for a review (Markdown).
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/lock/contract.h"
#include "reports/formats/fuzz_report.h"
#include "search/contract/survival.h"

namespace lockstep::reports {

enum class FindingKind : std::uint8_t {
  bug,    ///< it broke while every assumption of the contract held
  known,  ///< a bug that the lock's [[known]] names
  limit,  ///< it broke where assumptions did not hold: the contract says so
};
/// "bug", "known", "limit".
[[nodiscard]] std::string_view to_string(FindingKind kind);
[[nodiscard]] std::optional<FindingKind> finding_kind_from(std::string_view word);

/// What broke in a campaign. A limit may not have been made small and saved: then its paths are
/// empty.
struct CampaignFinding : SavedFinding {
  FindingKind kind = FindingKind::bug;
  std::string workload;            ///< the name of that in which it was found
  std::string violation;           ///< what broke: who, when, for how long; sanitized text
  std::vector<std::string> cause;  ///< sentences, the first cause first; sanitized text
  std::string known;               ///< of a known one: what it is, and its issue
};

struct SurvivalReport {
  std::string name;  ///< the target as the user named it
  std::string lock;  ///< "plain/unlatched"
  model::Contract contract;
  std::string flaw;  ///< of a variant: what is known to be wrong with it; empty: nothing
  std::vector<checker::Property> promises;
  std::vector<checker::Property> not_promised;    ///< what locks of its shape may, and it does not
  std::vector<scenario::FaultKind> asked_faults;  ///< --faults; none: all
  std::uint64_t runs = 0;
  std::uint64_t root_seed = 1;
  std::string strategy;
  std::uint64_t elapsed_ms = 0;
  bool interrupted = false;  ///< by the user; that its time was up is what was asked for
  search::Survival survival;
  std::vector<CampaignFinding> findings;  ///< bugs, then known flaws, then limits
  std::vector<SavedIncident> incidents;   ///< unknown verdicts, client models that failed
};

/// The promises that were put to the test in no run.
[[nodiscard]] std::vector<checker::Property> untested_promises(const SurvivalReport& report);

/// Those of the faults asked for by name that mattered in no run to any promise.
[[nodiscard]] std::vector<scenario::FaultKind> untested_faults(const SurvivalReport& report);

/// Somebody asked after some faults by name, and none of them mattered.
[[nodiscard]] bool tested_no_asked_fault(const SurvivalReport& report);

/// Of more than half of the runs nobody knows all verdicts: the horizon or a limit came first.
[[nodiscard]] bool was_mostly_cut_off(const SurvivalReport& report);

/// The table on one screen, then bugs, known flaws and limits with their smallest scenarios, then
/// one sentence that says what it came to.
[[nodiscard]] std::string survival_console(const SurvivalReport& report, Style style);

/// One JSON document of all targets; survival_comparison.h reads it again.
[[nodiscard]] std::string survival_json(const std::vector<SurvivalReport>& reports);

/// A member of its "targets".
[[nodiscard]] nlohmann::ordered_json survival_target(const SurvivalReport& report);

/// The same as a section of Markdown; several locks stand side by side.
[[nodiscard]] std::string survival_markdown(const std::vector<SurvivalReport>& reports);

/// An error for each bug, a notice for each known flaw, and one for each incident.
[[nodiscard]] std::vector<Annotation> annotations_of(const SurvivalReport& report);

}  // namespace lockstep::reports
