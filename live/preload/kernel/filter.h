// The seccomp filter: which system calls become traps.
#pragma once

#include "live/preload/kernel/trap.h"

namespace lockstep::live::preload {

/// From now on the calls of these tables trap, unless they come through the gate. False if the
/// kernel does not allow filters.
bool install_filter(const TrapTable* tables, std::size_t count);

}  // namespace lockstep::live::preload
