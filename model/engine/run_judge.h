// Closes a run and judges it: what it left behind, the verdicts, the measures.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "checker/check.h"
#include "checker/measures.h"
#include "model/engine/ground_truth.h"
#include "model/engine/run_context.h"
#include "model/engine/run_loop.h"
#include "model/engine/run_result.h"
#include "model/faults/slow_network.h"
#include "model/faults/strike_effects.h"
#include "model/observers/lock_observer.h"

namespace lockstep::scenario {
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::model {

class FaultInjector;
struct LockPackage;
class UnhealedFaults;

/// A run that has ended. Does not own.
struct EndedRun {
  RunEnd end;
  GroundTruth& truth;
  std::span<Client* const> clients;
  std::span<RedisNode* const> nodes;
  const RunLoop& loop;
  const FaultInjector& faults;
  UnhealedFaults& unhealed;
};

class RunJudge {
 public:
  /// Throws InputError where the scenario expects what can't be judged of the lock. Does not own;
  /// all outlive this.
  RunJudge(const scenario::Scenario& scenario, const LockPackage& package, RunContext& context);

  /// The properties judged of the lock, in the order of the verdicts.
  [[nodiscard]] const std::vector<checker::Property>& judged() const { return judged_; }
  /// Completes the record of a run that has ended: with what is left, if it came to rest. Throws
  /// InputError where the client model writes the lock's key on nodes that [state] does not judge.
  void close(const EndedRun& run);
  /// Fills in the result of the run that was closed: verdicts, measures, and what faults did. Valid
  /// until the next call.
  RunResult& judge(RunEnd end, const GroundTruth& truth, std::span<Client* const> clients,
                   const FaultInjector& faults);

 private:
  [[nodiscard]] bool no_open_beliefs() const;
  /// Adds what a run that came to rest has left behind.
  void add_residues(const EndedRun& run);
  [[nodiscard]] SubscriptionsInUse subscriptions_in_use(const EndedRun& run) const;
  void tell_who_is_at_work(std::span<Client* const> clients);
  /// Marks the waits that no lock could end, for a fault is never healed.
  void mark_unhealed(const EndedRun& run);
  [[nodiscard]] sim::DurationNs slowness_max_ns() const;
  /// Asks of what the network makes slow whether it mattered.
  void judge_network(const StrikeFacts& facts, const FaultInjector& faults);
  void require_judged_keys(const GroundTruth& truth) const;
  /// Throws InputError where the scenario bounds what the lock allows.
  void require_measurable() const;

  const scenario::Scenario& scenario_;
  const LockPackage& package_;
  RunContext& context_;
  std::vector<checker::Property> judged_;
  checker::Checker checker_;
  checker::Measurer measurer_;
  std::optional<checker::Measures> measures_;
  StrikeEffects strike_effects_;
  std::vector<SlowPart> slow_network_;
  StrikeEffects network_effects_;
  std::vector<StrikeSpan> network_spans_;
  RunResult result_;
};

}  // namespace lockstep::model
