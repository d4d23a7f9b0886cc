#include "reports/formats/survival_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "checker/property.h"
#include "reports/formats/contract_words.h"
#include "reports/formats/survival_comparison.h"
#include "reports/text.h"
#include "scenario/text/suggest.h"

namespace lockstep::reports {
namespace {

using Group = std::optional<scenario::FaultGroup>;

constexpr std::array<std::string_view, 5> cell_words = {"untested", "held", "limit", "known",
                                                        "bug"};

template <typename Value>
void add_once(std::vector<Value>& values, const Value& value) {
  if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
}

std::string so_many_of(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", with_thousands(count), noun, count == 1 ? "" : "s");
}

std::uint64_t runs_with(const SurvivalReport& report, search::IncidentKind kind) {
  std::uint64_t runs = 0;
  for (const SavedIncident& each : report.incidents) {
    if (each.incident.kind == kind) runs += each.incident.seen;
  }
  return runs;
}

std::size_t order_of(const std::vector<checker::Property>& promises, checker::Property promise) {
  return static_cast<std::size_t>(std::find(promises.begin(), promises.end(), promise) -
                                  promises.begin());
}

/// What else the runs showed, a sentence each.
std::string incidents_in_words(const SurvivalReport& report) {
  std::string text;
  for (std::size_t i = 0; i < search::incident_kind_count; ++i) {
    const auto kind = static_cast<search::IncidentKind>(i);
    const std::uint64_t runs = runs_with(report, kind);
    if (runs == 0) continue;
    const std::string so_many = so_many_of(runs, "run");
    switch (kind) {
      case search::IncidentKind::client_failed:
        text += fmt::format(" The client model failed in {}.", so_many);
        break;
      case search::IncidentKind::error_without_fault:
        text += fmt::format(" A request of the lock failed without any fault in {}.", so_many);
        break;
      case search::IncidentKind::script_failed:
        text += fmt::format(" A request of the lock failed in {}.", so_many);
        break;
      case search::IncidentKind::unknown:
        text += fmt::format(" {} {} cut off before all could be judged.", so_many,
                            runs == 1 ? "was" : "were");
        break;
      case search::IncidentKind::overlap:
      case search::IncidentKind::wait:
      case search::IncidentKind::requests:
        text += fmt::format(" A bound was passed in {}: {}.", so_many, search::to_string(kind));
        break;
    }
  }
  return text;
}

/// The rarest of what it takes, then how much of it.
std::size_t exoticness(const CampaignFinding& finding) {
  std::size_t worst = 0;
  for (const Group& group : rows_of(finding.finding.kinds)) {
    if (group) worst = std::max(worst, static_cast<std::size_t>(*group) + 1);
  }
  return worst;
}

std::string verdict_in_words(const SurvivalReport& report, std::size_t bugs, std::size_t known) {
  const std::string lock = sanitized(report.lock);
  if (bugs > 0) return fmt::format("{} does not keep its contract", lock);
  if (report.runs == 0 || untested_promises(report).size() == report.promises.size()) {
    return fmt::format("Nothing is known of {}", lock);
  }
  if (runs_with(report, search::IncidentKind::client_failed) > 0 ||
      runs_with(report, search::IncidentKind::script_failed) > 0 || was_mostly_cut_off(report)) {
    return fmt::format("Nobody knows whether {} keeps its contract", lock);
  }
  if (tested_no_asked_fault(report)) {
    return fmt::format("Nobody knows whether {} survives these faults", lock);
  }
  if (known == 0 && !report.flaw.empty()) {
    return fmt::format("{} is known to be bad, and no run showed it", lock);
  }
  if (known == 0) return fmt::format("{} keeps its contract", lock);
  return fmt::format("{} keeps its contract but for what is known", lock);
}

/// What is known to be wrong with it, in a sentence.
std::string unmet_flaws(const SurvivalReport& report) {
  if (!report.flaw.empty()) return fmt::format(" Its flaw: {}.", sanitized(report.flaw));
  const std::size_t count = report.contract.known.size();
  if (count == 0) return {};
  return fmt::format(" {} met.", count == 1 ? std::string("Its known flaw was not")
                                            : fmt::format("Of its {} known flaws none was", count));
}

}  // namespace

std::string_view to_string(FindingKind kind) {
  switch (kind) {
    case FindingKind::bug:
      return "bug";
    case FindingKind::known:
      return "known";
    case FindingKind::limit:
      return "limit";
  }
  return "bug";
}

std::optional<FindingKind> finding_kind_from(std::string_view word) {
  for (const FindingKind kind : {FindingKind::bug, FindingKind::known, FindingKind::limit}) {
    if (to_string(kind) == word) return kind;
  }
  return std::nullopt;
}

std::string_view to_string(CellState state) { return cell_words[static_cast<std::size_t>(state)]; }

std::optional<CellState> cell_state_from(std::string_view word) {
  const auto* const found = std::find(cell_words.begin(), cell_words.end(), word);
  if (found == cell_words.end()) return std::nullopt;
  return static_cast<CellState>(found - cell_words.begin());
}

CellState state_of(FindingKind kind) {
  switch (kind) {
    case FindingKind::bug:
      return CellState::bug;
    case FindingKind::known:
      return CellState::known;
    case FindingKind::limit:
      return CellState::limit;
  }
  return CellState::bug;
}

std::string_view row_words(Group group) { return group ? to_string(*group) : "no fault"; }

std::vector<Group> rows_of(const std::vector<scenario::FaultKind>& kinds) {
  std::vector<Group> rows;
  for (const scenario::FaultKind kind : kinds) add_once(rows, Group(scenario::group_of(kind)));
  if (rows.empty()) rows.emplace_back();
  return rows;
}

std::vector<SurvivalRow> survival_rows(const SurvivalReport& report) {
  std::vector<SurvivalRow> rows(scenario::fault_group_count + 1);
  const auto row_number = [](Group group) {
    return group ? static_cast<std::size_t>(*group) + 1 : 0;
  };
  for (std::size_t i = 0; i < rows.size(); ++i) {
    SurvivalRow& row = rows[i];
    if (i > 0) row.group = static_cast<scenario::FaultGroup>(i - 1);
    row.struck =
        row.group ? report.survival.struck(*row.group) : report.survival.struck(std::nullopt);
    for (const checker::Property promise : report.promises) {
      SurvivalCell& cell = row.cells.emplace_back();
      cell.held = row.group ? report.survival.held(*row.group, promise)
                            : report.survival.held(std::nullopt, promise);
      if (cell.held > 0) cell.state = CellState::held;
    }
  }
  for (const FindingKind kind : {FindingKind::bug, FindingKind::known, FindingKind::limit}) {
    for (const std::size_t place : in_order(report, kind)) {
      const search::Finding& finding = report.findings[place].finding;
      for (const Group& group : rows_of(finding.kinds)) {
        for (std::size_t i = 0; i < report.promises.size(); ++i) {
          const bool broke = finding.property == report.promises[i] ||
                             std::find(finding.also.begin(), finding.also.end(),
                                       report.promises[i]) != finding.also.end();
          if (!broke) continue;
          SurvivalCell& cell = rows[row_number(group)].cells[i];
          cell.state = std::max(cell.state, state_of(kind));
          cell.findings.push_back(place);
        }
      }
    }
  }
  return rows;
}

std::vector<std::size_t> in_order(const SurvivalReport& report, FindingKind kind) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < report.findings.size(); ++i) {
    if (report.findings[i].kind == kind) places.push_back(i);
  }
  std::stable_sort(places.begin(), places.end(), [&](std::size_t one, std::size_t other) {
    const CampaignFinding& first = report.findings[one];
    const CampaignFinding& second = report.findings[other];
    return std::pair(exoticness(first), first.finding.kinds.size()) <
           std::pair(exoticness(second), second.finding.kinds.size());
  });
  return places;
}

