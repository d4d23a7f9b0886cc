// A run with everything that a report needs, and telling two traces apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/lock/assumption.h"
#include "model/recorded_trace.h"
#include "search/runs/outline.h"
#include "sim/boxed.h"
#include "sim/time.h"

namespace lockstep::checker {
enum class Property : std::uint8_t;
struct KeptRun;
struct Verdict;
}  // namespace lockstep::checker

namespace lockstep::model {
class Simulation;
enum class RunEnd : std::uint8_t;
}  // namespace lockstep::model

namespace lockstep::redis {
class NodeObserver;
}  // namespace lockstep::redis

namespace lockstep::scenario {
struct FaultSpec;
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::sim {
class ChoiceSource;
}  // namespace lockstep::sim

namespace lockstep::search {

/// Where a run of a search came from: its number, its strategy, and the search's root seed.
struct Origin {
  std::uint64_t run = 0;
  std::string strategy;
  std::uint64_t root_seed = 0;
};

struct RunRecord;

/// A host whose clocks are wrong from the start, as the scenario says.
struct WrongClock {
  std::string host;
  sim::DurationNs wall_offset_ns = 0;
  std::int64_t drift_ppm = 0;

  friend bool operator==(const WrongClock&, const WrongClock&) = default;
};
/// Clients and nodes, in the order of the scenario.
[[nodiscard]] std::vector<WrongClock> wrong_clocks_of(const scenario::Scenario& scenario);

/// What broke where the lock's contract says it may: what excuses it.
struct ExcusedPromise {
  checker::Property property{};
  model::AssumptionSet not_kept;  ///< empty: the lock does not promise the property at all
};

/// A run made again without some faults or wrong clocks, or with a fault moved.
struct ChangedRun {
  std::shared_ptr<const Outline> outline;
  /// By how much a fault came at another time; none: it did not come at all.
  std::optional<sim::DurationNs> moved_by_ns;
};

/// A run made again with those faults and wrong clocks alone without which the property does not
/// break.
struct RunWithFewerFaults {
  checker::Property property{};
  std::shared_ptr<const RunRecord> run;  ///< null: it needs all of them
  std::vector<ChangedRun> unbroken;      ///< all that were tried in which it did not break
};

/// One run with everything that a report needs, independent of the engine.
struct RunRecord {
  // Not here, where faults, verdicts and what is judged are only declared.
  RunRecord();
  RunRecord(const RunRecord&);
  RunRecord(RunRecord&&) noexcept;
  RunRecord& operator=(const RunRecord&);
  RunRecord& operator=(RunRecord&&) noexcept;
  ~RunRecord();

  std::uint64_t seed = 0;
  /// A run of a search is what its choices made it, not its seed.
  std::optional<Origin> origin;
  model::RecordedTrace trace;
  sim::Boxed<checker::KeptRun> judged;
  std::vector<checker::Verdict> verdicts;
  std::vector<ExcusedPromise> excused;  ///< in the order of the verdicts
  model::RunEnd end{};                  ///< at rest
  sim::TimeNs ended_at_ns = 0;
  std::uint64_t lock_digest = 0;
  /// The scenario's, and behind them those that the run drew.
  std::vector<scenario::FaultSpec> faults;
  std::vector<WrongClock> wrong_clocks;
  /// Of each property that broke; none: nobody has found out what they need (needed_faults.h).
  std::optional<std::vector<RunWithFewerFaults>> with_fewer_faults;
};

/// Runs once with these choices and records the trace; `seed` and the trace's choices stay empty.
/// The observer, if any, sees what happens to the Redis nodes.
[[nodiscard]] RunRecord record_run(model::Simulation& simulation, sim::ChoiceSource& choices,
                                   redis::NodeObserver* observer = nullptr);

/// Runs once with this seed; records trace and choices.
[[nodiscard]] RunRecord record_seed(model::Simulation& simulation, std::uint64_t seed);

[[nodiscard]] Outline outline_of(const model::RecordedTrace& trace);

/// The first event in which two traces differ, in words, with both texts; empty where they are
/// equal.
[[nodiscard]] std::string first_difference(const model::RecordedTrace& expected,
                                           const model::RecordedTrace& found);

/// Which program of the run was stuck, and where ("w1/1: it is stuck: …"); empty: none. What it did
/// before it was ended hangs on how long it ran, so such a run may differ from another.
[[nodiscard]] std::string stuck_program(const model::RecordedTrace& trace);

/// One event on one line: "12 1,000,000 ns n1 command-executed label=acquire …".
[[nodiscard]] std::string describe_event(const model::RecordedTrace& trace, std::size_t index);

}  // namespace lockstep::search
