// A blocking client connection to a real Redis server.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "redis/protocol/reply.h"
#include "redis/protocol/resp.h"

namespace lockstep::confirm {

/// Every function throws std::runtime_error if the connection breaks or nothing arrives for 10 s.
class RedisConnection {
 public:
  explicit RedisConnection(const std::string& unix_socket_path);
  RedisConnection(const RedisConnection&) = delete;
  RedisConnection& operator=(const RedisConnection&) = delete;
  ~RedisConnection();

  /// Whether a server listens there.
  [[nodiscard]] static bool can_connect(const std::string& unix_socket_path);

  /// Sends a request and reads its reply.
  redis::Reply command(std::span<const std::string_view> words);
  redis::Reply command(std::initializer_list<std::string_view> words);
  redis::Reply command(const std::vector<std::string>& words);

  void send(std::span<const std::string_view> words);
  /// Sends bytes as they are.
  void send_bytes(std::string_view bytes);
  /// The next reply or push.
  redis::Reply read_reply();
  /// Waits for bytes up to this long. Returns whether there are any.
  [[nodiscard]] bool can_read(int patience_ms) const;
  /// The next reply or push if it has arrived already; does not wait.
  std::optional<redis::Reply> take_reply();
  /// Bytes as they come, at least one. REQUIRES: read_reply has not been used.
  void read_bytes(std::string& out);

 private:
  int socket_ = -1;
  redis::ReplyReader reader_;
  std::string out_;
};

}  // namespace lockstep::confirm
