#include "live/preload/kernel/traps.h"

#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>

#include <cerrno>

#include "live/preload/descriptors/descriptors.h"
#include "live/preload/descriptors/transfers.h"
#include "live/preload/descriptors/waiting.h"
#include "live/preload/kernel/control.h"
#include "live/preload/kernel/filter.h"
#include "live/preload/kernel/gate.h"
#include "live/preload/kernel/trap.h"
#include "live/preload/network/connections.h"
#include "live/preload/process/identity.h"
#include "live/preload/process/proc_files.h"
#include "live/preload/process/processes.h"
#include "live/preload/process/randomness.h"
#include "live/preload/threads/futex.h"
#include "live/preload/threads/signals.h"
#include "live/preload/threads/threads.h"
#include "live/preload/time/alarms.h"
#include "live/preload/time/clocks.h"
#include "live/preload/time/timers.h"

namespace lockstep::live::preload {

namespace {

constexpr int numbers_max = 512;

Handler handlers[numbers_max];

// V8 keeps its heap out of forks, and a fork server's child needs it.
long on_madvise(const Call& call) { return call.integer(2) == MADV_DONTFORK ? 0 : pass(call); }

// Programs do without, and read and write by calls that can be trapped.
long on_io_uring_setup(const Call&) { return -ENOSYS; }

constexpr Trap other_traps[] = {
    {SYS_madvise, on_madvise},
    {SYS_io_uring_setup, on_io_uring_setup},
};

// A thread is unknown between its clone and its first turn; libc's own calls there must pass.
long answer_unknown_thread(const Call& call) {
  if (call.number == SYS_rt_sigprocmask) return handlers[call.number](call);
  if (!is_creating_thread()) refuse("a thread of the program was not begun by pthread_create");
  return pass(call);
}

long answer(const Call& call) {
  if (call.number < 0 || call.number >= numbers_max || handlers[call.number] == nullptr) {
    return -ENOSYS;
  }
  Thread* const thread = current_thread();
  if (thread == nullptr) return answer_unknown_thread(call);
  thread->call = static_cast<int>(call.number);
  return handlers[call.number](call);
}

void on_trap(int, siginfo_t* info, void* context) {
  auto& interrupted = *static_cast<ucontext_t*>(context);
  auto& registers = interrupted.uc_mcontext.gregs;
  const Call call{info->si_syscall,
                  {registers[REG_RDI], registers[REG_RSI], registers[REG_RDX], registers[REG_R10],
                   registers[REG_R8], registers[REG_R9]},
                  &interrupted};
  const int error = errno;
  registers[REG_RAX] = answer(call);
  errno = error;
}

}  // namespace

long pass(const Call& call) {
  return native(call.number, call.words[0], call.words[1], call.words[2], call.words[3],
                call.words[4], call.words[5]);
}

bool take_over() {
  const TrapTable tables[] = {
      clock_traps(),         sleep_traps(),    usage_traps(),         thread_traps(),
      futex_traps(),         poll_traps(),     epoll_traps(),         timer_traps(),
      reading_traps(),       writing_traps(),  descriptor_traps(),    connection_traps(),
      random_traps(),        identity_traps(), socket_option_traps(), kill_traps(),
      signal_traps(),        alarm_traps(),    process_traps(),       folder_traps(),
      table_of(other_traps),
  };
  for (const TrapTable& table : tables) {
    for (std::size_t i = 0; i < table.count; ++i) {
      handlers[table.traps[i].number] = table.traps[i].handler;
    }
  }
  return install_signal_handlers(on_trap) && install_filter(tables, sizeof tables / sizeof *tables);
}

}  // namespace lockstep::live::preload
