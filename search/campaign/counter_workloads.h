// The workloads of what is counted: a semaphore's permits, a latch.
#pragma once

#include <cstdint>
#include <vector>

namespace lockstep::search {

class OfferedWords;
struct WorkloadDraft;

struct PermitLimits {
  int at_once = 4;           ///< how many may be asked for together
  std::int64_t life_ms = 0;  ///< how long they are good for; 0: for ever
};

[[nodiscard]] std::vector<WorkloadDraft> semaphore_workloads(const OfferedWords& words,
                                                             const PermitLimits& limits);
[[nodiscard]] std::vector<WorkloadDraft> latch_workloads(const OfferedWords& words);

}  // namespace lockstep::search
