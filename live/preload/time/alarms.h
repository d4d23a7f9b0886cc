// alarm and setitimer(ITIMER_REAL) on virtual time: SIGALRM for the first thread.
//
// Timers of processor time never fire. Timers of timer_create do not exist (ENOSYS).
#pragma once

#include <cstdint>

#include "live/preload/kernel/trap.h"

namespace lockstep::live::preload {

/// Sends the signal if it is due.
void fire_alarm();
/// When it is, on the monotonic clock.
std::int64_t next_alarm();

TrapTable alarm_traps();

}  // namespace lockstep::live::preload
