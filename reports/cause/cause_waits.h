// Why somebody waited in vain: who had the lock for most of that time, and what had become of that
// owner; or why nobody took a lock that was free.
//
// Used by cause.h. All text is harmless.
#pragma once

#include <string>
#include <vector>

#include "reports/cause/cause_facts.h"

namespace lockstep::reports {

struct WaitSpan {
  sim::TimeNs from_ns;
  sim::TimeNs until_ns;
};

/// Sentences; empty where nothing is known. REQUIRES: the trace has events.
[[nodiscard]] std::vector<std::string> explain_wait(const CauseFacts& facts,
                                                    const std::string& waiter, WaitSpan span);

/// An owner who was told that it did not get the lock, and had it all the same; empty: none.
[[nodiscard]] std::string explain_unknown_hold(const CauseFacts& facts, const std::string& owner);

/// Which nodes of a vote an owner got last, and whether it gave them back. Empty: none.
[[nodiscard]] std::string explain_split_vote(const CauseFacts& facts, const std::string& owner,
                                             EventIndex before);

}  // namespace lockstep::reports
