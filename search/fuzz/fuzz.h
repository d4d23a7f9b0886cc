// Searching a scenario for runs that break what it expects: batches of runs, and what they found.
//
// A search is cut into batches of runs (batch_sizes.h). A batch depends on the scenario, the
// plan, the corpus at the start and its own number only: what its strategies learn, they learn
// within it. So batches can be made in any order, by any number of workers, on any number of
// machines, and what comes of them together is the same.
//
// Where a search begins with a corpus, its entries are its first runs, and part of its first
// batch; each batch begins with what they taught.
//
// Not covered: who makes the batches (app/search/fuzz_jobs.h), and making what was found smaller
// (shrink.h).
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/lock/assumption.h"
#include "search/contract/survival.h"
#include "search/fuzz/batch_sizes.h"
#include "search/fuzz/corpus.h"
#include "search/fuzz/incident.h"
#include "search/fuzz/notable_run.h"
#include "search/fuzz/strategy.h"
#include "search/runs/choice_tracks.h"
#include "search/runs/rerun.h"
#include "search/runs/scenario_outcome.h"

namespace lockstep::model {
class Engine;
class Simulation;
}  // namespace lockstep::model

namespace lockstep::search {

class ContractJudge;
struct RunRecord;

struct FuzzPlan {
  std::uint64_t root_seed = 1;
  std::uint64_t runs = 10'000;
  StrategyKind strategy = StrategyKind::portfolio;
  /// stop: until it is enough (is_enough); what else that batch would have found is not told.
  enum class AfterFinding : std::uint8_t { stop, go_on };
  AfterFinding after_finding = AfterFinding::stop;
  /// This one's part of all batches: those whose number, divided by `shards`, leaves `shard`.
  std::uint64_t shard = 0;
  std::uint64_t shards = 1;
  /// What it begins with, which outlives it; then what it discovers is kept as well. None: nothing
  /// is. It may be empty.
  const Corpus* corpus = nullptr;
  /// Judges what breaks by the lock's contract; outlives the search. None: what breaks is a
  /// finding.
  const ContractJudge* contract = nullptr;
  /// Of what breaks by the contract, where it is a limit, this is not told.
  std::span<const checker::Property> limits_untold = {};
  BatchSizes sizes;
  /// Why the property broke in a run, in words that are alike where the cause is. Empty: nobody
  /// tells.
  std::function<std::string(const RunRecord&, checker::Property)> story_of = {};

  /// How many batches all the runs are.
  [[nodiscard]] std::uint64_t batches() const { return sizes.batches(runs); }
  [[nodiscard]] bool is_mine(std::uint64_t batch) const { return batch % shards == shard; }
};

/// A run that broke something. Two that broke the same, because of faults of the same kinds and for
/// the same reason, are one finding. Which faults a run needs takes some runs to find out, so
/// within a batch only the first few are looked at for each property and set of kinds of fault that
/// struck: a later run alike is counted as the same without a closer look.
struct Finding : NotableRun {
  /// The property that broke; of several, the first in the list of properties.
  checker::Property property{};
  std::vector<checker::Property> also;     ///< the others, in the list's order
  std::vector<scenario::FaultKind> kinds;  ///< of the faults that it needs, in order, each once
  /// Where there is a contract: the assumptions that were not kept. None of them: a bug.
  std::optional<model::AssumptionSet> broken;
  std::string story;  ///< why, as the plan's story_of tells it; empty: nobody knows

  /// A limit is the contract's, whatever came about by it.
  [[nodiscard]] bool is_limit() const { return broken && !broken->empty(); }
  [[nodiscard]] bool is_the_same(const Finding& other) const {
    return property == other.property && kinds == other.kinds && broken == other.broken &&
           (is_limit() || story == other.story);
  }
};

/// Lets through what breaks the finding's property with no assumption unkept that its run kept: so
/// a bug stays a bug. REQUIRES: the finding was judged by the contract, which outlives the filter.
[[nodiscard]] ViolationFilter filter_of(const ContractJudge& contract, const Finding& finding);
/// Lets through runs in which nothing breaks that the contract allows. The contract outlives it.
[[nodiscard]] ViolationFilter without_limits(const ContractJudge& contract);

/// A run that reached what none before it in the search had reached.
struct Discovery {
  std::vector<ChoiceTrack> tracks;
  std::vector<std::uint64_t> states;  ///< those, in the order in which it did
};

struct BatchResult {
  std::uint64_t batch = 0;
  ScenarioOutcome outcome;  ///< without example and conclusion; runs are named by their number
  std::vector<Finding> findings;
  std::vector<Incident> incidents;     ///< one of each kind, the first
  std::vector<std::uint64_t> states;   ///< that its runs reached, without the corpus's, ascending
  std::vector<Discovery> discoveries;  ///< within the batch; none where the plan has no corpus
  Survival survival;                   ///< counted where there is a contract
};

/// Makes the runs of a batch. `interrupted`, asked between runs, may end it early (empty: never).
/// The simulation is one of the scenario; the engine makes others to see which faults a finding
/// needs.
[[nodiscard]] BatchResult fuzz_batch(const scenario::Scenario& scenario, const FuzzPlan& plan,
                                     std::uint64_t batch, model::Engine& engine,
                                     model::Simulation& simulation,
                                     const std::function<bool()>& interrupted);

/// Whether a search that stops after findings has what it wanted: something broke that was to hold,
/// or all did that was to break.
[[nodiscard]] bool is_enough(const ScenarioOutcome& outcome);

/// What batches came to together.
struct FuzzResult {
  ScenarioOutcome outcome;
  std::vector<Finding> findings;       ///< in the order in which they were first seen
  std::vector<Incident> incidents;     ///< also
  std::vector<std::uint64_t> states;   ///< ascending, the corpus's too
  std::vector<Discovery> discoveries;  ///< what goes into the corpus; the caller may take them away
  Survival survival;
};
/// What it is before the first batch.
[[nodiscard]] FuzzResult empty_result(const scenario::Scenario& scenario, const FuzzPlan& plan,
                                      std::span<const checker::Property> judged);
/// Adds a batch. REQUIRES: they are added in the order of their numbers.
void add_batch(FuzzResult& result, BatchResult batch);

}  // namespace lockstep::search
