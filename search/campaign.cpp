#include "search/campaign.h"

#include <algorithm>
#include <cassert>
#include <optional>
#include <stdexcept>
#include <utility>

#include "checker/text.h"
#include "model/scenario/durations.h"
#include "search/example_run.h"
#include "search/fewest_faults.h"
#include "sim/seeded_choices.h"

namespace lockstep::search {
namespace {

bool contains(const std::vector<checker::Property>& properties, checker::Property property) {
  return std::find(properties.begin(), properties.end(), property) != properties.end();
}

Expected expected_of(const model::Expectation& expect, checker::Property property) {
  if (contains(expect.violates, property)) return Expected::violated;
  if (contains(expect.holds, property)) return Expected::holds;
  return Expected::nothing;
}

/// What a run has against the expectations.
struct Judgement {
  bool not_as_expected = false;
  bool unknown = false;
  bool violated_as_expected = false;
  bool violated = false;  // whatever was asked for
};

/// How much a run is worth showing. Of two runs alike, one in which something broke tells more than
/// one in which nothing did: an expected violation that never came shows what came instead.
int rank_of(const Judgement& judgement) {
  const int surprise = judgement.not_as_expected        ? 3
                       : judgement.unknown              ? 2
                       : judgement.violated_as_expected ? 1
                                                        : 0;
  return 2 * surprise + (judgement.violated ? 1 : 0);
}

/// Counts runs as they come, and remembers the seeds that are worth showing.
class Tally {
 public:
  Tally(const model::Scenario& scenario, std::span<const checker::Property> judged,
        ScenarioOutcome& outcome)
      : outcome_(outcome), is_open_(scenario.open_faults.has_value()) {
    for (const checker::Property property : judged) {
      PropertySummary summary{};
      summary.property = property;
      summary.expected = expected_of(scenario.expect, property);
      outcome_.properties.push_back(summary);
    }
    for (const model::FaultSpec& fault : scenario.faults) {
      outcome_.probes.push_back({fault.describe(), 0});
    }
    for (const model::Sometimes& each : scenario.expect.sometimes) {
      outcome_.sometimes.push_back({each.text, 0});
    }
    const auto add_bound = [this](std::string_view name, std::string_view what,
                                  const std::optional<sim::DurationNs>& at_most_ns) {
      if (!at_most_ns) return;
      BoundSummary bound;
      bound.name = name;
      bound.what = what;
      bound.at_most_ns = *at_most_ns;
      outcome_.bounds.push_back(std::move(bound));
    };
    add_bound("overlap_at_most", "two believed at once that they had the lock",
              scenario.expect.overlap_at_most_ns);
    add_bound("wait_at_most", "a thread waited for the lock", scenario.expect.wait_at_most_ns);
  }

  Judgement add(std::uint64_t seed, const model::RunResult& result) {
    ++outcome_.runs;
    if (result.end == model::RunEnd::horizon) ++outcome_.runs_out_of_time;
    if (result.end == model::RunEnd::event_limit) ++outcome_.runs_out_of_events;
    for (std::size_t i = 0; i < outcome_.probes.size(); ++i) {
      if (result.fault_strikes[i] > 0) ++outcome_.probes[i].runs_struck;
    }
    for (std::size_t i = outcome_.probes.size(); i < result.fault_strikes.size(); ++i) {
      add_drawn((*result.faults)[i].kind, result.fault_strikes[i] > 0);
    }
    for (std::size_t i = 0; i < outcome_.sometimes.size(); ++i) {
      if (result.sometimes_seen[i] > 0) ++outcome_.sometimes[i].runs_seen;
    }
    Judgement judgement;
    for (BoundSummary& bound : outcome_.bounds) {
      const bool is_overlap = bound.name == "overlap_at_most";
      add(bound, seed, is_overlap ? result.measures->overlap_ns : result.measures->wait_ns,
          judgement);
    }
    if (!result.client_failures.empty()) {
      judgement.not_as_expected = true;
      if (outcome_.runs_failed++ == 0) {
        outcome_.first_failed_seed = seed;
        outcome_.first_failure = result.client_failures.front();
      }
    }
    for (std::size_t i = 0; i < outcome_.properties.size(); ++i) {
      add(outcome_.properties[i], seed, (*result.verdicts)[i], judgement);
    }
    return judgement;
  }

