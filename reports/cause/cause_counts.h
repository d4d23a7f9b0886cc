// Why somebody waits in vain at a semaphore or a latch: who has the permits, who died with one, who
// was to count down.
//
// Used by cause_waits.h. All text is harmless.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/cause/cause_facts.h"

namespace lockstep::reports {

/// What a semaphore or a latch had to give while somebody waited for it.
struct CountExplanation {
  /// Sentences; empty where there was enough, so that the silence is to be explained.
  std::vector<std::string> sentences;
  /// Where there was enough: since when, and "2 permits of "lock" were free", "latch "lock" was
  /// open".
  sim::TimeNs enough_since_ns = 0;
  std::string enough;
};

/// Whether the lock is one that counts: it judges `permits` or `latch`.
[[nodiscard]] bool is_counting_lock(const search::RunRecord& example);

/// REQUIRES: is_counting_lock(facts.example()).
[[nodiscard]] CountExplanation explain_count(const CauseFacts& facts, std::string_view waiter,
                                             std::string_view lock, EventIndex end);

}  // namespace lockstep::reports
