// Faults of processes: they stand still, get slow, die, and start anew.
#pragma once

#include <map>

#include "model/simulation/fault_environment.h"

namespace lockstep::model {

class ProcessFaults final : public FaultTheme {
 public:
  explicit ProcessFaults(const FaultEnvironment& environment) : environment_(environment) {}

  void start_run(sim::ChoiceSource& choices) override;
  void strike(const Strike& strike) override;
  void end(const Strike& strike, StrikeEnd why) override;

 private:
  void pause(const FaultSpec& fault);
  void end_pause(const FaultSpec& fault, StrikeEnd why);
  void slow_down(const FaultSpec& fault, sim::DurationNs by_ns);
  void has_crashed(sim::Host& host);
  void set_stopped(std::string_view host_name, bool is_stopped);

  const FaultEnvironment& environment_;
  std::map<sim::HostId, std::uint32_t> pauses_;      // under way, by host
  std::map<sim::HostId, sim::DurationNs> slowness_;  // the sum of those under way, by host
};

}  // namespace lockstep::model
