// A scenario: the cluster, the clients and their steps, the faults, and the expectations.
//
// The parsed and checked form; scenario_file.h reads it from TOML. Defaults stand here only.
// Durations are nanoseconds of the clock that measures them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "checker/liveness_bounds.h"
#include "scenario/cluster_spec.h"
#include "scenario/faults/fault_spec.h"
#include "scenario/faults/open_faults.h"
#include "scenario/options.h"
#include "scenario/parameter_setting.h"
#include "scenario/resource_spec.h"
#include "scenario/sometimes.h"
#include "scenario/text/source_file.h"
#include "scenario/text/source_location.h"
#include "scenario/workload_spec.h"
#include "sim/network.h"
#include "sim/time.h"

namespace lockstep::checker {
enum class Property : std::uint8_t;
}  // namespace lockstep::checker

namespace lockstep::scenario {

struct Expectation {
  std::vector<checker::Property> violates;
  std::vector<checker::Property> holds;
  std::vector<Sometimes> sometimes;
  /// The longest time that two holders may believe in the same lock, in every run.
  std::optional<sim::DurationNs> overlap_at_most_ns;
  /// The longest time from a request for a lock to its answer, in every run.
  std::optional<sim::DurationNs> wait_at_most_ns;
  /// The most requests that a client may send in any second, in every run.
  std::optional<std::int64_t> requests_per_second_at_most;
  Origin place;

  [[nodiscard]] bool has_bounds() const {
    return overlap_at_most_ns.has_value() || wait_at_most_ns.has_value() ||
           requests_per_second_at_most.has_value();
  }
};

/// How long messages between two hosts take: [[link]].
struct LinkSpec {
  std::string from;
  std::string to;
  sim::Latency latency;
};

struct Scenario {
  std::string path;
  std::string text;                          ///< the file's bytes
  std::vector<SourceFile> bases;             ///< its base, the base's base, …
  std::vector<ParameterSetting> parameters;  ///< the values of this row, of all parameters
  std::string row;  ///< "[lease=5s]": the parameters that differ between rows; empty: one row
  std::string title;
  std::string lock;           ///< "plain", "plain/unlatched", or a folder "./my-lock"
  SourceLocation lock_place;  ///< for complaints about a lock that does not exist
  std::string lock_name = "lock";
  Options options;                             ///< over lock.toml's
  std::map<std::string, std::string> scripts;  ///< script name → path, in place of the lock's own
  /// Where each name of `options` and `scripts` is written, for errors found with the lock's help.
  OptionPlaces option_places;
  std::map<std::string, SourceLocation, std::less<>> script_places;
  RedisSpec redis;
  sim::Latency latency;
  std::vector<LinkSpec> links;  ///< override `latency` and the nodes' latencies
  ResourceSpec resource;
  std::vector<ClientSpec> clients;
  std::vector<FaultSpec> faults;
  std::vector<SourceLocation> fault_places;   ///< where each of `faults` was read
  std::optional<OpenFaults> open_faults;      ///< drawn in each run, besides `faults`
  std::optional<sim::DurationNs> heal_at_ns;  ///< when all faults end that do not stay
  Expectation expect;
  std::int64_t declared_drift_ppm = 0;
  checker::LivenessBounds liveness;
  sim::DurationNs horizon_ns = 600 * sim::second_ns;
  std::uint64_t events_max = 1'000'000;

  /// "scenarios/plain/gc-pause.toml [lease=5s]": how reports name it.
  [[nodiscard]] std::string name() const { return row.empty() ? path : path + " " + row; }
};

/// Whether a client is a real program.
[[nodiscard]] inline bool has_program(const Scenario& scenario) {
  for (const ClientSpec& client : scenario.clients) {
    if (client.program) return true;
  }
  return false;
}

}  // namespace lockstep::scenario
