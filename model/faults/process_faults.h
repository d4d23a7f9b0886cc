// Faults of processes: they stand still, get slow, die, and start anew.
#pragma once

#include <map>

#include "model/faults/fault_environment.h"

namespace lockstep::model {

class ProcessFaults final : public FaultHandler {
 public:
  explicit ProcessFaults(const FaultEnvironment& environment) : environment_(environment) {}

  void start_run(sim::ChoiceSource& choices) override;
  /// What has died is not paused, nor does it die once more; only what has died is restarted.
  [[nodiscard]] bool can_strike(const scenario::FaultSpec& spec) const override;
  void strike(const Strike& strike) override;
  void end(const Strike& strike, StrikeEnd why) override;
  /// The pause that a strike began, if it did.
  void digest_pause(sim::Digest& digest, std::uint64_t strike,
                    const scenario::FaultSpec& spec) const;

 private:
  void pause(const Strike& strike);
  void end_pause(const Strike& strike, StrikeEnd why);
  void slow_down(const scenario::FaultSpec& fault, sim::DurationNs by_ns);
  void after_crash(sim::Host& host);
  void set_stopped(std::string_view host_name, bool is_stopped);

  const FaultEnvironment& environment_;
  std::map<std::uint64_t, sim::PauseId> pauses_;   // under way, by strike
  std::map<sim::HostId, sim::DelaySum> slowness_;  // the sum of those under way, by host
};

}  // namespace lockstep::model
