// Stretches of waiting: when somebody waited who could have been served, for the properties that
// bound them (no-deadlock, no-lost-wakeup, no-starvation).
//
// A stretch is a part of a wait after the last fault was over, with the waiter's process running: a
// stop of its process ends a stretch, and what comes after it is another one. How long a stretch
// overlaps spans in which something should have happened (the lock was available, nobody held it)
// is asked of ServingSpans.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "checker/observations.h"

namespace lockstep::checker {

struct Span {
  Moment from;
  Moment until;

  [[nodiscard]] TimeNs length_ns() const { return until.at_ns - from.at_ns; }
};

[[nodiscard]] inline const Moment& later_of(const Moment& a, const Moment& b) {
  return a < b ? b : a;
}
[[nodiscard]] inline const Moment& earlier_of(const Moment& a, const Moment& b) {
  return b < a ? b : a;
}

class Stretches {
 public:
  /// O(n log n) in the number of stops.
  void load(const Observations& observations);

  /// Calls visit(span) for each stretch of the wait, in order, until one returns true. O(log n),
  /// and O(1) for each stop.
  template <typename Visit>
  void for_each(const Wait& wait, Visit visit) const {
    Moment from = later_of(healed_, wait.from);
    for (std::size_t index = first_stop(wait.owner, from); index < stops_.size(); ++index) {
      const Stop& stop = stops_[index];
      if (stop.owner != wait.owner || !(stop.from < wait.until)) break;
      if (from < stop.from && visit(Span{from, stop.from})) return;
      from = later_of(from, stop.until);
    }
    if (from < wait.until) visit(Span{from, wait.until});
  }

  /// Whether the waiter was left waiting when the run ended, with its process running.
  [[nodiscard]] bool is_left(const Wait& wait) const;

 private:
  [[nodiscard]] std::size_t first_stop(NameId owner, const Moment& at) const;

  Moment healed_;
  std::vector<Stop> stops_;  ///< by owner, then from; an owner's are disjoint
};

/// Spans of one lock in which its waiters should have been served, each compared with a bound.
///
/// A stretch overlaps a span for longer than the bound only in the first span that reaches into the
/// stretch, or in a span that is itself longer than the bound; and of these only in the first one:
/// the stretch cuts none but its first and its last. For every span the next one that is longer is
/// kept, so the question costs a binary search. O(log n); nothing is allocated once warm.
class ServingSpans {
 public:
  /// Forgets all spans.
  void clear(TimeNs bound_ns);
  /// Calls come in order. An open where it is open, and a close where it isn't, change nothing.
  void open(const Moment& at);
  void close(const Moment& at);
  /// After the last span, before the first question. One still open goes on for ever.
  void seal();

  /// Since when it has been open, if it is so at the end.
  [[nodiscard]] std::optional<Moment> open_since() const;
  /// The first overlap with the stretch that is longer than the bound, if any.
  [[nodiscard]] std::optional<Span> first_too_long(const Span& stretch) const;

 private:
  [[nodiscard]] std::optional<Span> too_long(std::size_t index, const Span& stretch) const;

  TimeNs bound_ns_ = 0;
  bool is_open_ = false;
  std::vector<Span> spans_;               ///< sorted, disjoint
  std::vector<std::uint32_t> next_long_;  ///< the first that is too long, from here on
};

}  // namespace lockstep::checker
