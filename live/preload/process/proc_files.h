// Files that tell of time or of the machine: /proc/uptime, loadavg and stat, stat and statm of the
// process itself, how many processors there are (/sys/devices/system/cpu), what the host is called,
// and its ids (machine.h). They are written anew when they are opened. The process's own folder is
// found by the id that the program sees.
//
// Not covered: the rest of /proc (status, smaps, meminfo, cgroup, ...), which differs from run to
// run, or tells of the real machine.
#pragma once

#include "live/preload/kernel/trap.h"

namespace lockstep::live::preload {

/// The call is open or openat with this path. A descriptor, or -errno.
long open_path(const Call& call, const char* path);

}  // namespace lockstep::live::preload
