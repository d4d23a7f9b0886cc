// Calls that libc's common functions don't make, or that few programs do.
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstdio>

#include "tests/live/preload/probe/probe.h"

namespace probe {
namespace {

volatile std::sig_atomic_t caught;

// The server echoes.
void send_messages() {
  const int socket_fd = connect_to("10.0.0.1", 6379);
  char parts[2][3] = {};
  iovec sent[] = {{const_cast<char*>("ab"), 2}, {const_cast<char*>("cde"), 3}};
  iovec received[] = {{parts[0], 3}, {parts[1], 3}};
  msghdr message{};
  message.msg_iov = sent;
  message.msg_iovlen = 2;
  report("sendmsg", [&] { return sendmsg(socket_fd, &message, 0); });
  message.msg_iov = received;
  report("recvmsg", [&] { return recvmsg(socket_fd, &message, 0); });
  std::printf("parts %.3s %.2s\n", parts[0], parts[1]);
  mmsghdr several[1] = {};
  report("sendmmsg", [&] { return sendmmsg(socket_fd, several, 1, 0); });
  report("recvmmsg", [&] { return recvmmsg(socket_fd, several, 1, 0, nullptr); });
  const int listening = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  listen(listening, 1);
  report("accept4", [&] { return accept4(listening, nullptr, nullptr, SOCK_CLOEXEC); });
}

void copy_descriptors() {
  const int socket_fd = connect_to("10.0.0.1", 6379);
  constexpr int copy = 77;
  constexpr int closed_on_exec = 78;
  report("dup2", [&] { return syscall(SYS_dup2, socket_fd, copy); });
  report("dup3", [&] { return dup3(copy, closed_on_exec, O_CLOEXEC); });
  close(socket_fd);
  close(copy);
  char bytes[2];
  report("write", [&] { return write(closed_on_exec, "hi", 2); });
  const long watching = syscall(SYS_epoll_create, 1);
  epoll_event event{};
  event.events = EPOLLIN;
  epoll_ctl(static_cast<int>(watching), EPOLL_CTL_ADD, closed_on_exec, &event);
  report("wait", [&] { return epoll_wait(static_cast<int>(watching), &event, 1, -1); });
  report("read", [&] { return read(closed_on_exec, bytes, sizeof bytes); });
  int ends[2];
  report("pipe2", [&] { return pipe2(ends, O_NONBLOCK); });
  report("empty", [&] { return read(ends[0], bytes, sizeof bytes); });
}

void ask_rarely() {
  const itimerval setting{{0, 0}, {5, 0}};
  setitimer(ITIMER_REAL, &setting, nullptr);
  usleep(2'000'000);
  itimerval left{};
  report("getitimer", [&] { return getitimer(ITIMER_REAL, &left); });
  std::printf("left %ld\n", left.it_value.tv_sec);
  report("getpgid", [] { return getpgid(0); });
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(0, &set);
  report("sched_setaffinity", [&] { return sched_setaffinity(0, sizeof set, &set); });
  char word[] = "true";
  char* words[] = {word, nullptr};
  report("execveat", [&] { return syscall(SYS_execveat, AT_FDCWD, "/bin/true", words, words, 0); });
  // A fork would lack the memory.
  constexpr std::size_t bytes = 4096;
  void* const memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  report("madvise", [&] { return madvise(memory, bytes, MADV_DONTFORK); });
  report("unknown_advice", [&] { return madvise(memory, bytes, 12345); });
}

void tell_caught(const char* name) {
  std::printf("%s %d\n", name, static_cast<int>(caught));
  caught = 0;
}

void queue_signals() {
  struct sigaction action {};
  action.sa_handler = [](int signal) { caught = signal; };
  sigaction(SIGUSR1, &action, nullptr);
  sigaction(SIGALRM, &action, nullptr);
  syscall(SYS_tkill, gettid(), SIGUSR1);
  tell_caught("tkill");
  const sigval value{};
  report("sigqueue", [&] { return sigqueue(getpid(), SIGUSR1, value); });
  tell_caught("queued");
  report("pthread_sigqueue", [&] { return pthread_sigqueue(pthread_self(), SIGUSR1, value); });
  tell_caught("queued");
  sigset_t none;
  sigemptyset(&none);
  alarm(3);
  report("sigsuspend", [&] { return sigsuspend(&none); });
  tell_caught("suspended");
}

constexpr Probe probes[] = {
    {"messages", send_messages},
    {"copies", copy_descriptors},
    {"rare_questions", ask_rarely},
    {"queued_signals", queue_signals},
};

}  // namespace

std::span<const Probe> rare_call_probes() { return probes; }

}  // namespace probe
