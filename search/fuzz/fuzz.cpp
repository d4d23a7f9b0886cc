#include "search/fuzz/fuzz.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <memory>
#include <set>
#include <utility>

#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "model/engine/run_listeners.h"
#include "model/engine/run_result.h"
#include "scenario/faults/fault_spec.h"
#include "scenario/scenario.h"
#include "search/contract/contract_judge.h"
#include "search/fuzz/notable_run.h"
#include "search/fuzz/state_set.h"
#include "search/runs/needed_faults.h"
#include "search/runs/run_record.h"
#include "search/runs/seed_runs.h"
#include "search/runs/streamwise_choices.h"
#include "search/runs/tally.h"
#include "sim/mixing.h"

namespace lockstep::search {
namespace {

/// Notes where a run first reaches a state that none before had reached, and where there is a
/// corpus all such states.
class Discoveries final : public model::AbstractStateListener {
 public:
  Discoveries(StateSet& states, const Corpus* corpus, const sim::RecordingChoices& recording)
      : states_(states), corpus_(corpus), recording_(recording) {}

  void start_run() {
    first_.reset();
    new_states_.clear();
  }
  void on_state(std::uint64_t state) override {
    if (corpus_ != nullptr && corpus_->states.contains(state)) return;
    if (!states_.insert(state)) return;
    if (!first_) first_ = recording_.record().size();
    if (corpus_ != nullptr) new_states_.push_back(state);
  }
  [[nodiscard]] const std::optional<std::size_t>& first() const { return first_; }
  [[nodiscard]] const std::vector<std::uint64_t>& new_states() const { return new_states_; }

 private:
  StateSet& states_;
  const Corpus* corpus_;
  const sim::RecordingChoices& recording_;
  std::optional<std::size_t> first_;
  std::vector<std::uint64_t> new_states_;
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

/// The strategies that a batch may use; all of them learn of every run.
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
  void begin_with(std::span<const KeptRun> older, std::size_t first) {
    for (const auto& strategy : made_) {
      if (strategy != nullptr) strategy->begin_with(older, first);
    }
  }
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

std::vector<scenario::FaultKind> kinds_of(const std::vector<scenario::FaultSpec>& faults,
                                          const std::vector<std::size_t>& numbers) {
  std::set<scenario::FaultKind> kinds;
  for (const std::size_t number : numbers) kinds.insert(faults[number].kind);
  return {kinds.begin(), kinds.end()};
}

}  // namespace

ViolationFilter filter_of(const ContractJudge& contract, const Finding& finding) {
  return [&contract, property = finding.property, allowed = *finding.broken](
             const scenario::Scenario& scenario, const model::RunResult& run) {
    const std::optional<model::AssumptionSet> broken = contract.broken(scenario, run, property);
    return broken && broken->is_within(allowed);
  };
}

ViolationFilter without_limits(const ContractJudge& contract) {
  return [&contract](const scenario::Scenario& scenario, const model::RunResult& run) {
    return !contract.shows_limit(scenario, run);
  };
}

namespace {

/// Finds out what runs have in common, and runs as few as it can for that.
class Findings {
 public:
  Findings(const scenario::Scenario& scenario, const FuzzPlan& plan, model::Engine& engine)
      : scenario_(scenario), plan_(plan), engine_(engine) {}

  void add(Finding finding, std::uint64_t seed, const std::vector<std::uint32_t>& strikes,
           const std::function<bool()>& interrupted) {
    // Runs in which faults of the same kinds struck are most likely the same: only the first few of
    // them are looked at closely, and of limits one.
    Look look{finding.property, finding.broken, {}, 0, 1};
    for (std::size_t i = 0; i < finding.faults.size(); ++i) {
      if (strikes[i] > 0) look.struck.insert(finding.faults[i].kind);
    }
    const auto known = std::find_if(looks_.begin(), looks_.end(), [&](const Look& each) {
      return each.property == look.property && each.broken == look.broken &&
             each.struck == look.struck;
    });
    constexpr std::size_t looks_max = 3;
    if (known != looks_.end() && (finding.is_limit() || ++known->times > looks_max)) {
      ++findings_[known->finding].seen;
      return;
    }
    const scenario::Scenario closed = close_faults(scenario_, finding.faults);
    Rerun rerun(engine_, seed, finding.choices);
    if (plan_.contract != nullptr) rerun.count_only(filter_of(*plan_.contract, finding));
    const std::vector<std::size_t> needed =
        minimal_faults(closed, finding.property, rerun, interrupted);
    finding.kinds = kinds_of(finding.faults, needed);
    if (plan_.story_of && !finding.is_limit()) {
      finding.story = story_of(with_faults(closed, needed), finding, seed);
    }
    const auto same = std::find_if(findings_.begin(), findings_.end(),
                                   [&](const Finding& each) { return each.is_the_same(finding); });
    look.finding = static_cast<std::size_t>(same - findings_.begin());
    if (known == looks_.end()) looks_.push_back(std::move(look));
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
    std::optional<model::AssumptionSet> broken;
    std::set<scenario::FaultKind> struck;
    std::size_t finding;  // of the first
    std::size_t times;
  };

