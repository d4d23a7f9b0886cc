// A client with two connections, to a simulated server and to a real one, that says the same to
// both and compares what they answer.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "confirm/redis_connection.h"
#include "tests/redis/comparison/reply_normalization.h"
#include "tests/redis/comparison/resp_message.h"
#include "tests/redis/comparison/simulated_server.h"

namespace lockstep::redis::test {

/// The servers differ; the text says where, with both sides' words.
class Difference : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// What was compared.
struct ComparedCounts {
  std::size_t commands = 0;
  std::size_t scripts = 0;  ///< EVAL and its like, of the commands
  std::size_t messages = 0;
  std::size_t stream_bytes = 0;
};

class ComparedClient {
 public:
  ComparedClient(SimulatedServer& simulated, const std::string& real_socket_path)
      : simulated_(simulated),
        session_(simulated.open()),
        connection_(std::make_unique<confirm::RedisConnection>(real_socket_path)) {}

  /// Whether its last command waits, or its connection was closed; then it can send nothing.
  [[nodiscard]] bool is_blocked() const { return is_closed_ || simulated_.is_blocked(session_); }
  /// Whether its last command has no reply (CLIENT REPLY).
  [[nodiscard]] bool is_silent() const { return is_silent_; }
  /// Sends a request to both. REQUIRES: not is_blocked().
  void send(const std::vector<std::string>& words, ComparedCounts& counts);
  /// Compares all that the simulated server has said since with what the real one says next.
  /// `words` are those of the step that caused it. Throws Difference.
  void compare(const std::vector<std::string>& words, CompactEncodings forms,
               ComparedCounts& counts);
  /// Sends all these at once, as their replies decide nothing, and compares.
  void compare_replies(const std::vector<std::vector<std::string>>& requests,
                       CompactEncodings forms, ComparedCounts& counts);
  void close();

 private:
  void take_pushes();
  void run_simulated(std::span<const std::string_view> words);
  void expect_end();
  RespMessage next_real(const RespMessage& simulated);

  SimulatedServer& simulated_;
  SessionId session_;
  bool is_silent_ = false;
  std::unique_ptr<confirm::RedisConnection> connection_;
  RespMessageReader real_said_;
  RespMessageReader simulated_said_;
  bool is_closed_ = false;
  std::vector<std::string> queued_;  // all words between MULTI and EXEC
};

/// Compares the data of both servers, database by database.
void compare_data(SimulatedServer& simulated, const std::string& real_socket_path,
                  CompactEncodings forms, ComparedCounts& counts);

}  // namespace lockstep::redis::test
