#include "reports/formats/console.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "checker/evidence.h"
#include "checker/history.h"
#include "checker/kept_run.h"
#include "checker/observations.h"
#include "checker/property.h"
#include "checker/text.h"
#include "checker/verdict.h"
#include "checker/verdict_kind.h"
#include "model/lock/lock_package.h"
#include "reports/cause/cause.h"
#include "reports/formats/needed_words.h"
#include "reports/shown_run.h"
#include "reports/text.h"
#include "scenario/edits.h"
#include "scenario/scenario.h"
#include "scenario/text/durations.h"
#include "scenario/text/suggest.h"
#include "search/runs/scenario_outcome.h"
#include "search/runs/tally.h"

namespace lockstep::reports {
namespace {

constexpr std::size_t line_characters_max = 96;
constexpr std::size_t line_characters_least = 40;
constexpr std::size_t title_characters_least = 20;
constexpr std::size_t outcome_width = 15;
constexpr std::size_t path_width = 46;

enum class Paint : std::uint8_t { none, bold, red, green, yellow, grey };

class Page {
 public:
  /// Columns 0: as many as are easy to read.
  explicit Page(Style style, std::size_t columns = 0)
      : style_(style),
        columns_(columns == 0 ? line_characters_max
                              : std::clamp(columns, line_characters_least, line_characters_max)) {}

  void blank() { text_ += '\n'; }
  /// "  head  words…", words wrapped and aligned below themselves.
  void entry(std::string_view head, std::string_view words, Paint paint = Paint::none) {
    const std::string lead = head.empty() ? "" : std::string(head) + "  ";
    const std::string indent(2 + width(lead), ' ');
    bool is_first = true;
    for (const std::string& line : wrapped(words, columns_ - indent.size())) {
      text_ += is_first ? "  " + painted(lead, paint) : indent;
      text_ += line + "\n";
      is_first = false;
    }
  }
  void heading(std::string_view words) { text_ += painted(words, Paint::bold) + "\n"; }
  void line(std::string words) { text_ += std::move(words) + "\n"; }

  [[nodiscard]] std::string painted(std::string_view words, Paint paint) const {
    if (style_ == Style::plain || paint == Paint::none || words.empty()) return std::string(words);
    return fmt::format("\x1b[{}m{}\x1b[0m", code_of(paint), words);
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  static std::string_view code_of(Paint paint) {
    switch (paint) {
      case Paint::none:
        return "0";
      case Paint::bold:
        return "1";
      case Paint::red:
        return "1;31";
      case Paint::green:
        return "32";
      case Paint::yellow:
        return "33";
      case Paint::grey:
        return "2";
    }
    return "0";
  }
  static std::size_t width(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char byte) { return (byte & 0xC0) != 0x80; }));
  }

  Style style_;
  std::size_t columns_;
  std::string text_;
};

Paint paint_of(search::OutcomeKind kind) {
  switch (kind) {
    case search::OutcomeKind::as_expected:
      return Paint::green;
    case search::OutcomeKind::not_as_expected:
      return Paint::red;
    case search::OutcomeKind::unknown:
      return Paint::yellow;
  }
  return Paint::none;
}

std::string runs(std::uint64_t count) {
  return fmt::format("{} {}", count, count == 1 ? "run" : "runs");
}

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.resize(width, ' ');
  return text;
}

// -- the parts of a report --

/// Lines of TOML. Not wrapped: they are there to be copied.
void add_change(Page& page, std::string_view change) {
  page.entry("", "this would change it:");
  while (!change.empty()) {
    const std::size_t end = std::min(change.find('\n'), change.size());
    page.line("    " + sanitized(std::string(change.substr(0, end))));
    change.remove_prefix(std::min(end + 1, change.size()));
  }
}

