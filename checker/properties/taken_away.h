// The holds that a call took away, as its servers saw it. Whose holds and of which mode counts is
// the caller's to say.
#pragma once

#include "checker/observations.h"

namespace lockstep::checker {

/// Whether `change` took a hold of `lock` away, whole or in part, by a request of `caller`'s
/// between the two moments, both included.
[[nodiscard]] inline bool is_taken_away_by(const HoldChange& change, NameId caller, NameId lock,
                                           const Moment& invoked, const Moment& returned) {
  return change.by == caller && change.lock == lock && change.count_after < change.count_before &&
         !(change.at < invoked) && !(returned < change.at);
}

}  // namespace lockstep::checker
