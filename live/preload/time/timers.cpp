#include "live/preload/time/timers.h"

#include <sys/eventfd.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>

#include <cerrno>

#include "live/preload/descriptors/descriptors.h"
#include "live/preload/kernel/gate.h"

namespace lockstep::live::preload {

namespace {

using Kind = Description::Kind;

Description* timer_of(int descriptor) {
  Description* const description = description_of(descriptor);
  return description != nullptr && description->kind == Kind::timer ? description : nullptr;
}

long on_timerfd_create(const Call& call) {
  const int flags = call.integer(1);
  const long descriptor = native(SYS_eventfd2, 0, flags | EFD_NONBLOCK);
  if (descriptor < 0) return descriptor;
  Description& timer = track(static_cast<int>(descriptor), Kind::timer);
  timer.nonblocking = (flags & TFD_NONBLOCK) != 0;
  timer.flags = flags | EFD_NONBLOCK;
  const int clock = call.integer(0);
  timer.on_wall_clock = clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_ALARM;
  return descriptor;
}

itimerspec setting_of(const Description& timer) {
  itimerspec setting{};
  if (timer.due.at == never) return setting;
  const std::int64_t left = timer.due.on_monotonic_clock() - monotonic_now();
  setting.it_value = to_timespec(left > 0 ? left : 1);
  setting.it_interval = to_timespec(timer.every_ns);
  return setting;
}

void set(Description& timer, const itimerspec& setting, bool is_absolute) {
  const std::int64_t value = to_ns(setting.it_value);
  timer.every_ns = to_ns(setting.it_interval);
  if (value == 0) {
    timer.due = Deadline{};
  } else if (!is_absolute) {
    timer.due = after(value);
  } else {
    timer.due = {value, timer.on_wall_clock ? Deadline::Clock::wall : Deadline::Clock::monotonic};
  }
}

void fire(int descriptor, Description& timer) {
  if (timer.due.at == never || !timer.due.passed()) return;
  std::uint64_t times = 1;
  if (timer.every_ns > 0) {
    const std::int64_t now =
        timer.due.clock == Deadline::Clock::wall ? wall_now() : monotonic_now();
    times += static_cast<std::uint64_t>((now - timer.due.at) / timer.every_ns);
    timer.due.at += static_cast<std::int64_t>(times) * timer.every_ns;
  } else {
    timer.due = Deadline{};
  }
  native(SYS_write, descriptor, &times, sizeof times);
}

long on_timerfd_settime(const Call& call) {
  const int descriptor = call.integer(0);
  Description* const timer = timer_of(descriptor);
  if (timer == nullptr) return -EINVAL;
  auto* const before = call.pointer<itimerspec>(3);
  if (before != nullptr) *before = setting_of(*timer);
  std::uint64_t expirations;
  native(SYS_read, descriptor, &expirations, sizeof expirations);
  set(*timer, *call.pointer<const itimerspec>(2), (call.integer(1) & TFD_TIMER_ABSTIME) != 0);
  fire(descriptor, *timer);
  return 0;
}

long on_timerfd_gettime(const Call& call) {
  const Description* const timer = timer_of(call.integer(0));
  if (timer == nullptr) return -EINVAL;
  *call.pointer<itimerspec>(1) = setting_of(*timer);
  return 0;
}

constexpr Trap traps[] = {
    {SYS_timerfd_create, on_timerfd_create},
    {SYS_timerfd_settime, on_timerfd_settime},
    {SYS_timerfd_gettime, on_timerfd_gettime},
};

}  // namespace

TrapTable timer_traps() { return table_of(traps); }

// A timer that has two descriptors fires through one of them: `due` is its own.
void fire_timers() {
  for_each_descriptor([](int descriptor, Description& description) {
    if (description.kind == Kind::timer) fire(descriptor, description);
  });
}

std::int64_t next_timer() {
  std::int64_t next = never;
  for_each_descriptor([&next](int, const Description& description) {
    if (description.kind != Kind::timer) return;
    const std::int64_t at = description.due.on_monotonic_clock();
    if (at < next) next = at;
  });
  return next;
}

}  // namespace lockstep::live::preload
