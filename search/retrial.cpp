#include "search/retrial.h"

#include <algorithm>
#include <memory>

namespace lockstep::search {

bool Retrial::breaks(const model::Scenario& scenario, checker::Property property) {
  ++runs_;
  const std::unique_ptr<model::Simulation> simulation = engine_.prepare(scenario);
  source_.reset(choices_, seed_);
  const model::RunResult& result = simulation->run(source_);
  return std::any_of(result.verdicts->begin(), result.verdicts->end(),
                     [property](const checker::Verdict& verdict) {
                       return verdict.property == property &&
                              verdict.kind == checker::VerdictKind::violated;
                     });
}

}  // namespace lockstep::search
