#include "search/runs/rerun.h"

#include <algorithm>
#include <memory>

#include "checker/verdict.h"
#include "model/engine/engine.h"
#include "model/engine/run_result.h"

namespace lockstep::search {

bool Rerun::breaks(const scenario::Scenario& scenario, checker::Property property) {
  return breaks(scenario, *engine_.prepare(scenario), property);
}

const model::RunResult& Rerun::run(model::Simulation& prepared, sim::TraceSink* sink) {
  ++runs_;
  source_.reset(choices_, seed_);
  return prepared.run(source_, sink);
}

std::vector<checker::Property> Rerun::broken(const scenario::Scenario& scenario,
                                             sim::TraceSink& sink) {
  const std::unique_ptr<model::Simulation> prepared = engine_.prepare(scenario);
  std::vector<checker::Property> broken;
  for (const checker::Verdict& verdict : *run(*prepared, &sink).verdicts) {
    if (verdict.kind == checker::VerdictKind::violated) broken.push_back(verdict.property);
  }
  return broken;
}

bool Rerun::breaks(const scenario::Scenario& scenario, model::Simulation& prepared,
                   checker::Property property) {
  const model::RunResult& result = run(prepared);
  const bool is_broken = std::any_of(result.verdicts->begin(), result.verdicts->end(),
                                     [property](const checker::Verdict& verdict) {
                                       return verdict.property == property &&
                                              verdict.kind == checker::VerdictKind::violated;
                                     });
  return is_broken && (!filter_ || filter_(scenario, result));
}

}  // namespace lockstep::search
