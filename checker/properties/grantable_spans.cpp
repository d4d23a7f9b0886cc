#include "checker/properties/grantable_spans.h"

#include <algorithm>

namespace lockstep::checker {

void GrantableSpans::clear(TimeNs bound_ns) {
  bound_ns_ = bound_ns;
  is_open_ = false;
  spans_.clear();
  begins_.clear();
}

std::uint32_t GrantableSpans::begin_list() {
  is_open_ = false;
  begins_.push_back(spans_.size());
  return static_cast<std::uint32_t>(begins_.size() - 1);
}

void GrantableSpans::open(const Moment& at) {
  if (is_open_) return;
  is_open_ = true;
  spans_.push_back({at, end_of_time});
}

void GrantableSpans::close(const Moment& at) {
  if (!is_open_) return;
  is_open_ = false;
  spans_.back().until = at;
  if (spans_.back().length_ns() <= bound_ns_) spans_.pop_back();
}

std::span<const Span> GrantableSpans::spans_of(std::uint32_t list) const {
  const std::size_t begin = begins_[list];
  const std::size_t end = list + 1 == begins_.size() ? spans_.size() : begins_[list + 1];
  return {spans_.data() + begin, end - begin};
}

std::optional<Moment> GrantableSpans::open_since(std::span<const std::uint32_t> lists) const {
  Moment since;
  for (const std::uint32_t list : lists) {
    const std::span<const Span> spans = spans_of(list);
    if (spans.empty() || !(spans.back().until == end_of_time)) return std::nullopt;
    since = later_of(since, spans.back().from);
  }
  return since;
}

/// Invariant: no overlap that ends at `from` or before is longer than the bound. Every round passes
/// the end of a span, or ends the search.
std::optional<Span> GrantableSpans::first_overlap_beyond_bound(std::span<const std::uint32_t> lists,
                                                               const Span& wait_span) const {
  Moment from = wait_span.from;
  while (from < wait_span.until) {
    Span overlap{from, wait_span.until};
    for (const std::uint32_t list : lists) {
      const std::span<const Span> spans = spans_of(list);
      const auto next = std::partition_point(
          spans.begin(), spans.end(), [&](const Span& span) { return !(from < span.until); });
      if (next == spans.end()) return std::nullopt;
      overlap.from = later_of(overlap.from, next->from);
      overlap.until = earlier_of(overlap.until, next->until);
    }
    if (overlap.from < overlap.until && overlap.length_ns() > bound_ns_) return overlap;
    from = overlap.until;
  }
  return std::nullopt;
}

}  // namespace lockstep::checker
