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
  measures.requests_per_second = most_requests(run);
  return measures;
}

/// Requests come in the order of their moments, so a window of a second moves along with them.
std::int64_t Measurer::most_requests(const Run& run) {
  constexpr TimeNs second_ns = 1'000'000'000;
  for (std::vector<TimeNs>& times : sent_) times.clear();
  for (const SentRequest& request : run.observations.requests) {
    if (request.client >= sent_.size()) sent_.resize(request.client + 1);
    sent_[request.client].push_back(request.at.at_ns);
  }
  std::size_t most = 0;
  for (const std::vector<TimeNs>& times : sent_) {
    std::size_t first = 0;
    for (std::size_t last = 0; last < times.size(); ++last) {
      while (times[last] - times[first] >= second_ns) ++first;
      most = std::max(most, last - first + 1);
    }
  }
  return static_cast<std::int64_t>(most);
}

}  // namespace lockstep::checker
