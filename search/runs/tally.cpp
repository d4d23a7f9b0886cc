#include "search/runs/tally.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>

#include "checker/measures.h"
#include "checker/property.h"
#include "checker/text.h"
#include "checker/verdict.h"
#include "checker/verdict_kind.h"
#include "model/engine/engine.h"
#include "model/engine/run_result.h"
#include "model/faults/strike_effects.h"
#include "scenario/faults/fault_spec.h"
#include "scenario/milestones.h"
#include "scenario/scenario.h"
#include "scenario/text/durations.h"
#include "search/runs/moved_faults.h"
#include "search/runs/scenario_outcome.h"
#include "search/runs/untested.h"

namespace lockstep::search {
namespace {

bool contains(const std::vector<checker::Property>& properties, checker::Property property) {
  return std::find(properties.begin(), properties.end(), property) != properties.end();
}

Expected expected_of(const scenario::Expectation& expect, checker::Property property) {
  if (contains(expect.violates, property)) return Expected::violated;
  if (contains(expect.holds, property)) return Expected::holds;
  return Expected::nothing;
}

void add(BoundSummary& bound, std::uint64_t number, std::int64_t measured, Judgement& judgement) {
  if (bound.most_seed == 0 || measured > bound.most) {
    bound.most = measured;
    bound.most_seed = number;
  }
  if (measured <= bound.at_most) return;
  judgement.not_as_expected = true;
  if (bound.runs_over++ == 0) bound.first_seed_over = number;
}

void add_drawn(std::vector<DrawnKindSummary>& kinds, const DrawnKindSummary& more) {
  auto found = std::find_if(kinds.begin(), kinds.end(), [&more](const DrawnKindSummary& each) {
    return each.kind == more.kind;
  });
  if (found == kinds.end()) found = kinds.insert(kinds.end(), DrawnKindSummary{more.kind});
  found->drawn += more.drawn;
  found->struck += more.struck;
  found->mattered += more.mattered;
}

void add_takeovers(std::vector<TakeoverSummary>& sums, std::span<const model::Takeover> takeovers) {
  for (TakeoverSummary& sum : sums) {
    bool happened = false;
    bool was_held = false;
    bool lacked = false;
    for (const model::Takeover& takeover : takeovers) {
      if (takeover.kind != sum.kind || !takeover.of_lock) continue;
      happened = true;
      was_held |= takeover.was_held;
      lacked |= takeover.lacked;
    }
    sum.runs += happened ? 1 : 0;
    sum.runs_held += was_held ? 1 : 0;
    sum.runs_lacked += lacked ? 1 : 0;
  }
}

void add(PropertySummary& summary, std::uint64_t number, const checker::Verdict& verdict,
         bool is_open, model::Mattered faults_mattered, Judgement& judgement) {
  assert(summary.property == verdict.property);
  if (verdict.put_to_the_test) ++summary.could_break;
  if (is_put_to_the_test(verdict, faults_mattered)) ++summary.put_to_the_test;
  switch (verdict.kind) {
    case checker::VerdictKind::holds:
      if (summary.held++ == 0) summary.first_holding_seed = number;
      judgement.not_as_expected |= summary.expected == Expected::violated && !is_open;
      return;
    case checker::VerdictKind::violated:
      if (summary.violated++ == 0) summary.first_violating_seed = number;
      judgement.not_as_expected |= summary.expected == Expected::holds;
      judgement.violated = true;
      judgement.violated_as_expected |= summary.expected == Expected::violated;
      return;
    case checker::VerdictKind::unknown:
      ++summary.unknown;
      judgement.unknown |= summary.expected != Expected::nothing;
      return;
  }
}

void add(FailureSummary& sum, std::uint64_t number, std::span<const std::string> failures) {
  if (failures.empty() || sum.runs++ > 0) return;
  sum.first_seed = number;
  sum.first = failures.front();
}

void add(FailureSummary& sum, const FailureSummary& later) {
  if (sum.runs == 0) {
    sum.first_seed = later.first_seed;
    sum.first = later.first;
  }
  sum.runs += later.runs;
}

std::string runs_in_words(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " run" : " runs");
}

std::string times(std::uint64_t count, std::uint64_t of) {
  return std::to_string(count) + " of " + std::to_string(of) + (of == 1 ? " run" : " runs");
}

/// "3 of 20 runs (first with seed 2): a/1: plain/client.lua:12: …"
std::string in_words(const FailureSummary& failures, const ScenarioOutcome& outcome) {
  return times(failures.runs, outcome.runs) + " (first " + which_run(outcome, failures.first_seed) +
         "): " + failures.first;
}

}  // namespace