std::vector<std::size_t> known_flaws(const SurvivalReport& report) {
  std::vector<std::size_t> places;
  for (const std::size_t place : in_order(report, FindingKind::known)) {
    const bool is_told = std::any_of(places.begin(), places.end(), [&](std::size_t other) {
      return report.findings[other].known == report.findings[place].known;
    });
    if (!is_told) places.push_back(place);
  }
  return places;
}

std::size_t bug_count(const SurvivalReport& report) {
  const auto errors =
      std::count_if(report.incidents.begin(), report.incidents.end(), [](const auto& each) {
        return each.incident.kind == search::IncidentKind::error_without_fault;
      });
  return in_order(report, FindingKind::bug).size() + static_cast<std::size_t>(errors);
}

std::vector<StatedLimit> stated_limits(const SurvivalReport& report) {
  const std::vector<std::size_t> places = in_order(report, FindingKind::limit);
  const auto broken_at = [&](std::size_t place) {
    return report.findings[place].finding.broken.value_or(model::AssumptionSet{});
  };
  /// What breaks for want of one assumption breaks for want of two.
  const auto is_the_least = [&](std::size_t place) {
    return std::none_of(places.begin(), places.end(), [&](std::size_t other) {
      return report.findings[other].finding.property == report.findings[place].finding.property &&
             broken_at(other) != broken_at(place) && broken_at(other).is_within(broken_at(place));
    });
  };
  std::vector<StatedLimit> limits;
  for (const std::size_t place : places) {
    if (!is_the_least(place)) continue;
    const search::Finding& finding = report.findings[place].finding;
    const bool is_there = std::any_of(limits.begin(), limits.end(), [&](const StatedLimit& each) {
      return each.property == finding.property && each.broken == broken_at(place);
    });
    if (!is_there) limits.push_back({finding.property, broken_at(place), {}, {}});
  }
  std::stable_sort(limits.begin(), limits.end(), [&](const auto& one, const auto& other) {
    return order_of(report.promises, one.property) < order_of(report.promises, other.property);
  });
  for (const bool is_exact : {true, false}) {
    for (const std::size_t place : places) {
      if (is_the_least(place) != is_exact) continue;
      const search::Finding& finding = report.findings[place].finding;
      const auto limit = std::find_if(limits.begin(), limits.end(), [&](const StatedLimit& each) {
        return each.property == finding.property && each.broken.is_within(broken_at(place));
      });
      for (const Group& group : rows_of(finding.kinds)) {
        if (group) add_once(limit->groups, *group);
      }
      for (const checker::Property each : finding.also) {
        const bool has_own = std::any_of(limits.begin(), limits.end(),
                                         [each](const auto& own) { return own.property == each; });
        if (!has_own) add_once(limit->also, each);
      }
      limit->findings.push_back(place);
    }
  }
  for (StatedLimit& limit : limits) std::sort(limit.groups.begin(), limit.groups.end());
  return limits;
}

