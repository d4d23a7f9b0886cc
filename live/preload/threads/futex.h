// Futexes, on which mutexes, condition variables, semaphores and pthread_join rest.
//
// Waiters are known by the address alone, private or not: there is one process. The kernel itself
// wakes who joins a thread, when it clears the thread's id; a wait for that (shared, and the value
// is a thread's id) ends with the thread instead. Priority inheritance, and waiting for several
// futexes at once, are refused.
#pragma once

#include "live/preload/kernel/trap.h"

namespace lockstep::live::preload {

TrapTable futex_traps();

}  // namespace lockstep::live::preload
