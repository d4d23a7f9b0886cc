// latch: no thread passes a count-down latch before it has been counted down, and every one may
// afterwards.
//
// An await that returned true, asked for after a count N had been set, needs N count_downs that may
// have taken effect between the one and the other: invoked before the await returned, and not over
// before the set was asked for. Where several sets were over by then, the last to return counts: it
// was accepted because the latch was open again. An await that overlaps the set may have found the
// latch open before. Whether waiters are woken is for no-lost-wakeup to judge.
//
// And nobody is left waiting before a latch that is closed in truth, when the run has come to rest
// or for longer than a waiter may sleep (whether the run is cut off then or the wait is over),
// though as many count_downs as were set last have returned that were invoked after it: one of them
// was lost. Where it isn't known whether the count was set once more, nobody can say that.
//
// Algorithm. Of the count_downs invoked before the await returned, those that were over before the
// set was asked for are taken off: two binary searches among sorted moments, as a count_down that
// was over before the one moment was invoked before the other. O(n log n); nothing is allocated
// once warm while the property holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "checker/observations.h"

namespace lockstep::checker {

struct Run;
struct Verdict;

class LatchPassage {
 public:
  /// REQUIRES: `verdict` is fresh (holds, empty).
  void judge(const Run& run, Verdict& verdict);

 private:
  /// A lock and an order of the run's events: sorts by lock, then moment.
  using EventPosition = std::pair<NameId, std::uint64_t>;

  void load(const Run& run);
  [[nodiscard]] const LatchEvent* set_before(const LatchEvent& passage) const;
  [[nodiscard]] std::int64_t counted_down(const LatchEvent& set, const LatchEvent& passage) const;
  void judge_waits(const Run& run, Verdict& verdict);
  [[nodiscard]] const LatchEvent* last_set(NameId lock) const;
  [[nodiscard]] std::optional<Moment> due_at(const Observations& observations,
                                             const LatchEvent& set);
  [[nodiscard]] static bool is_closed_at(const Observations& observations, NameId lock,
                                         const Moment& at);
  [[nodiscard]] static bool is_in_vain(const Run& run, const Wait& wait, const Moment& due);
  static void add_violation(const Run& run, const LatchEvent& set, const LatchEvent& passage,
                            std::int64_t count, Verdict& verdict);

  std::vector<const LatchEvent*> sets_;  ///< by lock, then return
  std::vector<EventPosition> invoked_;   ///< of the count_downs
  std::vector<NameId> unsure_;           ///< latches whose count may have been set
  std::vector<EventPosition> over_;
  std::vector<Moment> returned_;             ///< of the count_downs of one latch
  std::vector<const LatchEvent*> passages_;  ///< in the order of their returns
};

}  // namespace lockstep::checker
