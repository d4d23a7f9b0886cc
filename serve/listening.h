// The sockets that clients connect to.
#pragma once

#include <cstdint>
#include <string>

#include "sim/file_descriptor.h"

namespace lockstep::serve {

/// A socket that listens, not blocking. A Unix socket's path is removed with it.
class ListeningSocket {
 public:
  /// TCP; port 0 takes a free one. The address is numeric, IPv4 or IPv6, or "localhost". Throws
  /// StartError if the address is invalid or in use.
  static ListeningSocket tcp(const std::string& address, std::uint16_t port);
  /// Replaces a stale socket. Throws StartError if the path exists otherwise.
  static ListeningSocket unix_socket(const std::string& path);

  ListeningSocket(ListeningSocket&& other) noexcept
      : socket_(std::move(other.socket_)),
        port_(other.port_),
        path_(std::exchange(other.path_, {})) {}
  ListeningSocket& operator=(ListeningSocket&&) = delete;
  ~ListeningSocket();

  [[nodiscard]] const sim::FileDescriptor& file() const { return socket_; }
  [[nodiscard]] std::uint16_t port() const { return port_; }       ///< 0: a Unix socket
  [[nodiscard]] const std::string& path() const { return path_; }  ///< empty: TCP

  /// The address for programs on this machine, without the port: "127.0.0.1", "::1", the path.
  [[nodiscard]] std::string host() const;
  /// Accepts the next waiting client without blocking; none if there is none, then `errno` tells
  /// why.
  [[nodiscard]] sim::FileDescriptor accept() const;

 private:
  ListeningSocket(sim::FileDescriptor socket, std::uint16_t port, std::string path)
      : socket_(std::move(socket)), port_(port), path_(std::move(path)) {}

  sim::FileDescriptor socket_;
  std::uint16_t port_;
  std::string path_;
};

/// "127.0.0.1:7000", "[::1]:7000".
[[nodiscard]] std::string host_and_port(const std::string& host, std::int64_t port);

/// Both ends of a client's connection as CLIENT LIST has them: "127.0.0.1:7000", "[::1]:7000", or
/// the path of the Unix socket and ":0".
struct SocketAddresses {
  std::string peer;
  std::string local;
};
[[nodiscard]] SocketAddresses socket_addresses(const sim::FileDescriptor& client,
                                               const std::string& path);

}  // namespace lockstep::serve
