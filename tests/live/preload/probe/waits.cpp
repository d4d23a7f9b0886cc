#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/select.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <thread>

#include "tests/live/preload/probe/probe.h"

namespace probe {
namespace {

struct Pipe {
  int ends[2];
  Pipe() { require(pipe(ends) == 0, "a pipe"); }
  int reader() const { return ends[0]; }
  int writer() const { return ends[1]; }
};

// Each way to wait for a descriptor, with a time-out in ms (-1: none).
void wait_in_all_ways(int descriptor, const char* suffix, int ms) {
  const auto named = [&](const char* name, const std::function<long()>& call) {
    char text[64];
    std::snprintf(text, sizeof text, "%s%s", name, suffix);
    report(text, call);
  };
  timespec precise{ms / 1000, ms % 1000 * 1'000'000L};
  pollfd polled{descriptor, POLLIN, 0};
  named("poll", [&] { return poll(&polled, 1, ms); });
  named("ppoll", [&] { return ppoll(&polled, 1, &precise, nullptr); });
  fd_set set;
  const auto fill = [&] {
    FD_ZERO(&set);
    FD_SET(descriptor, &set);
  };
  named("select", [&] {
    fill();
    timeval time{ms / 1000, ms % 1000 * 1000L};
    return select(descriptor + 1, &set, nullptr, nullptr, &time);
  });
  named("pselect", [&] {
    fill();
    return pselect(descriptor + 1, &set, nullptr, nullptr, &precise, nullptr);
  });
  const int epoll = epoll_create1(EPOLL_CLOEXEC);
  epoll_event event{};
  event.events = EPOLLIN;
  event.data.fd = descriptor;
  epoll_ctl(epoll, EPOLL_CTL_ADD, descriptor, &event);
  named("epoll_wait", [&] { return epoll_wait(epoll, &event, 1, ms); });
  named("epoll_pwait", [&] { return epoll_pwait(epoll, &event, 1, ms, nullptr); });
  named("epoll_pwait2", [&] { return epoll_pwait2(epoll, &event, 1, &precise, nullptr); });
  close(epoll);
}

void time_out() {
  const Pipe pipe;
  wait_in_all_ways(pipe.reader(), "", 250);
  wait_in_all_ways(pipe.reader(), "_at_once", 0);
  require(write(pipe.writer(), "x", 1) == 1, "a write");
  wait_in_all_ways(pipe.reader(), "_ready", 250);
  report("sleep_by_poll", [] { return poll(nullptr, 0, 40); });
}

void use_timers() {
  const int timer = timerfd_create(CLOCK_MONOTONIC, 0);
  const auto set = [timer](int flags, long first_ms, long every_ms) {
    const itimerspec setting{{every_ms / 1000, every_ms % 1000 * 1'000'000},
                             {first_ms / 1000, first_ms % 1000 * 1'000'000}};
    require(timerfd_settime(timer, flags, &setting, nullptr) == 0, "a timer");
  };
  std::uint64_t times = 0;
  set(0, 100, 0);
  report("once", [&] { return read(timer, &times, sizeof times); });
  set(0, 100, 50);
  report("first", [&] { return read(timer, &times, sizeof times); });
  report("second", [&] { return read(timer, &times, sizeof times); });
  usleep(175'000);
  report("three_more", [&] {
    require(read(timer, &times, sizeof times) == sizeof times, "a read");
    return static_cast<long>(times);
  });
  itimerspec left{};
  timerfd_gettime(timer, &left);
  std::printf("left %ld every %ld\n", left.it_value.tv_nsec / 1'000'000,
              left.it_interval.tv_nsec / 1'000'000);
  set(TFD_TIMER_ABSTIME, now_ns() / 1'000'000 + 30, 0);
  wait_in_all_ways(timer, "_timer", 500);
  set(0, 0, 0);
  report("disarmed", [&] {
    pollfd polled{timer, POLLIN, 0};
    return poll(&polled, 1, 60);
  });
}

// Threads of one process that wait for each other through the kernel.
void talk_between_threads() {
  const Pipe pipe;
  const int event = eventfd(0, 0);
  std::thread writer([&] {
    usleep(5000);
    const std::uint64_t one = 1;
    require(write(event, &one, sizeof one) == sizeof one, "an event");
    static char large[300'000];
    require(write(pipe.writer(), large, sizeof large) == sizeof large, "all is written");
    close(pipe.writer());
  });
  std::uint64_t count = 0;
  report("eventfd", [&] { return read(event, &count, sizeof count); });
  usleep(20'000);
  report("pipe", [&] {
    static char buffer[10'000];
    long total = 0;
    for (;;) {
      const ssize_t some = read(pipe.reader(), buffer, sizeof buffer);
      if (some <= 0) return total;
      total += some;
    }
  });
  writer.join();
  const Pipe other;
  fcntl(other.reader(), F_SETFL, fcntl(other.reader(), F_GETFL) | O_NONBLOCK);
  char byte = 0;
  report("nonblocking", [&] { return read(other.reader(), &byte, 1); });
  require((fcntl(other.reader(), F_GETFL) & O_NONBLOCK) != 0, "it is non-blocking");
  require((fcntl(other.writer(), F_GETFL) & O_NONBLOCK) == 0, "the other end is not");
}

// A thread that only asks whether something is ready must let others work.
void poll_busily() {
  const Pipe pipe;
  std::thread writer([&] {
    usleep(1);
    require(write(pipe.writer(), "x", 1) == 1, "a write");
  });
  pollfd polled{pipe.reader(), POLLIN, 0};
  while (poll(&polled, 1, 0) == 0) continue;
  writer.join();
  const std::int64_t began = now_ns();
  pollfd silent{pipe.writer(), POLLIN, 0};
  while (now_ns() < began + 500'000'000) poll(&silent, 1, 0);
  std::printf("done\n");
}

constexpr Probe probes[] = {
    {"time_outs", time_out},
    {"timers", use_timers},
    {"talk_between_threads", talk_between_threads},
    {"poll_busily", poll_busily},
};

}  // namespace

std::span<const Probe> wait_probes() { return probes; }

}  // namespace probe
