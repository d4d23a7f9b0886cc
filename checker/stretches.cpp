#include "checker/stretches.h"

#include <algorithm>
#include <cassert>
#include <tuple>

namespace lockstep::checker {
namespace {

/// Later than every moment of a run.
constexpr Moment end_of_time{never_ns, UINT64_MAX};

}  // namespace

void Stretches::load(const Observations& observations) {
  healed_ = observations.healed;
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

/// The owner's first stop that was not over before that moment; else any place behind it.
std::size_t Stretches::first_stop(NameId owner, const Moment& at) const {
  const auto found = std::partition_point(stops_.begin(), stops_.end(), [&](const Stop& stop) {
    return std::tuple(stop.owner, stop.until.order) < std::tuple(owner, at.order);
  });
  return static_cast<std::size_t>(found - stops_.begin());
}

bool Stretches::is_left(const Wait& wait) const {
  if (wait.end != WaitEnd::run_over) return false;
  const std::size_t index = first_stop(wait.owner, wait.until);
  return index == stops_.size() || stops_[index].owner != wait.owner ||
         wait.until < stops_[index].from;
}

void ServingSpans::clear(TimeNs bound_ns) {
  bound_ns_ = bound_ns;
  is_open_ = false;
  spans_.clear();
}

void ServingSpans::open(const Moment& at) {
  if (is_open_) return;
  is_open_ = true;
  spans_.push_back({at, end_of_time});
}

void ServingSpans::close(const Moment& at) {
  if (!is_open_) return;
  is_open_ = false;
  spans_.back().until = at;
}

void ServingSpans::seal() {
  next_long_.resize(spans_.size());
  auto next = static_cast<std::uint32_t>(spans_.size());
  for (std::size_t index = spans_.size(); index-- > 0;) {
    if (spans_[index].length_ns() > bound_ns_) next = static_cast<std::uint32_t>(index);
    next_long_[index] = next;
  }
}

std::optional<Moment> ServingSpans::open_since() const {
  if (!is_open_) return std::nullopt;
  return spans_.back().from;
}

std::optional<Span> ServingSpans::first_too_long(const Span& stretch) const {
  assert(next_long_.size() == spans_.size());
  const auto reaches_in = std::partition_point(
      spans_.begin(), spans_.end(), [&](const Span& span) { return !(stretch.from < span.until); });
  if (reaches_in == spans_.end()) return std::nullopt;
  const auto first = static_cast<std::size_t>(reaches_in - spans_.begin());
  if (const auto span = too_long(first, stretch)) return span;
  return first + 1 == spans_.size() ? std::nullopt : too_long(next_long_[first + 1], stretch);
}

std::optional<Span> ServingSpans::too_long(std::size_t index, const Span& stretch) const {
  if (index == spans_.size()) return std::nullopt;
  const Span overlap{later_of(spans_[index].from, stretch.from),
                     earlier_of(spans_[index].until, stretch.until)};
  if (overlap.length_ns() <= bound_ns_) return std::nullopt;
  return overlap;
}

}  // namespace lockstep::checker
