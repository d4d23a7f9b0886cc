// A server as a child process, reached over TCP on this machine; ended with this object.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <string>
#include <vector>

namespace lockstep::bench {

class ServerProcess {
 public:
  /// Starts the program and waits until somebody listens at the port. Throws std::runtime_error
  /// where nobody does.
  ServerProcess(std::string name, std::vector<std::string> words, std::uint16_t port);
  ServerProcess(const ServerProcess&) = delete;
  ServerProcess& operator=(const ServerProcess&) = delete;
  ~ServerProcess();

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::uint16_t port() const { return port_; }

 private:
  std::string name_;
  std::uint16_t port_;
  pid_t process_ = -1;
};

/// A port on which nothing listens now.
[[nodiscard]] std::uint16_t free_port();
/// A connected socket, or -1.
[[nodiscard]] int connect_to(std::uint16_t port);

}  // namespace lockstep::bench
