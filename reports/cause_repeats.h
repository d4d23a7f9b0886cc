// Requests that ran more than once, since the client had no reply in time and sent them again; and
// requests that a node executed though it was no longer the master.
//
// Used by cause.h. All text is harmless.
#pragma once

#include <string>
#include <vector>

#include "reports/cause_facts.h"

namespace lockstep::reports {

/// The first few requests that wrote more than once, a sentence each.
[[nodiscard]] std::vector<std::string> explain_repeats(const CauseFacts& facts);

/// Who went on writing to a master in whose place another was promoted, the first few.
[[nodiscard]] std::vector<std::string> explain_old_masters(const CauseFacts& facts);

}  // namespace lockstep::reports
