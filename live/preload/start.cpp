// Where the library begins: before main, if the environment asks for it. Else it does nothing.
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <initializer_list>

#include "live/preload/descriptors/descriptors.h"
#include "live/preload/kernel/control.h"
#include "live/preload/kernel/filter.h"
#include "live/preload/kernel/gate.h"
#include "live/preload/kernel/remedies.h"
#include "live/preload/kernel/traps.h"
#include "live/preload/process/fork_server.h"
#include "live/preload/process/launchers.h"
#include "live/preload/process/python_end.h"
#include "live/preload/process/randomness.h"
#include "live/preload/threads/restartable_sequences.h"
#include "live/preload/threads/threads.h"
#include "live/preload/time/clocks.h"
#include "live/preload/time/local_time.h"
#include "live/preload/time/time_stamp_counter.h"

namespace lockstep::live::preload {

namespace {

constexpr const char* no_filter =
    "the kernel does not let system calls be trapped (seccomp); expected a container whose profile "
    "allows seccomp(2)";

void give_up(const char* why) {
  for (const char* const text : {"lockstep: ", why, "\n"}) {
    if (write(STDERR_FILENO, text, std::strlen(text)) < 0) break;
  }
  _exit(1);
}

[[gnu::constructor]] void start() {
  const char* const mode = std::getenv(mode_variable);
  if (mode == nullptr) return;
  if (is_left_alone()) {
    if (!forbid_network()) give_up(no_filter);
    expect_no_network();
    return;
  }
  read_remedies(std::getenv("LOCKSTEP_LIVE_WITHOUT"));
  if (!open_gate()) give_up("the gate's address is taken");
  if (!map_page(page_fd)) give_up("there is no page to map");
  native(SYS_close, page_fd);
  native(SYS_fcntl, control_fd, F_SETFD, FD_CLOEXEC);
  track(report_fd, Description::Kind::report);
  seed_random_numbers();
  seed_at_random();
  begin_processor_time();
  find_restartable_sequences();
  turn_off_restartable_sequences();
  if (!find_thread_ids()) refuse("libc keeps the ids of threads where they are not known");
  begin_first_thread();
  if (!has_no(Remedy::vdso) && !patch_vdso()) refuse("the vDSO cannot be changed");
  if (!has_no(Remedy::rdtsc)) forbid_time_stamps();
  if (!take_over()) refuse(no_filter);
  if (std::strcmp(mode, "fork") == 0) {
    shorten_end_of_python();
    be_fork_server();
  } else {
    wait_until(after(0));  // for the simulator's first resume
  }
}

}  // namespace

}  // namespace lockstep::live::preload
