#include "tests/serve/served_redis.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <exception>
#include <stdexcept>

namespace lockstep::serve::test {
namespace {

constexpr int patience_ms = 10'000;
constexpr int signal_base = 128;

/// In the child: serves, says when it is ready, and ends.
[[noreturn]] void serve(const ServiceOptions& options, const sim::FileDescriptor& ready,
                        pid_t parent) {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  try {
    Service service(options);
    const std::string where = service.where() + "\n";
    if (write(ready.number(), where.data(), where.size()) < 0) _exit(1);
    service.run();
  } catch (const std::exception& error) {
    const std::string text = std::string("failed: ") + error.what();
    if (write(ready.number(), text.data(), text.size()) < 0) _exit(1);
    _exit(2);
  }
  _exit(0);
}

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

void wait_for(const sim::FileDescriptor& file, short events) {
  pollfd waiting{file.number(), events, 0};
  if (poll(&waiting, 1, patience_ms) != 1) throw std::runtime_error("nothing came in time");
}

}  // namespace

ServedRedis::ServedRedis(ServiceOptions options) : path_(directory_.path() + "/redis.sock") {
  options.unix_path = path_;
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) fail("pipe");
  const sim::FileDescriptor from(ends[0]);
  sim::FileDescriptor to(ends[1]);
  const pid_t self = getpid();
  process_ = fork();
  if (process_ < 0) fail("fork");
  if (process_ == 0) serve(options, to, self);
  to.reset();
  char letter = 0;
  while (::read(from.number(), &letter, 1) == 1 && letter != '\n') where_ += letter;
  if (letter != '\n') {
    wait();
    throw std::runtime_error("the service did not start; " + where_);
  }
}

ServedRedis::~ServedRedis() {
  if (process_ < 0) return;
  kill(process_, SIGKILL);
  wait();
}

std::string ServedRedis::path_of_replica(std::size_t number) const {
  return path_ + "." + std::to_string(number);
}

int ServedRedis::end() {
  kill(process_, SIGTERM);
  return wait();
}

int ServedRedis::wait() {
  int status = 0;
  waitpid(process_, &status, 0);
  process_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : signal_base + WTERMSIG(status);
}

RawClient::RawClient(const std::string& unix_path)
    : socket_(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  unix_path.copy(address.sun_path, sizeof(address.sun_path) - 1);
  if (connect(socket_.number(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) !=
      0) {
    fail("connect " + unix_path);
  }
}

RawClient RawClient::tcp(std::uint16_t port) {
  sim::FileDescriptor opened(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(opened.number(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0) {
    fail("connect to port " + std::to_string(port));
  }
  return RawClient(std::move(opened));
}

bool RawClient::send(std::string_view bytes) {
  while (!bytes.empty()) {
    wait_for(socket_, POLLOUT);
    const ssize_t sent = ::send(socket_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0 && (errno == EPIPE || errno == ECONNRESET)) return false;
    if (sent < 0) fail("send");
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

std::size_t RawClient::send_some(std::string_view bytes) {
  const ssize_t sent =
      ::send(socket_.number(), bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
  return sent < 0 ? 0 : static_cast<std::size_t>(sent);
}

std::string RawClient::read(std::size_t bytes) {
  std::string result(bytes, '\0');
  std::size_t filled = 0;
  while (filled < bytes) {
    wait_for(socket_, POLLIN);
    const ssize_t received = recv(socket_.number(), result.data() + filled, bytes - filled, 0);
    if (received <= 0) break;
    filled += static_cast<std::size_t>(received);
  }
  result.resize(filled);
  return result;
}

std::string RawClient::read_to_end() {
  std::string result;
  for (;;) {
    const std::string more = read(1);
    if (more.empty()) return result;
    result += more + read_available();
  }
}

std::string RawClient::read_available() {
  std::string result;
  std::array<char, 65536> buffer;
  for (;;) {
    const ssize_t received = recv(socket_.number(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (received <= 0) return result;
    result.append(buffer.data(), static_cast<std::size_t>(received));
  }
}

std::string RawClient::ask(std::string_view bytes, std::string_view expected) {
  send(bytes);
  return read(expected.size());
}

void RawClient::finish() { shutdown(socket_.number(), SHUT_WR); }

void RawClient::reset() {
  const linger at_once{1, 0};
  setsockopt(socket_.number(), SOL_SOCKET, SO_LINGER, &at_once, sizeof(at_once));
  socket_.reset();
}

}  // namespace lockstep::serve::test
