// What the clients of a scenario do: the parsed and checked form of [[client]].
//
// Every default is written here, once. Durations are nanoseconds of the clock that they are
// measured on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/input_error.h"
#include "sim/time.h"

namespace lockstep::model {

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

}  // namespace lockstep::model
