// Judging one run: every property asked for, each with its evidence.
//
// A Checker keeps its buffers from run to run: judging a run in which everything holds allocates
// nothing once warm. It keeps no other state; the same input gives the same verdicts.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "checker/linearizability/limits.h"
#include "checker/lock_semantics.h"

namespace lockstep::checker {

class Names;
struct History;
struct LivenessBounds;
struct Observations;
struct Verdict;
enum class Property : std::uint8_t;

[[nodiscard]] const LivenessBounds& default_liveness_bounds();

/// What is judged. Does not own; everything must outlive the call.
struct Run {
  const Names& names;
  const History& history;
  const Observations& observations;
  /// Clocks may differ from true time by this much without being the service's fault, ppm ≥ 0.
  std::int64_t declared_drift_ppm = 0;
  Reentry reentry = Reentry::counted;
  Refusal refusal = Refusal::truthful;
  const LivenessBounds& liveness = default_liveness_bounds();
  /// How long a message takes at most where no fault holds it up.
  std::int64_t slowest_hop_ns = 0;
  Service service = Service::anybody;
};

class Checker {
 public:
  explicit Checker(const Limits& limits = {});
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
