// What one run came to.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/time.h"

namespace lockstep::checker {
class Names;
struct History;
struct Measures;
struct Observations;
struct Verdict;
}  // namespace lockstep::checker

namespace lockstep::scenario {
struct FaultSpec;
}  // namespace lockstep::scenario

namespace lockstep::model {

enum class Mattered : std::uint8_t;
struct StrikeSpan;
struct Takeover;

enum class RunEnd : std::uint8_t {
  at_rest,      ///< nothing more can happen
  stopped,      ///< the step listener ended it
  horizon,      ///< the scenario's horizon came first
  event_limit,  ///< the scenario's event limit came first
};
[[nodiscard]] std::string_view to_string(RunEnd end);

/// Points into the simulation: valid until its next run.
struct RunResult {
  std::uint64_t hash = 0;
  std::uint64_t event_count = 0;
  sim::TimeNs ended_at_ns = 0;
  RunEnd end = RunEnd::at_rest;
  const checker::Names* names = nullptr;
  const checker::History* history = nullptr;
  const checker::Observations* observations = nullptr;
  /// One for each of Simulation::judged().
  const std::vector<checker::Verdict>* verdicts = nullptr;
  /// Errors in client models ("a/1: plain/client.lua:12: …"); their order means nothing.
  std::vector<std::string> client_failures;
  /// Mistakes in the lock's scripts and commands that clients met (Client::request_failure).
  std::vector<std::string> script_failures;
  /// The scenario's faults, followed by those that this run drew.
  const std::vector<scenario::FaultSpec>* faults = nullptr;
  /// How often each fault struck, by its index.
  std::vector<std::uint32_t> fault_strikes;
  /// Whether some strike of each mattered, by its index (model/faults/strike_effects.h).
  std::span<const Mattered> fault_effects;
  /// The same of what the network makes slow by itself (model/faults/slow_network.h).
  std::span<const Mattered> network_effects;
  /// When faults were at work, strike by strike.
  std::span<const StrikeSpan> strike_spans;
  /// What became of held locks when other data began to count, in order.
  const std::vector<Takeover>* takeovers = nullptr;
  /// How often each `sometimes` of the scenario was seen, by its index.
  std::vector<std::uint32_t> sometimes_seen;
  /// Null where the scenario sets no bounds.
  const checker::Measures* measures = nullptr;
  /// A client model asked which of the clients it is. Where states were digested, also: a server
  /// might have been asked for its connections, or for texts in their order. Comparing tokens in a
  /// client model or a script is not detected.
  bool are_clients_distinguishable = false;
  /// The longest lease that a lock was given; 0: none.
  sim::DurationNs longest_lease_ns = 0;
};

}  // namespace lockstep::model
