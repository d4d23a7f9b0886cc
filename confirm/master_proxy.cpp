#include "confirm/master_proxy.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

#include "redis/protocol/letter_case.h"
#include "redis/protocol/resp.h"

namespace lockstep::confirm {
namespace {

constexpr int patience_ms = 10'000;

[[noreturn]] void fail_port(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

bool has_input(int socket, int wait_ms) {
  pollfd waiting{socket, POLLIN, 0};
  int ready = 0;
  do {
    ready = poll(&waiting, 1, wait_ms);
  } while (ready < 0 && errno == EINTR);
  return ready == 1;
}

}  // namespace

MasterProxy::MasterProxy() : listener_(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof(address);
  const auto any = reinterpret_cast<sockaddr*>(&address);
  if (listener_ < 0 || bind(listener_, any, size) != 0 || listen(listener_, 16) != 0 ||
      getsockname(listener_, any, &size) != 0) {
    const int error = errno;
    if (listener_ >= 0) close(listener_);
    errno = error;
    fail_port("cannot listen for a replica on the loopback");
  }
  port_ = std::to_string(ntohs(address.sin_port));
}

MasterProxy::~MasterProxy() {
  close_link();
  close(listener_);
}

MasterProxy::PsyncRequest MasterProxy::wait_for_psync() {
  if (link_ >= 0) {
    close(link_);
    link_ = -1;
  }
  for (;;) {
    if (!has_input(listener_, patience_ms)) {
      throw std::runtime_error("the real replica did not connect to its master in time");
    }
    link_ = accept4(listener_, nullptr, nullptr, SOCK_CLOEXEC);
    if (link_ < 0) fail_port("accept a replica");
    const int at_once = 1;
    setsockopt(link_, IPPROTO_TCP, TCP_NODELAY, &at_once, sizeof(at_once));
    received_.clear();
    if (PsyncRequest question; ask(question)) return question;
    close(link_);  // the process that had connected is gone
    link_ = -1;
  }
}

/// False where the replica hangs up.
bool MasterProxy::ask(PsyncRequest& question) {
  std::vector<std::string> words;
  while (read_request(words)) {
    if (redis::equals_ignoring_case(words[0], "psync") && words.size() == 3) {
      question = {words[1], words[2]};
      return true;
    }
    const bool is_ping = redis::equals_ignoring_case(words[0], "ping");
    if (!try_send(is_ping ? "+PONG\r\n" : "+OK\r\n")) return false;
  }
  return false;
}

/// False where the replica hangs up.
bool MasterProxy::read_request(std::vector<std::string>& words) {
  std::vector<std::string_view> views;
  std::string error;
  for (;;) {
    std::size_t position = 0;
    const redis::RespRead read = redis::read_request(received_, position, {}, views, error);
    if (read == redis::RespRead::invalid) {
      throw std::runtime_error("the real replica sent what is no request: " + error);
    }
    if (read == redis::RespRead::complete) {
      words.assign(views.begin(), views.end());
      received_.erase(0, position);
      if (!words.empty()) return true;
      continue;
    }
    if (!has_input(link_, patience_ms)) {
      throw std::runtime_error("nothing came from the real replica in time");
    }
    std::array<char, 4096> buffer;
    const ssize_t count = recv(link_, buffer.data(), buffer.size(), 0);
    if (count <= 0) return false;
    received_.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

void MasterProxy::send(std::string_view bytes) {
  if (!try_send(bytes)) fail_port("send to the real replica");
}

bool MasterProxy::try_send(std::string_view bytes) const {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(link_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
  return true;
}

void MasterProxy::close_link() {
  if (link_ >= 0) close(link_);
  link_ = -1;
}

}  // namespace lockstep::confirm