/// "mutual-exclusion, harm held in 20 runs, but were put to the test in none": what is said of all
/// alike, once.
std::vector<std::string> reasons_of(const std::vector<search::Untested>& untested) {
  std::vector<std::pair<std::string, std::string>> told;  // properties, what is said of them
  for (const search::Untested& each : untested) {
    const std::string name(checker::to_string(each.property));
    const std::string said = each.why.substr(std::min(name.size(), each.why.size()));
    const auto same = std::find_if(told.begin(), told.end(),
                                   [&said](const auto& other) { return other.second == said; });
    if (same == told.end()) {
      told.emplace_back(name, said);
    } else {
      same->first += ", " + name;
    }
  }
  std::vector<std::string> reasons;
  for (auto& [names, said] : told) {
    constexpr std::string_view of_one = " but was put";
    const std::size_t verb = said.find(of_one);
    const bool are_several = names.find(',') != std::string::npos;
    if (are_several && verb != std::string::npos)
      said.replace(verb, of_one.size(), " but were put");
    reasons.push_back(names + said);
  }
  return reasons;
}

/// What nothing put to the test, and the lines of TOML that would; the same lines once.
void add_untested(Page& page, const search::ScenarioOutcome& outcome) {
  for (const std::string& reason : reasons_of(outcome.untested)) {
    page.entry("?", sanitized(reason), Paint::yellow);
  }
  std::vector<std::string> said;
  const std::string later = outcome.later_horizon();  // told already
  for (const search::Untested& each : outcome.untested) {
    const bool is_said = each.change.empty() || each.change == later ||
                         std::find(said.begin(), said.end(), each.change) != said.end();
    if (!is_said) said.push_back(each.change);
  }
  for (const std::string& change : said) add_change(page, change);
}

/// What is unknown, and why where the run that is shown tells; for one reason once.
void add_unknown(Page& page, const search::ScenarioOutcome& outcome) {
  std::vector<std::pair<std::string, std::string>> told;  // why, properties
  for (const search::PropertySummary& summary : outcome.properties) {
    if (summary.unknown == 0) continue;
    std::string why = fmt::format("in {} of {}", summary.unknown, runs(outcome.runs));
    for (const checker::Verdict& verdict : outcome.example.verdicts) {
      const bool says_why =
          verdict.property == summary.property && verdict.kind == checker::VerdictKind::unknown;
      if (says_why && !verdict.summary.empty()) why += ": " + sanitized(verdict.summary);
    }
    const std::string name(checker::to_string(summary.property));
    const auto same = std::find_if(told.begin(), told.end(),
                                   [&why](const auto& each) { return each.first == why; });
    if (same == told.end()) {
      told.emplace_back(std::move(why), name);
    } else {
      same->second += ", " + name;
    }
  }
  for (const auto& [why, properties] : told) {
    page.entry("unknown", fmt::format("{}: {}", properties, why), Paint::yellow);
  }
}

void add_cut_off(Page& page, const search::ScenarioOutcome& outcome) {
  for (const std::string& end : cut_off_runs(outcome)) page.entry("cut off", end, Paint::yellow);
}

/// Of a property that was to hold and broke in the run that is shown: its violation says as much.
bool is_told_below(const search::ScenarioOutcome& outcome, std::string_view complaint) {
  const auto& verdicts = outcome.example.verdicts;
  return std::any_of(verdicts.begin(), verdicts.end(), [&](const checker::Verdict& verdict) {
    return verdict.kind == checker::VerdictKind::violated &&
           complaint.starts_with(search::expected_to_hold(verdict.property));
  });
}

/// "; not asked for, but violated: harm": the headline alone would pass for a clean bill of health.
std::string violated_unasked(const search::ScenarioOutcome& outcome) {
  const bool is_clean = unexpected_violations(outcome).empty();
  if (outcome.kind != search::OutcomeKind::as_expected || is_clean) return {};
  std::vector<std::string_view> names;
  for (const search::PropertySummary& each : outcome.properties) {
    const bool is_unasked = each.expected == search::Expected::nothing && each.violated > 0;
    if (is_unasked) names.push_back(checker::to_string(each.property));
  }
  return fmt::format("; not asked for, but violated: {}", fmt::join(names, ", "));
}

