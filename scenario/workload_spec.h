// What the clients of a scenario do: the parsed and checked form of [[client]].
//
// Every default is written here, once. Durations are nanoseconds of the clock that they are
// measured on.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenario/text/input_error.h"
#include "sim/time.h"

namespace lockstep::scenario {

/// All but the last three are functions of the lock's client model, under the same names; what
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

/// Both ends included; where they differ, each use draws one of them anew.
struct DurationRange {
  sim::DurationNs min_ns = 0;
  sim::DurationNs max_ns = 0;

  [[nodiscard]] bool is_open() const { return min_ns != max_ns; }
};

struct Step {
  StepKind kind;
  /// Which locks: the scenario's by default, several for …_all; none: it is about no lock.
  std::vector<std::string> lock_names;
  std::optional<sim::DurationNs> lease_ns;  ///< none: the watchdog's
  std::optional<sim::DurationNs> wait_ns;
  std::int64_t amount = 1;  ///< permits, or a latch's count
  sim::DurationNs duration_ns = 0;
  SourceLocation place;
  // The other ends, where the file gives ranges: drawn each time that a thread begins its steps.
  std::optional<sim::DurationNs> lease_ns_max = std::nullopt;
  std::optional<sim::DurationNs> wait_ns_max = std::nullopt;
  std::optional<sim::DurationNs> duration_ns_max = std::nullopt;

  [[nodiscard]] bool is_open() const { return lease_ns_max || wait_ns_max || duration_ns_max; }
};

/// Steps that are drawn: a number of turns, in each of which a thread thinks and does one thing.
/// What it takes it gives back, after having done something with it and having held it for a while.
struct GenerateSpec {
  struct WeightedStep {
    Step step;  ///< one lock's, or the locks' together; durations may be ranges
    std::uint32_t weight = 1;
  };
  std::uint32_t turns = 10;
  std::vector<WeightedStep> outside;    ///< what takes, asks, …: one in each turn
  std::vector<WeightedStep> inside;     ///< what needs a hold, and questions: one in each hold
  std::vector<std::string> lock_names;  ///< one is drawn in each turn
  DurationRange think;
  DurationRange hold;
  std::uint32_t reentrancy = 1;  ///< how often a hold is taken once more at most, and itself
  std::int64_t amount_min = 1;   ///< permits
  std::int64_t amount_max = 1;
  /// Every step that it can make, for those who ask what a thread may do; holds last as long as
  /// they can.
  std::vector<Step> possible;
};

struct ThreadSpec {
  std::vector<Step> steps;
  std::optional<GenerateSpec> generate = std::nullopt;  ///< behind the steps, in each round

  /// Whether it does other things from run to run.
  [[nodiscard]] bool is_open() const {
    if (generate) return true;
    for (const Step& step : steps) {
      if (step.is_open()) return true;
    }
    return false;
  }
};

/// Calls with every step that a thread has or may have.
template <typename Visitor>
void visit_possible_steps(const ThreadSpec& thread, Visitor visit) {
  for (const Step& step : thread.steps) visit(step);
  if (!thread.generate) return;
  for (const Step& step : thread.generate->possible) visit(step);
}

struct ClientSpec {
  std::string name;
  std::vector<ThreadSpec> threads;  ///< at least one; thread i is the actor "name/i+1"
  std::uint32_t rounds = 1;         ///< how often each thread runs its steps
  sim::DurationNs start_ns = 0;     ///< when its threads begin
  std::optional<sim::DurationNs> start_ns_max = std::nullopt;  ///< the other end of a range
  sim::DurationNs wall_offset_ns = 0;
  std::int64_t drift_ppm = 0;  ///< of both clocks
  SourceLocation place;
};

}  // namespace lockstep::scenario