  [[nodiscard]] std::string story_of(const scenario::Scenario& scenario, const Finding& finding,
                                     std::uint64_t seed) {
    StreamwiseChoices choices;
    choices.reset(finding.choices, seed);
    return plan_.story_of(record_run(*engine_.prepare(scenario), choices), finding.property);
  }

  const scenario::Scenario& scenario_;
  const FuzzPlan& plan_;
  model::Engine& engine_;
  std::vector<Finding> findings_;
  std::vector<Look> looks_;
};

/// Makes one batch.
class BatchRunner {
 public:
  BatchRunner(const scenario::Scenario& scenario, const FuzzPlan& plan, std::uint64_t batch,
              model::Engine& engine, model::Simulation& simulation)
      : plan_(plan),
        scenario_(scenario),
        simulation_(simulation),
        strategies_(plan.strategy, static_cast<std::uint32_t>(scenario.clients.size())),
        findings_(scenario, plan, engine) {
    result_.batch = batch;
    result_.outcome = empty_outcome(scenario, simulation.judged());
    result_.outcome.numbers = RunNumbering::places;
    if (plan.corpus == nullptr) return;
    entries_ = plan.corpus->entries.size();
    // Each batch has another of the corpus's runs for its newest, so that all have their turn.
    const std::vector<KeptRun>& runs = plan.corpus->runs;
    const std::uint64_t first = runs.empty() ? 0 : sim::mixed(plan.root_seed, batch) % runs.size();
    strategies_.begin_with(runs, static_cast<std::size_t>(first));
  }

  BatchResult make(const std::function<bool()>& interrupted) {
    interrupted_ = interrupted;
    simulation_.set_abstract_state_listener(&discoveries_);
    if (result_.batch == 0) make_entries(interrupted);
    const std::uint64_t end = std::min(plan_.runs, plan_.sizes.first_run(result_.batch + 1));
    for (std::uint64_t run = plan_.sizes.first_run(result_.batch);
         run < end && !is_over(interrupted); ++run)
      make_run(run);
    simulation_.set_abstract_state_listener(nullptr);
    result_.findings = findings_.take();
    result_.states = states_.ascending();
    return std::move(result_);
  }

 private:
  bool is_over(const std::function<bool()>& interrupted) {
    if (is_enough_) return true;
    if (interrupted && interrupted()) result_.outcome.interrupted = true;
    return result_.outcome.interrupted;
  }

  void make_entries(const std::function<bool()>& interrupted) {
    TrackChoices choices;
    for (std::uint64_t entry = 0; entry < entries_ && !is_over(interrupted); ++entry) {
      choices.reset(plan_.corpus->entries[static_cast<std::size_t>(entry)]);
      Finding made;
      made.run = entry + 1;
      made.is_of_corpus = true;
      judge(std::move(made), sim::mixed(plan_.root_seed, ~entry), choices);
    }
  }

  void make_run(std::uint64_t run) {
    const std::uint64_t seed = sim::mixed(plan_.root_seed, run);
    Finding made;
    made.run = entries_ + run + 1;
    made.strategy = strategy_of_run(plan_.strategy, run);
    sim::ChoiceSource& choices = strategies_.of(made.strategy).begin_run(seed);
    judge(std::move(made), seed, choices);
    strategies_.learn({recording_.record(), discoveries_.first()});
    if (discoveries_.new_states().empty()) return;
    result_.discoveries.push_back({tracks_of(recording_.record()), discoveries_.new_states()});
  }

  /// Makes a run; it is a finding if something breaks.
  void judge(Finding made, std::uint64_t seed, sim::ChoiceSource& choices) {
    recording_.clear();
    discoveries_.start_run();
    forwarded_.set(choices);
    const model::RunResult& came = simulation_.run(recording_);
    const Judgement judgement = add_run(result_.outcome, made.run, came);
    const std::vector<checker::Property> broken = broken_in(result_.outcome, came);
    if (plan_.contract != nullptr) result_.survival.add(came);
    // Most runs end here.
    if (!judgement.not_as_expected && !judgement.unknown && broken.empty()) return;
    made.faults = *came.faults;
    made.choices = recording_.record();
    made.hash = came.hash;
    for (Incident& incident : incidents_of(result_.outcome, came)) {
      static_cast<NotableRun&>(incident) = made;
      add_incident(result_.incidents, std::move(incident));
    }
    if (broken.empty()) return;
    const std::vector<std::uint32_t> strikes = came.fault_strikes;
    for (Finding& finding : findings_of(made, broken, came)) {
      findings_.add(std::move(finding), seed, strikes, interrupted_);
    }
    const bool may_stop = plan_.after_finding == FuzzPlan::AfterFinding::stop;
    is_enough_ = may_stop && is_enough(result_.outcome);
  }

