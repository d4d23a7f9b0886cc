// The service under test in a process of its own, and a plain client's socket to it.
//
// The process is ended by its own id when the object goes, and by the kernel when the test dies.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "confirm/temporary_directory.h"
#include "serve/service.h"

namespace lockstep::serve::test {

class ServedRedis {
 public:
  /// Serves on a Unix socket in a directory of its own, and what the options add. Throws
  /// std::runtime_error where it does not start.
  explicit ServedRedis(ServiceOptions options = {});
  ServedRedis(const ServedRedis&) = delete;
  ServedRedis& operator=(const ServedRedis&) = delete;
  ~ServedRedis();

  [[nodiscard]] const std::string& path() const { return path_; }
  /// The path of a replica's socket, from 1.
  [[nodiscard]] std::string path_of_replica(std::size_t number) const;
  /// What it says when it is ready.
  [[nodiscard]] const std::string& where() const { return where_; }
  [[nodiscard]] pid_t process() const { return process_; }
  /// SIGTERM, and the exit code. REQUIRES: not called before.
  int end();
  /// Waits for its end and gives the exit code, 128 and more: by that signal.
  int wait();

 private:
  lockstep::confirm::TemporaryDirectory directory_;
  std::string path_;
  std::string where_;
  pid_t process_ = -1;
};

/// Bytes out and in. Every function throws std::runtime_error where nothing comes for 10 s.
class RawClient {
 public:
  explicit RawClient(const std::string& unix_path);
  RawClient(const RawClient&) = delete;
  RawClient& operator=(const RawClient&) = delete;
  RawClient(RawClient&& other) noexcept : socket_(std::move(other.socket_)) {}
  /// TCP, on this machine.
  static RawClient tcp(std::uint16_t port);

  /// All bytes; false where the server has closed the connection.
  bool send(std::string_view bytes);
  /// Sends what goes without waiting; how much that was.
  std::size_t send_some(std::string_view bytes);
  /// Exactly so many bytes, or fewer where the connection ends before.
  std::string read(std::size_t bytes);
  /// All until the end of the connection.
  std::string read_to_end();
  /// What is there without waiting.
  std::string read_available();
  /// Sends and reads an answer of the length of the one expected.
  std::string ask(std::string_view bytes, std::string_view expected);
  /// Says that nothing more will be sent.
  void finish();
  /// Ends the connection with a reset, in place of a goodbye.
  void reset();
  [[nodiscard]] const sim::FileDescriptor& file() const { return socket_; }

 private:
  explicit RawClient(sim::FileDescriptor socket) : socket_(std::move(socket)) {}
  sim::FileDescriptor socket_;
};

}  // namespace lockstep::serve::test
