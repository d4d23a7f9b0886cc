// One client's connection to a real server through this program, with its requests and their
// replies read on the way.
//
// Bytes go on as they came, whatever they say: what is no RESP is passed on and not recorded.
// Nothing here blocks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "redis/protocol/resp.h"
#include "serve/event_loop.h"
#include "sim/file_descriptor.h"

namespace lockstep::serve {

/// A request that was answered.
struct Exchange {
  std::int64_t at_us = 0;  ///< since the recording began, when the request came
  std::vector<std::string> request;
  std::string reply;  ///< as redis-cli prints it; empty: a subscription's, which is a message
};

class Relay final {
 public:
  /// Watches both sockets from now on; the loop must outlive it. `server` may still be connecting.
  Relay(sim::FileDescriptor client, sim::FileDescriptor server, EventLoop& loop);
  Relay(const Relay&) = delete;
  Relay& operator=(const Relay&) = delete;

  /// Sends what there is to send. Call it once a round; `now_us` is when the round began.
  void finish_round(std::int64_t now_us);
  /// What was answered since the last call.
  [[nodiscard]] std::vector<Exchange> take_exchanges();
  /// False once something else than RESP came by: nothing is recorded from there on.
  [[nodiscard]] bool is_readable() const { return is_readable_; }
  /// Whether both sides are closed.
  [[nodiscard]] bool is_over() const { return client_.is_closed && server_.is_closed; }

 private:
  struct Side final : Watcher {
    explicit Side(sim::FileDescriptor from) : socket(std::move(from)) {}
    void on_ready(Readiness readiness) override;
    sim::FileDescriptor socket;
    std::string received;  ///< and not yet handed on
    std::string to_send;
    bool has_ended = false;  ///< nothing more is to come
    bool is_closed = false;
    bool is_wanted = true;  ///< its bytes are read
    Interest interest = Interest::reading;
  };

  void hand_on(Side& from, Side& to);
  static void send(Side& side);
  void watch(Side& side);
  static void close(Side& side);
  void read_requests(std::string_view bytes, std::int64_t now_us);
  void read_replies(std::string_view bytes);

  EventLoop& loop_;
  Side client_;
  Side server_;
  redis::RequestReader requests_;
  redis::ReplyReader replies_;
  bool is_readable_ = true;  // what goes over it is RESP
  bool has_subscribed_ = false;
  std::deque<Exchange> unanswered_;
  std::vector<Exchange> answered_;
};

}  // namespace lockstep::serve
