// What faults strike, and what a single strike is.
//
// The injector (fault_injector.h) knows when a fault strikes and when it ends. What that means is
// known to a handler for each family of kinds, in a file of its own (process_faults.h, …); which
// function of it handles a kind is in strikes.cpp. Faults of one kind that overlap compose: the
// handlers count, so that a link is whole again when the last cut of it has ended.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sim/host.h"

namespace lockstep::scenario {
struct FaultSpec;
}  // namespace lockstep::scenario

namespace lockstep::sim {
class Network;
}  // namespace lockstep::sim

namespace lockstep::model {

class Client;
class LockObserver;
class Recorder;
class RedisNode;

/// What faults strike. Does not own; all outlive the injector.
struct FaultEnvironment {
  sim::EventQueue& queue;
  sim::Trace& trace;
  sim::Network& network;
  Recorder& recorder;
  LockObserver& observer;
  sim::ActorId actor;  ///< the faults' own lane
  std::span<RedisNode* const> nodes;
  std::span<Client* const> clients;
  std::string state_key;  ///< the pattern of the key that an operator would delete

  // REQUIRES: there is one of that name (the scenario's parser saw to it).
  [[nodiscard]] sim::HostId host_id(std::string_view name) const;
  [[nodiscard]] sim::Host& host(std::string_view name) const;
  [[nodiscard]] RedisNode& node(std::string_view name) const;
  /// A process has started anew: the observer looks at what a node came back with.
  void tell_of_restart(const sim::Host& restarted) const;
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

}  // namespace lockstep::model
