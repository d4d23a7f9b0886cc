// What is true in a run, whatever clients and nodes believe: who is master, and who holds the lock.
#pragma once

#include <span>

#include "model/engine/run_context.h"
#include "model/observers/lock_observer.h"
#include "model/observers/topology_tracker.h"
#include "model/topology.h"

namespace lockstep::scenario {
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::model {

struct LockPackage;

struct GroundTruth {
  /// Does not own; both outlive this.
  GroundTruth(RunContext& context, const LockPackage& package)
      : locks(context.queue, context.trace, context.recorder, package, topology),
        masters(topology, locks, context.recorder) {}
  GroundTruth(const GroundTruth&) = delete;
  GroundTruth& operator=(const GroundTruth&) = delete;

  /// Watches every lock that some step names; once, before the first run. REQUIRES: topology is as
  /// runs start with it. Does not own; all outlive this.
  void watch(const scenario::Scenario& scenario, std::span<Client* const> clients,
             std::span<RedisNode* const> nodes);

  Topology topology;  ///< at this moment of the run
  LockObserver locks;
  TopologyTracker masters;
};

}  // namespace lockstep::model