std::vector<scenario::FaultKind> untested_faults(const SurvivalReport& report) {
  std::vector<scenario::FaultKind> untested;
  for (const scenario::FaultKind kind : report.asked_faults) {
    const bool is_held = std::any_of(
        report.promises.begin(), report.promises.end(),
        [&](checker::Property promise) { return report.survival.held(kind, promise) > 0; });
    const bool is_found = std::any_of(
        report.findings.begin(), report.findings.end(), [&](const CampaignFinding& each) {
          const std::vector<scenario::FaultKind>& kinds = each.finding.kinds;
          return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
        });
    if (!is_held && !is_found) untested.push_back(kind);
  }
  return untested;
}

bool was_mostly_cut_off(const SurvivalReport& report) {
  return 2 * runs_with(report, search::IncidentKind::unknown) > report.runs;
}

bool tested_no_asked_fault(const SurvivalReport& report) {
  return !report.asked_faults.empty() &&
         untested_faults(report).size() == report.asked_faults.size();
}

std::vector<checker::Property> untested_promises(const SurvivalReport& report) {
  const std::vector<SurvivalRow> rows = survival_rows(report);
  std::vector<checker::Property> untested;
  for (std::size_t i = 0; i < report.promises.size(); ++i) {
    const bool is_untested = std::all_of(rows.begin(), rows.end(), [&](const SurvivalRow& row) {
      return row.cells[i].state == CellState::untested;
    });
    if (is_untested) untested.push_back(report.promises[i]);
  }
  return untested;
}

