// The workloads of what is counted: a semaphore's permits, a latch.
#pragma once

#include <vector>

namespace lockstep::search {

class OfferedWords;
struct WorkloadDraft;

[[nodiscard]] std::vector<WorkloadDraft> semaphore_workloads(const OfferedWords& words);
[[nodiscard]] std::vector<WorkloadDraft> latch_workloads(const OfferedWords& words);

}  // namespace lockstep::search
