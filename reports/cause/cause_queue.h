// What became of a place in a queue, and who stood at its head while the lock was free.
//
// Used by cause_waits.h and cause_steps.h. All text is harmless.
#pragma once

#include <string>
#include <string_view>

#include "reports/cause/cause_facts.h"

namespace lockstep::reports {

/// Whose script took `who` out of its queue, or put it further back, until then; of any lock where
/// none is named. Empty: nobody's but its own.
[[nodiscard]] std::string explain_lost_place(const CauseFacts& facts, std::string_view who,
                                             std::string_view lock, sim::TimeNs until_ns);

/// Who else was the first in a queue for most of that time; empty: nobody.
struct QueueHead {
  std::string owner;
  sim::TimeNs since_ns = 0;
};
[[nodiscard]] QueueHead head_of_queue(const CauseFacts& facts, std::string_view lock,
                                      sim::TimeNs from_ns, sim::TimeNs until_ns);

}  // namespace lockstep::reports
