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
// several locks at once needs all of them. A run that was cut off within such a span leaves it
// unknown.
//
// Algorithm. Waits that ask for the same (lock, mode, permits) share the spans in which so much was
// available, found in one pass over what became of that lock; each request then asks for the first
// span that overlaps it for too long (grantable_spans.h). O(n log n) for each amount that is asked
// for of a lock, of which a scenario names a few; nothing is allocated once warm while the property
// holds.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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

  [[nodiscard]] static Asked asked_by(const Wait& wait);
  void load(const Observations& observations);
  void load_spans(TimeNs bound_ns);
  void load_spans_of(const Asked& asked);
  void judge_request(const Run& run, Request request);
  [[nodiscard]] std::optional<Span> overdue(const Run& run, const Wait& wait) const;
  [[nodiscard]] static std::int64_t requests_in(const Run& run, const WaitAnomaly& finding);
  [[nodiscard]] static std::string describe(const Run& run, const WaitAnomaly& finding);

  std::vector<const Availability*> availability_;  ///< by lock, then moment
  std::vector<Asked> asked_;                       ///< sorted; each has the list of its number
  std::vector<std::uint32_t> lists_;               ///< of the judged request
  WaitSpans wait_spans_;
  GrantableSpans grantable_spans_;
  WaitAnomalies anomalies_;
};

}  // namespace lockstep::checker
