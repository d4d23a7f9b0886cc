#include "tests/live/preload/probe/probe.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>

namespace probe {

std::int64_t now_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

void report(const char* name, const std::function<long()>& call) {
  const std::int64_t began = now_ns();
  errno = 0;
  const long result = call();
  const int error = errno;
  const auto took_us = static_cast<double>(now_ns() - began) / 1e3;
  if (result < 0) {
    std::printf("%s %s %.3f\n", name, strerrorname_np(error), took_us / 1e3);
  } else {
    std::printf("%s %ld %.3f\n", name, result, took_us / 1e3);
  }
  std::fflush(stdout);
}

int connect_to(const char* host, int port, int type) {
  const int socket_fd = socket(AF_INET, SOCK_STREAM | type, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  inet_pton(AF_INET, host, &address.sin_addr);
  report("connect", [&] {
    return connect(socket_fd, reinterpret_cast<const sockaddr*>(&address), sizeof address);
  });
  return socket_fd;
}

void require(bool condition, const char* what) {
  if (condition) return;
  std::printf("not so: %s\n", what);
  std::exit(9);
}

}  // namespace probe

int main(int count, char** words) {
  if (count != 2) return 2;
  for (const auto& probes :
       {probe::clock_probes(), probe::futex_probes(), probe::identity_probes(),
        probe::process_probes(), probe::rare_call_probes(), probe::signal_probes(),
        probe::socket_probes(), probe::thread_probes(), probe::wait_probes()}) {
    for (const probe::Probe& each : probes) {
      if (std::strcmp(each.name, words[1]) != 0) continue;
      each.run();
      return 0;
    }
  }
  std::printf("there is no probe %s\n", words[1]);
  return 2;
}