std::string broken_clauses(model::AssumptionSet assumptions) {
  std::string text;
  std::size_t left = assumptions.size();
  assumptions.visit([&](model::Assumption each) {
    --left;
    if (!text.empty()) text += left == 0 ? ", and " : ", ";
    text += model::where_broken(each);
  });
  return text;
}

std::string limit_in_words(const StatedLimit& limit) {
  std::vector<std::string_view> groups;
  for (const scenario::FaultGroup each : limit.groups) groups.push_back(to_string(each));
  std::vector<std::string_view> also;
  for (const checker::Property each : limit.also) also.push_back(to_string(each));
  return fmt::format("{}{}{}", broken_clauses(limit.broken),
                     groups.empty() ? "" : fmt::format(" ({})", fmt::join(groups, ", ")),
                     also.empty() ? "" : fmt::format("; {} with it", scenario::listed(also)));
}

std::string judged_by(const SurvivalReport& report) {
  if (!report.contract.is_standard) {
    return fmt::format("{}, judged by its [contract]", sanitized(report.lock));
  }
  std::string text = fmt::format("{} has no [contract]: judged by the standard one of {} locks.",
                                 sanitized(report.lock), model::to_string(report.contract.family));
  const std::string own_lease = own_lease_sentence(report.contract);
  if (!own_lease.empty()) text += " " + own_lease;
  return text;
}

std::vector<std::string> reasons_of(const SurvivalReport& report) {
  std::vector<std::string> reasons;
  for (const auto& [assumption, reason] : report.contract.reasons) {
    reasons.push_back(fmt::format("It may assume that {}: {}",
                                  clause_of(assumption, report.contract), sanitized(reason)));
  }
  return reasons;
}

std::string conclusion_of(const SurvivalReport& report) {
  const std::size_t bugs = bug_count(report);
  const std::size_t known = known_flaws(report).size();
  const std::size_t limits = stated_limits(report).size();
  std::string text = fmt::format("{}: {}, {}", verdict_in_words(report, bugs, known),
                                 so_many_of(report.runs, "run"), so_many_of(bugs, "bug"));
  if (known > 0) text += fmt::format(", {}", so_many_of(known, "known flaw"));
  text += limits == 0 ? ", 0 limits." : fmt::format(", {} as stated.", so_many_of(limits, "limit"));
  if (bugs == 0 && known == 0) text += unmet_flaws(report);
  if (report.interrupted) text += " It was interrupted.";
  text += incidents_in_words(report);
  std::vector<std::string_view> untested;
  for (const checker::Property each : untested_promises(report)) {
    untested.push_back(checker::to_string(each));
  }
  if (!untested.empty()) {
    text += fmt::format(" Not put to the test: {}.", scenario::listed(untested));
  }
  const std::vector<scenario::FaultKind> faults = untested_faults(report);
  if (!faults.empty()) {
    text += fmt::format(" Mattered in no run: {}.", scenario::listed(words_of_kinds(faults)));
  }
  return text;
}

std::string headline_of(const CampaignFinding& finding) {
  std::vector<std::string_view> also;
  for (const checker::Property each : finding.finding.also) also.push_back(to_string(each));
  return fmt::format(
      "{}{}, {}", checker::to_string(finding.finding.property),
      also.empty() ? std::string() : fmt::format(" (and {})", scenario::listed(also)),
      because_of(finding.finding.kinds));
}

std::vector<std::string> causes_to_add(const CampaignFinding& finding) {
  std::vector<std::string> causes = finding.cause;
  std::erase(causes, finding.violation + ".");
  return causes;
}

}  // namespace lockstep::reports
