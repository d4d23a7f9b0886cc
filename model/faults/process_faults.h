// Faults of processes: they stand still, get slow, die, and start anew.
#pragma once

#include <map>

#include "model/faults/fault_environment.h"
#include "sim/delay_sum.h"
#include "sim/host.h"

namespace lockstep::model {

class ProcessFaults {
 public:
  explicit ProcessFaults(const FaultEnvironment& environment) : environment_(environment) {}

  /// Forgets the last run.
  void start_run();
  void pause(const Strike& strike);
  void end_pause(const Strike& strike, StrikeEnd why);
  void slow_down(const Strike& strike);
  void end_slowness(const Strike& strike, StrikeEnd why);
  void crash(const Strike& strike);
  void lose_power(const Strike& strike);
  void shut_down(const Strike& strike);
  void restart(const Strike& strike);
  /// The pause that a strike began, if it did.
  void digest_pause(sim::Digest& digest, std::uint64_t strike,
                    const scenario::FaultSpec& spec) const;

 private:
  void add_slowness(const scenario::FaultSpec& fault, sim::DurationNs by_ns);
  void after_crash(sim::Host& host);
  void set_stopped(std::string_view host_name, bool is_stopped);

  const FaultEnvironment& environment_;
  std::map<std::uint64_t, sim::PauseId> pauses_;   // under way, by strike
  std::map<sim::HostId, sim::DelaySum> slowness_;  // the sum of those under way, by host
};

}  // namespace lockstep::model
