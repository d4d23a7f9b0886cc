// One client's socket: bytes in and requests out, replies in and bytes out.
//
// Knows the protocol's framing and its own limits, not the server: a Node executes its requests.
// Nothing here blocks. Unread output is kept up to a limit, then the client is disconnected, as by
// Redis's client-output-buffer-limit.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "redis/protocol/resp.h"
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
  ~Connection() = default;

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
  /// Applies the output limits of pub/sub clients from now on.
  void mark_subscriber() { is_subscriber_ = true; }

  /// Sends as much as the socket accepts. True if everything is sent.
  bool send();
  /// Disconnects a client that has left too much unread. `now_ms` is monotonic.
  void enforce_limits(std::int64_t now_ms);
  [[nodiscard]] std::size_t unsent_bytes() const { return out_.size() - sent_; }
  [[nodiscard]] const sim::FileDescriptor& file() const { return socket_; }

  /// Whether it is on its owner's list of connections to handle. Set by the owner.
  bool is_listed = false;

 private:
  void on_ready(Readiness readiness) override;
  void receive();
  void forget_sent();
  void notify_owner() { owner_.on_pending_work(*this); }
  void watch_for(Interest interest);

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
  bool is_subscriber_ = false;
  std::int64_t over_soft_limit_since_ms_ = -1;  // -1: not
};

}  // namespace lockstep::serve
