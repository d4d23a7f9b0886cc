#include <poll.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "tests/live/preload/probe/probe.h"

namespace probe {
namespace {

volatile std::sig_atomic_t caught;

void handle(int signal, bool restarts) {
  struct sigaction action {};
  action.sa_handler = [](int number) { caught = number; };
  action.sa_flags = restarts ? SA_RESTART : 0;
  sigfillset(&action.sa_mask);
  require(sigaction(signal, &action, nullptr) == 0, "an action");
}

void catch_own() {
  handle(SIGUSR1, false);
  raise(SIGUSR1);
  std::printf("raised %d\n", static_cast<int>(caught));
  caught = 0;
  kill(getpid(), SIGUSR1);
  std::printf("killed %d\n", static_cast<int>(caught));
  caught = 0;
  sigset_t set;
  sigfillset(&set);
  pthread_sigmask(SIG_SETMASK, &set, nullptr);
  kill(getpid(), SIGUSR1);
  std::printf("blocked %d\n", static_cast<int>(caught));
  sigemptyset(&set);
  pthread_sigmask(SIG_SETMASK, &set, nullptr);
  std::printf("unblocked %d\n", static_cast<int>(caught));
  report("other_process", [] { return kill(getpid() + 1, 0); });
  signal(SIGSYS, SIG_IGN);
  report("still_trapped", [] { return usleep(1000); });
}

void interrupt_others() {
  handle(SIGUSR1, false);
  handle(SIGUSR2, true);
  const pthread_t first = pthread_self();
  std::thread sender([&] {
    usleep(10'000);
    pthread_kill(first, SIGUSR1);
    usleep(10'000);
    pthread_kill(first, SIGUSR1);
    usleep(10'000);
    pthread_kill(first, SIGUSR2);
    usleep(10'000);
    pthread_kill(first, SIGUSR1);
    usleep(10'000);
    pthread_kill(first, SIGUSR2);
  });
  int ends[2];
  require(pipe(ends) == 0, "a pipe");
  char byte = 0;
  pollfd polled{ends[0], POLLIN, 0};
  report("poll", [&] { return poll(&polled, 1, 1000); });
  const timespec second{1, 0};
  timespec left{};
  report("nanosleep", [&] { return nanosleep(&second, &left); });
  std::printf("left %ld\n", left.tv_nsec / 1'000'000);
  report("read", [&] { return read(ends[0], &byte, 1); });  // the first is restarted
  std::printf("caught %d\n", static_cast<int>(caught));
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
  report("sigwait", [&] { return sigwaitinfo(&set, nullptr); });
  sender.join();
}

void tell_value(int signal, siginfo_t* info, void*) {
  std::printf("signal %d value %d from %d\n", signal, info->si_value.sival_int, info->si_pid);
}

// To itself, to a thread that waits, and twice at once.
void send_values() {
  struct sigaction action {};
  action.sa_sigaction = tell_value;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGUSR1, &action, nullptr);
  sigaction(SIGRTMIN, &action, nullptr);
  const auto value = [](int number) {
    sigval made{};
    made.sival_int = number;
    return made;
  };
  sigqueue(getpid(), SIGUSR1, value(1));
  const pthread_t first = pthread_self();
  std::thread sender([&] {
    usleep(1'000);
    pthread_sigqueue(first, SIGRTMIN, value(2));
    pthread_sigqueue(first, SIGUSR1, value(3));
    usleep(1'000);
    pthread_kill(first, SIGUSR1);
  });
  poll(nullptr, 0, 1000);
  poll(nullptr, 0, 1000);
  sender.join();
}

void be_alarmed() {
  handle(SIGALRM, false);
  alarm(2);
  report("pause", [] { return pause(); });
  const itimerval setting{{0, 250'000}, {0, 500'000}};
  setitimer(ITIMER_REAL, &setting, nullptr);
  report("first", [] { return pause(); });
  report("second", [] { return pause(); });
  std::printf("left %d\n", static_cast<int>(alarm(0)));
  report("none", [] { return poll(nullptr, 0, 1000); });
}

/// Where nothing is, as the compiler must not know.
void write_nowhere() {
  volatile std::uintptr_t nowhere = 16;
  *reinterpret_cast<volatile int*>(nowhere) = 1;
}

void fault() {
  struct sigaction action {};
  action.sa_sigaction = [](int signal, siginfo_t* info, void*) {
    std::printf("fault %d at %p\n", signal, info->si_addr);
    std::fflush(stdout);
    _exit(3);
  };
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGSEGV, &action, nullptr);
  struct sigaction told {};
  sigaction(SIGSEGV, nullptr, &told);
  require(told.sa_sigaction == action.sa_sigaction, "the action is told as it was set");
  write_nowhere();
}

void die_of_fault() { write_nowhere(); }
void die_of_abort() { std::abort(); }
void die_of_kill() { kill(getpid(), SIGKILL); }
void die_of_pipe() {
  int ends[2];
  require(socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0, "a pair");
  close(ends[0]);
  write(ends[1], "x", 1);
}

constexpr Probe probes[] = {
    {"own_signals", catch_own},
    {"interrupt_others", interrupt_others},
    {"values", send_values},
    {"alarms", be_alarmed},
    {"fault", fault},
    {"die_of_fault", die_of_fault},
    {"die_of_abort", die_of_abort},
    {"die_of_kill", die_of_kill},
    {"die_of_pipe", die_of_pipe},
};

}  // namespace

std::span<const Probe> signal_probes() { return probes; }

}  // namespace probe
