// The engine runs scenarios, run after run.
//
// It keeps what runs can share: the Lua state, compiled scripts and client models, memory. A run is
// a pure function of the scenario, the choices and model_version, whatever ran before.
//
// The header declares what it names and includes next to nothing: callers include what they use.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "sim/time.h"

namespace lockstep::checker {
enum class Property : std::uint8_t;
}  // namespace lockstep::checker

namespace lockstep::redis {
class NodeObserver;
}  // namespace lockstep::redis

namespace lockstep::scenario {
struct FaultSpec;
struct Scenario;
enum class StepKind : std::uint8_t;
}  // namespace lockstep::scenario

namespace lockstep::sim {
class ChoiceSource;
class TraceSink;
struct Actor;
struct Latency;
}  // namespace lockstep::sim

namespace lockstep::model {

class AbstractStateListener;
class ProgramLauncher;
class StepListener;
struct DigestPart;
struct HostView;
struct LockPackage;
struct NextStep;
struct RunResult;
struct SimulatedCluster;
struct StateDigest;

/// A scenario made ready to run: hosts built, scripts compiled. Reused for any number of runs.
class Simulation;

/// Where the faults come from that a scenario leaves open.
enum class OpenFaultsBy : std::uint8_t {
  each_run,  ///< each run draws its own
  listener,  ///< only from Simulation::strike
};

class Engine {
 public:
  /// `script_folders`: where locks named in scenarios are looked up, in order. `programs` starts
  /// clients that are real programs; null: scenarios that have some are refused. Does not own it;
  /// it outlives the simulations.
  explicit Engine(std::vector<std::filesystem::path> script_folders,
                  ProgramLauncher* programs = nullptr);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  ~Engine();

  /// Prepares a scenario. A lock's files are read once for an engine. Throws InputError where its
  /// lock is missing or wrong.
  [[nodiscard]] std::unique_ptr<Simulation> prepare(
      const scenario::Scenario& scenario, OpenFaultsBy open_faults = OpenFaultsBy::each_run);

  /// The steps that a lock's client model has functions for, in the order of the kinds. Throws
  /// InputError where the lock is wrong.
  [[nodiscard]] std::vector<scenario::StepKind> offered(const LockPackage& lock);

  struct Implementation;

 private:
  std::unique_ptr<Implementation> implementation_;
};

class Simulation {
 public:
  explicit Simulation(std::unique_ptr<SimulatedCluster> cluster);
  Simulation(const Simulation&) = delete;
  Simulation& operator=(const Simulation&) = delete;
  ~Simulation();

  /// Runs once with these choices. The sink receives every trace event, the observer what happens
  /// to the Redis nodes; both may be null. The result is valid until the next run.
  const RunResult& run(sim::ChoiceSource& choices, sim::TraceSink* sink = nullptr,
                       redis::NodeObserver* observer = nullptr);
  /// Sets the listener to abstract states for the runs to come; nullptr clears it. Does not own.
  void set_abstract_state_listener(AbstractStateListener* listener);
  /// Sets the listener called before each step of the runs to come; nullptr clears it. Does not
  /// own.
  void set_step_listener(StepListener* listener);

  // To be called by a step listener, within before_step() only.
  /// Digests everything that the rest of the run depends on (model/engine/run_listeners.h).
  [[nodiscard]] StateDigest digest();
  /// The same part by part, to find where two states differ. Names that one part gives out count
  /// in the parts that follow.
  [[nodiscard]] std::vector<DigestPart> digest_parts();
  /// Whether the state digested last equals only states with the same history.
  [[nodiscard]] bool is_unmergeable() const;
  /// The ranges of the delays drawn at the last step's instant, in the order of the draws, without
  /// ranges of a single value. None where other draws can't be tried.
  [[nodiscard]] std::optional<std::vector<sim::Latency>> delays_of_instant() const;
  /// Turns this state into the one that other draws would have led to. REQUIRES: one delay for each
  /// range, and the next step is the first of its instant.
  void replace_drawn_delays(std::span<const sim::DurationNs> delays);
  [[nodiscard]] NextStep next_step();
  /// Advances time to the next step's instant and makes the fault strike there, before the step,
  /// whatever its trigger says. If the step is the first of its instant, a scenario with the same
  /// fault `at` that instant gives the same run. REQUIRES: the fault is closed, and every name in
  /// it is a host or an actor.
  void strike(const scenario::FaultSpec& fault);
  /// Whether that host's process has ended and not started again. REQUIRES: the host exists.
  [[nodiscard]] bool is_down(std::string_view host) const;
  /// Fills in the view of that host; after a run, as it ended. REQUIRES: the host exists.
  void look_at(std::string_view host, HostView& view) const;

  [[nodiscard]] const std::vector<sim::Actor>& actors() const;
  /// As they were made ready.
  [[nodiscard]] const scenario::Scenario& scenario() const;
  [[nodiscard]] const LockPackage& lock() const;
  /// The properties judged of the lock, in the order of the verdicts.
  [[nodiscard]] std::span<const checker::Property> judged() const;
  /// A 64-bit digest of the lock's files; tells whether they changed since a trace was saved.
  [[nodiscard]] std::uint64_t lock_digest() const;

 private:
  std::unique_ptr<SimulatedCluster> cluster_;
};

}  // namespace lockstep::model
