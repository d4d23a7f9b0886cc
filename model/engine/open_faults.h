// The faults that a scenario leaves open: learns what happens in its runs (run_profile.h), then
// draws faults for each run.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "model/engine/simulated_hosts.h"
#include "model/faults/fault_generator.h"
#include "model/faults/fault_injector.h"
#include "model/faults/run_profile.h"
#include "sim/choice_source.h"

namespace lockstep::scenario {
struct Scenario;
}  // namespace lockstep::scenario

namespace lockstep::model {

struct LockPackage;

class OpenFaults {
 public:
  /// When a run's workload ended, and the longest lease of it.
  struct LearntRun {
    sim::TimeNs ended_ns;
    sim::DurationNs longest_lease_ns;
  };
  using Run = std::function<LearntRun(sim::ChoiceSource&)>;

  /// Does not own; both outlive this.
  OpenFaults(const scenario::Scenario& scenario, FaultInjector& injector)
      : scenario_(scenario), injector_(injector) {}

  /// Runs a few times without faults. Throws InputError where no kind that the scenario allows can
  /// strike in it.
  void learn(const LockPackage& package, const sim::Trace& trace, SimulatedHosts& hosts,
             const Run& run);
  /// Gives the injector a run's faults. No effect without learn().
  void draw(sim::ChoiceSource& choices);

 private:
  const scenario::Scenario& scenario_;
  FaultInjector& injector_;
  std::optional<RunProfile> profile_;
  std::optional<FaultGenerator> generator_;
};

}  // namespace lockstep::model
