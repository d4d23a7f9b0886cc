// The end of the process, and the beginning of others.
//
// The simulator hears `exiting` with the status before the process ends, also when a signal is
// about to end it, and all connections are closed by then.
//
// Child processes do not work: the filter would kill them. fork, vfork, posix_spawn and exec fail
// with EPERM, and the program's output says so. They are no reason to end the program: Python,
// node and their libraries try commands that they can do without.
#pragma once

#include "live/preload/kernel/trap.h"

namespace lockstep::live::preload {

/// Closes the connections and sends `exiting`: an exit status, or minus a signal.
void tell_end(int status);

[[noreturn]] void end_program(int status);

/// exit_group, fork, clone, execve and their kin.
TrapTable process_traps();

}  // namespace lockstep::live::preload
