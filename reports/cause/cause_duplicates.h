// Requests that ran more than once, since the client had no reply in time and sent them again; and
// requests that a node executed though it was no longer the master.
//
// Used by cause.h. All text is harmless.
#pragma once

#include <string>
#include <vector>

#include "reports/cause/cause_facts.h"

namespace lockstep::reports {

/// A request that wrote more than once.
struct DuplicateExecution {
  std::string thread;
  EventIndex again;  ///< its second execution
  std::string sentence;
};
/// The first such request of each thread, label and shard, in the order of their second executions.
[[nodiscard]] std::vector<DuplicateExecution> find_duplicates(const CauseFacts& facts);

/// Who went on writing to a master in whose place another was promoted, the first few.
[[nodiscard]] std::vector<std::string> explain_old_masters(const CauseFacts& facts);

}  // namespace lockstep::reports
