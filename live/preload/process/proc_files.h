// Files that tell of time or of the machine: /proc/uptime, loadavg and stat, stat, statm, status,
// cgroup and mountinfo of the process itself, how many processors there are
// (/sys/devices/system/cpu), the network, what the host is called, and its ids (machine.h). They
// are written anew when they are opened (written_files.h). The process's own folder is found by the
// id that the program sees, and the folder of network interfaces names the simulated ones.
//
// Not covered: the rest of /proc (smaps, meminfo, task, ...), which differs from run to run, or
// tells of the real machine; what stat(2) says of such files.
#pragma once

#include "live/preload/kernel/trap.h"

namespace lockstep::live::preload {

/// The call is open or openat with this path. A descriptor, or -errno.
long open_path(const Call& call, const char* path);

/// getdents64.
TrapTable folder_traps();

}  // namespace lockstep::live::preload
