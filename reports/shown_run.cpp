#include "reports/shown_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "checker/kept_run.h"
#include "checker/observations.h"
#include "checker/property.h"
#include "checker/text.h"
#include "checker/verdict.h"
#include "checker/verdict_kind.h"
#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "model/observers/takeovers.h"
#include "model/trace_vocabulary.h"
#include "reports/text.h"
#include "scenario/scenario.h"
#include "scenario/text/durations.h"
#include "search/runs/scenario_outcome.h"
#include "search/runs/tally.h"

namespace lockstep::reports {
namespace {

constexpr std::size_t lines_max = 3;

/// All but the first few become a number.
std::vector<std::string> first_few(std::vector<std::string> lines) {
  if (lines.size() <= lines_max) return lines;
  const std::size_t rest = lines.size() - lines_max;
  lines.resize(lines_max);
  lines.back() += fmt::format("; and {} more", rest);
  return lines;
}

std::string share(std::uint64_t count, std::uint64_t all) {
  return fmt::format("{} of {} {}", count, all, all == 1 ? "run" : "runs");
}

/// Nothing where it was asked for, or did not break.
void add_unasked(const search::PropertySummary& each, const search::ScenarioOutcome& outcome,
                 std::string& words) {
  if (each.expected != search::Expected::nothing || each.violated == 0) return;
  words += fmt::format("{}{} in {}, first {}", words.empty() ? "" : "; ",
                       checker::to_string(each.property), share(each.violated, outcome.runs),
                       search::which_run(outcome, each.first_violating_seed));
}

struct WordsOfTakeover {
  std::string_view who;
  std::string_view when;
};
/// By TakeoverKind.
constexpr std::array<WordsOfTakeover, model::takeover_kind_count> takeover_words = {{
    {"the new master", "a replica became the master"},
    {"a node that came back", "a node came back"},
    {"the master that another was made to follow", "the master was made to follow another"},
}};

/// What a server knows of the lock, in words.
struct WordsOfHeld {
  std::string_view such;     ///< lack …
  std::string_view no_such;  ///< no … when
  std::string_view was;      ///< … in 3
};

const WordsOfHeld& words_of_held(const search::ScenarioOutcome& outcome) {
  static constexpr WordsOfHeld lock = {"a lock that was held", "lock was held", "one was held"};
  static constexpr WordsOfHeld latch = {"a latch that was set", "latch was set", "one was set"};
  static constexpr WordsOfHeld permits = {"what had been set or taken of permits",
                                          "permits were set", "some were set"};
  const auto is_judged = [&outcome](checker::Property property) {
    return std::any_of(outcome.properties.begin(), outcome.properties.end(),
                       [property](const auto& each) { return each.property == property; });
  };
  if (is_judged(checker::Property::latch)) return latch;
  return is_judged(checker::Property::permits) ? permits : lock;
}

}  // namespace

std::string made_by(const search::RunRecord& example) {
  if (!example.origin) return fmt::format("seed {}", example.seed);
  return fmt::format("run {} of a search with seed {}, {}", example.origin->run,
                     example.origin->root_seed, sanitized(example.origin->strategy));
}

std::vector<std::string> failed_steps(const search::RunRecord& example) {
  std::vector<std::string> lines;
  for (const model::RecordedEvent& event : example.trace.events) {
    if (event.kind == model::trace_kind::program_ended && event.text("how") != "exit 0") {
      lines.push_back(
          fmt::format("{} ended with {} at {}{}{}",
                      sanitized(example.trace.actors[static_cast<std::size_t>(event.actor)].name),
                      event.text("how"), checker::milliseconds(event.at),
                      event.text("output").empty() ? "" : ": ", sanitized(event.text("output"))));
    }
    if (event.kind != model::trace_kind::step_completed || event.text("outcome") == "ok") {
      continue;
    }
    if (event.text("detail").empty()) continue;  // refused, as a try_lock may be
    lines.push_back(
        fmt::format("{} {} at {}: {}",
                    sanitized(example.trace.actors[static_cast<std::size_t>(event.actor)].name),
                    sanitized(event.text("step")), checker::milliseconds(event.at),
                    sanitized(event.text("detail"))));
  }
  return first_few(std::move(lines));
}

std::vector<std::string> waits_beyond(const search::RunRecord& example,
                                      sim::DurationNs at_most_ns) {
  std::vector<checker::Wait> waits;
  for (const checker::Wait& wait : example.judged->observations.waits) {
    const bool is_over = wait.end != checker::WaitEnd::run_over;
    const bool counts =
        wait.end == checker::WaitEnd::granted || wait.end == checker::WaitEnd::refused || !is_over;
    if (counts && wait.until.at_ns - wait.from.at_ns > at_most_ns) waits.push_back(wait);
  }
  std::stable_sort(waits.begin(), waits.end(), [](const auto& a, const auto& b) {
    return a.until.at_ns - a.from.at_ns > b.until.at_ns - b.from.at_ns;
  });
  std::vector<std::string> lines;
  for (const checker::Wait& wait : waits) {
    lines.push_back(
        fmt::format("{} waited for \"{}\" from {} {} {}",
                    sanitized(checker::name_of(example.judged->names, wait.owner)),
                    sanitized(checker::name_of(example.judged->names, wait.lock)),
                    checker::milliseconds(wait.from.at_ns),
                    wait.end == checker::WaitEnd::run_over ? "to the end of the run," : "to",
                    checker::milliseconds(wait.until.at_ns)));
  }
  return first_few(std::move(lines));
}

std::vector<std::string> cut_off_runs(const search::ScenarioOutcome& outcome) {
  const std::string shown = outcome.example.end == model::RunEnd::at_rest
                                ? ""
                                : fmt::format("; the one shown at {}",
                                              checker::milliseconds(outcome.example.ended_at_ns));
  std::vector<std::string> lines;
  if (outcome.runs_out_of_events > 0) {
    lines.push_back(fmt::format("in {} by the limit of {} events ([limits] events){}",
                                share(outcome.runs_out_of_events, outcome.runs),
                                outcome.scenario->events_max, shown));
  }
  if (outcome.runs_out_of_time > 0) {
    lines.push_back(fmt::format("in {} by the horizon, {} ([limits] horizon)",
                                share(outcome.runs_out_of_time, outcome.runs),
                                scenario::format_duration(outcome.scenario->horizon_ns)));
  }
  return lines;
}

std::vector<std::string> takeovers_in_words(const search::ScenarioOutcome& outcome) {
  const WordsOfHeld& held = words_of_held(outcome);
  std::vector<std::string> lines;
  for (const search::TakeoverSummary& each : outcome.takeovers) {
    if (each.runs == 0) continue;
    const WordsOfTakeover& words = takeover_words[static_cast<std::size_t>(each.kind)];
    if (each.runs_held == 0) {
      lines.push_back(fmt::format("nothing: no {} when {}", held.no_such, words.when));
      continue;
    }
    std::string line = fmt::format("in {} did {} lack {}", share(each.runs_lacked, outcome.runs),
                                   words.who, held.such);
    if (each.runs_held < outcome.runs) line += fmt::format(" ({} in {})", held.was, each.runs_held);
    lines.push_back(std::move(line));
  }
  return lines;
}

std::string unexpected_violations(const search::ScenarioOutcome& outcome) {
  const bool is_met =
      std::any_of(outcome.properties.begin(), outcome.properties.end(), [](const auto& each) {
        return each.expected == search::Expected::violated && each.held == 0;
      });
  if (is_met) return {};
  std::string words;
  for (const search::PropertySummary& each : outcome.properties) add_unasked(each, outcome, words);
  return words;
}

std::string broken_elsewhere(const search::ScenarioOutcome& outcome) {
  std::string words;
  for (const search::PropertySummary& each : outcome.properties) {
    const bool is_shown =
        std::any_of(outcome.example.verdicts.begin(), outcome.example.verdicts.end(),
                    [&each](const checker::Verdict& verdict) {
                      return verdict.property == each.property &&
                             verdict.kind == checker::VerdictKind::violated;
                    });
    if (!is_shown) add_unasked(each, outcome, words);
  }
  return words;
}

}  // namespace lockstep::reports
