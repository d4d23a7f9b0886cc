// The seccomp filters: which system calls become traps, and which are forbidden.
#pragma once

#include "live/preload/kernel/trap.h"

namespace lockstep::live::preload {

/// From now on the calls of these tables trap, unless they come through the gate. False if the
/// kernel does not allow filters.
bool install_filter(const TrapTable* tables, std::size_t count);

/// From now on this process and all that come of it get no sockets but those of the machine itself
/// (AF_UNIX). Where install_filter comes later, its traps come first. False as above.
bool forbid_network();

}  // namespace lockstep::live::preload
