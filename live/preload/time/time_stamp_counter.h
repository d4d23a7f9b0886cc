// RDTSC and RDTSCP: the processor is told to fault on them, and the fault is answered here with
// virtual time, one tick a nanosecond. Each reading is a little later than the last.
#pragma once

#include <sys/ucontext.h>

#include <csignal>

namespace lockstep::live::preload {

bool forbid_time_stamps();

/// False if the fault is about something else.
bool emulate_time_stamp(const siginfo_t& info, ucontext_t& context);

}  // namespace lockstep::live::preload
