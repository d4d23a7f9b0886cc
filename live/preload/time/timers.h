// timerfd on virtual time: an eventfd that is written when the timer is due.
#pragma once

#include "live/preload/kernel/trap.h"
#include "live/preload/time/local_time.h"

namespace lockstep::live::preload {

/// Writes to those that are due.
void fire_timers();
/// The next one, on the monotonic clock.
std::int64_t next_timer();

TrapTable timer_traps();

}  // namespace lockstep::live::preload
