// A replica's link to its master: its address, whether it is up, and the part of the stream that
// cannot be applied yet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "redis/server/session.h"

namespace lockstep::sim {
class Digest;
}

namespace lockstep::redis {

class MasterLink {
 public:
  struct Address {
    std::string host;
    std::int64_t port = 0;
  };
  /// One request outside a transaction, or MULTI … EXEC as a whole: it is applied when its last
  /// byte is here, and only then do its bytes count as applied.
  struct Unit {
    std::span<const std::vector<std::string_view>> requests;
    std::size_t end;  ///< in the stream
  };

  /// A new process: no master is known.
  void start();

  [[nodiscard]] const Address& address() const { return address_; }
  void set_address(std::string_view host, std::int64_t port);
  void forget_address() { address_ = {}; }

  [[nodiscard]] bool is_up() const { return is_up_; }
  /// When the link broke; nothing if there was none yet.
  [[nodiscard]] std::optional<std::int64_t> down_since_ms() const { return down_since_ms_; }
  void mark_up();
  void mark_down(std::int64_t now_ms);

  /// The session that applies the master's stream.
  [[nodiscard]] Session& session() { return session_; }
  [[nodiscard]] const Session& session() const { return session_; }

  /// Received, but not a whole unit yet.
  [[nodiscard]] std::size_t partial_bytes() const { return partial_stream_.size(); }
  void forget_partial_stream() { partial_stream_.clear(); }
  /// The partial stream with the bytes that follow it.
  [[nodiscard]] std::string_view joined_with(std::string_view bytes);
  /// The unit that begins at `position`, if all of it is there. Valid until the next call.
  [[nodiscard]] std::optional<Unit> read_unit(std::string_view stream, std::size_t position);
  /// Keeps what follows the first `applied` bytes of the stream that joined_with gave.
  void keep_rest(std::string_view stream, std::size_t applied);

  // server_digest.cpp
  void digest_into(sim::Digest& digest) const;
  void digest_stream_into(sim::Digest& digest, std::int64_t now_ms) const;

 private:
  bool is_up_ = false;
  std::optional<std::int64_t> down_since_ms_;
  Session session_;
  std::string partial_stream_;
  std::vector<std::vector<std::string_view>> unit_;  // memory for read_unit
  Address address_;
};

}  // namespace lockstep::redis
