// Waiting for descriptors: poll, select, epoll.
//
// The kernel is asked with no time-out; if nothing is ready the thread waits in virtual time. A
// program that asks with no time-out itself lets its other threads run. What a process registers
// with epoll is remembered until a fork, because the child of a fork server needs an epoll of its
// own: it would share its parent's with all its siblings.
#pragma once

#include "live/preload/kernel/trap.h"

namespace lockstep::live::preload {

/// In the child of a fork server: each epoll anew, with what was registered.
void renew_epolls();

/// Nobody will fork: nothing is remembered.
void stop_remembering_registrations();

TrapTable poll_traps();
TrapTable epoll_traps();

}  // namespace lockstep::live::preload
