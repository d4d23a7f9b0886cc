// Faults of clocks: steps, drift, freezing, strobing, leap seconds.
//
// The wall clock is the first to be struck, and whoever plans by it is told: keys expire by their
// node's wall clock at once. Of several freezes of a clock the last to end thaws it. A strobing
// clock is off by `by` every other time and right in between; it ends right.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/faults/fault_environment.h"
#include "scenario/faults/fault_kind.h"

namespace lockstep::model {

class ClockFaults final : private sim::EventTarget {
 public:
  explicit ClockFaults(const FaultEnvironment& environment) : environment_(environment) {}

  /// Forgets the last run.
  void start_run();
  void step(const Strike& strike);
  void drift(const Strike& strike);
  void freeze(const Strike& strike);
  void thaw(const Strike& strike, StrikeEnd why);
  void start_strobe(const Strike& strike);
  void end_strobe(const Strike& strike, StrikeEnd why);
  void digest_into(sim::Digest& digest) const;
  /// Every clock runs at the rate again that it had when the run began, or at that of the last
  /// drift that stays.
  void heal();

 private:
  struct Drift {
    sim::HostId host;
    std::int64_t rate_ppm;
    scenario::ClockChoice clock;
    bool stays;
  };
  struct Strobe {
    std::uint64_t strike;
    sim::HostId host;
    sim::DurationNs by_ns;
    sim::DurationNs every_ns;
    sim::EventHandle next;
    bool is_off = false;
  };
  struct Frozen {
    std::uint32_t wall = 0;
    std::uint32_t monotonic = 0;
  };

  void on_event(std::uint32_t code, std::uint64_t argument) override;
  void digest_event(sim::Digest& digest, std::uint32_t code, std::uint64_t argument) const override;
  void change_time(sim::Host& host, sim::DurationNs by_ns, scenario::ClockChoice clock);
  void change_rate(sim::Host& host, std::int64_t drift_ppm, scenario::ClockChoice clock);
  void flip(Strobe& strobe);
  void plan(std::size_t strobe);
  void notify_clock_changed(sim::Host& host);

  const FaultEnvironment& environment_;
  std::vector<Strobe> strobes_;                // of this run
  std::map<sim::HostId, Frozen> frozen_;       // how many freezes are under way
  std::vector<Drift> drifts_;                  // of this run, in the order in which they struck
  std::map<sim::HostId, std::int64_t> rates_;  // ppm of those that drift, before they did
};

}  // namespace lockstep::model
