#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "checker/property.h"
#include "reports/formats/survival_report.h"
#include "reports/formats/survival_table.h"
#include "reports/text.h"
#include "scenario/text/suggest.h"

namespace lockstep::reports {
namespace {

constexpr std::size_t screen_columns = 100;
constexpr std::size_t label_columns = 14;
constexpr std::size_t bugs_shown_max = 10;

/// A promise's name in two short lines.
struct ColumnHead {
  std::string_view upper;
  std::string_view lower;
};

ColumnHead head_of(checker::Property promise) {
  switch (promise) {
    case checker::Property::mutual_exclusion:
      return {"mut.", "excl."};
    case checker::Property::valid_grant:
      return {"valid", "grant"};
    case checker::Property::lease_linearizability:
      return {"lease", "lin."};
    case checker::Property::harm:
      return {"", "harm"};
    case checker::Property::hold_count:
      return {"hold", "count"};
    case checker::Property::no_leak:
      return {"no", "leak"};
    case checker::Property::fencing:
      return {"fenc-", "ing"};
    case checker::Property::fifo:
      return {"", "fifo"};
    case checker::Property::permits:
      return {"per-", "mits"};
    case checker::Property::latch:
      return {"", "latch"};
    case checker::Property::no_deadlock:
      return {"dead-", "lock"};
    case checker::Property::no_lost_wakeup:
      return {"wake-", "up"};
    case checker::Property::no_starvation:
      return {"star-", "vation"};
    case checker::Property::truthful_answers:
      return {"truth-", "ful"};
  }
  return {};
}

/// At most four characters, never more than there are: "412", "1.2k", "41k", "1.9M".
std::string compact(std::uint64_t count) {
  constexpr std::array<std::string_view, 6> units = {"", "k", "M", "G", "T", "P"};
  std::uint64_t scale = 1;
  std::size_t unit = 0;
  while (count / scale >= 1000 && unit + 1 < units.size()) {
    scale *= 1000;
    ++unit;
  }
  if (unit > 0 && count / scale < 10) {
    return fmt::format("{}.{}{}", count / scale, count / (scale / 10) % 10, units[unit]);
  }
  return fmt::format("{}{}", count / scale, units[unit]);
}

std::string cell_in_words(const SurvivalCell& cell) {
  switch (cell.state) {
    case CellState::untested:
      return "-";
    case CellState::held:
      return compact(cell.held);
    case CellState::limit:
      return "limit";
    case CellState::known:
      return "known";
    case CellState::bug:
      return "BUG";
  }
  return "-";
}

/// What a run that could not be judged came to: "the run came to its scenario's horizon".
std::string_view ending_of(const SavedIncident& saved) {
  const std::string_view what = saved.incident.what;
  const std::size_t at = what.rfind("; ");
  return at == std::string_view::npos ? what : what.substr(at + 2);
}

std::string_view colour_of(CellState state) {
  switch (state) {
    case CellState::untested:
      return "2";
    case CellState::held:
      return "32";
    case CellState::limit:
      return "33";
    case CellState::known:
      return "35";
    case CellState::bug:
      return "1;31";
  }
  return "0";
}

class SurvivalPage {
 public:
  SurvivalPage(const SurvivalReport& report, Style style) : report_(report), style_(style) {}

  std::string text() {
    wrap("", judged_by(report_), "");
    script_failures();
    for (const std::string& each : reasons_of(report_)) wrap("  ", each, "  ");
    table();
    bugs();
    known();
    limits();
    incidents();
    not_promised();
    text_ += "\n" + conclusion_of(report_) + "\n";  // one line, however long: others look for it
    return std::move(text_);
  }

 private:
  [[nodiscard]] std::string painted(std::string_view words, std::string_view colour) const {
    if (style_ == Style::plain) return std::string(words);
    return fmt::format("\x1b[{}m{}\x1b[0m", colour, words);
  }

  /// Lines behind the first begin with `hanging`, which is as wide as the lead.
  void wrap(std::string_view lead, std::string_view words, std::string_view hanging) {
    const std::size_t indent = hanging.size();
    std::string_view before = lead;
    for (const std::string& line : wrapped(words, screen_columns - indent)) {
      text_ += fmt::format("{}{}\n", before, line);
      before = hanging;
    }
  }

