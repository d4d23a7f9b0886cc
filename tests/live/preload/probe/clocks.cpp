#include <sched.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/sysinfo.h>
#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>
#include <x86intrin.h>

#include <cstdio>
#include <ctime>

#include "tests/live/preload/probe/probe.h"

namespace probe {
namespace {

void print(const char* name, const timespec& time) {
  std::printf("%s %ld.%09ld\n", name, time.tv_sec, time.tv_nsec);
}

void read_clocks() {
  constexpr struct {
    const char* name;
    clockid_t clock;
  } clocks[] = {{"realtime", CLOCK_REALTIME},
                {"realtime_coarse", CLOCK_REALTIME_COARSE},
                {"tai", CLOCK_TAI},
                {"monotonic", CLOCK_MONOTONIC},
                {"monotonic_raw", CLOCK_MONOTONIC_RAW},
                {"monotonic_coarse", CLOCK_MONOTONIC_COARSE},
                {"boottime", CLOCK_BOOTTIME},
                {"process", CLOCK_PROCESS_CPUTIME_ID},
                {"thread", CLOCK_THREAD_CPUTIME_ID}};
  for (const auto& [name, clock] : clocks) {
    timespec time{};
    require(clock_gettime(clock, &time) == 0, name);
    print(name, time);
    timespec trapped{};
    require(syscall(SYS_clock_gettime, clock, &trapped) == 0, name);
    require(trapped.tv_sec == time.tv_sec && trapped.tv_nsec == time.tv_nsec,
            "the system call tells the same as libc");
  }
  timespec none{};
  require(clock_gettime(99, &none) != 0, "there is no clock 99");
  timeval day{};
  gettimeofday(&day, nullptr);
  std::printf("gettimeofday %ld.%06ld\n", day.tv_sec, day.tv_usec);
  syscall(SYS_gettimeofday, &day, nullptr);
  std::printf("gettimeofday_call %ld.%06ld\n", day.tv_sec, day.tv_usec);
  std::printf("time %ld\n", time(nullptr));
  std::printf("time_call %ld\n", syscall(SYS_time, nullptr));
}

void tell_moment() {
  timespec time{};
  clock_gettime(CLOCK_MONOTONIC, &time);
  print("monotonic", time);
}

void read_usage() {
  sleep(3);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  std::printf("user %ld.%06ld faults %ld memory %ld\n", usage.ru_utime.tv_sec,
              usage.ru_utime.tv_usec, usage.ru_minflt, usage.ru_maxrss);
  tms ticks{};
  const clock_t real = times(&ticks);
  std::printf("times %ld %ld\n", real, ticks.tms_utime);
  struct sysinfo info {};
  sysinfo(&info);
  std::printf("uptime %ld load %lu\n", info.uptime, info.loads[0]);
  std::printf("clock %ld\n", clock());
  unsigned processor = 9;
  syscall(SYS_getcpu, &processor, nullptr, nullptr);
  std::printf("getcpu %u %d\n", processor, sched_getcpu());
}

timespec in_ms(long ms) { return {ms / 1000, ms % 1000 * 1'000'000}; }

timespec later(clockid_t clock, long ms) {
  timespec time{};
  clock_gettime(clock, &time);
  time.tv_nsec += ms % 1000 * 1'000'000;
  time.tv_sec += ms / 1000 + time.tv_nsec / 1'000'000'000;
  time.tv_nsec %= 1'000'000'000;
  return time;
}

void sleep_in_all_ways() {
  report("nanosleep", [] {
    const timespec time = in_ms(1500);
    return nanosleep(&time, nullptr);
  });
  report("nanosleep_wrong", [] {
    const timespec time{0, 1'000'000'000};
    return nanosleep(&time, nullptr);
  });
  report("sleep", [] { return sleep(2); });
  report("usleep", [] { return usleep(7000); });
  report("clock_nanosleep", [] {
    const timespec time = in_ms(10);
    return clock_nanosleep(CLOCK_MONOTONIC, 0, &time, nullptr);
  });
  report("until_monotonic", [] {
    const timespec time = later(CLOCK_MONOTONIC, 20);
    return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &time, nullptr);
  });
  report("until_wall", [] {
    const timespec time = later(CLOCK_REALTIME, 30);
    return clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &time, nullptr);
  });
  report("until_past", [] {
    const timespec time{1, 0};
    return clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &time, nullptr);
  });
}

// The simulator sets the wall clock forward meanwhile.
void sleep_over_step() {
  report("until_wall", [] {
    const timespec time = later(CLOCK_REALTIME, 10'000);
    return clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &time, nullptr);
  });
  report("sleep", [] { return sleep(10); });
}

void read_time_stamps() {
  const unsigned long long first = __rdtsc();
  unsigned processor = 9;
  const unsigned long long second = __rdtscp(&processor);
  require(second > first, "time stamps grow");
  std::printf("rdtsc %llu %llu %u\n", first, second, processor);
}

// To be run without the library: ends by SIGSEGV where the machine can forbid it.
void read_forbidden_time_stamp() {
  require(prctl(PR_SET_TSC, PR_TSC_SIGSEGV) == 0, "time stamps are forbidden");
  std::printf("read %llu\n", __rdtsc());
}

void spin_on_clock() {
  const std::int64_t began = now_ns();
  long rounds = 0;
  while (now_ns() < began + 2'000'000'000) ++rounds;
  std::printf("rounds %ld took %ld\n", rounds, static_cast<long>((now_ns() - began) / 1'000'000));
}

void spin_on_time_stamps() {
  const unsigned long long began = __rdtsc();
  while (__rdtsc() < began + 20'000'000) continue;
  std::printf("done\n");
}

constexpr Probe probes[] = {
    {"clocks", read_clocks},
    {"moment", tell_moment},
    {"usage", read_usage},
    {"sleeps", sleep_in_all_ways},
    {"sleep_over_step", sleep_over_step},
    {"time_stamps", read_time_stamps},
    {"forbidden_time_stamp", read_forbidden_time_stamp},
    {"spin_on_clock", spin_on_clock},
    {"spin_on_time_stamps", spin_on_time_stamps},
};

}  // namespace

std::span<const Probe> clock_probes() { return probes; }

}  // namespace probe
