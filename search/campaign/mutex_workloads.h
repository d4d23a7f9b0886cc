// The workloads of what is held: mutexes, several of them at once, readers and a writer.
#pragma once

#include <vector>

namespace lockstep::search {

class OfferedWords;
struct LockTimes;
struct WorkloadDraft;

[[nodiscard]] std::vector<WorkloadDraft> mutex_workloads(const OfferedWords& words,
                                                         const LockTimes& times);

}  // namespace lockstep::search
