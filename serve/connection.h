// One client's socket: bytes in and requests out, replies in and bytes out.
//
// Knows the protocol's framing and its own limits, not the server: a Node executes its requests.
// Nothing here blocks. Unread output is kept; a client that leaves more than
// client-output-buffer-limit allows is disconnected, as by Redis.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "redis/protocol/resp.h"
#include "redis/server/config.h"
#include "redis/server/server.h"
#include "serve/event_loop.h"
#include "serve/limits.h"
#include "sim/file_descriptor.h"

namespace lockstep::serve {

class Connection;

/// Executes requests. Notified when bytes arrive or the client disconnects.
class ConnectionOwner {
 public:
  virtual void on_bytes(Connection& connection) = 0;
  /// There is output to send, or the connection is closing.
  virtual void on_pending_work(Connection& connection) = 0;

 protected:
  ~ConnectionOwner() = default;
};

enum class ConnectionState : std::uint8_t {
  open,
  blocked,  ///< its request waits for a reply; later ones wait behind it
  closing,  ///< its last reply is written; goes when that is sent
  gone,     ///< nothing more is read or sent
};

class Connection final : private Watcher {
 public:
  /// Watches the socket from now on. All arguments must outlive it.
  Connection(sim::FileDescriptor socket, redis::SessionId session, EventLoop& loop,
             ConnectionOwner& owner, const Limits& limits);
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { loop_.forget(*this); }

  [[nodiscard]] redis::SessionId session() const { return session_; }
  [[nodiscard]] ConnectionState state() const { return state_; }
  /// States only advance: a closing connection can only become gone.
  void set_state(ConnectionState state);

  /// The next complete request. Invalid: the error is written and the connection closes.
  redis::RespRead next_request();
  [[nodiscard]] std::span<const std::string_view> words() const { return reader_.words(); }

  /// Replies and messages are appended here; after that call `wrote`.
  [[nodiscard]] std::string& out() { return out_; }
  void wrote() { notify_owner(); }

  /// Sends as much as the socket accepts. True if everything is sent.
  bool send();
  /// Disconnects a client that has left more unread than the limit. `now_ms` is monotonic.
  void enforce_limit(const redis::OutputBufferLimit& limit, std::int64_t now_ms);
  /// Whether it has left so much unread that its requests must wait. Then it is not read from.
  [[nodiscard]] bool is_congested() const { return unsent_bytes() > limits_.unsent_bytes_max; }
  /// From its request's begin to its end nothing is read from it, and it stays.
  void set_executing(bool is_executing);
  [[nodiscard]] bool is_executing() const { return is_executing_; }
  [[nodiscard]] std::size_t unsent_bytes() const { return out_.size() - sent_; }
  [[nodiscard]] const sim::FileDescriptor& file() const { return socket_; }

  /// Whether it is on its owner's list of connections to handle. Set by the owner.
  bool is_listed = false;
  /// Whether requests of it wait until it is no more congested. Set by the owner.
  bool is_waiting_for_reader = false;
  /// When its blocked request times out, if it does. Set by the owner.
  std::optional<std::int64_t> deadline_ms;

 private:
  void on_ready(Readiness readiness) override;
  void receive();
  void forget_sent();
  void notify_owner() { owner_.on_pending_work(*this); }
  void watch_for(Interest interest);
  void watch_as_needed();

  sim::FileDescriptor socket_;
  redis::SessionId session_;
  EventLoop& loop_;
  ConnectionOwner& owner_;
  const Limits& limits_;
  ConnectionState state_ = ConnectionState::open;
  Interest interest_ = Interest::reading;
  redis::RequestReader reader_;
  std::string out_;
  std::size_t sent_ = 0;  // of out_
  bool is_executing_ = false;
  std::int64_t over_soft_limit_since_ms_ = -1;  // -1: not
};

}  // namespace lockstep::serve
