// Signals: masks, actions, and those that a program sends to its own threads.
//
// SIGSYS is the library's own: it is kept out of every mask, and its action can't be changed.
// SIGSEGV is shared: RDTSC (time_stamp_counter.h) raises it, all others are the program's. A signal
// sent to another thread is handled when that thread has the baton; what it waits for is
// interrupted (EINTR), unless the action has SA_RESTART and the call is one that restarts. A
// fatal signal is told to the simulator. What sigqueue sends arrives with its value, one by one.
//
// Not covered: the masks that ppoll, pselect and epoll_pwait set while they wait; signals from
// other processes (the program knows none).
#pragma once

#include <csignal>
#include <cstdint>

#include "live/preload/kernel/trap.h"

namespace lockstep::live::preload {

struct Thread;

/// As the kernel knows an action.
struct SignalAction {
  void (*handler)(int, siginfo_t*, void*);
  unsigned long flags;
  void (*restorer)();
  std::uint64_t mask;
};

/// SIGSYS calls `on_trap`; faults are the library's first.
bool install_signal_handlers(void (*on_trap)(int, siginfo_t*, void*));

/// What the signals that others have sent to the calling thread mean for a call that waits.
enum class Delivered : std::uint8_t { nothing, restarts, interrupts };
Delivered deliver_signals(Thread& self);

/// To the calling thread, as the kernel would.
void raise_signal(int signal);

/// To a thread of this process; 0 or -errno. `info` is what sigqueue sends with it, or null.
long send_signal(Thread& receiver, int signal, const siginfo_t* info = nullptr);

/// rt_sigaction, rt_sigprocmask and those that wait for signals.
TrapTable signal_traps();

}  // namespace lockstep::live::preload
