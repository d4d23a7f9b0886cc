#include "search/runs/needed_faults.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "scenario/scenario.h"
#include "search/runs/minimal_faults.h"
#include "search/runs/rerun.h"
#include "search/runs/run_record.h"
#include "search/runs/scenario_outcome.h"
#include "search/runs/seed_runs.h"
#include "search/runs/streamwise_choices.h"

namespace lockstep::search {
namespace {

/// Of an example with many faults: each is left out once for all properties, and then again.
constexpr std::uint64_t runs_max = 100;

/// The example's run with fewer faults, made once for all properties.
class Trials {
 public:
  Trials(const ScenarioOutcome& outcome, model::Engine& engine)
      : engine_(engine),
        closed_(close_faults(outcome.scenario, outcome.example.faults)),
        seed_(outcome.example.seed),
        rerun_(engine, seed_) {}

  /// The run with these alone beside them, null where they are all.
  std::pair<NeededFaults, RunWithFewerFaults> needed_by(checker::Property property) {
    const auto breaks_with = [&](const std::vector<std::size_t>& faults) {
      const std::vector<checker::Property>& broken = broken_with(faults);
      return std::find(broken.begin(), broken.end(), property) != broken.end();
    };
    const auto is_enough = [&] { return rerun_.runs() >= runs_max; };
    NeededFaults needed{property, fewest_faults(closed_.faults.size(), breaks_with, is_enough)};
    const bool are_all = needed.faults.size() == closed_.faults.size();
    RunWithFewerFaults alone{property, are_all ? nullptr : recorded_with(needed.faults)};
    return {std::move(needed), std::move(alone)};
  }

 private:
  const std::vector<checker::Property>& broken_with(const std::vector<std::size_t>& faults) {
    const auto known = broken_.find(faults);
    if (known != broken_.end()) return known->second;
    return broken_.emplace(faults, rerun_.broken(with_faults(closed_, faults))).first->second;
  }

  std::shared_ptr<const RunRecord> recorded_with(const std::vector<std::size_t>& faults) {
    std::shared_ptr<const RunRecord>& record = records_[faults];
    if (record != nullptr) return record;
    StreamwiseChoices choices;
    choices.reset({}, seed_);
    const std::unique_ptr<model::Simulation> simulation =
        engine_.prepare(with_faults(closed_, faults));
    return record = std::make_shared<const RunRecord>(record_run(*simulation, choices));
  }

  model::Engine& engine_;
  scenario::Scenario closed_;
  std::uint64_t seed_;
  Rerun rerun_;
  std::map<std::vector<std::size_t>, std::vector<checker::Property>> broken_;
  std::map<std::vector<std::size_t>, std::shared_ptr<const RunRecord>> records_;
};

}  // namespace

void find_needed_faults(ScenarioOutcome& outcome, model::Engine& engine) {
  if (outcome.example.faults.empty()) return;
  Trials trials(outcome, engine);
  std::vector<RunWithFewerFaults> runs;
  for (const checker::Verdict& verdict : outcome.example.verdicts) {
    if (verdict.kind != checker::VerdictKind::violated) continue;
    auto [needed, alone] = trials.needed_by(verdict.property);
    outcome.needed.push_back(std::move(needed));
    runs.push_back(std::move(alone));
  }
  outcome.example.with_fewer_faults = std::move(runs);
}

}  // namespace lockstep::search
