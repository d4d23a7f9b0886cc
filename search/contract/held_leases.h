// The spans for which an owner had what it asked for, in one run: whether it slept past a lease or
// was kept from renewing one is decided from them.
#pragma once

#include <cstdint>

#include "checker/history.h"

namespace lockstep::checker {
struct AskedLease;
struct Belief;
}  // namespace lockstep::checker

namespace lockstep::model {
struct RunResult;
}  // namespace lockstep::model

namespace lockstep::search {

class HeldLeases {
 public:
  /// Does not own; the run outlives this.
  explicit HeldLeases(const model::RunResult& run) : run_(run) {}

  /// When the first request was made that may have begun the lease: who waited for it had asked,
  /// and been refused, before.
  [[nodiscard]] checker::TimeNs begun_at(const checker::AskedLease& asked) const;
  /// Until when its owner counted on it.
  [[nodiscard]] checker::TimeNs held_until(const checker::AskedLease& asked) const;
  /// Whether it may have been cut short by then: its owner asked for a shorter one inside it, and
  /// nobody came to know whether that took effect.
  [[nodiscard]] bool may_be_cut_short(const checker::AskedLease& asked,
                                      checker::TimeNs until_ns) const;
  /// When its owner's client last began it anew, as the lock's own lease, before the hold was lost.
  [[nodiscard]] checker::TimeNs last_renewed(const checker::AskedLease& asked,
                                             checker::TimeNs until_ns,
                                             checker::TimeNs own_lease_ns) const;

 private:
  [[nodiscard]] checker::TimeNs released_by(const checker::Belief& belief) const;
  [[nodiscard]] bool are_of_one_client(checker::NameId thread, checker::NameId other) const;

  const model::RunResult& run_;
};

}  // namespace lockstep::search
