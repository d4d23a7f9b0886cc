#include "live/preload/time/alarms.h"

#include <sys/syscall.h>
#include <sys/time.h>

#include <cerrno>
#include <csignal>

#include "live/preload/threads/signals.h"
#include "live/preload/threads/threads.h"
#include "live/preload/time/local_time.h"

namespace lockstep::live::preload {

namespace {

Deadline due;
std::int64_t every_ns;

std::int64_t left_ns() {
  if (due.at == never) return 0;
  const std::int64_t left = due.on_monotonic_clock() - monotonic_now();
  return left > 0 ? left : 1;
}

itimerval setting() { return {to_timeval(every_ns), to_timeval(left_ns())}; }

void set(std::int64_t value_ns, std::int64_t interval_ns) {
  due = value_ns == 0 ? Deadline{} : after(value_ns);
  every_ns = interval_ns;
}

long on_alarm(const Call& call) {
  const std::int64_t left = left_ns();
  set(static_cast<std::int64_t>(call.size(0)) * ns_per_s, 0);
  return (left + ns_per_s - 1) / ns_per_s;
}

long on_setitimer(const Call& call) {
  const bool is_real = call.integer(0) == ITIMER_REAL;
  auto* const before = call.pointer<itimerval>(2);
  if (before != nullptr) *before = is_real ? setting() : itimerval{};
  const auto* const wanted = call.pointer<const itimerval>(1);
  if (!is_real) return 0;
  if (wanted == nullptr) {
    set(0, 0);
  } else {
    set(to_ns(wanted->it_value), to_ns(wanted->it_interval));
  }
  return 0;
}

long on_getitimer(const Call& call) {
  *call.pointer<itimerval>(1) = call.integer(0) == ITIMER_REAL ? setting() : itimerval{};
  return 0;
}

long on_timer_create(const Call&) { return -ENOSYS; }

constexpr Trap traps[] = {
    {SYS_alarm, on_alarm},
    {SYS_setitimer, on_setitimer},
    {SYS_getitimer, on_getitimer},
    {SYS_timer_create, on_timer_create},
};

}  // namespace

TrapTable alarm_traps() { return table_of(traps); }

std::int64_t next_alarm() { return due.on_monotonic_clock(); }

void fire_alarm() {
  if (due.at == never || !due.passed()) return;
  if (every_ns > 0) {
    while (due.passed()) due.at += every_ns;
  } else {
    due = Deadline{};
  }
  Thread* const first = find_thread([](const Thread&) { return true; });
  if (first != nullptr) send_signal(*first, SIGALRM);
}

}  // namespace lockstep::live::preload
