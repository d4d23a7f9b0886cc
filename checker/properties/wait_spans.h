// Spans of waiting: when somebody waited who could have been served, for the properties that
// bound them (no-deadlock, no-lost-wakeup, no-starvation).
//
// A request is what one step asks for: one lock, or several at once. A stretch is a part of its
// wait after the last fault was over, with the waiter's process running: a stop of its process ends
// a stretch, and what comes after it is another one. Whom a fault that outlived the run kept from
// the lock has none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "checker/observations.h"

namespace lockstep::checker {

struct Span {
  Moment from;
  Moment until;

  [[nodiscard]] TimeNs length_ns() const { return until.at_ns - from.at_ns; }
};

/// The waits of one step, which begin at the same moment: one for each lock. They end at once, as
/// the step is granted all or nothing.
using Request = std::span<const Wait* const>;

class WaitSpans {
 public:
  /// O(n log n). REQUIRES: the observations outlive the questions.
  void load(const Observations& observations);

  /// Calls visit(request) for each, in the order of their beginnings.
  template <typename Visit>
  void for_each_request(Visit visit) const {
    const auto is_of_another = [](const Wait* a, const Wait* b) {
      return thread_of(*a) != thread_of(*b) || a->from.order != b->from.order;
    };
    for (std::size_t from = 0; from < waits_.size();) {
      std::size_t until = from + 1;
      while (until < waits_.size() && !is_of_another(waits_[from], waits_[until])) ++until;
      visit(Request(waits_.data() + from, until - from));
      from = until;
    }
  }

  /// Calls visit(span) for each stretch of the wait, in order, until one returns true. O(log n),
  /// and O(1) for each stop.
  template <typename Visit>
  void for_each_span(const Wait& wait, Visit visit) const {
    if (wait.is_hopeless) return;
    Moment from = later_of(healed_, wait.from);
    for (std::size_t index = first_stop(thread_of(wait), from); index < stops_.size(); ++index) {
      const Stop& stop = stops_[index];
      if (stop.owner != thread_of(wait) || !(stop.from < wait.until)) break;
      if (from < stop.from && visit(Span{from, stop.from})) return;
      from = later_of(from, stop.until);
    }
    if (from < wait.until) visit(Span{from, wait.until});
  }

  /// That moment, or the end of the last fault where it is later.
  [[nodiscard]] Moment healed_or(const Moment& at) const { return later_of(healed_, at); }

  /// Whether the waiter was left waiting when the run ended, with its process running, and no fault
  /// that lasts is to blame.
  [[nodiscard]] bool is_stranded(const Wait& wait) const;

 private:
  [[nodiscard]] std::size_t first_stop(NameId thread, const Moment& at) const;

  Moment healed_;
  std::vector<const Wait*> waits_;  ///< by from, then thread
  std::vector<Stop> stops_;         ///< by thread, then from; a thread's are disjoint
};

}  // namespace lockstep::checker
