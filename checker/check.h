// Judging one run: every property asked for, each with its evidence.
//
// A Checker keeps its buffers from run to run: judging a run in which everything holds allocates
// nothing once warm. It keeps no other state; the same input gives the same verdicts.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "checker/history.h"
#include "checker/linearizability/limits.h"
#include "checker/observations.h"
#include "checker/verdict.h"

namespace lockstep::checker {

/// What the lock promises to an owner that acquires what it holds already.
enum class Reentry : std::uint8_t {
  counted,  ///< it is granted once more, and must be released as often
  refused,  ///< it is refused, as anybody would be
};

/// What a refused acquire says of the lock.
enum class Refusal : std::uint8_t {
  truthful,  ///< that somebody held it
  spurious,  ///< nothing: a split vote, a queue with somebody ahead
};

/// What waiters may be asked to bear once the last fault is over.
struct LivenessBounds {
  TimeNs progress_ns = 60'000'000'000;  ///< without any grant, while nobody believes to hold it
  TimeNs wakeup_ns = 10'000'000'000;    ///< asleep while the lock is free
  std::int64_t overtakings = 100;       ///< grants to others during one wait
};

/// What is judged. Does not own; everything must outlive the call.
struct Run {
  const Names& names;
  const History& history;
  const Observations& observations;
  /// Clocks may differ from true time by this much without being the service's fault, ppm ≥ 0.
  std::int64_t declared_drift_ppm = 0;
  Reentry reentry = Reentry::counted;
  Refusal refusal = Refusal::truthful;
  LivenessBounds liveness = {};
};

class Checker {
 public:
  explicit Checker(Limits limits = {});
  Checker(const Checker&) = delete;
  Checker& operator=(const Checker&) = delete;
  ~Checker();

  /// One verdict for each property asked for, in the order of the question. The result is valid
  /// until the next call.
  const std::vector<Verdict>& check(const Run& run, std::span<const Property> properties);

 private:
  struct Workspace;
  std::unique_ptr<Workspace> workspace_;
};

}  // namespace lockstep::checker
