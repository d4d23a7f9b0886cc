// no-lost-wakeup: no waiter sleeps on while the lock is available.
//
// Judged after the last fault was over:
// 1. no waiter waits for longer than the bound while, without interruption, as much of the lock is
//    available as it asks for and its process runs;
// 2. when the run has come to rest, nobody is left waiting for what is available;
// 3. nobody goes on trying for longer than it was ready to wait, but for a tenth of that, a tenth
// of
//    the bound, and what its last calls take. Only in runs without a fault: a failover or slowness
//    may hold up calls long after it struck, and no bound on that is known.
// What is available is what the true state says, for who excludes and for who shares; who asks for
// several locks at once needs all of them. Where a lock serves in order, it is there for nobody
// behind somebody who waits; where it serves writers first, for no reader while a writer waits.
// Whom a fault that outlived the run keeps from the lock excuses nobody. A run that was cut off
// within such a span leaves it unknown; but who sent 400 requests in it, where no fault struck and
// nobody died, asks in vain, though the span is short.
//
// Algorithm. Waits that ask for the same (lock, mode, permits) share the spans in which so much was
// available, found in one pass over what became of that lock; each request then asks for the first
// span that overlaps it for too long (grantable_spans.h). In order, a request's turn comes when the
// last of those who came before it has waited, which is known as requests are judged in the order
// of their beginnings. O(n log n) for each amount that is asked
// for of a lock, of which a scenario names a few; nothing is allocated once warm while the property
// holds.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "checker/lock_semantics.h"
#include "checker/observations.h"
#include "checker/properties/grantable_spans.h"
#include "checker/properties/wait_anomalies.h"
#include "checker/properties/wait_spans.h"

namespace lockstep::checker {

struct Run;
struct Verdict;

class NoLostWakeup {
 public:
  /// REQUIRES: `verdict` is fresh (holds, empty).
  void judge(const Run& run, Verdict& verdict);

 private:
  /// What a waiter asks for: how much of a lock, exclusively or shared.
  struct Asked {
    NameId lock;
    HoldMode mode;
    std::int64_t permits;

    friend auto operator<=>(const Asked&, const Asked&) = default;
  };

  /// So much of the lock is available from then on, or one writer more or less waits for it.
  struct Change {
    NameId lock;
    Moment at;
    const Availability* availability;  ///< null: it is a writer's
    std::int64_t writers;
  };

  [[nodiscard]] static Asked asked_by(const Wait& wait);
  void load(const Run& run);
  void load_waiting_writers(const Observations& observations);
  void load_spans(const Run& run);
  void load_spans_of(const Asked& asked, Service service);
  [[nodiscard]] Moment turn_of(Request request) const;
  void let_wait_behind(Request request);
  void judge_request(const Run& run, Request request);
  [[nodiscard]] std::optional<Span> overdue(const Run& run, const Wait& wait) const;
  [[nodiscard]] static std::int64_t requests_in(const Run& run, const WaitAnomaly& finding);
  [[nodiscard]] static bool has_dead(const Observations& observations, NameId lock);
  [[nodiscard]] static WaitAnomalyKind kind_of_stranded(const Run& run, const WaitAnomaly& finding);
  [[nodiscard]] static std::string attempts_in(const Run& run, const WaitAnomaly& finding);
  [[nodiscard]] static std::string describe(const Run& run, const WaitAnomaly& finding);

  std::vector<Change> changes_;       ///< by lock, then moment
  std::vector<Asked> asked_;          ///< sorted; each has the list of its number
  std::vector<std::uint32_t> lists_;  ///< of the judged request
  /// By lock: until when somebody waits of those who were judged so far; the beginning of the run
  /// where the lock does not serve in order.
  std::vector<Moment> waited_until_;
  WaitSpans wait_spans_;
  GrantableSpans grantable_spans_;
  WaitAnomalies anomalies_;
};

}  // namespace lockstep::checker
