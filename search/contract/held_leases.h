// The spans for which an owner had what it asked for, in one run: whether it slept past a lease or
// was kept from renewing one is decided from them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "checker/history.h"

namespace lockstep::checker {
struct AskedLease;
struct Belief;
struct Observations;
}  // namespace lockstep::checker

namespace lockstep::model {
struct RunResult;
}  // namespace lockstep::model

namespace lockstep::search {

/// A lease that an owner asked for.
struct HeldLease {
  const checker::AskedLease* asked;
  checker::TimeNs given_up_ns;  ///< when it gave the hold up
  checker::TimeNs until_ns;     ///< until when it counted on this lease: it may have asked again
};

/// What becomes of a lease that the lock gives by itself, or an earlier one, when its owner asks
/// once more.
enum class OwnLeases : std::uint8_t {
  renewed,       ///< those of the lock have no end as long as the client renews them
  end_too,       ///< the later one takes its place
  shared_apart,  ///< the same, but of what a reader has: each hold ends by itself
  apart,         ///< each ends by itself
};

/// A hold of votes is had with the last that it needs; the lease of the first began before that.
enum class LeaseBegins : std::uint8_t { with_the_hold, with_the_call };

class HeldLeases {
 public:
  /// Does not own; the run outlives this. Of leases that the lock renews, one that is asked for
  /// inside another says nothing of how long that is to last.
  HeldLeases(const model::RunResult& run, OwnLeases own, LeaseBegins begins);

  /// Of that owner, in order of `granted`. Valid as long as this. (Asked for by each of a run's
  /// overlaps, of which there may be thousands: each owner's are found once.)
  [[nodiscard]] const std::vector<HeldLease>& of(checker::NameId owner) const;

  /// Whether the attempt by which the owner got one of them was under way.
  [[nodiscard]] bool is_asked_for_at(checker::NameId owner, checker::TimeNs at_ns) const;

  /// When the lease may have begun at the earliest.
  [[nodiscard]] checker::TimeNs begun_at(const checker::AskedLease& asked) const;
  /// Whether it may have been cut short by then: its owner asked for a shorter one inside it, or
  /// for an extension that leaves less, and nobody came to know whether that took effect, or, of a
  /// process that owns as one, another of its threads did so meanwhile, and nobody knows which of
  /// them came last.
  [[nodiscard]] bool may_be_cut_short(const checker::AskedLease& asked,
                                      checker::TimeNs until_ns) const;
  /// When its owner's client last began it anew, as the lock's own lease, before the hold was lost.
  [[nodiscard]] checker::TimeNs last_renewed(const checker::AskedLease& asked,
                                             checker::TimeNs until_ns,
                                             checker::TimeNs own_lease_ns) const;
  /// When its owner first heard, of what it asked for from then on, that the hold is there no more
  /// to be renewed; never_ns: it did not.
  [[nodiscard]] checker::TimeNs first_refused(const checker::AskedLease& asked,
                                              checker::TimeNs since_ns) const;

 private:
  [[nodiscard]] std::vector<HeldLease> find(checker::NameId owner) const;
  [[nodiscard]] bool is_replaced_by(const checker::AskedLease& later) const;
  [[nodiscard]] checker::TimeNs held_until(const checker::AskedLease& asked) const;
  [[nodiscard]] checker::TimeNs released_by(const checker::Belief& belief) const;
  [[nodiscard]] bool is_of_caller(checker::NameId process) const;
  [[nodiscard]] bool are_of_one_client(checker::NameId thread, checker::NameId other) const;

  const model::RunResult& run_;
  OwnLeases own_;
  LeaseBegins begins_;
  mutable std::vector<std::optional<std::vector<HeldLease>>> by_owner_;  // those asked about
};

/// The longest that somebody was given.
[[nodiscard]] checker::TimeNs longest_lease(const checker::Observations& observations);

}  // namespace lockstep::search
