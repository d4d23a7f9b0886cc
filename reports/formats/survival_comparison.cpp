#include "reports/formats/survival_comparison.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "checker/property.h"
#include "reports/text.h"
#include "scenario/faults/fault_kind.h"
#include "scenario/text/suggest.h"

namespace lockstep::reports {
namespace {

constexpr std::size_t comparison_characters_max = 96;

using checker::Property;
using Found = SurvivalSummary::Found;

std::string listed_of(const std::vector<Property>& properties) {
  std::vector<std::string_view> words;
  for (const Property each : properties) words.push_back(checker::to_string(each));
  return scenario::listed(words);
}

template <typename Value>
bool has(const std::vector<Value>& values, const Value& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

class Comparison {
 public:
  Comparison(const SurvivalSummary& before, const SurvivalSummary& after)
      : before_(before), after_(after) {}

  std::vector<std::string> all() {
    contract();
    for (const Found& each : after_.findings) finding(each);
    coverage();
    return std::move(worse_);
  }

 private:
  template <typename... Values>
  void say(fmt::format_string<Values...> words, Values&&... values) {
    std::string sentence = sanitized(after_.lock) + ": ";
    sentence += fmt::format(words, std::forward<Values>(values)...);
    if (!has(worse_, sentence)) worse_.push_back(std::move(sentence));
  }

  void contract() {
    for (const Property promise : before_.promises) {
      if (!has(after_.promises, promise)) {
        say("it does not promise {} any more", checker::to_string(promise));
      }
    }
    for (std::size_t i = 0; i < model::assumption_count; ++i) {
      assumption(static_cast<model::Assumption>(i));
    }
    if (before_.renews && !after_.renews) {
      say("its contract does not say any more that it renews its own lease");
    }
    for (const std::string& script : after_.executed_once) {
      if (after_.is_standard || has(before_.executed_once, script)) continue;
      say("its contract assumes that '{}' is executed once, and did not before", brief(script));
    }
    for (const SurvivalSummary::Flaw& flaw : after_.known) {
      if (has(before_.known, flaw)) continue;
      say("its contract calls a flaw of {} known, and did not before: {}",
          checker::to_string(flaw.property), sanitized(flaw.what));
    }
  }

  void assumption(model::Assumption asked) {
    std::vector<Property> promises;
    for (const auto& [promise, assumed] : after_.assumes) {
      const auto then = before_.assumes.find(promise);
      const bool is_new = then != before_.assumes.end() && !then->second.contains(asked);
      if (assumed.contains(asked) && is_new) promises.push_back(promise);
    }
    if (promises.empty()) return;
    say("its contract assumes {} for {}, and did not before", model::to_string(asked),
        listed_of(promises));
  }

  void finding(const Found& found) {
    switch (found.kind) {
      case FindingKind::bug:
        bug(found);
        break;
      case FindingKind::known:
        if (const auto cell = cell_below(found, CellState::limit)) {
          say("a known flaw of {}, {}, which was not there; {}", listed_of(broken_by(found)),
              because_of(found.kinds), *cell);
        }
        break;
      case FindingKind::limit:
        limit(found);
        break;
    }
  }

  void bug(const Found& found) {
    const auto cell = cell_below(found, CellState::bug);
    const bool was_there =
        std::any_of(before_.findings.begin(), before_.findings.end(), [&](const Found& each) {
          return each.kind == FindingKind::bug && each.property == found.property &&
                 each.kinds == found.kinds;
        });
    if (!cell && was_there) return;
    say("a bug of {}, {}, which was not there{}", listed_of(broken_by(found)),
        because_of(found.kinds), cell ? "; " + *cell : "");
  }

  void limit(const Found& found) {
    const auto cell = cell_below(found, CellState::limit);
    const bool was_there = std::any_of(before_.findings.begin(), before_.findings.end(),
                                       [&](const Found& each) { return foretells(each, found); });
    if (!cell && was_there) return;
    say("a limit of {}, {}, which was not there: it breaks where {}{}", listed_of(broken_by(found)),
        because_of(found.kinds), broken_clauses(found.broken), cell ? "; " + *cell : "");
  }

  /// Whether who knew the one had to expect the limit: what breaks with fewer assumptions unkept
  /// breaks with more, and so does what broke with none.
  static bool foretells(const Found& earlier, const Found& limit) {
    if (earlier.property != limit.property) return false;
    switch (earlier.kind) {
      case FindingKind::bug:
        return std::all_of(earlier.kinds.begin(), earlier.kinds.end(),
                           [&](scenario::FaultKind kind) { return has(limit.kinds, kind); });
      case FindingKind::limit:
        return earlier.broken.is_within(limit.broken);
      case FindingKind::known:
        break;
    }
    return false;
  }

  /// Of the cells that the finding made worse, one of the property that it is told of, and of those
  /// the one that had held in most runs, in words; none where all were as bad before as `state`.
  [[nodiscard]] std::optional<std::string> cell_below(const Found& found, CellState state) const {
    std::optional<std::pair<SurvivalSummary::Place, SurvivalSummary::Cell>> best;
    for (const Property property : broken_by(found)) {
      if (best) break;  // what broke besides comes second
      for (const auto& row : rows_of(found.kinds)) {
        const SurvivalSummary::Place place{row, property};
        const auto then = before_.cells.find(place);
        const auto now = after_.cells.find(place);
        if (then == before_.cells.end() || then->second.state >= state) continue;
        if (now == after_.cells.end() || now->second.state < state) continue;
        if (!best || then->second.held > best->second.held) best = {place, then->second};
      }
    }
    if (!best) return std::nullopt;
    const auto& [place, cell] = *best;
    const std::string where =
        fmt::format("{} under \"{}\"", checker::to_string(place.second), row_words(place.first));
    switch (cell.state) {
      case CellState::untested:
        return fmt::format("{} had not been put to the test", where);
      case CellState::held:
        return fmt::format("{} held in {} run{}", where, with_thousands(cell.held),
                           cell.held == 1 ? "" : "s");
      case CellState::limit:
        return fmt::format("{} was a limit", where);
      case CellState::known:
        return fmt::format("{} was a known flaw", where);
      case CellState::bug:
        break;
    }
    return fmt::format("{} was a bug", where);
  }

  /// The promises that a finding breaks.
  [[nodiscard]] std::vector<Property> broken_by(const Found& found) const {
    std::vector<Property> all = {found.property};
    all.insert(all.end(), found.also.begin(), found.also.end());
    return all;
  }

  static bool was_tested(const SurvivalSummary& summary, Property promise) {
    return std::any_of(summary.cells.begin(), summary.cells.end(), [&](const auto& each) {
      return each.first.second == promise && each.second.state != CellState::untested;
    });
  }

  void coverage() {
    for (const Property promise : after_.promises) {
      if (was_tested(before_, promise) && !was_tested(after_, promise)) {
        say("{} was put to the test, and is not any more", checker::to_string(promise));
      }
    }
  }

  const SurvivalSummary& before_;
  const SurvivalSummary& after_;
  std::vector<std::string> worse_;
};

}  // namespace

std::vector<std::string_view> words_of_kinds(const std::vector<scenario::FaultKind>& kinds) {
  std::vector<std::string_view> words;
  for (const scenario::FaultKind kind : kinds) words.push_back(scenario::to_string(kind));
  return words;
}

std::string because_of(const std::vector<scenario::FaultKind>& kinds) {
  return kinds.empty() ? std::string("without any fault")
                       : fmt::format("because of {}", scenario::listed(words_of_kinds(kinds)));
}

SurvivalSummary summary_of(const SurvivalReport& report) {
  SurvivalSummary summary;
  summary.lock = sanitized(report.lock);
  summary.is_standard = report.contract.is_standard;
  summary.renews = report.contract.renews;
  summary.assumes = report.contract.assumes;
  for (const std::string& script : report.contract.executed_once) {
    summary.executed_once.push_back(sanitized(script));
  }
  for (const model::KnownFlaw& flaw : report.contract.known) {
    summary.known.push_back({flaw.property, sanitized(flaw.what)});
  }
  summary.promises = report.promises;
  for (const SurvivalRow& row : survival_rows(report)) {
    for (std::size_t i = 0; i < report.promises.size(); ++i) {
      const SurvivalCell& cell = row.cells[i];
      summary.cells[{row.group, report.promises[i]}] = {cell.state, cell.held};
    }
  }
  for (const CampaignFinding& each : report.findings) {
    const search::Finding& finding = each.finding;
    summary.findings.push_back({each.kind, finding.property, finding.also, finding.kinds,
                                finding.broken.value_or(model::AssumptionSet{})});
  }
  return summary;
}

std::vector<std::string> what_got_worse(const SurvivalSummary& before,
                                        const SurvivalSummary& after) {
  return Comparison(before, after).all();
}

std::string comparison_console(const std::vector<std::string>& worse, const std::string& path) {
  if (worse.empty()) return fmt::format("Nothing got worse since {}.\n", sanitized(path));
  std::string text = fmt::format("Worse than in {}:\n", sanitized(path));
  for (const std::string& sentence : worse) {
    std::string_view lead = "  ! ";
    for (const std::string& line : wrapped(sentence, comparison_characters_max)) {
      text += fmt::format("{}{}\n", lead, line);
      lead = "    ";
    }
  }
  return text;
}

}  // namespace lockstep::reports