 private:
  static void add(BoundSummary& bound, std::uint64_t seed, sim::DurationNs measured_ns,
                  Judgement& judgement) {
    if (bound.longest_seed == 0 || measured_ns > bound.longest_ns) {
      bound.longest_ns = measured_ns;
      bound.longest_seed = seed;
    }
    if (measured_ns <= bound.at_most_ns) return;
    judgement.not_as_expected = true;
    if (bound.runs_over++ == 0) bound.first_seed_over = seed;
  }

  void add_drawn(model::FaultKind kind, bool has_struck) {
    auto& kinds = outcome_.drawn_kinds;
    auto found = std::find_if(kinds.begin(), kinds.end(),
                              [kind](const DrawnKindSummary& each) { return each.kind == kind; });
    if (found == kinds.end()) found = kinds.insert(kinds.end(), DrawnKindSummary{kind});
    ++found->drawn;
    if (has_struck) ++found->struck;
  }

  void add(PropertySummary& summary, std::uint64_t seed, const checker::Verdict& verdict,
           Judgement& judgement) {
    assert(summary.property == verdict.property);
    switch (verdict.kind) {
      case checker::VerdictKind::holds:
        if (summary.held++ == 0) summary.first_holding_seed = seed;
        judgement.not_as_expected |= summary.expected == Expected::violated && !is_open_;
        return;
      case checker::VerdictKind::violated:
        if (summary.violated++ == 0) summary.first_violating_seed = seed;
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

  ScenarioOutcome& outcome_;
  bool is_open_;
};

std::string runs_in_words(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " run" : " runs");
}

std::string times(std::uint64_t count, std::uint64_t of) {
  return std::to_string(count) + " of " + std::to_string(of) + (of == 1 ? " run" : " runs");
}

/// A property's own words about a run in which it broke.
std::string summary_of(const Example& example, checker::Property property) {
  for (const checker::Verdict& verdict : example.verdicts) {
    if (verdict.property == property) return verdict.summary;
  }
  return {};
}

void complain(ScenarioOutcome& outcome) {
  for (const PropertySummary& summary : outcome.properties) {
    const std::string name(checker::to_string(summary.property));
    const bool is_open = outcome.scenario.open_faults.has_value();
    if (summary.expected == Expected::violated && is_open && summary.violated == 0) {
      outcome.complaints.push_back(
          name + " was expected to be violated in some run, but it was in none of " +
          runs_in_words(outcome.runs));
    }
    if (summary.expected == Expected::violated && !is_open && summary.held > 0) {
      std::string words = name + " was expected to be violated, but it held in " +
                          times(summary.held, outcome.runs);
      if (summary.held < outcome.runs) {
        words += " (first with seed " + std::to_string(summary.first_holding_seed) +
                 "); 'violates' means in every run";
      }
      outcome.complaints.push_back(std::move(words));
    }
    if (summary.expected == Expected::holds && summary.violated > 0) {
      std::string words = name + " was expected to hold, but it was violated in " +
                          times(summary.violated, outcome.runs) + " (first with seed " +
                          std::to_string(summary.first_violating_seed) + ")";
      if (summary.first_violating_seed == outcome.example.seed) {
        words += ": " + summary_of(outcome.example, summary.property);
      }
      outcome.complaints.push_back(std::move(words));
    }
  }
  if (outcome.runs_failed > 0) {
    outcome.complaints.push_back("the client half failed in " +
                                 times(outcome.runs_failed, outcome.runs) + " (first with seed " +
                                 std::to_string(outcome.first_failed_seed) +
                                 "): " + outcome.first_failure);
  }
  for (const BoundSummary& bound : outcome.bounds) {
    if (bound.runs_over == 0) continue;
    outcome.complaints.push_back(
        bound.name + " is " + model::write_duration(bound.at_most_ns) + ", but " + bound.what +
        " for longer in " + times(bound.runs_over, outcome.runs) + " (first with seed " +
        std::to_string(bound.first_seed_over) + "; longest: " + bound.longest() + ", with seed " +
        std::to_string(bound.longest_seed) + ")");
  }
  for (const SometimesSummary& each : outcome.sometimes) {
    if (each.runs_seen == 0) {
      outcome.complaints.push_back("this was expected sometimes, but never happened in " +
                                   runs_in_words(outcome.runs) + ": " + each.what);
    }
  }
  for (const ProbeSummary& probe : outcome.probes) {
    if (probe.runs_struck == 0) {
      outcome.complaints.push_back("a fault never struck: " + probe.fault);
    }
  }
}

bool something_is_unknown(const ScenarioOutcome& outcome) {
  return std::any_of(outcome.properties.begin(), outcome.properties.end(),
                     [](const PropertySummary& summary) {
                       return summary.expected != Expected::nothing && summary.unknown > 0;
                     });
}

/// For the first property that broke in the example.
std::optional<NeededFaults> needed_faults(const ScenarioOutcome& outcome, model::Engine& engine) {
  if (outcome.example.faults.empty()) return std::nullopt;
  const auto& verdicts = outcome.example.verdicts;
  const auto broken =
      std::find_if(verdicts.begin(), verdicts.end(), [](const checker::Verdict& verdict) {
        return verdict.kind == checker::VerdictKind::violated;
      });
  if (broken == verdicts.end()) return std::nullopt;
  const model::Scenario closed = close_faults(outcome.scenario, outcome.example.faults);
  return NeededFaults{broken->property,
                      fewest_faults(closed, broken->property, outcome.example.seed, engine)};
}

}  // namespace

model::Scenario close_faults(const model::Scenario& scenario,
                             const std::vector<model::FaultSpec>& faults) {
  model::Scenario closed = scenario;
  closed.faults = faults;
  closed.open_faults.reset();
  return closed;
}

std::string BoundSummary::longest() const {
  return longest_ns == sim::never_ns ? "for ever" : checker::milliseconds(longest_ns);
}

std::string_view to_string(OutcomeKind kind) {
  switch (kind) {
    case OutcomeKind::as_expected:
      return "as expected";
    case OutcomeKind::not_as_expected:
      return "not as expected";
    case OutcomeKind::unknown:
      return "unknown";
  }
  return "unknown";
}

ScenarioOutcome run_scenario(const model::Scenario& scenario, const CampaignOptions& options,
                             model::Engine& engine) {
  const std::unique_ptr<model::Simulation> simulation = engine.prepare(scenario);
  ScenarioOutcome outcome;
  outcome.scenario = scenario;
  Tally tally(scenario, simulation->judged(), outcome);
  /// The seed to show and its hash: the first of the highest rank.
  struct Shown {
    int rank;
    std::uint64_t seed;
    std::uint64_t hash;
  };
  std::optional<Shown> shown;
  sim::SeededChoices choices(options.first_seed);
  for (std::uint64_t i = 0; i < options.seeds; ++i) {
    if (options.interrupted != nullptr && options.interrupted()) {
      outcome.interrupted = true;
      break;
    }
    const std::uint64_t seed = options.first_seed + i;
    choices.reset(seed);
    const model::RunResult& result = simulation->run(choices);
    const Judgement judgement = tally.add(seed, result);
    const int rank = rank_of(judgement);
    if (!shown || rank > shown->rank) shown = Shown{rank, seed, result.hash};
  }
  if (!shown) return outcome;
  outcome.example = record_seed(*simulation, shown->seed);
  if (outcome.example.trace.hash != shown->hash) {
    const Example again = record_seed(*simulation, shown->seed);
    throw std::logic_error("seed " + std::to_string(shown->seed) +
                           " gave two different runs: Lockstep itself is not deterministic. " +
                           first_difference(outcome.example.trace, again.trace));
  }
  outcome.needed = needed_faults(outcome, engine);
  complain(outcome);
  outcome.kind = !outcome.complaints.empty()     ? OutcomeKind::not_as_expected
                 : something_is_unknown(outcome) ? OutcomeKind::unknown
                                                 : OutcomeKind::as_expected;
  return outcome;
}

ReplayResult replay(const model::Scenario& scenario, const Example& recorded, model::Engine& engine,
                    model::NodeObserver* observer) {
  const std::unique_ptr<model::Simulation> simulation = engine.prepare(scenario);
  ReplayResult result;
  sim::ReplayedChoices choices(recorded.trace.choices);
  result.example = record_run(*simulation, choices, observer);
  result.example.seed = recorded.seed;
  result.example.trace.choices = recorded.trace.choices;
  if (result.example.trace.hash == recorded.trace.hash) {
    result.same = true;
    return result;
  }
  if (choices.divergence()) {
    result.difference = *choices.divergence() + ". ";
  } else if (choices.left_over() > 0) {
    result.difference =
        std::to_string(choices.left_over()) + " recorded choices were not asked for. ";
  }
  if (simulation->lock_digest() != recorded.lock_digest) {
    result.difference += "The lock's files have changed since the trace was made. ";
  }
  result.difference += first_difference(recorded.trace, result.example.trace);
  return result;
}

}  // namespace lockstep::search
