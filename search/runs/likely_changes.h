// What a person would change of a scenario in which a property was not put to the test: a fault
// strikes somebody else, sooner or for longer, a failover comes faster or loses more, somebody
// holds the lock for longer, somebody else asks for it. Whether it helps is for suggested_change.h
// to try.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "sim/time.h"

namespace lockstep::scenario {
struct FaultSpec;
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::search {

struct ScenarioOutcome;

/// One thing that a person would change.
struct LikelyChange {
  /// Two changes of one part exclude each other.
  enum class Part : std::uint8_t {
    target,
    moment,
    length,
    message,
    cluster,
    latency,
    patience,
    horizon,
    lag,
    workload,
    asker
  };
  Part part;
  std::size_t fault = 0;  ///< which; meaningless where no fault is changed
  std::string lines;      ///< as the file would say it
  std::function<void(scenario::Scenario&)> apply;
  bool is_correction = false;  ///< of what the file says by mistake: no other answers as well
  /// It comes when the faults are over: of those it says only whether they left the lock usable.
  bool is_after_faults = false;

  [[nodiscard]] bool excludes(const LikelyChange& other) const {
    return part == other.part && fault == other.fault;
  }
  [[nodiscard]] bool is_table() const { return lines.starts_with("["); }
};

/// What a change counts on of a lock.
struct LockHabits {
  sim::DurationNs timeout_ns = 0;  ///< for how long its calls wait for an answer; 0: unknown
  /// Which it renews where its caller names none; 0: it renews none.
  sim::DurationNs renewed_lease_ns = 0;
};

/// The likeliest first.
[[nodiscard]] std::vector<LikelyChange> likely_changes(const ScenarioOutcome& outcome,
                                                       const LockHabits& habits);

/// Whether the fault ends a master. (A client may be called like one, too.)
[[nodiscard]] bool ends_master(const scenario::FaultSpec& fault);

}  // namespace lockstep::search
