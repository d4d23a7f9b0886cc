// Faults that strike when the lease of somebody's hold ends, or a while before or after that.
//
// The lease is the one in the servers' keys, as the lock observer sees it: a renewal puts the end
// off, a release calls it off. Each end that comes counts once. The moment before an end comes anew
// when the end is put off, since nobody can know whether it will be; it counts as that end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/faults/fault_environment.h"
#include "model/observers/lock_observer.h"
#include "sim/event_queue.h"

namespace lockstep::model {

/// Told when the moment of a fault has come.
class LeaseTriggerListener {
 public:
  virtual void on_lease_trigger(std::size_t fault) = 0;

 protected:
  ~LeaseTriggerListener() = default;
};

class LeaseTriggers final : public LeaseListener, private sim::EventTarget {
 public:
  /// Does not own; all outlive it.
  LeaseTriggers(const std::vector<scenario::FaultSpec>& faults, const FaultEnvironment& environment,
                LeaseTriggerListener& listener)
      : faults_(faults), environment_(environment), listener_(listener) {}

  /// Watches for those of the faults, as they are now, that wait for a lease's end.
  void watch();
  [[nodiscard]] bool any() const { return !watches_.empty(); }
  void start_run();
  void on_leases(std::string_view lock, std::span<const StateHold> holds) override;
  void digest_into(sim::Digest& digest) const;

 private:
  enum LeasePoint : std::uint32_t { before_end, at_end };  // the codes of its events
  struct Watch {
    std::size_t fault;
    std::string lock;         // whose end is awaited; empty: none
    sim::TimeNs ends_ns = 0;  // when it would end
    sim::EventHandle moment;  // the next: before the end, or the end itself
    std::uint32_t ends_seen = 0;
    std::uint32_t plans = 0;  // how many moments were planned: the last one is `moment`
  };

  void on_event(std::uint32_t code, std::uint64_t argument) override;
  void digest_event(sim::Digest& digest, std::uint32_t code, std::uint64_t argument) const override;
  void follow(Watch& watch, std::uint64_t index, std::string_view lock,
              std::span<const StateHold> holds);
  void plan(Watch& watch, std::uint64_t index, sim::TimeNs at, std::uint32_t code);
  [[nodiscard]] const StateHold* hold_of(const std::string& actor,
                                         std::span<const StateHold> holds) const;

  const std::vector<scenario::FaultSpec>& faults_;
  const FaultEnvironment& environment_;
  LeaseTriggerListener& listener_;
  std::vector<Watch> watches_;
};

}  // namespace lockstep::model
