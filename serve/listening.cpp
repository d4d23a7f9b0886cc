#include "serve/listening.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "serve/start_error.h"

namespace lockstep::serve {
namespace {

constexpr int backlog = 511;  // as Redis

[[noreturn]] void refuse(const std::string& where, int error) {
  throw StartError(fmt::format("cannot listen on {}: {}", where, std::strerror(error)));
}

struct AddressListDeleter {
  void operator()(addrinfo* list) const { freeaddrinfo(list); }
};
using AddressList = std::unique_ptr<addrinfo, AddressListDeleter>;

AddressList resolve(const std::string& address, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICHOST | AI_NUMERICSERV;
  addrinfo* list = nullptr;
  const std::string numeric = address == "localhost" ? "127.0.0.1" : address;
  if (getaddrinfo(numeric.c_str(), std::to_string(port).c_str(), &hints, &list) != 0) {
    throw StartError(fmt::format(
        "{} is no address to listen on; expected one such as 127.0.0.1, ::1 or 0.0.0.0", address));
  }
  return AddressList(list);
}

std::uint16_t port_of(const sockaddr_storage& address) {
  if (address.ss_family == AF_INET6) {
    return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
  }
  return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

/// Of an address that the kernel could not tell: "?".
std::string host_of(const sockaddr_storage& address) {
  std::array<char, INET6_ADDRSTRLEN> text{"?"};
  if (address.ss_family == AF_INET6) {
    inet_ntop(AF_INET6, &reinterpret_cast<const sockaddr_in6&>(address).sin6_addr, text.data(),
              text.size());
  } else if (address.ss_family == AF_INET) {
    inet_ntop(AF_INET, &reinterpret_cast<const sockaddr_in&>(address).sin_addr, text.data(),
              text.size());
  }
  return text.data();
}

std::string text_of(const sockaddr_storage& address) {
  return host_and_port(host_of(address), port_of(address));
}

bool somebody_listens(const sockaddr_un& address) {
  const sim::FileDescriptor probe(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  return probe.is_open() &&
         connect(probe.number(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0;
}

/// A socket that its process left behind goes; anything else stays and is refused.
void make_room(const std::string& path, const sockaddr_un& address) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0) return;
  if (!S_ISSOCK(status.st_mode)) refuse(path, EEXIST);
  if (somebody_listens(address)) refuse(path, EADDRINUSE);
  unlink(path.c_str());
}

}  // namespace

ListeningSocket ListeningSocket::tcp(const std::string& address, std::uint16_t port) {
  const AddressList list = resolve(address, port);
  const std::string where = fmt::format("{} port {}", address, port);
  sim::FileDescriptor opened(
      socket(list->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int yes = 1;
  if (!opened.is_open() ||
      setsockopt(opened.number(), SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)) != 0 ||
      bind(opened.number(), list->ai_addr, list->ai_addrlen) != 0 ||
      listen(opened.number(), backlog) != 0) {
    refuse(where, errno);
  }
  sockaddr_storage bound{};
  socklen_t length = sizeof(bound);
  if (getsockname(opened.number(), reinterpret_cast<sockaddr*>(&bound), &length) != 0) {
    refuse(where, errno);
  }
  return {std::move(opened), port_of(bound), {}};
}

ListeningSocket ListeningSocket::unix_socket(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof(address.sun_path)) {
    throw StartError(fmt::format("{} is no path for a socket; expected 1 to {} bytes",
                                 path.empty() ? "''" : path, sizeof(address.sun_path) - 1));
  }
  path.copy(address.sun_path, path.size());
  make_room(path, address);
  sim::FileDescriptor opened(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!opened.is_open() ||
      bind(opened.number(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 ||
      listen(opened.number(), backlog) != 0) {
    refuse(path, errno);
  }
  return {std::move(opened), 0, path};
}

ListeningSocket::~ListeningSocket() {
  if (socket_.is_open() && !path_.empty()) unlink(path_.c_str());
}

sim::FileDescriptor ListeningSocket::accept() const {
  sim::FileDescriptor client(
      accept4(socket_.number(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
  if (client.is_open() && path_.empty()) {
    const int yes = 1;  // replies go out at once; without it they only come later
    setsockopt(client.number(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof(yes));
  }
  return client;
}

std::string ListeningSocket::host() const {
  if (!path_.empty()) return path_;
  sockaddr_storage bound{};
  socklen_t length = sizeof(bound);
  getsockname(socket_.number(), reinterpret_cast<sockaddr*>(&bound), &length);
  const std::string host = host_of(bound);
  if (host == "0.0.0.0") return "127.0.0.1";
  return host == "::" ? "::1" : host;
}

std::string host_and_port(const std::string& host, std::int64_t port) {
  const bool is_ipv6 = host.find(':') != std::string::npos;
  return fmt::format(fmt::runtime(is_ipv6 ? "[{}]:{}" : "{}:{}"), host, port);
}

SocketAddresses socket_addresses(const sim::FileDescriptor& client, const std::string& path) {
  if (!path.empty()) return {path + ":0", path + ":0"};
  sockaddr_storage peer{};
  sockaddr_storage local{};
  socklen_t peer_length = sizeof(peer);
  socklen_t local_length = sizeof(local);
  getpeername(client.number(), reinterpret_cast<sockaddr*>(&peer), &peer_length);
  getsockname(client.number(), reinterpret_cast<sockaddr*>(&local), &local_length);
  return {text_of(peer), text_of(local)};
}

}  // namespace lockstep::serve
