#include "live/preload/threads/signals.h"

#include <sys/syscall.h>

#include <cerrno>
#include <cstddef>
#include <utility>

#include "live/preload/kernel/control.h"
#include "live/preload/kernel/gate.h"
#include "live/preload/process/identity.h"
#include "live/preload/process/processes.h"
#include "live/preload/threads/threads.h"
#include "live/preload/time/time_stamp_counter.h"

namespace lockstep::live::preload {

namespace {

using Mask = std::uint64_t;

// Faults, which the library sees first: for RDTSC, and to tell the simulator of a death.
constexpr int faults[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};

// Sent with a value to a thread that did not run, in order.
struct Queued {
  const Thread* receiver;  ///< null: no more
  int signal;
  siginfo_t info;
};
constexpr std::size_t queued_max = 64;
Queued queue[queued_max];

SignalAction program_actions[NSIG];
SignalAction own_action;

constexpr Mask bit(int signal) { return Mask{1} << (signal - 1); }
constexpr Mask without_trap(Mask mask) { return mask & ~bit(SIGSYS); }

bool is_fault(int signal) {
  for (const int fault : faults) {
    if (fault == signal) return true;
  }
  return false;
}

bool is_handler(const SignalAction& action) {
  const auto handler = reinterpret_cast<std::uintptr_t>(action.handler);
  return handler != reinterpret_cast<std::uintptr_t>(SIG_DFL) &&
         handler != reinterpret_cast<std::uintptr_t>(SIG_IGN);
}

bool is_default(const SignalAction& action) {
  return reinterpret_cast<std::uintptr_t>(action.handler) ==
         reinterpret_cast<std::uintptr_t>(SIG_DFL);
}

SignalAction action_of(int signal) {
  if (is_fault(signal)) return program_actions[signal];
  SignalAction action{};
  native(SYS_rt_sigaction, signal, nullptr, &action, sizeof(Mask));
  return action;
}

bool stops_process_by_default(int signal) {
  return signal == SIGSTOP || signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
}

bool ends_process_by_default(int signal) {
  return signal != SIGCHLD && signal != SIGURG && signal != SIGWINCH && signal != SIGCONT;
}

void set_default(int signal) {
  const SignalAction none{};
  native(SYS_rt_sigaction, signal, &none, nullptr, sizeof(Mask));
}

void on_fault(int signal, siginfo_t* info, void* context) {
  if (signal == SIGSEGV && emulate_time_stamp(*info, *static_cast<ucontext_t*>(context))) return;
  const SignalAction action = program_actions[signal];
  if (is_handler(action)) {
    if ((action.flags & static_cast<unsigned long>(SA_RESETHAND)) != 0) {
      program_actions[signal] = SignalAction{};
    }
    action.handler(signal, info, context);
    return;
  }
  tell_end(-signal);
  set_default(signal);  // the instruction faults again
}

Mask kernel_mask() {
  Mask mask = 0;
  native(SYS_rt_sigprocmask, SIG_BLOCK, nullptr, &mask, sizeof mask);
  return mask;
}

// Without `info`, as tgkill does, but with the id that the program knows. To another thread the
// kernel lets no other code pass than a queued signal's.
void send_to_kernel(const Thread& receiver, int signal, const siginfo_t* info) {
  siginfo_t plain{};
  plain.si_signo = signal;
  plain.si_code = &receiver == current_thread() ? SI_TKILL : SI_QUEUE;
  plain.si_pid = process_id();
  plain.si_uid = static_cast<uid_t>(native(SYS_getuid));
  native(SYS_rt_tgsigqueueinfo, native(SYS_getpid), receiver.native_id, signal,
         info != nullptr ? info : &plain);
}

bool add_to_queue(const Thread& receiver, int signal, const siginfo_t& info) {
  for (Queued& each : queue) {
    if (each.receiver != nullptr) continue;
    each = {&receiver, signal, info};
    return true;
  }
  return false;
}

void send_queued(const Thread& receiver, int signal) {
  bool has_sent = false;
  std::size_t left = 0;
  for (Queued& each : queue) {
    const Queued taken = std::exchange(each, Queued{});
    if (taken.receiver == &receiver && taken.signal == signal) {
      send_to_kernel(receiver, signal, &taken.info);
      has_sent = true;
    } else if (taken.receiver != nullptr) {
      queue[left++] = taken;
    }
  }
  if (!has_sent) send_to_kernel(receiver, signal, nullptr);
}

long on_sigaction(const Call& call) {
  const int signal = call.integer(0);
  const auto* const wanted = call.pointer<const SignalAction>(1);
  auto* const before = call.pointer<SignalAction>(2);
  if (signal != SIGSYS && !is_fault(signal)) {
    if (wanted == nullptr) return pass(call);
    SignalAction action = *wanted;
    action.mask = without_trap(action.mask);
    return native(SYS_rt_sigaction, signal, &action, before, call.words[3]);
  }
  const SignalAction old = program_actions[signal];
  if (wanted != nullptr) {
    program_actions[signal] = *wanted;
    if (signal != SIGSYS) {
      SignalAction action = is_handler(*wanted) ? *wanted : own_action;
      action.handler = on_fault;
      action.flags |= static_cast<unsigned long>(SA_SIGINFO | SA_NODEFER | SA_ONSTACK);
      action.flags &= ~static_cast<unsigned long>(SA_RESETHAND);
      action.mask = without_trap(action.mask);
      native(SYS_rt_sigaction, signal, &action, nullptr, sizeof(Mask));
    }
  }
  if (before != nullptr) *before = old;
  return 0;
}

// The mask that counts is the one that the thread returns to.
long on_sigprocmask(const Call& call) {
  const auto* const wanted = call.pointer<const Mask>(1);
  auto* const before = call.pointer<Mask>(2);
  auto& mask = *reinterpret_cast<Mask*>(&call.context->uc_sigmask);
  const Mask old = mask;
  if (wanted != nullptr) {
    const Mask change = without_trap(*wanted);
    switch (call.integer(0)) {
      case SIG_BLOCK:
        mask |= change;
        break;
      case SIG_UNBLOCK:
        mask &= ~change;
        break;
      case SIG_SETMASK:
        mask = change;
        break;
      default:
        return -EINVAL;
    }
  }
  if (before != nullptr) *before = old;
  return 0;
}

long on_pause(const Call&) {
  while (!is_by_signal(wait_until(Deadline{}))) continue;
  return -EINTR;
}

long on_sigsuspend(const Call& call) {
  const Mask wanted = without_trap(*call.pointer<const Mask>(0));
  Mask before = 0;
  native(SYS_rt_sigprocmask, SIG_SETMASK, &wanted, &before, sizeof before);
  const long result = on_pause(call);
  native(SYS_rt_sigprocmask, SIG_SETMASK, &before, nullptr, sizeof before);
  return result;
}

long on_sigtimedwait(const Call& call) {
  const Mask wanted = without_trap(*call.pointer<const Mask>(0));
  const auto* const timeout = call.pointer<const timespec>(2);
  const Deadline deadline = timeout == nullptr ? Deadline{} : after(to_ns(*timeout));
  constexpr timespec now{};
  Thread& self = *current_thread();
  for (;;) {
    const long signal = native(SYS_rt_sigtimedwait, &wanted, call.words[1], &now, sizeof wanted);
    if (signal != -EAGAIN || deadline.passed()) return signal;
    self.awaited_signals = wanted;
    const Thread::Woken woken = wait_until(deadline);
    self.awaited_signals = 0;
    if (is_by_signal(woken)) return -EINTR;
  }
}

constexpr Trap traps[] = {
    {SYS_rt_sigaction, on_sigaction},
    {SYS_rt_sigprocmask, on_sigprocmask},
    {SYS_pause, on_pause},
    {SYS_rt_sigsuspend, on_sigsuspend},
    {SYS_rt_sigtimedwait, on_sigtimedwait},
};

bool install(int signal, void (*handler)(int, siginfo_t*, void*)) {
  struct sigaction action {};
  action.sa_sigaction = handler;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  return sigaction(signal, &action, nullptr) == 0;
}

}  // namespace

TrapTable signal_traps() { return table_of(traps); }

bool install_signal_handlers(void (*on_trap)(int, siginfo_t*, void*)) {
  for (const int fault : faults) {
    native(SYS_rt_sigaction, fault, nullptr, &program_actions[fault], sizeof(Mask));
    if (!install(fault, on_fault)) return false;
  }
  native(SYS_rt_sigaction, SIGSEGV, nullptr, &own_action, sizeof(Mask));
  return install(SIGSYS, on_trap);
}

Delivered deliver_signals(Thread& self) {
  Delivered delivered = Delivered::nothing;
  while (self.signals != 0) {
    const int signal = __builtin_ctzll(self.signals) + 1;
    self.signals &= self.signals - 1;
    const bool is_blocked = (kernel_mask() & bit(signal)) != 0;
    const bool restarts = (action_of(signal).flags & static_cast<unsigned long>(SA_RESTART)) != 0;
    send_queued(self, signal);
    if (is_blocked) continue;
    if (!restarts) {
      delivered = Delivered::interrupts;
    } else if (delivered == Delivered::nothing) {
      delivered = Delivered::restarts;
    }
  }
  return delivered;
}

void raise_signal(int signal) { send_signal(*current_thread(), signal); }

long send_signal(Thread& receiver, int signal, const siginfo_t* info) {
  if (signal == 0) return 0;
  if (signal < 0 || signal >= NSIG) return -EINVAL;
  const bool is_awaited = (receiver.awaited_signals & bit(signal)) != 0;
  const SignalAction action = action_of(signal);
  if (!is_awaited && is_default(action) && stops_process_by_default(signal)) {
    refuse("the program stops itself by a signal, and nobody would let it go on");
  }
  if (!is_awaited && is_default(action) && ends_process_by_default(signal)) {
    if ((kernel_mask() & bit(signal)) == 0 || signal == SIGKILL) {
      tell_end(-signal);
      if (is_fault(signal)) set_default(signal);
    }
    send_to_kernel(receiver, signal, info);
    return 0;
  }
  if (is_awaited && receiver.state != Thread::State::running) {
    send_to_kernel(receiver, signal, info);
    if (receiver.state == Thread::State::waiting) wake(receiver, Thread::Woken::by_event);
    return 0;
  }
  if (receiver.state == Thread::State::running) {
    send_to_kernel(receiver, signal, info);
    return 0;
  }
  if (!is_handler(action)) return 0;
  if (info != nullptr && !add_to_queue(receiver, signal, *info)) return -EAGAIN;
  receiver.signals |= bit(signal);
  if (receiver.state == Thread::State::waiting) wake(receiver, Thread::Woken::by_signal);
  return 0;
}

}  // namespace lockstep::live::preload