  void heading(std::string_view words) { text_ += "\n" + painted(words, "1") + "\n"; }

  /// A path or a command, which nobody breaks.
  void place(std::string_view head, std::string_view words) {
    if (!words.empty()) text_ += fmt::format("      {:8}  {}\n", head, sanitized(words));
  }

  void table();
  void bugs();
  void known();
  void limits();
  void script_failures();
  void incidents();
  void not_promised();
  void cut_off(const SavedIncident& first);
  void places(const CampaignFinding& finding);
  void story(std::string_view mark, const std::string& words, const CampaignFinding& finding);

  const SurvivalReport& report_;
  Style style_;
  std::string text_;
};

void SurvivalPage::table() {
  const std::vector<SurvivalRow> rows = survival_rows(report_);
  std::vector<std::size_t> widths;
  std::size_t columns = label_columns;
  for (std::size_t i = 0; i < report_.promises.size(); ++i) {
    const ColumnHead head = head_of(report_.promises[i]);
    std::size_t width = std::max(head.upper.size(), head.lower.size());
    for (const SurvivalRow& row : rows) {
      width = std::max(width, cell_in_words(row.cells[i]).size());
    }
    widths.push_back(width);
    columns += width;
  }
  const std::size_t gap = columns + 2 * widths.size() <= screen_columns ? 2 : 1;
  std::string upper(label_columns, ' ');
  std::string lower(label_columns, ' ');
  for (std::size_t i = 0; i < widths.size(); ++i) {
    const ColumnHead head = head_of(report_.promises[i]);
    upper += fmt::format("{:>{}}", head.upper, widths[i] + gap);
    lower += fmt::format("{:>{}}", head.lower, widths[i] + gap);
  }
  upper.erase(upper.find_last_not_of(' ') + 1);
  text_ += fmt::format("\n{}\n{}\n", upper, lower);
  for (const SurvivalRow& row : rows) {
    text_ += fmt::format("{:{}}", row_words(row.group), label_columns);
    for (std::size_t i = 0; i < widths.size(); ++i) {
      const std::string words = cell_in_words(row.cells[i]);
      text_ += std::string(widths[i] + gap - words.size(), ' ');
      text_ += painted(words, colour_of(row.cells[i].state));
    }
    text_ += '\n';
  }
  text_ +=
      "A number: it held in so many runs in which such a fault mattered; -: no run put it to the "
      "test.\n"
      "BUG: it broke though all was so that its contract assumes; limit: something was not.\n";
}

void SurvivalPage::places(const CampaignFinding& finding) {
  place("scenario", finding.scenario_path);
  place("picture", finding.artifacts.timeline);
  place("replay", finding.artifacts.replay_command);
}

void SurvivalPage::story(std::string_view mark, const std::string& words,
                         const CampaignFinding& finding) {
  wrap(fmt::format("  {} ", mark),
       fmt::format("{}: seen in {} run{}, first in run {}", words,
                   with_thousands(finding.finding.seen), finding.finding.seen == 1 ? "" : "s",
                   with_thousands(finding.finding.run)),
       "    ");
  if (!finding.violation.empty()) wrap("      ", sanitized(finding.violation) + ".", "      ");
  std::string why;
  for (const std::string& sentence : causes_to_add(finding)) {
    why += (why.empty() ? "" : " ") + sanitized(sentence);
  }
  if (!why.empty()) wrap("      ", why, "      ");
  if (!finding.scenario_path.empty() && !finding.breaks_always) {
    std::string when = when_it_breaks(finding) + ".";
    when.front() = 'I';
    wrap("      ", when, "      ");
  }
  if (finding.is_cut_short) {
    wrap("      ", "The time was over before it was as small as it can be.", "      ");
  }
  place("workload", finding.workload);
  places(finding);
}

void SurvivalPage::bugs() {
  const std::vector<std::size_t> bugs = in_order(report_, FindingKind::bug);
  if (bug_count(report_) == 0) return;
  heading("Bugs");
  for (const SavedIncident& saved : report_.incidents) {
    if (saved.incident.kind == search::IncidentKind::error_without_fault) {
      text_ += incident_console(saved);
    }
  }
  for (std::size_t i = 0; i < std::min(bugs.size(), bugs_shown_max); ++i) {
    const CampaignFinding& finding = report_.findings[bugs[i]];
    story(painted("✗", "1;31"), headline_of(finding), finding);
  }
  if (bugs.size() > bugs_shown_max) {
    text_ += fmt::format("  and {} more\n", bugs.size() - bugs_shown_max);
  }
}

void SurvivalPage::known() {
  const std::vector<std::size_t> flaws = known_flaws(report_);
  if (flaws.empty()) return;
  heading("Known flaws");
  for (const std::size_t place : flaws) {
    const CampaignFinding& finding = report_.findings[place];
    story("!", fmt::format("{}: {}", headline_of(finding), sanitized(finding.known)), finding);
  }
}

void SurvivalPage::limits() {
  const std::vector<StatedLimit> limits = stated_limits(report_);
  if (limits.empty()) return;
  heading("Limits: what may break by the contract");
  for (std::size_t i = 0; i < limits.size(); ++i) {
    if (i == 0 || limits[i].property != limits[i - 1].property) {
      text_ += fmt::format("  {} where\n", checker::to_string(limits[i].property));
    }
    wrap("  - ", limit_in_words(limits[i]), "    ");
    for (const std::size_t each : limits[i].findings) {
      if (report_.findings[each].scenario_path.empty()) continue;
      text_ += fmt::format("    {}\n", sanitized(report_.findings[each].scenario_path));
      break;
    }
  }
}

/// First, for the rest may say nothing because of them.
void SurvivalPage::script_failures() {
  for (const SavedIncident& saved : report_.incidents) {
    if (saved.incident.kind == search::IncidentKind::script_failed) {
      text_ += incident_console(saved) + "\n";
    }
  }
}

void SurvivalPage::incidents() {
  std::vector<std::string_view> ends;  // those that are told
  for (const SavedIncident& saved : report_.incidents) {
    if (saved.incident.kind == search::IncidentKind::error_without_fault ||
        saved.incident.kind == search::IncidentKind::script_failed) {
      continue;
    }
    if (saved.incident.kind != search::IncidentKind::unknown) {
      text_ += "\n" + incident_console(saved);
      continue;
    }
    if (std::find(ends.begin(), ends.end(), ending_of(saved)) != ends.end()) continue;
    ends.push_back(ending_of(saved));
    cut_off(saved);
  }
}

/// "0 bugs" says nothing of what was not asked.
void SurvivalPage::not_promised() {
  if (report_.not_promised.empty()) return;
  std::vector<std::string_view> names;
  for (const checker::Property each : report_.not_promised) {
    names.push_back(checker::to_string(each));
  }
  text_ += '\n';
  wrap("",
       fmt::format("Not checked, as it does not promise {}: {}; see promises in its lock.toml",
                   names.size() == 1 ? "it" : "them", scenario::listed(names)),
       "");
}

/// Runs of any workload that ended alike, by the first of them.
void SurvivalPage::cut_off(const SavedIncident& first) {
  std::uint64_t runs = 0;
  std::size_t others = 0;
  for (const SavedIncident& each : report_.incidents) {
    if (each.incident.kind != search::IncidentKind::unknown ||
        ending_of(each) != ending_of(first)) {
      continue;
    }
    runs += each.incident.seen;
    others += &each == &first ? 0U : 1U;
  }
  text_ += '\n';
  wrap("  ? ",
       fmt::format("{} run{} cut off before all could be judged: what nobody knows counts neither "
                   "as held nor as broken. The first is run {}: {}",
                   with_thousands(runs), runs == 1 ? " was" : "s were",
                   with_thousands(first.incident.run), sanitized(first.incident.what)),
       "    ");
  place("scenario", first.scenario_path);
  place("replay", first.replay_command);
  if (others > 0) {
    text_ += fmt::format("      and {} more file{} of other workloads beside it\n", others,
                         others == 1 ? "" : "s");
  }
}

}  // namespace

std::string survival_console(const SurvivalReport& report, Style style) {
  return SurvivalPage(report, style).text();
}

}  // namespace lockstep::reports
