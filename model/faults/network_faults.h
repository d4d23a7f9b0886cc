// Faults of the network: hosts that can't reach each other, or slowly, or not anew.
//
// Whatever parts hosts does so with cuts, which hold messages back and lose none; the network
// counts them, so partitions that overlap compose. Clients are never parted from clients, nor
// servers from the resource: they have nothing to say to each other.
#pragma once

#include <vector>

#include "model/faults/fault_environment.h"
#include "scenario/participants.h"

namespace lockstep::model {

class NetworkFaults final : public FaultHandler, private sim::EventTarget {
 public:
  explicit NetworkFaults(const FaultEnvironment& environment) : environment_(environment) {}

  void start_run(sim::ChoiceSource& choices) override;
  void strike(const Strike& strike) override;
  void end(const Strike& strike, StrikeEnd why) override;
  void digest_into(sim::Digest& digest) const;

 private:
  enum class Change : std::uint8_t { cut, heal };
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
  void pair(const scenario::FaultSpec& fault, Change change);
  void isolate(sim::HostId host, Change change);
  void partition(const scenario::FaultSpec& fault, Change change);
  void ring(const scenario::FaultSpec& fault, Change change);
  void part(sim::HostId one, sim::HostId other, Change change);
  void make_half_open(const scenario::FaultSpec& fault);
  void start_swizzle(const Strike& strike);
  void end_swizzle(const Strike& strike);
  [[nodiscard]] std::vector<sim::HostId> shuffled(std::size_t fault,
                                                  std::vector<sim::HostId> hosts);
  [[nodiscard]] scenario::HostSide side_of(sim::HostId host) const;
  [[nodiscard]] std::vector<sim::HostId> hosts_of(const std::vector<std::string>& names) const;

  const FaultEnvironment& environment_;
  sim::ChoiceSource* choices_ = nullptr;
  std::vector<Swizzle> swizzles_;  // of this run
};

}  // namespace lockstep::model
