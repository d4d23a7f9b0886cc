// The workloads of locks that are held: mutexes, several at once, readers and writers.
#pragma once

#include <vector>

namespace lockstep::search {

class OfferedWords;
struct LockTimes;
struct WorkloadDraft;

[[nodiscard]] std::vector<WorkloadDraft> mutex_workloads(const OfferedWords& words,
                                                         const LockTimes& times);

}  // namespace lockstep::search