std::string_view client_failed_words(const scenario::Scenario& scenario) {
  const auto programs = std::ranges::count_if(
      scenario.clients,
      [](const scenario::ClientSpec& client) { return client.program.has_value(); });
  if (programs == 0) return "the client model failed";
  const bool are_all = programs == std::ssize(scenario.clients);
  return are_all ? "the program failed" : "a client failed";
}

std::string expected_to_hold(checker::Property property) {
  return std::string(checker::to_string(property)) + " was expected to hold";
}

namespace {

/// A property's own words about a run in which it broke.
std::string summary_of(const RunRecord& example, checker::Property property) {
  for (const checker::Verdict& verdict : example.verdicts) {
    if (verdict.property == property) return verdict.summary;
  }
  return {};
}

/// Where the runs were cut short, or a script failed in each, what was never seen might come yet:
/// that is no complaint.
bool might_come_yet(const ScenarioOutcome& outcome) {
  const std::uint64_t failed = outcome.script_failures.runs;
  const bool has_always_failed =
      failed == outcome.runs && outcome.scenario->expect.violates.empty();
  return outcome.interrupted || outcome.runs == 0 || has_always_failed;
}

/// Something that is to happen in some run was seen in none.
bool is_something_missing(const ScenarioOutcome& outcome) {
  const auto has_happened_nowhere = [&outcome](const PropertySummary& each) {
    return each.expected == Expected::violated && outcome.scenario->open_faults.has_value() &&
           each.violated == 0;
  };
  return std::any_of(outcome.properties.begin(), outcome.properties.end(), has_happened_nowhere) ||
         std::any_of(outcome.sometimes.begin(), outcome.sometimes.end(),
                     [](const SometimesSummary& each) { return each.runs_seen == 0; }) ||
         std::any_of(outcome.probes.begin(), outcome.probes.end(),
                     [](const ProbeSummary& each) { return each.runs_struck == 0; });
}

/// What there was in place of what a fault waits for.
std::string what_was_executed(const ScenarioOutcome& outcome, const scenario::Trigger::When& when) {
  constexpr std::size_t named_max = 8;
  std::vector<ExecutedStep> steps = steps_of(outcome.example, when.actor, when.requested_by);
  if (steps.size() > named_max) steps.resize(named_max);
  std::string names;
  for (const ExecutedStep& each : steps) names += (names.empty() ? "" : ", ") + each.name;
  const std::string of_whom = when.requested_by.empty() ? "" : " of " + when.requested_by;
  if (names.empty()) return fmt::format(" ({} executed nothing{})", when.actor, of_whom);
  return fmt::format(" ({} executed this{}: {})", when.actor, of_whom, names);
}

/// A time that came only after the run was over, or a name that nothing has.
std::string why_not_yet(const ScenarioOutcome& outcome, const scenario::FaultSpec& fault) {
  const auto& when = fault.trigger.when;
  if (when && when->kind == scenario::Trigger::When::Kind::milestone &&
      when->milestone == scenario::Milestone::executed && !when->detail.empty()) {
    return what_was_executed(outcome, *when);
  }
  const sim::TimeNs ended_at_ns = outcome.example.ended_at_ns;
  if (when || fault.trigger.after_ns <= ended_at_ns) return {};
  return fmt::format(" (the run {} was over at {})", which_run(outcome, outcome.example.seed),
                     checker::milliseconds(ended_at_ns));
}

void complain(ScenarioOutcome& outcome) {
  for (const PropertySummary& summary : outcome.properties) {
    const std::string name(checker::to_string(summary.property));
    const bool is_open = outcome.scenario->open_faults.has_value();
    if (summary.expected == Expected::violated && is_open && summary.violated == 0 &&
        !might_come_yet(outcome)) {
      outcome.complaints.push_back(
          name + " was expected to be violated in some run, but it was in none of " +
          runs_in_words(outcome.runs));
    }
    if (summary.expected == Expected::violated && !is_open && summary.held > 0) {
      std::string words = name + " was expected to be violated, but it held in " +
                          times(summary.held, outcome.runs);
      if (summary.held < outcome.runs) {
        words += " (first " + which_run(outcome, summary.first_holding_seed) +
                 "); 'violates' means in every run";
      }
      outcome.complaints.push_back(std::move(words));
    }
    if (summary.expected == Expected::holds && summary.violated > 0) {
      std::string words = expected_to_hold(summary.property) + ", but it was violated in " +
                          times(summary.violated, outcome.runs) + " (first " +
                          which_run(outcome, summary.first_violating_seed) + ")";
      if (summary.first_violating_seed == outcome.example.seed) {
        words += ": " + summary_of(outcome.example, summary.property);
      }
      outcome.complaints.push_back(std::move(words));
    }
  }
  if (outcome.client_failures.runs > 0) {
    outcome.complaints.push_back(fmt::format("{} in {}", client_failed_words(*outcome.scenario),
                                             in_words(outcome.client_failures, outcome)));
  }
  for (const BoundSummary& bound : outcome.bounds) {
    if (bound.runs_over == 0) continue;
    outcome.complaints.push_back(bound.complaint() + " in " + times(bound.runs_over, outcome.runs) +
                                 " (first " + which_run(outcome, bound.first_seed_over) + "; " +
                                 (bound.is_duration() ? "longest: " : "most: ") + bound.measured() +
                                 ", " + which_run(outcome, bound.most_seed) + ")");
  }
  if (might_come_yet(outcome)) return;
  for (const SometimesSummary& each : outcome.sometimes) {
    if (each.runs_seen == 0) {
      outcome.complaints.push_back("this was expected sometimes, but never happened in " +
                                   runs_in_words(outcome.runs) + ": " + each.what);
    }
  }
  for (std::size_t i = 0; i < outcome.probes.size(); ++i) {
    if (outcome.probes[i].runs_struck > 0) continue;
    outcome.complaints.push_back("a fault never struck: " + outcome.probes[i].fault +
                                 why_not_yet(outcome, outcome.scenario->faults[i]));
  }
}

/// Something was to break, and all of that did: a script's mistake may be the very flaw.
bool breaks_as_expected(const ScenarioOutcome& outcome) {
  bool is_asked = false;
  for (const PropertySummary& each : outcome.properties) {
    if (each.expected != Expected::violated) continue;
    if (each.violated == 0) return false;
    is_asked = true;
  }
  return is_asked;
}

bool something_is_unknown(const ScenarioOutcome& outcome) {
  if (!outcome.untested.empty() || !script_failures_in_words(outcome).empty()) return true;
  if (outcome.runs == 0) return true;
  if (might_come_yet(outcome) && is_something_missing(outcome)) return true;
  return std::any_of(outcome.properties.begin(), outcome.properties.end(),
                     [](const PropertySummary& summary) {
                       return summary.expected != Expected::nothing && summary.unknown > 0;
                     });
}

}  // namespace

