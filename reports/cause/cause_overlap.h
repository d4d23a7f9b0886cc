// Why two believed at once to have the lock: how the first lost it, or how the second got what was
// not free.
//
// Used by cause.h. All text is harmless.
#pragma once

#include <string>
#include <vector>

#include "checker/verdict.h"
#include "reports/cause/cause_facts.h"

namespace lockstep::reports {

/// Sentences; empty where neither is known. REQUIRES: both evidences name an owner.
[[nodiscard]] std::vector<std::string> explain_overlap(const CauseFacts& facts,
                                                       const checker::Evidence& first,
                                                       const checker::Evidence& second);

/// How an owner lost a lock, the last time before an event that it did not give it back itself;
/// empty: it never did.
[[nodiscard]] std::vector<std::string> explain_loss(const CauseFacts& facts,
                                                    const std::string& owner, EventIndex before);

/// How somebody came to believe in a lock that was not its own at that moment; empty: it was.
[[nodiscard]] std::vector<std::string> explain_grant(const CauseFacts& facts,
                                                     const std::string& owner,
                                                     const checker::Moment& at);

}  // namespace lockstep::reports
