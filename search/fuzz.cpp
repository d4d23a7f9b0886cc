#include "search/fuzz.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <set>
#include <utility>

#include "search/fewest_faults.h"
#include "search/state_set.h"
#include "search/tally.h"
#include "sim/mixing.h"

namespace lockstep::search {
namespace {

/// Notes where a run first reaches a state that none before had reached.
class Discoveries final : public model::StateListener {
 public:
  Discoveries(StateSet& states, const sim::RecordingChoices& recording)
      : states_(states), recording_(recording) {}

  void start_run() { first_.reset(); }
  void on_state(std::uint64_t state) override {
    if (states_.insert(state) && !first_) first_ = recording_.record().size();
  }
  [[nodiscard]] const std::optional<std::size_t>& first() const { return first_; }

 private:
  StateSet& states_;
  const sim::RecordingChoices& recording_;
  std::optional<std::size_t> first_;
};

/// Passes choices on to a source that changes from run to run.
class ForwardedChoices final : public sim::ChoiceSource {
 public:
  void set(sim::ChoiceSource& source) { source_ = &source; }

 private:
  std::uint64_t draw(sim::Stream stream, std::uint64_t count) override {
    return source_->choose(stream, count);
  }
  sim::ChoiceSource* source_ = nullptr;
};

/// The strategies that a stretch may use; all of them learn of every run.
class Strategies {
 public:
  Strategies(StrategyKind asked, std::uint32_t clients) {
    for (std::size_t i = 0; i < strategy_count; ++i) {
      const auto kind = static_cast<StrategyKind>(i);
      const bool is_wanted = asked == kind || asked == StrategyKind::portfolio;
      if (kind != StrategyKind::portfolio && is_wanted) made_[i] = make_strategy(kind, clients);
    }
  }
  [[nodiscard]] Strategy& of(StrategyKind kind) { return *made_[static_cast<std::size_t>(kind)]; }
  void learn(const RunFeedback& feedback) {
    for (const auto& strategy : made_) {
      if (strategy != nullptr) strategy->learn(feedback);
    }
  }

 private:
  std::array<std::unique_ptr<Strategy>, strategy_count> made_;
};

bool is_asked(const PropertySummary& summary) { return summary.expected != Expected::nothing; }

/// What broke in a run of what is asked about; none where nothing did.
std::vector<checker::Property> broken_in(const ScenarioOutcome& outcome,
                                         const model::RunResult& result) {
  std::vector<checker::Property> broken;
  for (std::size_t i = 0; i < outcome.properties.size(); ++i) {
    const bool is_violated = (*result.verdicts)[i].kind == checker::VerdictKind::violated;
    if (is_violated && is_asked(outcome.properties[i])) {
      broken.push_back(outcome.properties[i].property);
    }
  }
  return broken;
}

std::vector<model::FaultKind> kinds_of(const std::vector<model::FaultSpec>& faults,
                                       const std::vector<std::size_t>& numbers) {
  std::set<model::FaultKind> kinds;
  for (const std::size_t number : numbers) kinds.insert(faults[number].kind);
  return {kinds.begin(), kinds.end()};
}

/// Finds out what runs have in common, and runs as few as it can for that.
class Findings {
 public:
  Findings(const model::Scenario& scenario, model::Engine& engine)
      : scenario_(scenario), engine_(engine) {}

  void add(Finding finding, std::uint64_t seed, const std::vector<std::uint32_t>& strikes) {
    // Runs in which faults of the same kinds struck are most likely the same: only the first of
    // them is looked at closely.
    Look look{finding.property, {}, 0};
    for (std::size_t i = 0; i < finding.faults.size(); ++i) {
      if (strikes[i] > 0) look.struck.insert(finding.faults[i].kind);
    }
    const auto known = std::find_if(looks_.begin(), looks_.end(), [&](const Look& each) {
      return each.property == look.property && each.struck == look.struck;
    });
    if (known != looks_.end()) {
      ++findings_[known->finding].seen;
      return;
    }
    const model::Scenario closed = close_faults(scenario_, finding.faults);
    Retrial retrial(engine_, seed, finding.choices);
    finding.kinds = kinds_of(finding.faults, fewest_faults(closed, finding.property, retrial));
    const auto same = std::find_if(findings_.begin(), findings_.end(),
                                   [&](const Finding& each) { return each.is_the_same(finding); });
    look.finding = static_cast<std::size_t>(same - findings_.begin());
    looks_.push_back(std::move(look));
    if (same != findings_.end()) {
      ++same->seen;
    } else {
      findings_.push_back(std::move(finding));
    }
  }
  [[nodiscard]] std::vector<Finding> take() { return std::move(findings_); }
  [[nodiscard]] bool empty() const { return findings_.empty(); }

