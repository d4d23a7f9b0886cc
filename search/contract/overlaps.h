// Pairs of beliefs that exclude each other, and overlap: each is a violation of mutual exclusion of
// its own.
#pragma once

#include <span>
#include <vector>

#include "checker/observations.h"

namespace lockstep::search {

/// Calls visit(earlier, later) for any two that believe at once in a lock that one of them has for
/// itself. REQUIRES: the beliefs begin in order.
template <typename Visit>
void visit_overlaps(std::span<const checker::Belief> beliefs, Visit visit) {
  std::vector<const checker::Belief*> under_way;
  for (const checker::Belief& later : beliefs) {
    if (!(later.from < later.until)) continue;
    std::erase_if(under_way,
                  [&](const checker::Belief* each) { return !(later.from < each->until); });
    for (const checker::Belief* const earlier : under_way) {
      const bool excludes = earlier->mode == checker::HoldMode::exclusive ||
                            later.mode == checker::HoldMode::exclusive;
      if (earlier->lock != later.lock || earlier->owner == later.owner || !excludes) continue;
      visit(*earlier, later);
    }
    under_way.push_back(&later);
  }
}

}  // namespace lockstep::search
