// Who the process is: process and thread ids, its one processor, the name of its host; and the
// signals that are sent to such ids.
//
// libc keeps a thread's real id and hands it to the kernel in pthread_kill, so both are known here.
// Other processes do not exist.
#pragma once

#include "live/preload/kernel/trap.h"

namespace lockstep::live::preload {

/// As the program sees it.
int process_id();
inline constexpr int parent_id = 1;
/// Of its own host.
const char* host_name();

TrapTable identity_traps();
/// kill, tkill, tgkill and those that send a value with a signal.
TrapTable kill_traps();

}  // namespace lockstep::live::preload