 private:
  struct Look {
    checker::Property property;
    std::set<model::FaultKind> struck;
    std::size_t finding;
  };
  const model::Scenario& scenario_;
  model::Engine& engine_;
  std::vector<Finding> findings_;
  std::vector<Look> looks_;
};

}  // namespace

StretchResult fuzz_stretch(const model::Scenario& scenario, const FuzzPlan& plan,
                           std::uint64_t stretch, model::Engine& engine,
                           model::Simulation& simulation,
                           const std::function<bool()>& interrupted) {
  StretchResult result;
  result.stretch = stretch;
  result.outcome = empty_outcome(scenario, simulation.judged());
  result.outcome.numbers = RunNumbers::places;
  StateSet states;
  ForwardedChoices forwarded;
  sim::RecordingChoices recording(forwarded);
  Discoveries discoveries(states, recording);
  simulation.set_state_listener(&discoveries);
  Strategies strategies(plan.strategy, static_cast<std::uint32_t>(scenario.clients.size()));
  Findings findings(scenario, engine);
  const std::uint64_t first = stretch * runs_of_stretch;
  const std::uint64_t end = std::min(plan.runs, first + runs_of_stretch);
  for (std::uint64_t run = first; run < end; ++run) {
    if (interrupted && interrupted()) {
      result.outcome.interrupted = true;
      break;
    }
    const std::uint64_t seed = sim::mixed(plan.root_seed, run);
    const StrategyKind kind = strategy_of_run(plan.strategy, run);
    recording.clear();
    discoveries.start_run();
    forwarded.set(strategies.of(kind).begin_run(seed));
    const model::RunResult& came = simulation.run(recording);
    add_run(result.outcome, run + 1, came);
    strategies.learn({recording.record(), discoveries.first()});
    const std::vector<checker::Property> broken = broken_in(result.outcome, came);
    if (broken.empty()) continue;
    Finding finding;
    finding.run = run + 1;
    finding.strategy = kind;
    finding.property = broken.front();
    finding.also.assign(broken.begin() + 1, broken.end());
    finding.faults = *came.faults;
    finding.choices = recording.record();
    finding.hash = came.hash;
    findings.add(std::move(finding), seed, came.fault_strikes);
    const bool may_stop = plan.after_finding == FuzzPlan::AfterFinding::stop;
    if (may_stop && is_enough(result.outcome)) break;
  }
  simulation.set_state_listener(nullptr);
  result.findings = findings.take();
  result.states = states.ascending();
  return result;
}

bool is_enough(const ScenarioOutcome& outcome) {
  bool is_one_to_break = false;
  bool have_all_broken = true;
  for (const PropertySummary& each : outcome.properties) {
    if (each.expected == Expected::holds && each.violated > 0) return true;
    if (each.expected != Expected::violated) continue;
    is_one_to_break = true;
    have_all_broken = have_all_broken && each.violated > 0;
  }
  return is_one_to_break && have_all_broken;
}

void add_stretch(FuzzResult& result, StretchResult stretch) {
  if (result.outcome.properties.empty()) {
    result.outcome = std::move(stretch.outcome);
  } else {
    add_runs(result.outcome, stretch.outcome);
  }
  for (Finding& finding : stretch.findings) {
    const auto same = std::find_if(result.findings.begin(), result.findings.end(),
                                   [&](const Finding& each) { return each.is_the_same(finding); });
    if (same != result.findings.end()) {
      same->seen += finding.seen;
    } else {
      result.findings.push_back(std::move(finding));
    }
  }
  std::vector<std::uint64_t> both;
  std::set_union(result.states.begin(), result.states.end(), stretch.states.begin(),
                 stretch.states.end(), std::back_inserter(both));
  result.states = std::move(both);
}

}  // namespace lockstep::search
