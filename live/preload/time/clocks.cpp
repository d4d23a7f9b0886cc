#include "live/preload/time/clocks.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/times.h>

#include <cerrno>
#include <cstring>
#include <initializer_list>

#include "live/preload/kernel/gate.h"
#include "live/preload/threads/threads.h"
#include "live/preload/time/local_time.h"
#include "live/preload/time/spin.h"

namespace lockstep::live::preload {

namespace {

constexpr std::int64_t ns_per_tick = ns_per_s / 100;

long on_clock_gettime(const Call& call) {
  const std::int64_t now = read_clock(static_cast<clockid_t>(call.words[0]));
  if (now < 0) return -EINVAL;
  *call.pointer<timespec>(1) = to_timespec(now);
  return 0;
}

long on_gettimeofday(const Call& call) {
  auto* const time = call.pointer<timeval>(0);
  if (time != nullptr) *time = to_timeval(read_clock(CLOCK_REALTIME));
  if (call.pointer<void>(1) != nullptr) std::memset(call.pointer<void>(1), 0, 2 * sizeof(int));
  return 0;
}

long on_time(const Call& call) {
  const long now = read_clock(CLOCK_REALTIME) / ns_per_s;
  if (call.pointer<time_t>(0) != nullptr) *call.pointer<time_t>(0) = now;
  return now;
}

long on_getcpu(const Call& call) {
  for (const int word : {0, 1}) {
    if (call.pointer<unsigned>(word) != nullptr) *call.pointer<unsigned>(word) = 0;
  }
  return 0;
}

bool is_wall_clock(clockid_t clock) {
  return clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE ||
         clock == CLOCK_REALTIME_ALARM || clock == CLOCK_TAI;
}

// `left` is told only to who slept for a duration and was interrupted.
long sleep_until(Deadline deadline, timespec* left) {
  if (deadline.passed()) return 0;
  if (!is_by_signal(wait_until(deadline))) return 0;
  if (left != nullptr) {
    const std::int64_t rest = deadline.on_monotonic_clock() - monotonic_now();
    *left = to_timespec(rest > 0 ? rest : 0);
  }
  return -EINTR;
}

bool is_time(const timespec& time) {
  return time.tv_sec >= 0 && time.tv_nsec >= 0 && time.tv_nsec < ns_per_s;
}

long on_nanosleep(const Call& call) {
  const timespec& duration = *call.pointer<const timespec>(0);
  if (!is_time(duration)) return -EINVAL;
  if (to_ns(duration) == 0) yield();
  return sleep_until(after(to_ns(duration)), call.pointer<timespec>(1));
}

long on_clock_nanosleep(const Call& call) {
  const timespec& time = *call.pointer<const timespec>(2);
  if (!is_time(time)) return -EINVAL;
  const std::int64_t ns = to_ns(time);
  if ((call.integer(1) & TIMER_ABSTIME) == 0) {
    if (ns == 0) yield();
    return sleep_until(after(ns), call.pointer<timespec>(3));
  }
  const bool is_wall = is_wall_clock(static_cast<clockid_t>(call.words[0]));
  const Deadline deadline{ns, is_wall ? Deadline::Clock::wall : Deadline::Clock::monotonic};
  if (deadline.passed()) yield();
  return sleep_until(deadline, nullptr);
}

long on_getrusage(const Call& call) {
  auto* const usage = call.pointer<rusage>(1);
  std::memset(usage, 0, sizeof *usage);
  if (call.integer(0) != RUSAGE_CHILDREN) usage->ru_utime = to_timeval(processor_now());
  return 0;
}

long on_times(const Call& call) {
  auto* const times = call.pointer<tms>(0);
  if (times != nullptr) {
    std::memset(times, 0, sizeof *times);
    times->tms_utime = processor_now() / ns_per_tick;
  }
  return monotonic_now() / ns_per_tick;
}

long on_sysinfo(const Call& call) {
  const long result = pass(call);
  if (result < 0) return result;
  auto* const info = call.pointer<struct sysinfo>(0);
  info->uptime = monotonic_now() / ns_per_s;
  std::memset(info->loads, 0, sizeof info->loads);
  info->freeram = info->totalram / 2;
  info->sharedram = info->bufferram = 0;
  info->freeswap = info->totalswap;
  info->procs = 1;
  return 0;
}

constexpr Trap clock_table[] = {
    {SYS_clock_gettime, on_clock_gettime},
    {SYS_gettimeofday, on_gettimeofday},
    {SYS_time, on_time},
    {SYS_getcpu, on_getcpu},
};

constexpr Trap sleep_table[] = {
    {SYS_nanosleep, on_nanosleep},
    {SYS_clock_nanosleep, on_clock_nanosleep},
};

constexpr Trap usage_table[] = {
    {SYS_getrusage, on_getrusage},
    {SYS_times, on_times},
    {SYS_sysinfo, on_sysinfo},
};

}  // namespace

std::int64_t read_clock(clockid_t clock) {
  count_clock_read();
  if (is_wall_clock(clock)) return wall_now();
  switch (clock) {
    case CLOCK_MONOTONIC:
    case CLOCK_MONOTONIC_RAW:
    case CLOCK_MONOTONIC_COARSE:
    case CLOCK_BOOTTIME:
    case CLOCK_BOOTTIME_ALARM:
      return monotonic_now();
    case CLOCK_PROCESS_CPUTIME_ID:
    case CLOCK_THREAD_CPUTIME_ID:
      return processor_now();
    default:
      // Negative ones are processor time of a process or thread; other numbers are no clocks.
      return clock < 0 ? processor_now() : -1;
  }
}

TrapTable clock_traps() { return table_of(clock_table); }
TrapTable sleep_traps() { return table_of(sleep_table); }
TrapTable usage_traps() { return table_of(usage_table); }

}  // namespace lockstep::live::preload
