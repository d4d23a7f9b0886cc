#include "bench/serve/server_process.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>

namespace lockstep::bench {
namespace {

constexpr int polls_max = 5'000;
constexpr useconds_t poll_us = 2'000;

[[noreturn]] void become(std::vector<std::string>& words) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  const int nowhere = open("/dev/null", O_RDWR);
  if (nowhere >= 0) {
    dup2(nowhere, STDIN_FILENO);
    dup2(nowhere, STDOUT_FILENO);
  }
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execvp(pointers[0], pointers.data());
  _exit(1);
}

sockaddr_in address_of(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return address;
}

}  // namespace

ServerProcess::ServerProcess(std::string name, std::vector<std::string> words, std::uint16_t port)
    : name_(std::move(name)), port_(port), process_(fork()) {
  if (process_ == 0) become(words);
  for (int i = 0; i < polls_max; ++i) {
    const int connection = connect_to(port);
    if (connection >= 0) {
      close(connection);
      return;
    }
    usleep(poll_us);
  }
  throw std::runtime_error(words[0] + " does not listen on port " + std::to_string(port));
}

ServerProcess::~ServerProcess() {
  kill(process_, SIGTERM);
  waitpid(process_, nullptr, 0);
}

std::uint16_t free_port() {
  const int probe = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address = address_of(0);
  socklen_t length = sizeof(address);
  const bool is_found =
      bind(probe, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0 &&
      getsockname(probe, reinterpret_cast<sockaddr*>(&address), &length) == 0;
  close(probe);
  if (!is_found) throw std::runtime_error("no free port");
  return ntohs(address.sin_port);
}

int connect_to(std::uint16_t port) {
  const int connection = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  const sockaddr_in address = address_of(port);
  if (connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    close(connection);
    return -1;
  }
  const int yes = 1;
  setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
  return connection;
}

}  // namespace lockstep::bench
