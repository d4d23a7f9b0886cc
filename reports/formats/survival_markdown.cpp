#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "checker/property.h"
#include "reports/formats/survival_comparison.h"
#include "reports/formats/survival_report.h"
#include "reports/formats/survival_table.h"
#include "reports/text.h"
#include "scenario/text/suggest.h"

namespace lockstep::reports {
namespace {

/// Text of others, on one line, that stands for itself.
std::string markdown_escaped(std::string_view text) {
  constexpr std::string_view special = "&<>|`*[]\\#~";
  std::string escaped;
  for (const char character : sanitized(text)) {
    if (special.find(character) == std::string_view::npos) {
      escaped += character;
    } else {
      escaped += fmt::format("&#{};", static_cast<int>(character));
    }
  }
  return escaped;
}

std::string markdown_code(std::string_view text) {
  return fmt::format("<code>{}</code>", markdown_escaped(text));
}

std::string markdown_cell(const SurvivalCell& cell) {
  switch (cell.state) {
    case CellState::untested:
      return "-";
    case CellState::held:
      return with_thousands(cell.held);
    case CellState::limit:
      return "limit";
    case CellState::known:
      return "known flaw";
    case CellState::bug:
      return "**BUG**";
  }
  return "-";
}

void add_table_row(std::string& text, const std::vector<std::string>& cells) {
  for (const std::string& cell : cells) text += fmt::format("| {} ", cell);
  text += "|\n";
}

void add_table_head(std::string& text, const std::vector<std::string>& heads) {
  add_table_row(text, heads);
  add_table_row(text, std::vector<std::string>(heads.size(), "---"));
}

/// What a row came to for a lock: "**BUG**: harm; limit: fifo", "held", "-".
std::string row_in_words(const SurvivalReport& report, const SurvivalRow& row) {
  std::string words;
  bool has_held = false;
  for (const CellState state : {CellState::bug, CellState::known, CellState::limit}) {
    std::vector<std::string_view> promises;
    std::string mark;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
      has_held = has_held || row.cells[i].state == CellState::held;
      if (row.cells[i].state != state) continue;
      promises.push_back(checker::to_string(report.promises[i]));
      mark = markdown_cell(row.cells[i]);
    }
    if (promises.empty()) continue;
    words += fmt::format("{}{}: {}", words.empty() ? "" : "; ", mark, scenario::listed(promises));
  }
  if (!words.empty()) return words;
  return has_held ? "held" : "-";
}

/// Fault by fault, lock beside lock.
std::string side_by_side(const std::vector<SurvivalReport>& reports) {
  std::string text = "## What they survive\n\n";
  std::vector<std::string> heads = {""};
  std::vector<std::vector<SurvivalRow>> tables;
  for (const SurvivalReport& report : reports) {
    heads.push_back(markdown_escaped(report.lock));
    tables.push_back(survival_rows(report));
  }
  add_table_head(text, heads);
  for (std::size_t row = 0; row < tables.front().size(); ++row) {
    std::vector<std::string> cells = {std::string(row_words(tables.front()[row].group))};
    for (std::size_t i = 0; i < reports.size(); ++i) {
      cells.push_back(row_in_words(reports[i], tables[i][row]));
    }
    add_table_row(text, cells);
  }
  return text + "\n";
}

void add_story(std::string& text, const CampaignFinding& finding) {
  text += fmt::format("- **{}**", headline_of(finding));
  if (!finding.known.empty()) text += fmt::format(": {}", markdown_escaped(finding.known));
  text += '.';
  if (!finding.violation.empty()) text += " " + markdown_escaped(finding.violation) + ".";
  for (const std::string& sentence : causes_to_add(finding))
    text += " " + markdown_escaped(sentence);
  for (const auto& [head, place] :
       {std::pair<std::string_view, const std::string&>{"workload", finding.workload},
        {"scenario", finding.scenario_path},
        {"picture", finding.artifacts.timeline},
        {"replay", finding.artifacts.replay_command}}) {
    if (!place.empty()) text += fmt::format("<br>{}: {}", head, markdown_code(place));
  }
  text += '\n';
}

void add_stories(std::string& text, std::string_view heading, const SurvivalReport& report,
                 const std::vector<std::size_t>& places) {
  if (places.empty()) return;
  text += fmt::format("\n**{}**\n\n", heading);
  for (const std::size_t place : places) add_story(text, report.findings[place]);
}

/// Bugs that no promise has to name.
void add_errors(std::string& text, const SurvivalReport& report) {
  bool has_heading = !in_order(report, FindingKind::bug).empty();
  for (const SavedIncident& saved : report.incidents) {
    if (saved.incident.kind != search::IncidentKind::error_without_fault) continue;
    if (!std::exchange(has_heading, true)) text += "\n**Bugs**\n\n";
    text += fmt::format("- {}\n", markdown_escaped(incident_in_words(saved)));
  }
}

void add_limits(std::string& text, const SurvivalReport& report) {
  const std::vector<StatedLimit> limits = stated_limits(report);
  if (limits.empty()) return;
  text += "\n**Limits**\n\n";
  for (const StatedLimit& limit : limits) {
    text += fmt::format("- {} may break where {}\n", checker::to_string(limit.property),
                        limit_in_words(limit));
  }
}

std::string section_of(const SurvivalReport& report) {
  std::string text = fmt::format("## {}\n\n{}\n\n", markdown_escaped(report.lock),
                                 markdown_escaped(judged_by(report)));
  for (const std::string& each : reasons_of(report)) {
    text += markdown_escaped(each) + "\n\n";
  }
  std::vector<std::string> heads = {""};
  for (const checker::Property each : report.promises) heads.emplace_back(checker::to_string(each));
  add_table_head(text, heads);
  for (const SurvivalRow& row : survival_rows(report)) {
    std::vector<std::string> cells = {std::string(row_words(row.group))};
    for (const SurvivalCell& cell : row.cells) cells.push_back(markdown_cell(cell));
    add_table_row(text, cells);
  }
  text += "\nA number: held in so many runs in which that mattered. -: not put to the test.\n";
  add_stories(text, "Bugs", report, in_order(report, FindingKind::bug));
  add_errors(text, report);
  add_stories(text, "Known flaws", report, known_flaws(report));
  add_limits(text, report);
  const auto is_error = [](const SavedIncident& saved) {
    return saved.incident.kind == search::IncidentKind::error_without_fault;
  };
  if (!std::all_of(report.incidents.begin(), report.incidents.end(), is_error)) {
    text += "\n**What else went wrong**\n\n";
  }
  std::uint64_t cut_off = 0;
  const SavedIncident* first_cut_off = nullptr;
  for (const SavedIncident& saved : report.incidents) {
    if (is_error(saved)) continue;
    if (saved.incident.kind == search::IncidentKind::unknown) {
      cut_off += saved.incident.seen;
      if (first_cut_off == nullptr) first_cut_off = &saved;
      continue;
    }
    text += fmt::format("- {}\n", markdown_escaped(incident_in_words(saved)));
  }
  if (first_cut_off != nullptr) {
    SavedIncident all = *first_cut_off;  // of whatever workload
    all.incident.seen = cut_off;
    text += fmt::format("- {}\n", markdown_escaped(incident_in_words(all)));
  }
  return text + "\n" + markdown_escaped(conclusion_of(report)) + "\n";
}

}  // namespace

std::string comparison_markdown(const std::vector<std::string>& worse, const std::string& path) {
  if (worse.empty()) return fmt::format("\nNothing got worse since {}.\n", markdown_code(path));
  std::string text = fmt::format("\n**Worse than in {}**\n\n", markdown_code(path));
  for (const std::string& sentence : worse) {
    text += fmt::format("- {}\n", markdown_escaped(sentence));
  }
  return text;
}

std::string survival_markdown(const std::vector<SurvivalReport>& reports) {
  std::string text = reports.size() > 1 ? side_by_side(reports) : "";
  for (const SurvivalReport& report : reports) {
    if (&report != &reports.front()) text += '\n';
    text += section_of(report);
  }
  return text;
}

}  // namespace lockstep::reports
