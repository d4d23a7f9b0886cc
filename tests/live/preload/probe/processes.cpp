#include <pthread.h>
#include <spawn.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
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

constexpr Probe probes[] = {
    {"children", begin_children},           {"exit_status", exit_with_status},
    {"exit_from_thread", exit_from_thread}, {"leave_first_thread", leave_first_thread},
    {"write_and_exit", write_and_exit},
};

}  // namespace

std::span<const Probe> process_probes() { return probes; }

}  // namespace probe
