// Reading from and writing to what is tracked: read, write, recv, send and their relatives.
//
// The kernel's side never blocks (descriptors.h). Where the program has not asked for O_NONBLOCK
// its thread waits here, as long as SO_RCVTIMEO and SO_SNDTIMEO allow, and a write goes on until
// all is written. After a reset the next read or write fails with ECONNRESET; then the stream has
// ended.
#pragma once

#include "live/preload/kernel/trap.h"

namespace lockstep::live::preload {

TrapTable reading_traps();
TrapTable writing_traps();

}  // namespace lockstep::live::preload
