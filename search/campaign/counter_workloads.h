// The workloads of counting locks: semaphores and latches.
#pragma once

#include <cstdint>
#include <vector>

namespace lockstep::search {

class OfferedWords;
struct WorkloadDraft;

struct PermitLimits {
  int at_once = 4;            ///< how many permits one request may ask for
  std::int64_t life_ms = 0;   ///< how long a permit is valid; 0: for ever, or nobody says
  std::int64_t lease_ms = 0;  ///< the lease with which the lock takes it; 0: none
};

[[nodiscard]] std::vector<WorkloadDraft> semaphore_workloads(const OfferedWords& words,
                                                             const PermitLimits& limits);
[[nodiscard]] std::vector<WorkloadDraft> latch_workloads(const OfferedWords& words);

}  // namespace lockstep::search
