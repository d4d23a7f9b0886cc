#include "checker/measures.h"

#include <algorithm>

#include "checker/check.h"
#include "checker/properties/mutual_exclusion.h"

namespace lockstep::checker {

Measurer::Measurer() : mutual_exclusion_(std::make_unique<MutualExclusion>()) {}

Measurer::~Measurer() = default;

Measures Measurer::measure(const Run& run) {
  Measures measures;
  measures.overlap_ns = mutual_exclusion_->widest_ns(run);
  for (const Wait& wait : run.observations.waits) {
    const bool still_waits = wait.end == WaitEnd::run_over;
    const bool has_ended = wait.end == WaitEnd::granted || wait.end == WaitEnd::refused;
    if (!still_waits && !has_ended) continue;
    const bool for_ever = still_waits && run.observations.came_to_rest;
    const TimeNs wait_ns = for_ever ? never_ns : wait.until.at_ns - wait.from.at_ns;
    measures.wait_ns = std::max(measures.wait_ns, wait_ns);
  }
  return measures;
}

}  // namespace lockstep::checker
