// Faults of the network: hosts that can't reach each other, or slowly, or not anew.
//
// Whatever parts hosts does so with cuts, which hold messages back and lose none; the network
// counts them, so partitions that overlap compose. Clients are never parted from clients, nor
// servers from the resource: they have nothing to say to each other.
#pragma once

#include <vector>

#include "model/faults/fault_environment.h"
#include "scenario/participants.h"
#include "sim/choice_source.h"

namespace lockstep::model {

class NetworkFaults final : private sim::EventTarget {
 public:
  explicit NetworkFaults(const FaultEnvironment& environment) : environment_(environment) {}

  enum class Change : std::uint8_t { start, end };

  /// Forgets the last run. `choices` outlives the run.
  void start_run(sim::ChoiceSource& choices);
  // What comes and goes.
  void change_listening(const Strike& strike, Change change);
  void change_cut(const Strike& strike, Change change);
  void change_one_way_cut(const Strike& strike, Change change);
  void change_clog(const Strike& strike, Change change);
  void change_isolation(const Strike& strike, Change change);
  void change_partition(const Strike& strike, Change change);
  void change_ring(const Strike& strike, Change change);
  void start_swizzle(const Strike& strike);
  void end_swizzle(const Strike& strike, StrikeEnd why);
  void make_half_open(const Strike& strike);
  void digest_into(sim::Digest& digest) const;

 private:
  /// Hosts that are isolated one after the other.
  struct Swizzle {
    std::uint64_t strike;
    std::vector<sim::HostId> cuts;   // in the order of the cuts
    std::vector<sim::HostId> heals;  // in the order of the heals
    std::vector<sim::HostId> isolated;
    bool is_over = false;
  };

  void on_event(std::uint32_t code, std::uint64_t argument) override;
  void digest_event(sim::Digest& digest, std::uint32_t code, std::uint64_t argument) const override;
  void isolate(sim::HostId host, Change change);
  void part(sim::HostId one, sim::HostId other, Change change);
  [[nodiscard]] std::vector<sim::HostId> shuffled(std::size_t fault,
                                                  std::vector<sim::HostId> hosts);
  [[nodiscard]] scenario::HostSide side_of(sim::HostId host) const;
  [[nodiscard]] std::vector<sim::HostId> hosts_of(const std::vector<std::string>& names) const;

  const FaultEnvironment& environment_;
  sim::ChoiceSource* choices_ = nullptr;
  std::vector<Swizzle> swizzles_;  // of this run
};

}  // namespace lockstep::model
