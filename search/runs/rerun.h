// Making a run again after its scenario was changed, to see whether a property still breaks.
//
// What the changed scenario asks for is answered as it was in the run before, stream by stream
// (streamwise_choices.h); what is new, from the seed.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "checker/property.h"
#include "search/runs/streamwise_choices.h"
#include "sim/recorded_choices.h"

namespace lockstep::model {
class Engine;
class Simulation;
struct RunResult;
}  // namespace lockstep::model
namespace lockstep::scenario {
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::sim {
class TraceSink;
}  // namespace lockstep::sim

namespace lockstep::search {

/// Whether a violation counts, of a run of this scenario in which the property broke. Empty: any
/// does.
using ViolationFilter = std::function<bool(const scenario::Scenario&, const model::RunResult&)>;

class Rerun {
 public:
  /// The run of a seed. The engine outlives it.
  Rerun(model::Engine& engine, std::uint64_t seed) : Rerun(engine, seed, {}) {}
  /// A run that was made with these choices.
  Rerun(model::Engine& engine, std::uint64_t seed, std::vector<sim::Choice> choices)
      : engine_(engine), seed_(seed), choices_(std::move(choices)) {}

  /// Only violations that the filter lets through count.
  void count_only(ViolationFilter filter) { filter_ = std::move(filter); }
  [[nodiscard]] bool breaks(const scenario::Scenario& scenario, checker::Property property);
  /// The same of a scenario that is made ready already: worth it where several runs are made of it.
  [[nodiscard]] bool breaks(const scenario::Scenario& scenario, model::Simulation& prepared,
                            checker::Property property);
  /// All properties that break, in the order of the verdicts; no filter is asked. The sink sees the
  /// run.
  [[nodiscard]] std::vector<checker::Property> broken(const scenario::Scenario& scenario,
                                                      sim::TraceSink& sink);
  /// How many runs it has made.
  [[nodiscard]] std::uint64_t runs() const { return runs_; }

 private:
  [[nodiscard]] const model::RunResult& run(model::Simulation& prepared,
                                            sim::TraceSink* sink = nullptr);

  model::Engine& engine_;
  std::uint64_t seed_;
  std::vector<sim::Choice> choices_;
  StreamwiseChoices source_;
  ViolationFilter filter_;
  std::uint64_t runs_ = 0;
};

}  // namespace lockstep::search
