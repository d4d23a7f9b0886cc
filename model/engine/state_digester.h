// The state of a whole simulation between two events, as a number (run_listeners.h), and whether
// clients are alike as far as states go.
#pragma once

#include <optional>
#include <vector>

#include "model/engine/ground_truth.h"
#include "model/engine/run_context.h"
#include "model/engine/run_listeners.h"
#include "model/engine/run_loop.h"
#include "model/engine/simulated_hosts.h"
#include "model/faults/fault_injector.h"
#include "model/observers/sometimes_watch.h"
#include "sim/digest.h"

namespace lockstep::scenario {
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::model {

struct LockPackage;

/// Everything that is state. Does not own.
struct DigestedParts {
  const RunContext& context;
  const GroundTruth& truth;
  const SimulatedHosts& hosts;
  const FaultInjector& faults;
  const std::optional<SometimesWatch>& sometimes;
  RunLoop& loop;
};

class StateDigester {
 public:
  /// Does not own; all outlive this.
  StateDigester(const scenario::Scenario& scenario, const LockPackage& package,
                const DigestedParts& parts)
      : scenario_(scenario), package_(package), parts_(parts) {}

  [[nodiscard]] StateDigest digest();
  [[nodiscard]] std::vector<DigestPart> digest_parts();
  /// Whether the state digested last equals only states with the same history.
  [[nodiscard]] bool is_unmergeable() const { return digest_.is_unmergeable(); }
  /// Whether the code may ask for what tells clients apart, or servers ordered texts in this run.
  [[nodiscard]] bool may_distinguish_clients();
  /// Whether anybody has asked for a digest, in any run.
  [[nodiscard]] bool was_asked() const { return grain_.has_value(); }

 private:
  void write();
  const sim::DigestGrain& grain();

  const scenario::Scenario& scenario_;
  const LockPackage& package_;
  const DigestedParts parts_;
  sim::Digest digest_;                     // memory
  std::optional<sim::DigestGrain> grain_;  // once somebody has asked
};

}  // namespace lockstep::model
