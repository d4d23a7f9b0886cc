// The engine: one process-wide set of hosts, scripts and buffers that runs scenarios, run after
// run.
//
// An engine keeps what runs can share (the Lua state, compiled scripts and client models, memory);
// a run itself is a pure function of the scenario, the choices and model_version, whatever ran
// before.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "checker/check.h"
#include "checker/history.h"
#include "checker/measures.h"
#include "checker/observations.h"
#include "checker/verdict.h"
#include "model/abstract_state_listener.h"
#include "model/host_view.h"
#include "model/recorded_trace.h"
#include "model/state_digest.h"
#include "model/step_listener.h"
#include "scenario/scenario.h"
#include "sim/choice_source.h"
#include "sim/network.h"

namespace lockstep::redis {
class NodeObserver;
}

namespace lockstep::model {

enum class RunEnd : std::uint8_t {
  at_rest,      ///< nothing more can happen
  stopped,      ///< the step listener ended it
  horizon,      ///< the scenario's horizon came first
  event_limit,  ///< the scenario's event limit came first
};
[[nodiscard]] std::string_view to_string(RunEnd end);

/// What a run came to. Views and references into the engine: valid until its next run.
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
  /// Mistakes of client models ("a/1: plain/client.lua:12: …"), in no order that matters.
  std::vector<std::string> client_failures;
  /// The scenario's faults, and behind them those that this run drew.
  const std::vector<scenario::FaultSpec>* faults = nullptr;
  /// How often each of them struck, by its index.
  std::vector<std::uint32_t> fault_strikes;
  /// How often each `sometimes` of the scenario was seen, by its index.
  std::vector<std::uint32_t> sometimes_seen;
  /// Where the scenario sets bounds.
  std::optional<checker::Measures> measures;
  /// Whether a client model has asked which of the clients it is or, where states were digested,
  /// a server might have been asked of its connections, or for texts in their order. A client model
  /// or a script that compares tokens by itself is not seen here.
  bool are_clients_distinguishable = false;
  /// The longest lease that a lock was given; 0: none.
  sim::DurationNs longest_lease_ns = 0;
};

/// A scenario made ready to run: hosts built, scripts compiled. Reused for any number of runs.
class Simulation;

/// Who makes the faults strike that a scenario leaves open.
enum class OpenFaultsBy : std::uint8_t {
  each_run,  ///< draws its own
  listener,  ///< Simulation::strike, and nobody else
};

class Engine {
 public:
  /// `script_folders`: where locks named in scenarios are looked up, in order.
  explicit Engine(std::vector<std::filesystem::path> script_folders);
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  ~Engine();

  /// Prepares a scenario. Throws InputError where its lock is missing or wrong.
  [[nodiscard]] std::unique_ptr<Simulation> prepare(
      const scenario::Scenario& scenario, OpenFaultsBy open_faults = OpenFaultsBy::each_run);

  struct Implementation;

 private:
  std::unique_ptr<Implementation> implementation_;
};

class Simulation {
 public:
  virtual ~Simulation() = default;
  /// Runs once with these choices; with a sink every event is told to it, and an observer is told
  /// what happens to the Redis nodes. The result is valid until the next run.
  virtual const RunResult& run(sim::ChoiceSource& choices, sim::TraceSink* sink = nullptr,
                               redis::NodeObserver* observer = nullptr) = 0;
  /// Who is told of each run's abstract states from now on; null: nobody. Does not own.
  virtual void set_abstract_state_listener(AbstractStateListener* listener) = 0;
  /// Who is asked before each step of the runs from now on; null: nobody. Does not own.
  virtual void set_step_listener(StepListener* listener) = 0;

  // For a step listener, within before_step() only.
  /// What the rest of the run depends on (model/state_digest.h).
  [[nodiscard]] virtual StateDigest digest() = 0;
  /// The same part by part, for who asks in what two states differ. What one part names counts in
  /// those that follow.
  [[nodiscard]] virtual std::vector<DigestPart> digest_parts() = 0;
  /// Whether the state that was digested last is like no other, but for one with the same history.
  [[nodiscard]] virtual bool is_unmergeable() const = 0;
  /// The ranges of the delays that were drawn in the last step's instant, in the order of their
  /// draws, but for those of one value; none where other answers to them can't be looked at.
  [[nodiscard]] virtual std::optional<std::vector<sim::Latency>> delays_of_instant() const = 0;
  /// Makes this the state that other answers to them would have led to. REQUIRES: as many as there
  /// are, and the next step is the first of its instant.
  virtual void replace_drawn_delays(std::span<const sim::DurationNs> delays) = 0;
  [[nodiscard]] virtual NextStep next_step() = 0;
  /// Moves time to the next step's instant, and has the fault strike there and then, before the
  /// step; its trigger is replaced by that instant. A scenario that has the same fault with `at`
  /// that instant gives the same run, where the step is the first of its instant. REQUIRES: the
  /// fault is closed, and every name in it is a host or an actor.
  virtual void strike(const scenario::FaultSpec& fault) = 0;
  /// Whether the process of that host has ended and not started again. REQUIRES: there is one.
  [[nodiscard]] virtual bool is_down(std::string_view host) = 0;
  /// What there is to see of that host; also after a run, of its end. REQUIRES: there is one.
  virtual void look_at(std::string_view host, HostView& view) = 0;

  [[nodiscard]] virtual const std::vector<sim::Actor>& actors() const = 0;
  /// What is judged of the lock: one verdict each, in this order.
  [[nodiscard]] virtual std::span<const checker::Property> judged() const = 0;
  /// A 64-bit digest of the lock's files, so that a saved trace knows when they changed.
  [[nodiscard]] virtual std::uint64_t lock_digest() const = 0;
};

}  // namespace lockstep::model