void add_verdict(Page& page, const search::ScenarioOutcome& outcome) {
  const std::string how =
      fmt::format("{}, {}{}{}", search::to_string(outcome.kind), runs(outcome.runs),
                  outcome.interrupted ? " (stopped)" : "", violated_unasked(outcome));
  page.heading(sanitized(outcome.scenario->title));
  page.line("  " + page.painted(how, paint_of(outcome.kind)) + "  " +
            page.painted(sanitized(outcome.scenario->name()), Paint::grey));
  const std::string failures = search::script_failures_in_words(outcome);
  if (!failures.empty()) page.entry("!", sanitized(failures), Paint::red);
  for (const std::string& complaint : outcome.complaints) {
    if (!is_told_below(outcome, complaint)) page.entry("!", sanitized(complaint), Paint::red);
  }
  const bool is_unknown = outcome.kind == search::OutcomeKind::unknown;
  const bool is_cut_off = !cut_off_runs(outcome).empty();
  if (is_unknown && is_cut_off) {
    // What was still open then is the first thing to know.
    add_unknown(page, outcome);
    add_cut_off(page, outcome);
    if (const std::string later = outcome.later_horizon(); !later.empty()) add_change(page, later);
  }
  add_untested(page, outcome);
  if (is_unknown && !is_cut_off) add_unknown(page, outcome);
}

/// "expected" or "not expected", with how often where there were several runs.
std::string how_expected(const search::ScenarioOutcome& outcome, checker::Property property) {
  for (const search::PropertySummary& summary : outcome.properties) {
    if (summary.property != property) continue;
    std::string words = summary.expected == search::Expected::violated ? "violated, as expected"
                        : summary.expected == search::Expected::holds
                            ? "violated, though it was expected to hold"
                            : "violated, not asked for";
    if (outcome.runs > 1) {
      words += fmt::format(", in {} of {}", summary.violated, runs(outcome.runs));
    }
    return words;
  }
  return "violated";
}

void add_evidence(Page& page, const search::RunRecord& example, const checker::Verdict& verdict) {
  for (const checker::Evidence& evidence : verdict.evidence) {
    std::string when = checker::milliseconds(evidence.from.at_ns);
    if (evidence.until) when += " to " + checker::milliseconds(evidence.until->at_ns);
    std::string what = sanitized(evidence.what);
    const std::string who = sanitized(checker::name_of(example.judged->names, evidence.who));
    if (evidence.who != checker::no_name && what.find(who) == std::string::npos) {
      what = fmt::format("{}: {}", who, what);
    }
    const std::string lead = fmt::format("at {} ", when);
    if (what.starts_with(lead)) what.erase(0, lead.size());
    const bool is_said = sanitized(verdict.summary).find(what) != std::string::npos;
    if (!is_said) page.entry("    " + when, what, Paint::grey);
  }
}

/// Where more is known than what the verdict says, without that.
std::string why_in_words(const std::vector<std::string>& causes,
                         const search::ScenarioOutcome& outcome) {
  std::set<std::string> verdicts;
  for (const checker::Verdict& verdict : search::verdicts_as_told(outcome)) {
    verdicts.insert(sanitized(verdict.summary) + ".");
  }
  const auto is_verdict = [&](const std::string& sentence) { return verdicts.contains(sentence); };
  const bool is_all = std::all_of(causes.begin(), causes.end(), is_verdict);
  std::string why;
  for (const std::string& sentence : causes) {
    if (is_all || !is_verdict(sentence)) why += (why.empty() ? "" : " ") + sentence;
  }
  return why;
}

void add_violations(Page& page, const search::ScenarioOutcome& outcome) {
  bool is_violated = false;
  for (const checker::Verdict& verdict : search::verdicts_as_told(outcome)) {
    if (verdict.kind != checker::VerdictKind::violated) continue;
    is_violated = true;
    page.blank();
    page.line(
        "  " +
        page.painted("\u2717 " + std::string(checker::to_string(verdict.property)), Paint::red) +
        "  " + how_expected(outcome, verdict.property));
    page.entry("  ", sanitized(verdict.summary));
    add_evidence(page, outcome.example, verdict);
  }
  if (!is_violated) return;
  const std::vector<std::string> causes = sentences_of(causes_of(outcome));
  if (causes.empty()) return;
  page.blank();
  page.entry("why", why_in_words(causes, outcome), Paint::bold);
}

