// The true state of a lock, for observations: its keys on the nodes that count.
#pragma once

#include <cstdint>

#include "checker/history.h"
#include "sim/time.h"

namespace lockstep::model {

/// An owner's hold in true state at this instant.
struct TrueHold {
  std::int64_t count = 0;                     ///< 0: the owner does not hold the lock
  checker::NameId holder = checker::no_name;  ///< who holds it, if anybody
  sim::TimeNs lease_ends_ns = 0;              ///< true instant; never_ns: the key has no TTL
  /// The owner has changed the key on a node that did not count then, such as a master that was
  /// replaced: what the nodes that count say is not all that it has done.
  bool was_changed_elsewhere = false;
};

class LockTruth {
 public:
  /// Reads the key on the node that counts, or on each of a quorum's, at this instant.
  [[nodiscard]] virtual TrueHold hold_of(checker::NameId lock, checker::NameId owner,
                                         checker::HoldMode mode) = 0;

 protected:
  ~LockTruth() = default;
};

}  // namespace lockstep::model
