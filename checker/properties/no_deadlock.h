// no-deadlock: always some waiter gets on.
//
// Judged after the last fault was over:
// 1. no span is longer than the bound in which one same waiter waits with its process running,
//    nobody believes to hold what it waits for, and nobody's wait for that is granted; the lock of
//    an owner that died counts as believed until its lease ends (dead_leases.h);
// 2. when the run has come to rest, nobody is left waiting. Excused is who waits for a thread that
//    believes to hold the lock and either doesn't wait itself (it ended without a release, or its
//    process is stopped for good) or is itself excused: that is no matter of the lock. Who waits
//    for himself, or in a ring with others, isn't excused.
// 3. nor when the run was cut off, where the excuse is missing: who has waited for itself, or in a
//    ring, for longer than the bound would have gone on. That is so where nothing ends the waits of
//    those in the ring: no limit of their own, and no lease that ends unless somebody renews it.
// Who waits for several locks at once waits for whoever believes to hold one of them. A run that
// was cut off within such a span, or such a ring, leaves it unknown.
//
// Algorithm. The spans of a lock lie between the beliefs, and are cut by grants; each request asks
// for the first that overlaps it for too long (grantable_spans.h). O(n log n). Who is excused is
// found by going through those left until nothing changes: as many rounds as threads are left
// waiting, at most. Nothing is allocated once warm while the property holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "checker/observations.h"
#include "checker/properties/dead_leases.h"
#include "checker/properties/grantable_spans.h"
#include "checker/properties/wait_anomalies.h"
#include "checker/properties/wait_spans.h"

namespace lockstep::checker {

struct Run;
struct Verdict;

class NoDeadlock {
 public:
  /// REQUIRES: `verdict` is fresh (holds, empty).
  void judge(const Run& run, Verdict& verdict);

 private:
  /// In the order in which they count at one moment.
  enum class StepKind : std::uint8_t { belief_ends, grant, belief_begins };

  struct Step {
    NameId lock;
    Moment at;
    StepKind kind;
  };

  struct StrandedRequest {
    Request request;
    bool excused = false;
    Moment since = {};  ///< since when it has waited for who can't go on
  };

  void load(const Run& run);
  void load_spans(const Run& run);
  void judge_request(Request request, bool came_to_rest);
  void find_excuses();
  void judge_rest();
  void judge_rings(const Run& run);
  void find_beginnings();
  template <typename Condition>
  [[nodiscard]] bool is_held(const Observations& observations, const StrandedRequest& left,
                             Condition is_so) const;
  [[nodiscard]] bool is_held_for_good(const Observations& observations,
                                      const StrandedRequest& left) const;
  [[nodiscard]] bool is_held_still(const Observations& observations,
                                   const StrandedRequest& left) const;
  [[nodiscard]] bool can_go_on(NameId thread) const;
  [[nodiscard]] static bool asks_for(Request request, NameId lock);
  [[nodiscard]] std::string describe(const Run& run, const WaitAnomaly& finding) const;
  [[nodiscard]] std::string why_stranded(const Names& names, Request request) const;

  std::vector<Step> steps_;           ///< by lock, then moment
  std::vector<const Belief*> kept_;   ///< believed when the run ended
  std::vector<std::uint32_t> lists_;  ///< of the judged request
  std::vector<StrandedRequest> stranded_;
  DeadLeases dead_finder_;
  std::vector<DeadLease> dead_leases_;
  WaitSpans wait_spans_;
  GrantableSpans grantable_spans_;
  WaitAnomalies anomalies_;
};

}  // namespace lockstep::checker
