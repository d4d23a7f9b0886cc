// Whose hold an operation is about, where a lock refuses re-entry: an acquisition's.
//
// Such a lock knows no owners. Each attempt writes a token of its own, and what renews or gives
// back a hold names the token of one attempt. So one that timed out, took effect much later, and
// holds the lock on nobody's behalf is another's hold to the thread that made it: the thread's
// release of its next hold is rightly refused. Here each acquire that was not refused stands for
// itself, and the other operations speak, by what was known as they were invoked, of
//   a release  its owner's last granted acquire, if the owner has not released it; else the last
//   one
//              with unknown outcome since then; else the granted one (a release sent twice).
//   a renewal  its owner's last granted acquire.
// The last is the one whose answer came last: of a process that owns as one two threads may ask at
// once, and nobody speaks of a hold before it is told of it.
// Without such an acquire they speak of a hold that never was. Attempts with unknown outcome that
// nothing else speaks of are all one: whoever's such a hold is, it is in everybody's way alike, and
// a search need not tell them apart.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "checker/history.h"

namespace lockstep::checker {

class Acquisitions {
 public:
  /// Begins with another lock, and looks at its operations. REQUIRES: in order of invocation.
  void start(const Operation* const* operations, std::size_t count);
  /// The number of the hold that an operation is about, by its index: the same for two operations
  /// about the same hold.
  [[nodiscard]] NameId hold_of(std::size_t index) const { return holds_[index]; }

 private:
  struct Owner {
    NameId name;
    NameId granted = no_name;
    NameId unknown = no_name;  ///< since the one that was granted
    bool is_released = false;  ///< what was granted
  };

  [[nodiscard]] Owner& find(NameId name);
  /// Takes note of the acquires whose end is known by then.
  void learn_until(const Operation* const* operations, const Moment& moment);
  /// Of an operation that is not an acquire; no_name: of none.
  [[nodiscard]] static NameId referenced_hold(Owner& owner, OperationKind kind);

  std::vector<Owner> known_;         ///< a few at most
  std::vector<NameId> holds_;        ///< by operation: the index of the acquire that made it
  std::vector<std::size_t> untold_;  ///< acquires that were invoked and whose end is not known yet
  std::vector<bool> is_referenced_;  ///< by operation: whether another one is about its hold
};

}  // namespace lockstep::checker
