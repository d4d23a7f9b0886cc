// A scenario: the cluster, the clients and what they do, the faults, and what is expected.
//
// This is the parsed and checked form; scenario_file.h reads it from TOML. Every default is written
// here, once. Durations are nanoseconds of the clock that they are measured on.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "checker/check.h"
#include "checker/verdict.h"
#include "model/input_error.h"
#include "model/milestones.h"
#include "model/redis/config.h"
#include "sim/network.h"
#include "sim/time.h"

namespace lockstep::model {

/// The version of the model's semantics: raised whenever traces change. A saved trace of another
/// version is not replayed.
inline constexpr int model_version = 2;

/// A lock's option: a whole number, a word, or a switch. Durations are milliseconds, under a name
/// that ends in `_ms`.
using OptionValue = std::variant<std::int64_t, std::string, bool>;
using Options = std::map<std::string, OptionValue, std::less<>>;

/// All but the last three are functions of the lock's client half, under the same names; what
/// each says and does is in step_forms.h. A try_… that is refused skips to the step that would give
/// back what it asked for.
enum class StepKind : std::uint8_t {
  lock,
  try_lock,
  unlock,
  force_unlock,
  extend,
  is_locked,
  is_held_by_me,
  hold_count,
  remaining_lease,
  read_lock,
  try_read_lock,
  read_unlock,
  write_lock,
  try_write_lock,
  write_unlock,
  lock_all,
  try_lock_all,
  unlock_all,
  acquire,
  try_acquire,
  release,
  try_set_permits,
  try_set_count,
  count_down,
  await,
  write,  ///< a read-modify-write of the protected resource
  sleep,  ///< does nothing for `duration_ns` of its monotonic clock
  crash,  ///< the client's process dies here
};

struct Step {
  StepKind kind;
  /// Which locks: the scenario's by default, several for …_all; none: it is about no lock.
  std::vector<std::string> lock_names;
  std::optional<sim::DurationNs> lease_ns;  ///< none: the watchdog's
  std::optional<sim::DurationNs> wait_ns;
  std::int64_t amount = 1;  ///< permits, or a latch's count
  sim::DurationNs duration_ns = 0;
  SourcePlace place;
};

struct ThreadSpec {
  std::vector<Step> steps;
};

struct ClientSpec {
  std::string name;
  std::vector<ThreadSpec> threads;  ///< at least one; thread i is the actor "name/i+1"
  std::uint32_t rounds = 1;         ///< how often each thread runs its steps
  sim::DurationNs start_ns = 0;     ///< when its threads begin
  sim::DurationNs wall_offset_ns = 0;
  std::int64_t drift_ppm = 0;  ///< of both clocks
  SourcePlace place;
};

/// Redis's defaults, but that nothing is stored: a run is too short for the default save points,
/// and what a restart finds should be said.
[[nodiscard]] inline redis::Config default_node_config() {
  redis::Config config;
  config.save = {};
  return config;
}

struct RedisSpec {
  std::uint32_t masters = 1;                     ///< named n1, n2, …; n independent masters
  std::uint32_t replicas = 0;                    ///< of each master, named n1-replica-1, …
  redis::Config config = default_node_config();  ///< of every node
  /// What the file sets of it, in its order: {"appendonly", "yes"}.
  std::vector<std::pair<std::string, std::string>> settings;
};

enum class FaultKind : std::uint8_t {
  pause,        ///< a process stops for `for_ns`
  crash,        ///< a process dies
  restart,      ///< a Redis node that ended starts anew, with what its disk has
  promote,      ///< an operator's failover: this replica becomes the master of its shard
  cut,          ///< two hosts can't reach each other, for `for_ns` or for ever
  drop,         ///< a message is lost
  delay,        ///< a message takes `by_ns` longer
  reset,        ///< a connection breaks when a message is sent on it; the message is lost
  clock_step,   ///< a host's wall clock moves by `by_ns`, forward or back
  clock_drift,  ///< a host's clocks run at another rate from then on
  delete_key,   ///< an operator deletes the key of `lock_name` on a node
  power_loss,   ///< a Redis node's machine fails: what it has not synced to its disk is gone too
  shutdown,     ///< a Redis node ends well (SIGTERM): it stores what it is configured to store
};
[[nodiscard]] std::string_view to_string(FaultKind kind);

/// When a fault strikes.
struct Trigger {
  /// At a milestone: "a acquired" (actor: a client, a thread `a/1`, a node), the nth time.
  struct When {
    std::string actor;
    Milestone milestone;
    std::string detail;  ///< executed, sent: the label; acquired …: the lock; empty: any
    std::uint32_t nth = 1;
  };
  std::optional<When> when;      ///< none: at `after_ns` of true time
  sim::DurationNs after_ns = 0;  ///< `at`, or how long after `when`
};

struct FaultSpec {
  FaultKind kind;
  std::string target;         ///< a client or node; cut: one end; drop, delay, reset: empty
  std::string other;          ///< cut: the other end
  std::string message_label;  ///< drop, delay, reset: "acquire", "reply to acquire", "replication"
  std::string message_from;   ///< a host or a client's thread; empty: any
  std::string message_to;     ///< a host or a client's thread; empty: any
  std::uint32_t nth = 1;      ///< drop, delay, reset: the nth such message after the trigger
  std::string lock_name;      ///< delete_key: whose key; else empty
  std::string key_pattern;    ///< delete_key: which; empty: the one that shows who has the lock
  std::optional<sim::DurationNs> for_ns;  ///< none: for ever
  sim::DurationNs by_ns = 0;
  std::int64_t drift_ppm = 0;
  Trigger trigger;
  SourcePlace place;

  /// "pause a for 15s when a acquired": how reports name it.
  [[nodiscard]] std::string describe() const;
};

struct Expectation {
  std::vector<checker::Property> violates;
  std::vector<checker::Property> holds;
  SourcePlace place;
};

struct ResourceSpec {
  bool fencing = false;  ///< refuses a write whose token is lower than the highest seen
};

struct Scenario {
  std::string path;
  std::string text;  ///< the file's bytes
  std::string title;
  std::string lock;        ///< "plain", "plain/unlatched", or a folder "./my-lock"
  SourcePlace lock_place;  ///< for complaints about a lock that does not exist
  std::string lock_name = "lock";
  Options options;                             ///< over lock.toml's
  std::map<std::string, std::string> scripts;  ///< script name → path, in place of the lock's own
  /// Where each name of `options` and `scripts` stands, for complaints by those who know the lock.
  std::map<std::string, SourcePlace, std::less<>> option_places;
  std::map<std::string, SourcePlace, std::less<>> script_places;
  RedisSpec redis;
  sim::Latency latency;
  ResourceSpec resource;
  std::vector<ClientSpec> clients;
  std::vector<FaultSpec> faults;
  Expectation expect;
  std::int64_t declared_drift_ppm = 0;
  checker::LivenessBounds liveness;
  sim::DurationNs horizon_ns = 600 * sim::second_ns;
  std::uint64_t events_max = 1'000'000;
};

}  // namespace lockstep::model
