// permits: never more permits of a semaphore are believed out than exist, and none is lost or
// invented.
//
// 1. At every moment the permits of all open beliefs are at most as many as were set last. Ties
//    follow Moment.order, and at one moment what ends comes before what is set, and that before
//    what begins: touching is no overlap. Before anything is set there are none. What may have been
//    set, for all that its caller knows, can only be more than before; and who was refused may have
//    set them itself, at its first try, as long as nobody else is known to have.
// 2. Where the run tells what was left in the end (it came to rest, nobody crashed, no call's
//    outcome was unknown): that and what is still believed out are as many as were set, if it is
//    known who set them.
//
// Algorithm. Beginnings, ends and settings are steps of a walk along the run that keeps, for each
// lock, the sum of what is believed out. The walk counts the spans in which the sum is too large;
// nothing else is kept of them but the first. O(n log n), of which the sorting is the log n;
// nothing is allocated once warm while the property holds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "checker/observations.h"

namespace lockstep::checker {

struct Run;
struct Verdict;

class Permits {
 public:
  /// REQUIRES: `verdict` is fresh (holds, empty).
  void judge(const Run& run, Verdict& verdict);

 private:
  /// In the order in which they count at one moment.
  enum class StepKind : std::uint8_t { ends, set, refused_to_set, may_be_set, begins };

  struct Step {
    Moment at;
    StepKind kind;
    NameId lock;
    std::int64_t permits;  ///< that end or begin, or that are set
  };

  struct Semaphore {
    std::int64_t set = 0;
    bool was_set = false;    ///< somebody was told that it set them
    bool is_certain = true;  ///< there are just as many
    std::int64_t out = 0;
    std::int64_t kept = 0;  ///< believed out when the run ended

    [[nodiscard]] bool is_exceeded() const { return out > set; }
  };

  /// The first span in which too many were out.
  struct Excess {
    NameId lock;
    std::int64_t set;
    std::int64_t out;
    Moment from;
    std::optional<Moment> until;  ///< none: to the end of the run
  };

  [[nodiscard]] static StepKind kind_of(SetOutcome outcome);
  void load(const Observations& observations);
  void judge_excess(const Run& run, Verdict& verdict);
  void take(const Step& step);
  void report_excess(const Run& run, Verdict& verdict) const;
  void judge_rest(const Run& run, Verdict& verdict) const;

  std::vector<Step> steps_;
  std::vector<Semaphore> semaphores_;  ///< by the lock's NameId
  std::optional<Excess> first_;
  std::size_t excess_count_ = 0;
};

}  // namespace lockstep::checker
