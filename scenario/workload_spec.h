// The clients of a scenario and their steps: the parsed and checked form of [[client]].
//
// Defaults stand here only. Durations are nanoseconds of the clock that measures them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scenario/duration_range.h"
#include "scenario/options.h"
#include "scenario/program_spec.h"
#include "scenario/step_kind.h"
#include "scenario/text/source_location.h"
#include "sim/time.h"

namespace lockstep::scenario {

struct Step {
  StepKind kind;
  /// The scenario's lock by default; several for …_all; empty for steps without a lock.
  std::vector<std::string> lock_names;
  std::optional<sim::DurationNs> lease_ns;  ///< none: the watchdog's
  std::optional<sim::DurationNs> wait_ns;
  std::int64_t amount = 1;  ///< permits, or a latch's count
  sim::DurationNs duration_ns = 0;
  Origin place;
  // Upper ends of ranges. A value is drawn each time a thread begins its steps.
  std::optional<sim::DurationNs> lease_ns_max = std::nullopt;
  std::optional<sim::DurationNs> wait_ns_max = std::nullopt;
  std::optional<sim::DurationNs> duration_ns_max = std::nullopt;

  [[nodiscard]] bool is_open() const { return lease_ns_max || wait_ns_max || duration_ns_max; }

  friend bool operator==(const Step&, const Step&) = default;
};

/// How a duration is drawn from a range.
enum class Spread : std::uint8_t {
  even,  ///< each value as often as any other
  log,   ///< as many between 1 ms and 2 ms as between 1 min and 2 min
};

/// Drawn steps. In each turn a thread thinks and does one thing; it releases what it has taken
/// after using it and holding it for a while.
struct GenerateSpec {
  struct WeightedStep {
    Step step;  ///< one lock's, or the locks' together; durations may be ranges
    std::uint32_t weight = 1;

    friend bool operator==(const WeightedStep&, const WeightedStep&) = default;
  };
  std::uint32_t turns = 10;
  std::vector<WeightedStep> outside;    ///< takes, asks, …: one per turn
  std::vector<WeightedStep> inside;     ///< needs a hold, or asks: one per hold
  std::vector<std::string> lock_names;  ///< one is drawn in each turn
  DurationRange think;
  DurationRange hold;
  std::uint32_t reentrancy = 1;  ///< how often a hold is taken once more at most, and itself
  std::uint32_t nesting = 1;     ///< how many holds at most, each drawn and used inside the last
  std::int64_t amount_min = 1;   ///< permits
  std::int64_t amount_max = 1;
  Spread spread = Spread::even;
  /// Every step that it can draw, each with the longest hold.
  std::vector<Step> possible;

  friend bool operator==(const GenerateSpec&, const GenerateSpec&) = default;
};

struct ThreadSpec {
  std::vector<Step> steps;
  std::optional<GenerateSpec> generate = std::nullopt;  ///< behind the steps, in each round

  /// Whether its steps differ between runs.
  [[nodiscard]] bool is_open() const {
    if (generate) return true;
    for (const Step& step : steps) {
      if (step.is_open()) return true;
    }
    return false;
  }

  friend bool operator==(const ThreadSpec&, const ThreadSpec&) = default;
};

/// Visits every step that a thread has or may draw.
template <typename Visitor>
void visit_possible_steps(const ThreadSpec& thread, Visitor visit) {
  for (const Step& step : thread.steps) visit(step);
  if (!thread.generate) return;
  for (const Step& step : thread.generate->possible) visit(step);
}

struct ClientSpec {
  std::string name;
  std::optional<ProgramSpec> program;  ///< the client is a real one; none: a client model runs
  std::vector<ThreadSpec> threads;     ///< at least one; thread i is the actor "name/i+1"
  /// Of the threads, how many take part at least: each run draws it. None: all do.
  std::optional<std::uint32_t> threads_min = std::nullopt;
  std::uint32_t rounds = 1;                                ///< how often each thread runs its steps
  std::optional<std::uint32_t> rounds_max = std::nullopt;  ///< the other end of a range
  sim::DurationNs start_ns = 0;                            ///< its threads begin then
  std::optional<sim::DurationNs> start_ns_max = std::nullopt;  ///< the other end of a range
  sim::DurationNs wall_offset_ns = 0;
  std::int64_t drift_ppm = 0;  ///< of both clocks
  Options options;             ///< over those that all clients have
  OptionPlaces option_places;
  Origin place;
};

}  // namespace lockstep::scenario