/// "lease-linearizability and hold-count, for a program declares no operations".
std::string not_judged_of_programs() {
  std::vector<std::string_view> names;
  for (const checker::Property property : checker::all_properties()) {
    if (model::needs_declared_operations(property)) names.push_back(checker::to_string(property));
  }
  return scenario::listed(names) +
         " are not judged: a client is a program, which declares no operations";
}

/// Whether something holds without the fault that broke with it.
bool is_needed(const search::ScenarioOutcome& outcome, std::size_t fault) {
  return std::any_of(outcome.needed.begin(), outcome.needed.end(), [fault](const auto& needed) {
    return std::find(needed.faults.begin(), needed.faults.end(), fault) != needed.faults.end();
  });
}

void add_properties(Page& page, const search::ScenarioOutcome& outcome) {
  std::string held;
  for (const search::PropertySummary& summary : outcome.properties) {
    if (summary.violated > 0 || summary.unknown > 0 || summary.held == 0) continue;
    held += (held.empty() ? "" : ", ") + std::string(checker::to_string(summary.property));
  }
  page.blank();
  if (!held.empty()) page.entry("held   ", held, Paint::green);
  const std::string tested = tested_in_words(outcome);
  if (!tested.empty()) page.entry("tested ", tested);
  if (scenario::has_program(*outcome.scenario)) {
    page.entry("skipped", not_judged_of_programs());
  }
  const std::string elsewhere = broken_elsewhere(outcome);
  if (!elsewhere.empty()) {
    page.entry("besides", "not asked for, but violated: " + elsewhere, Paint::yellow);
  }
  if (outcome.kind != search::OutcomeKind::unknown) add_unknown(page, outcome);
  for (std::size_t i = 0; i < outcome.probes.size(); ++i) {
    const search::ProbeSummary& probe = outcome.probes[i];
    std::string how_often = fmt::format("in {} of {}", probe.runs_struck, runs(outcome.runs));
    if (probe.runs_struck > 0 && probe.runs_mattered == 0) {
      how_often += is_needed(outcome, i) ? ", mattered in none to what the file asks about"
                                         : ", mattered in none";
    }
    if (probe.runs_mattered > 0 && probe.runs_mattered < probe.runs_struck) {
      how_often += fmt::format(", mattered in {}", probe.runs_mattered);
    }
    page.entry("struck ", how_often + ": " + sanitized(probe.fault),
               probe.runs_struck == 0 ? Paint::red : Paint::none);
  }
  for (const std::string& takeover : takeovers_in_words(outcome)) page.entry("lost   ", takeover);
  // Where something broke, its cause tells of them.
  const std::vector<checker::Verdict>& verdicts = outcome.example.verdicts;
  if (std::all_of(verdicts.begin(), verdicts.end(), [](const checker::Verdict& each) {
        return each.kind == checker::VerdictKind::holds;
      })) {
    for (const std::string& line : permits_of_the_dead(outcome.example))
      page.entry("lost   ", line);
  }
  if (outcome.drawn_kinds.empty()) return;
  std::string drawn;
  for (const search::DrawnKindSummary& each : outcome.drawn_kinds) {
    drawn += fmt::format("{}{} {} of {}", drawn.empty() ? "" : ", ", scenario::to_string(each.kind),
                         each.struck, each.drawn);
  }
  page.entry("struck ", "of those drawn: " + drawn);
}

void add_expectations(Page& page, const search::ScenarioOutcome& outcome) {
  for (const search::SometimesSummary& each : outcome.sometimes) {
    page.entry(
        "seen   ",
        fmt::format("in {} of {}: {}", each.runs_seen, runs(outcome.runs), sanitized(each.what)),
        each.runs_seen == 0 ? Paint::red : Paint::none);
  }
  for (const search::BoundSummary& bound : outcome.bounds) {
    page.entry("bound  ",
               fmt::format("{} {}; the {} {}, {}", bound.name(), bound.limit(),
                           bound.is_duration() ? "longest was" : "most were", bound.measured(),
                           search::which_run(outcome, bound.most_seed)),
               bound.runs_over > 0 ? Paint::red : Paint::none);
    if (bound.runs_over == 0 || bound.kind != search::BoundKind::wait) continue;
    for (const std::string& wait : waits_beyond(outcome.example, bound.at_most)) {
      page.entry("       ", wait);
    }
  }
}

