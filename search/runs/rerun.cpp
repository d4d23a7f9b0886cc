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

bool Rerun::breaks(const scenario::Scenario& scenario, model::Simulation& prepared,
                   checker::Property property) {
  ++runs_;
  source_.reset(choices_, seed_);
  const model::RunResult& result = prepared.run(source_);
  const bool is_broken = std::any_of(result.verdicts->begin(), result.verdicts->end(),
                                     [property](const checker::Verdict& verdict) {
                                       return verdict.property == property &&
                                              verdict.kind == checker::VerdictKind::violated;
                                     });
  return is_broken && (!filter_ || filter_(scenario, result));
}

}  // namespace lockstep::search
