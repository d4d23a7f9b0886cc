// What faults strike, and what a fault handler is: it handles a family of kinds in a file of its
// own.
//
// The injector (fault_injector.h) knows when a fault strikes and when it ends; a handler knows what
// that means. Faults of one kind that overlap compose: each handler counts, so that a link is whole
// again when the last cut of it has ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "model/node/redis_node.h"
#include "model/node/topology_tracker.h"
#include "model/observers/lock_observer.h"
#include "model/recorder.h"
#include "scenario/faults/fault_spec.h"
#include "sim/event_queue.h"
#include "sim/host.h"
#include "sim/network.h"

namespace lockstep::model {

/// What faults strike. Does not own; all outlive the injector.
struct FaultEnvironment {
  sim::EventQueue& queue;
  sim::Trace& trace;
  sim::Network& network;
  Recorder& recorder;
  LockObserver& observer;
  TopologyTracker& masters;
  sim::ActorId actor;  ///< the faults' own lane
  std::span<RedisNode* const> nodes;
  std::span<Client* const> clients;
  std::string state_key;  ///< the pattern of the key that an operator would delete

  // REQUIRES: there is one of that name (the scenario's parser saw to it).
  [[nodiscard]] sim::HostId host_id(std::string_view name) const;
  [[nodiscard]] sim::Host& host(std::string_view name) const;
  [[nodiscard]] RedisNode& node(std::string_view name) const;
};

/// One time that a fault strikes.
struct Strike {
  std::size_t fault;                ///< its place in the scenario
  const scenario::FaultSpec& spec;  ///< valid during the call
  std::uint64_t number;             ///< of this run, the same when it strikes and when it ends
};

enum class StrikeEnd : std::uint8_t {
  in_time,  ///< its `for` is over
  healed,   ///< something else ends it
};

/// A family of kinds.
class FaultHandler {
 public:
  FaultHandler() = default;
  FaultHandler(const FaultHandler&) = delete;
  FaultHandler& operator=(const FaultHandler&) = delete;
  virtual ~FaultHandler() = default;

  /// Forgets the last run. `choices` outlives the run: what a kind leaves open is drawn from it,
  /// with Purpose::fault and the fault's place.
  virtual void start_run(sim::ChoiceSource& choices) = 0;
  /// Whether there is something to strike: a process that is to be paused runs, say.
  [[nodiscard]] virtual bool can_strike(const scenario::FaultSpec& /*spec*/) const { return true; }
  virtual void strike(const Strike& strike) = 0;
  /// What strike() began is over. Called once for each strike of a kind that lasts, unless it
  /// lasts for ever.
  virtual void end(const Strike& strike, StrikeEnd why) = 0;
};

}  // namespace lockstep::model