/// Whether real clients ran and none of them said anything: a new user's first mistake.
bool are_programs_silent(const search::ScenarioOutcome& outcome) {
  const checker::Observations& seen = outcome.example.judged->observations;
  return scenario::has_program(*outcome.scenario) && outcome.runs > 0 && seen.beliefs.empty() &&
         seen.waits.empty();
}

/// Whether nothing broke, and another seed may show something else.
bool is_one_of_many(const search::ScenarioOutcome& outcome) {
  const std::vector<checker::Verdict>& verdicts = outcome.example.verdicts;
  return outcome.runs == 1 && outcome.numbers == search::RunNumbering::seeds &&
         std::none_of(verdicts.begin(), verdicts.end(),
                      [](const checker::Verdict& each) {
                        return each.kind == checker::VerdictKind::violated;
                      }) &&
         !scenario::open_ranges(*outcome.scenario).empty();
}

/// What else a reader must know of the run that is shown, to believe what was said of it.
void add_run(Page& page, const search::ScenarioOutcome& outcome) {
  if (are_programs_silent(outcome)) {
    page.entry("silent ",
               "no client has said anything of the lock: each program is to report ACQUIRED and "
               "RELEASED (docs/real-clients.md)",
               Paint::yellow);
  }
  for (const std::string& step : failed_steps(outcome.example)) {
    page.entry("failed ", step, Paint::yellow);
  }
  if (outcome.kind != search::OutcomeKind::unknown) add_cut_off(page, outcome);
  if (is_one_of_many(outcome)) {
    page.entry("seeds  ", "one run: each seed draws the file's ranges anew (--seeds 100)");
  }
  const bool is_one_shown = !outcome.example.trace.events.empty();
  if (outcome.runs > 1 && is_one_shown) {
    const search::RunRecord& shown = outcome.example;
    const bool is_seed = outcome.numbers == search::RunNumbering::seeds;
    page.entry("shown  ", shown.origin ? "as in " + made_by(shown)
                          : is_seed    ? "the run with " + made_by(shown)
                                       : fmt::format("run {}", shown.seed));
  }
}

void add_artifacts(Page& page, const RunArtifacts& artifacts) {
  if (!artifacts.timeline.empty()) page.line("  picture  " + sanitized(artifacts.timeline));
  if (!artifacts.trace.empty()) page.line("  trace    " + sanitized(artifacts.trace));
  if (!artifacts.no_trace.empty()) page.entry("trace  ", sanitized(artifacts.no_trace));
  // Not wrapped: they are there to be copied.
  if (!artifacts.confirm_command.empty())
    page.line("  confirm  " + sanitized(artifacts.confirm_command));
  if (!artifacts.replay_command.empty())
    page.line("  replay   " + sanitized(artifacts.replay_command));
}

/// "; overlap 480 ms of at most 500 ms": what was measured against each bound.
std::string bounds_in_short(const search::ScenarioOutcome& outcome) {
  std::string words;
  for (const search::BoundSummary& bound : outcome.bounds) {
    const std::string_view noun = bound.name().substr(0, bound.name().find('_'));
    words += fmt::format("; {} {} of at most {}", noun, bound.measured(),
                         bound.is_duration() ? checker::milliseconds(bound.at_most)
                                             : bound.limit() + " in a second");
  }
  return words;
}

}  // namespace

