// Spans in which a lock is a dead owner's: its process died, and the lease has not ended.
//
// Nobody can be granted the lock until then, whatever the lock does; that it ends by itself is what
// leases are for. Who died while its release was under way is one of them, unless that frees the
// lock. The span begins with the death, or where a request that was still under way takes
// the lock afterwards. It ends with the lease. A lease that never ends gives no span, and a lease
// that somebody renews who has no hold of the lock, such as one who waits for it, gives none from
// then on: that would be for ever.
//
// Nor does a lease excuse anybody for long that lasts far longer than what was asked for, as where
// a lock gives Redis seconds for milliseconds: the span ends at the latest after twice the lease
// that the dead asked for, or, of the lock's own lease, ten times the one with which it was granted
// (a first lease may be shorter than those that follow), counted from what set it last.
//
// O(changes of leases) for each death, and nothing where nobody dies.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "checker/observations.h"

namespace lockstep::checker {

struct Run;

struct DeadLease {
  NameId lock;
  Moment from;
  std::optional<Moment> until;  ///< none: the run ended first
};

class DeadLeases {
 public:
  /// Appends what it finds. REQUIRES: the observations are in the order of events.
  void find(const Run& run, std::vector<DeadLease>& found);

 private:
  struct Death {
    NameId owner;
    NameId lock;
    Moment at;
    bool is_holder;  ///< it believed to have the lock

    friend bool operator==(const Death&, const Death&) = default;
  };

  void add(const Death& death);
  /// Ends the spans from the place on that last longer than the dead's lease may.
  static void cut(const Run& run, const Death& death, std::vector<DeadLease>& found,
                  std::size_t first);
  static void follow(const Run& run, const Death& death, std::vector<DeadLease>& found);

  std::vector<Death> deaths_;
};

}  // namespace lockstep::checker