std::string script_failures_in_words(const ScenarioOutcome& outcome) {
  if (outcome.script_failures.runs == 0 || breaks_as_expected(outcome)) return {};
  return "a request of the lock failed in " + in_words(outcome.script_failures, outcome);
}

std::string which_run(const ScenarioOutcome& outcome, std::uint64_t number) {
  const bool is_seed = outcome.numbers == RunNumbering::seeds;
  return (is_seed ? "with seed " : "in run ") + std::to_string(number);
}

int rank_of(const Judgement& judgement) {
  const int surprise = judgement.not_as_expected        ? 3
                       : judgement.unknown              ? 2
                       : judgement.violated_as_expected ? 1
                                                        : 0;
  return 2 * surprise + (judgement.violated ? 1 : 0);
}

ScenarioOutcome empty_outcome(const scenario::Scenario& scenario,
                              std::span<const checker::Property> judged) {
  ScenarioOutcome outcome;
  outcome.scenario = scenario;
  for (const checker::Property property : judged) {
    PropertySummary summary{};
    summary.property = property;
    summary.expected = expected_of(scenario.expect, property);
    outcome.properties.push_back(summary);
  }
  for (const scenario::FaultSpec& fault : scenario.faults) {
    outcome.probes.push_back({fault.describe(), 0});
  }
  for (std::size_t kind = 0; kind < model::takeover_kind_count; ++kind) {
    outcome.takeovers.push_back({static_cast<model::TakeoverKind>(kind)});
  }
  for (const scenario::Sometimes& each : scenario.expect.sometimes) {
    outcome.sometimes.push_back({each.text, 0});
  }
  const auto add_bound = [&outcome](BoundKind kind, const std::optional<std::int64_t>& at_most) {
    if (at_most) outcome.bounds.push_back({.kind = kind, .at_most = *at_most});
  };
  add_bound(BoundKind::overlap, scenario.expect.overlap_at_most_ns);
  add_bound(BoundKind::wait, scenario.expect.wait_at_most_ns);
  add_bound(BoundKind::requests, scenario.expect.requests_per_second_at_most);
  return outcome;
}