std::string tested_in_words(const search::ScenarioOutcome& outcome) {
  std::vector<const search::PropertySummary*> held;
  for (const search::PropertySummary& each : outcome.properties) {
    if (each.held > 0) held.push_back(&each);
  }
  std::stable_sort(held.begin(), held.end(), [](const auto* a, const auto* b) {
    return a->put_to_the_test > b->put_to_the_test;
  });
  std::string words;
  for (std::size_t i = 0; i < held.size(); ++i) {
    const std::uint64_t count = held[i]->put_to_the_test;
    words += checker::to_string(held[i]->property);
    const bool is_last = i + 1 == held.size();
    if (!is_last && held[i + 1]->put_to_the_test == count) {
      words += ", ";
      continue;
    }
    words += count == 0 ? std::string(" in none")
             : words.find(" in ") == std::string::npos
                 ? fmt::format(" in {} of {}", count, runs(outcome.runs))
                 : fmt::format(" in {}", count);
    if (!is_last) words += "; ";
  }
  return words;
}

std::string console_report(const search::ScenarioOutcome& outcome, Style style,
                           const RunArtifacts& artifacts, std::size_t columns) {
  Page page(style, columns);
  add_verdict(page, outcome);
  if (outcome.runs > 0) {
    add_violations(page, outcome);
    for (const auto& [head, words] : limits_in_words(outcome.example, outcome.scenario->lock)) {
      page.entry(head, words);
    }
    for (const auto& [head, words] : needed_in_words(outcome)) page.entry(head, words);
    add_properties(page, outcome);
    add_expectations(page, outcome);
    add_run(page, outcome);
  }
  add_artifacts(page, artifacts);
  return page.take();
}

std::string scenario_line(const search::ScenarioOutcome& outcome, Style style,
                          std::size_t columns) {
  const Page page(style);
  const std::string kind = padded(std::string(search::to_string(outcome.kind)), outcome_width);
  const std::string unasked = unexpected_violations(outcome);
  const std::string lead(outcome_width + 1, ' ');
  const std::string name = padded(sanitized(outcome.scenario->name()), path_width);
  const std::size_t before = lead.size() + name.size() + 1;
  std::string title = sanitized(outcome.scenario->title);
  if (columns >= before + title_characters_least) title = shortened(title, columns - before);
  return fmt::format("{} {} {}{}\n{}", page.painted(kind, paint_of(outcome.kind)), name, title,
                     bounds_in_short(outcome),
                     unasked.empty()
                         ? ""
                         : lead + page.painted("not asked for, but violated:", Paint::yellow) +
                               " " + unasked + "\n");
}

void OutcomeCounts::add(const search::ScenarioOutcome& outcome) {
  switch (outcome.kind) {
    case search::OutcomeKind::as_expected:
      ++as_expected;
      break;
    case search::OutcomeKind::not_as_expected:
      ++not_as_expected;
      break;
    case search::OutcomeKind::unknown:
      ++unknown;
      break;
  }
  runs += outcome.runs;
}

std::string summary_line(const OutcomeCounts& counts, Style style) {
  const Page page(style);
  const std::uint64_t all = counts.as_expected + counts.not_as_expected + counts.unknown;
  const std::string refused =
      counts.files_refused == 0
          ? ""
          : page.painted(fmt::format("{} {} refused", counts.files_refused,
                                     counts.files_refused == 1 ? "file was" : "files were"),
                         Paint::red);
  std::string left = refused;
  if (counts.passed_over > 0) {
    const bool is_one = counts.passed_over == 1;
    left += fmt::format("{}{} open {} passed over, which {} for `lockstep fuzz`",
                        left.empty() ? "" : "; ", counts.passed_over,
                        is_one ? "scenario was" : "scenarios were", is_one ? "is" : "are");
  }
  if (all == 0) return left.empty() ? "nothing was run\n" : "nothing was run: " + left + "\n";
  std::string line =
      fmt::format("{} {}, {}: {}", all, all == 1 ? "scenario" : "scenarios", runs(counts.runs),
                  page.painted(fmt::format("{} as expected", counts.as_expected),
                               counts.as_expected > 0 ? Paint::green : Paint::none));
  if (counts.not_as_expected > 0) {
    line +=
        ", " + page.painted(fmt::format("{} not as expected", counts.not_as_expected), Paint::red);
  }
  if (counts.unknown > 0) {
    line += ", " + page.painted(fmt::format("{} unknown", counts.unknown), Paint::yellow);
  }
  return line + (left.empty() ? "" : "; " + left) + "\n";
}

}  // namespace lockstep::reports
