// Faults of clocks: steps and drift.
#pragma once

#include "model/simulation/fault_environment.h"

namespace lockstep::model {

class ClockFaults final : public FaultTheme {
 public:
  explicit ClockFaults(const FaultEnvironment& environment) : environment_(environment) {}

  void start_run(sim::ChoiceSource& choices) override;
  void strike(const Strike& strike) override;
  void end(const Strike& strike, StrikeEnd why) override;

 private:
  const FaultEnvironment& environment_;
};

}  // namespace lockstep::model