  /// One; where there is a contract, one for each set of assumptions that was not kept.
  [[nodiscard]] std::vector<Finding> findings_of(const Finding& made,
                                                 const std::vector<checker::Property>& broken,
                                                 const model::RunResult& came) const {
    std::vector<Finding> findings;
    for (const checker::Property property : broken) {
      std::optional<model::AssumptionSet> not_kept;
      if (plan_.contract != nullptr) {
        not_kept = plan_.contract->broken(scenario_, came, property);
        if (!not_kept || (!not_kept->empty() && is_untold(property))) continue;
      }
      const auto alike = std::find_if(findings.begin(), findings.end(),
                                      [&](const Finding& each) { return each.broken == not_kept; });
      if (alike != findings.end()) {
        alike->also.push_back(property);
        continue;
      }
      findings.push_back(made);
      findings.back().property = property;
      findings.back().broken = not_kept;
    }
    return findings;
  }

  [[nodiscard]] bool is_untold(checker::Property property) const {
    return std::find(plan_.limits_untold.begin(), plan_.limits_untold.end(), property) !=
           plan_.limits_untold.end();
  }

  const FuzzPlan& plan_;
  const scenario::Scenario& scenario_;
  model::Simulation& simulation_;
  BatchResult result_;
  StateSet states_;
  ForwardedChoices forwarded_;
  sim::RecordingChoices recording_{forwarded_};
  Discoveries discoveries_{states_, plan_.corpus, recording_};
  Strategies strategies_;
  Findings findings_;
  std::uint64_t entries_ = 0;  // of the corpus; the other runs are numbered behind them
  bool is_enough_ = false;
  std::function<bool()> interrupted_;
};

}  // namespace

BatchResult fuzz_batch(const scenario::Scenario& scenario, const FuzzPlan& plan,
                       std::uint64_t batch, model::Engine& engine, model::Simulation& simulation,
                       const std::function<bool()>& interrupted) {
  return BatchRunner(scenario, plan, batch, engine, simulation).make(interrupted);
}

FuzzResult empty_result(const scenario::Scenario& scenario, const FuzzPlan& plan,
                        std::span<const checker::Property> judged) {
  FuzzResult result;
  result.outcome = empty_outcome(scenario, judged);
  result.outcome.numbers = RunNumbering::places;
  if (plan.corpus != nullptr) result.states = plan.corpus->states.ascending();
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

void add_batch(FuzzResult& result, BatchResult batch) {
  if (result.outcome.properties.empty()) {
    result.outcome = std::move(batch.outcome);
  } else {
    add_runs(result.outcome, batch.outcome);
  }
  for (Finding& finding : batch.findings) {
    const auto same = std::find_if(result.findings.begin(), result.findings.end(),
                                   [&](const Finding& each) { return each.is_the_same(finding); });
    if (same != result.findings.end()) {
      same->seen += finding.seen;
    } else {
      result.findings.push_back(std::move(finding));
    }
  }
  for (Incident& incident : batch.incidents) {
    add_incident(result.incidents, std::move(incident));
  }
  for (Discovery& discovery : batch.discoveries) {
    const bool is_new = std::any_of(
        discovery.states.begin(), discovery.states.end(), [&result](std::uint64_t state) {
          return !std::binary_search(result.states.begin(), result.states.end(), state);
        });
    if (is_new) result.discoveries.push_back(std::move(discovery));
  }
  std::vector<std::uint64_t> both;
  std::set_union(result.states.begin(), result.states.end(), batch.states.begin(),
                 batch.states.end(), std::back_inserter(both));
  result.states = std::move(both);
  result.survival.add(batch.survival);
}

NotableRun::NotableRun() = default;
NotableRun::NotableRun(const NotableRun&) = default;
NotableRun::NotableRun(NotableRun&&) noexcept = default;
NotableRun& NotableRun::operator=(const NotableRun&) = default;
NotableRun& NotableRun::operator=(NotableRun&&) noexcept = default;
NotableRun::~NotableRun() = default;

std::string_view found_by(const NotableRun& found) {
  return found.is_of_corpus ? "corpus" : to_string(found.strategy);
}

}  // namespace lockstep::search
