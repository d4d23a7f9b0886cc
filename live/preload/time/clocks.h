// What a program can learn of time, and how it sleeps.
//
// The clock functions of the vDSO, which are no system calls, are replaced in memory. The program's
// processor time is the time since it began.
#pragma once

#include <ctime>

#include "live/preload/kernel/trap.h"

namespace lockstep::live::preload {

/// False if the vDSO can't be written to.
bool patch_vdso();

TrapTable clock_traps();
TrapTable sleep_traps();
/// What the kernel tells of the process's use of the machine: getrusage, times, sysinfo.
TrapTable usage_traps();

/// The time on a clock, as clock_gettime would tell; < 0 if there is no such clock.
std::int64_t read_clock(clockid_t clock);

}  // namespace lockstep::live::preload
