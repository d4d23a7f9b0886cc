// The parts of a simulation and how they are wired: built once, reset for each run. Internal to the
// engine; Simulation (engine.h) is what others see of it.
//
// The order of the members is the order of the lanes in a timeline: faults (RunContext), then
// hosts.
#pragma once

#include <optional>

#include "model/client/runtime/runtime.h"
#include "model/engine/abstract_state_tracker.h"
#include "model/engine/engine.h"
#include "model/engine/ground_truth.h"
#include "model/engine/open_faults.h"
#include "model/engine/run_context.h"
#include "model/engine/run_judge.h"
#include "model/engine/run_listeners.h"
#include "model/engine/run_loop.h"
#include "model/engine/run_result.h"
#include "model/engine/simulated_hosts.h"
#include "model/engine/state_digester.h"
#include "model/faults/fault_injector.h"
#include "model/faults/unhealed_faults.h"
#include "model/lock/lock_package.h"
#include "model/observers/sometimes_watch.h"
#include "scenario/scenario.h"

namespace lockstep::model {

struct SimulatedCluster {
  /// Throws InputError where the package does not suit the scenario.
  SimulatedCluster(const scenario::Scenario& scenario, OpenFaultsBy open_faults_by,
                   CompiledSources& sources, redis::ScriptEngine& scripts, LockPackage package,
                   ProgramLauncher* programs);
  SimulatedCluster(const SimulatedCluster&) = delete;
  SimulatedCluster& operator=(const SimulatedCluster&) = delete;

  /// To be called before a run, before anybody listens to it: runs the scenario without faults, if
  /// it is still unknown what the faults that are left open could strike.
  void learn_open_faults();
  const RunResult& run(sim::ChoiceSource& choices);
  /// Milestones go to the abstract states, if anybody wants them, then to `sometimes`, if there is
  /// any, then to the faults.
  void set_abstract_state_listener(AbstractStateListener* listener);

  const scenario::Scenario scenario;
  const LockPackage package;
  ClientRuntime runtime;
  RunContext context;
  RunJudge judge;
  GroundTruth truth;
  SimulatedHosts hosts;
  FaultInjector faults;
  UnhealedFaults unhealed;
  OpenFaults open_faults;
  std::optional<SometimesWatch> sometimes;              // where the scenario has some
  std::optional<AbstractStateTracker> abstract_states;  // where somebody wants to know
  RunLoop loop;
  StateDigester digester;

 private:
  bool are_faults_unlearnt_ = false;

  void watch_sometimes();
  void start_run(sim::ChoiceSource& choices);
  void close_run(RunEnd end);
  [[nodiscard]] scenario::MilestoneListener& milestones();
};

}  // namespace lockstep::model