Judgement add_run(ScenarioOutcome& outcome, std::uint64_t number, const model::RunResult& result) {
  ++outcome.runs;
  if (result.end == model::RunEnd::horizon) ++outcome.runs_out_of_time;
  if (result.end == model::RunEnd::event_limit) ++outcome.runs_out_of_events;
  for (std::size_t i = 0; i < outcome.probes.size(); ++i) {
    if (result.fault_strikes[i] > 0) ++outcome.probes[i].runs_struck;
    if (result.fault_effects[i] != model::Mattered::no) ++outcome.probes[i].runs_mattered;
  }
  for (std::size_t i = outcome.probes.size(); i < result.fault_strikes.size(); ++i) {
    add_drawn(outcome.drawn_kinds,
              {(*result.faults)[i].kind, 1, result.fault_strikes[i] > 0 ? 1U : 0U,
               result.fault_effects[i] != model::Mattered::no ? 1U : 0U});
  }
  add_takeovers(outcome.takeovers, *result.takeovers);
  outcome.longest_lease_ns = std::max(outcome.longest_lease_ns, result.longest_lease_ns);
  for (std::size_t i = 0; i < outcome.sometimes.size(); ++i) {
    if (result.sometimes_seen[i] > 0) ++outcome.sometimes[i].runs_seen;
  }
  Judgement judgement;
  for (BoundSummary& bound : outcome.bounds) {
    add(bound, number, measure_of(bound.kind, *result.measures), judgement);
  }
  judgement.not_as_expected |= !result.client_failures.empty();
  add(outcome.client_failures, number, result.client_failures);
  const bool may_break = !outcome.scenario->expect.violates.empty();
  judgement.unknown |= !result.script_failures.empty() && !may_break;
  add(outcome.script_failures, number, result.script_failures);
  const model::Mattered mattered = most_that_mattered(*outcome.scenario, result);
  for (std::size_t i = 0; i < outcome.properties.size(); ++i) {
    add(outcome.properties[i], number, (*result.verdicts)[i],
        outcome.scenario->open_faults.has_value(), mattered, judgement);
  }
  return judgement;
}

void add_runs(ScenarioOutcome& outcome, const ScenarioOutcome& later) {
  for (std::size_t i = 0; i < outcome.properties.size(); ++i) {
    PropertySummary& sum = outcome.properties[i];
    const PropertySummary& more = later.properties[i];
    if (sum.violated == 0) sum.first_violating_seed = more.first_violating_seed;
    if (sum.held == 0) sum.first_holding_seed = more.first_holding_seed;
    sum.held += more.held;
    sum.violated += more.violated;
    sum.unknown += more.unknown;
    sum.could_break += more.could_break;
    sum.put_to_the_test += more.put_to_the_test;
  }
  for (std::size_t i = 0; i < outcome.probes.size(); ++i) {
    outcome.probes[i].runs_struck += later.probes[i].runs_struck;
    outcome.probes[i].runs_mattered += later.probes[i].runs_mattered;
  }
  for (std::size_t i = 0; i < outcome.takeovers.size(); ++i) {
    outcome.takeovers[i].runs += later.takeovers[i].runs;
    outcome.takeovers[i].runs_held += later.takeovers[i].runs_held;
    outcome.takeovers[i].runs_lacked += later.takeovers[i].runs_lacked;
  }
  outcome.longest_lease_ns = std::max(outcome.longest_lease_ns, later.longest_lease_ns);
  for (const DrawnKindSummary& more : later.drawn_kinds) add_drawn(outcome.drawn_kinds, more);
  for (std::size_t i = 0; i < outcome.sometimes.size(); ++i) {
    outcome.sometimes[i].runs_seen += later.sometimes[i].runs_seen;
  }
  for (std::size_t i = 0; i < outcome.bounds.size(); ++i) {
    BoundSummary& sum = outcome.bounds[i];
    const BoundSummary& more = later.bounds[i];
    if (sum.runs_over == 0) sum.first_seed_over = more.first_seed_over;
    sum.runs_over += more.runs_over;
    if (outcome.runs > 0 && more.most <= sum.most) continue;
    sum.most = more.most;
    sum.most_seed = more.most_seed;
  }
  add(outcome.client_failures, later.client_failures);
  add(outcome.script_failures, later.script_failures);
  outcome.runs += later.runs;
  outcome.runs_out_of_time += later.runs_out_of_time;
  outcome.runs_out_of_events += later.runs_out_of_events;
  outcome.interrupted = outcome.interrupted || later.interrupted;
}

void conclude(ScenarioOutcome& outcome) {
  complain(outcome);
  find_untested(outcome);
  outcome.kind = !outcome.complaints.empty()     ? OutcomeKind::not_as_expected
                 : something_is_unknown(outcome) ? OutcomeKind::unknown
                                                 : OutcomeKind::as_expected;
}

}  // namespace lockstep::search
