#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <thread>

#include "tests/live/preload/probe/probe.h"

extern char** environ;

namespace probe {
namespace {

void begin_children() {
  report("fork", [] { return fork(); });
  report("vfork", [] {
    const pid_t child = vfork();
    if (child == 0) _exit(0);
    return child;
  });
  report("exec", [] { return execl("/bin/true", "true", nullptr); });
  char name[] = "true";
  char* words[] = {name, nullptr};
  pid_t child = 0;
  std::printf("spawn %s\n",
              strerrorname_np(posix_spawn(&child, "/bin/true", nullptr, nullptr, words, environ)));
  std::printf("system %d\n", std::system("true"));
}

void exit_with_status() { std::exit(7); }

void exit_from_thread() {
  std::thread([] { _exit(5); }).join();
}

// The first thread leaves, the others go on.
void leave_first_thread() {
  std::thread([] {
    usleep(50'000);
    std::printf("the last\n");
    std::fflush(stdout);
  }).detach();
  pthread_exit(nullptr);
}

// Written just before the end: the simulator must see it.
void write_and_exit() {
  const int socket_fd = connect_to("10.0.0.1", 6379);
  require(write(socket_fd, "last words", 10) == 10, "a write");
  std::printf("said\n");
  std::fflush(stdout);
  _exit(0);
}

// Not by pthread_create.
void begin_bare_thread() {
  alignas(16) static char stack[65536];
  // For the thread's own variables, which are all zero, and in their middle the pointer to them.
  alignas(64) static char variables[65536];
  void* const pointer = variables + sizeof variables / 2;
  std::memcpy(pointer, &pointer, sizeof pointer);
  constexpr int flags =
      CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD | CLONE_SETTLS;
  clone(
      [](void*) {
        syscall(SYS_getpid);
        return 0;
      },
      stack + sizeof stack, flags | CLONE_SYSVSEM, nullptr, nullptr, pointer);
  for (;;) asm volatile("pause");  // the refusal ends it
}

void open_too_much() {
  const rlimit limit{4096, 4096};
  require(setrlimit(RLIMIT_NOFILE, &limit) == 0, "more descriptors");
  for (int i = 0; i < 600; ++i) {
    int ends[2];
    require(pipe(ends) == 0, "a pipe");
  }
}

void use_what_is_missing() {
  char parameters[256] = {};
  report("io_uring", [&] { return syscall(SYS_io_uring_setup, 8, parameters); });
  report("futex_waitv", [] { return syscall(449, nullptr, 0, 0, nullptr, 0); });
  timer_t timer = nullptr;
  report("timer_create", [&] { return timer_create(CLOCK_MONOTONIC, nullptr, &timer); });
  int ends[2];
  require(pipe(ends) == 0, "a pipe");
  const int file = open("/proc/self/exe", O_RDONLY);
  report("sendfile", [&] { return sendfile(ends[1], file, nullptr, 10); });
  report("splice", [&] { return splice(file, nullptr, ends[1], nullptr, 10, 0); });
}

constexpr Probe probes[] = {
    {"children", begin_children},
    {"bare_thread", begin_bare_thread},
    {"too_many_descriptors", open_too_much},
    {"missing_calls", use_what_is_missing},
    {"exit_status", exit_with_status},
    {"exit_from_thread", exit_from_thread},
    {"leave_first_thread", leave_first_thread},
    {"write_and_exit", write_and_exit},
};

}  // namespace

std::span<const Probe> process_probes() { return probes; }

}  // namespace probe
