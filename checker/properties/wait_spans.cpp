#include "checker/properties/wait_spans.h"

#include <algorithm>
#include <tuple>

namespace lockstep::checker {

void WaitSpans::load(const Observations& observations) {
  healed_ = observations.healed;
  waits_.clear();
  for (const Wait& wait : observations.waits) waits_.push_back(&wait);
  std::sort(waits_.begin(), waits_.end(), [](const Wait* a, const Wait* b) {
    return std::tuple(a->from.order, thread_of(*a), a) <
           std::tuple(b->from.order, thread_of(*b), b);
  });
  stops_.assign(observations.stops.begin(), observations.stops.end());
  std::sort(stops_.begin(), stops_.end(), [](const Stop& a, const Stop& b) {
    return std::tuple(a.owner, a.from.order, a.until.order) <
           std::tuple(b.owner, b.from.order, b.until.order);
  });
  std::size_t kept = 0;  // stops that overlap or touch become one
  for (const Stop& stop : stops_) {
    if (kept > 0 && stops_[kept - 1].owner == stop.owner && !(stops_[kept - 1].until < stop.from)) {
      stops_[kept - 1].until = later_of(stops_[kept - 1].until, stop.until);
    } else {
      stops_[kept++] = stop;
    }
  }
  stops_.resize(kept);
}

/// The thread's first stop that was not over before that moment; else any place behind it.
std::size_t WaitSpans::first_stop(NameId thread, const Moment& at) const {
  const auto found = std::partition_point(stops_.begin(), stops_.end(), [&](const Stop& stop) {
    return std::tuple(stop.owner, stop.until.order) < std::tuple(thread, at.order);
  });
  return static_cast<std::size_t>(found - stops_.begin());
}

bool WaitSpans::is_stranded(const Wait& wait) const {
  if (wait.end != WaitEnd::run_over || wait.is_hopeless) return false;
  const std::size_t index = first_stop(thread_of(wait), wait.until);
  return index == stops_.size() || stops_[index].owner != thread_of(wait) ||
         wait.until < stops_[index].from;
}

}  // namespace lockstep::checker
