// mutual-exclusion: no two owners believe at once that they hold the same lock, unless both share
// it.
//
// Readers share, a writer excludes everybody else; one owner may be reader and writer at once.
// Two beliefs overlap where a part of the run's sequence of events belongs to both: ties follow
// Moment.order, touching is no overlap, and a part inside one instant counts (0 ms wide). What
// is true of the lock is not asked here; valid-grant and lease-linearizability do that.
//
// Algorithm. Beliefs are passed in order of their beginning. A belief overlaps an earlier one of
// another owner iff the one of these that reaches furthest reaches beyond its beginning. So for
// each lock two beliefs are enough: the one that reaches furthest of all, and the one that does so
// among all other owners; whoever comes, one of the two is another's. Two such pairs are kept:
// among all beliefs, for one who comes to exclude, and among the excluding ones, for one who comes
// to share. O(n), plus O(n log n) where the beliefs don't come in order; nothing is allocated once
// warm while the property holds.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "checker/observations.h"

namespace lockstep::checker {

struct Run;
struct Verdict;

class MutualExclusion {
 public:
  /// REQUIRES: `verdict` is fresh (holds, empty).
  void judge(const Run& run, Verdict& verdict);
  /// Tells of this overlap of two beliefs of the run, in place of the widest one. REQUIRES: they
  /// overlap, `later` began later, and `verdict` is this run's.
  void tell(const Run& run, const Belief& earlier, const Belief& later, Verdict& verdict);
  /// The longest of all overlaps; 0 where there is none.
  [[nodiscard]] TimeNs widest_ns(const Run& run);

 private:
  struct FurthestTwo {
    const Belief* first = nullptr;   ///< reaches furthest of all
    const Belief* second = nullptr;  ///< reaches furthest among the other owners

    [[nodiscard]] const Belief* of_another_than(NameId owner) const;
    void add(const Belief& belief);
  };

  struct Furthest {
    FurthestTwo of_all;
    FurthestTwo of_exclusive;

    /// The belief that reaches furthest of those that `belief` may not overlap.
    [[nodiscard]] const Belief* excluding(const Belief& belief) const;
    void add(const Belief& belief);
  };

  /// Two beliefs that overlap; `later` is the one that began later.
  struct Overlap {
    const Belief* earlier = nullptr;
    const Belief* later = nullptr;

    [[nodiscard]] Moment until() const;
    [[nodiscard]] TimeNs width_ns() const;
  };

  struct Overlaps {
    Overlap first;
    Overlap widest;  ///< the first of equals
    std::size_t count = 0;

    void add(const Overlap& overlap);
  };

  void put_in_order(const std::vector<Belief>& beliefs);
  template <typename Visit>
  void sweep(const Run& run, Visit visit);
  static void report(const Run& run, const Overlap& told, const Overlaps& all, Verdict& verdict);

  std::vector<const Belief*> in_order_;
  std::vector<Furthest> locks_;  ///< by the lock's NameId
};

}  // namespace lockstep::checker
