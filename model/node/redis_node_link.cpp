// What strikes a replica's link to its master: it stalls, it is forbidden, its other end is gone.
#include <utility>

#include "model/node/redis_node.h"
#include "redis/server/node_event.h"

namespace lockstep::model {
namespace {

/// repl-timeout's default: so long a replica believes in a master that sends nothing.
constexpr sim::DurationNs silence_ns_max = 60 * sim::second_ns;

}  // namespace

void RedisNode::reset_link_faults() {
  next_master_ = nullptr;
  stalls_ = 0;
  forbidden_links_ = 0;
  unread_.clear();
  silent_link_.reset();
  silence_ = {};
}

// -- stalls --

void RedisNode::stall_link() { ++stalls_; }

void RedisNode::end_stall() {
  if (--stalls_ == 0 && state() != sim::HostState::crashed) run_or_defer(read_link_work);
}

/// Behind what waits already, too.
bool RedisNode::defers_reading(sim::ConnectionId connection) const {
  return (stalls_ > 0 || !unread_.empty()) && master_link_ == connection;
}

/// What came by a link that is closed by now means nothing any more.
void RedisNode::read_deferred_messages() {
  for (const auto& [connection, payload] : std::exchange(unread_, {})) {
    if (master_link_ == connection) handle_message(connection, payload);
    environment_.messages.release(payload);
  }
}

void RedisNode::drop_deferred_messages() {
  for (const auto& [connection, payload] : unread_) environment_.messages.release(payload);
  unread_.clear();
}

// -- no link --

void RedisNode::forbid_link() {
  if (forbidden_links_++ == 0 && master_link_) environment_.network.reset(*master_link_);
}

void RedisNode::allow_link() {
  if (--forbidden_links_ == 0 && state() != sim::HostState::crashed) run_or_defer(open_link_work);
}

void RedisNode::open_link() {
  if (master_ != nullptr && !master_link_) connect_to_master();
}

// -- a link that its other end has forgotten --

void RedisNode::expect_silence_of(sim::HostId host) {
  if (!master_link_ || master_->id_ != host || silent_link_ == master_link_) return;
  silent_link_ = master_link_;
  cancel_timer(silence_);  // of a link that was silent before
  silence_ = start_timer(silence_ns_max, silence_cookie, sim::EventKind::daemon);
}

void RedisNode::time_out_silent_link() {
  if (!silent_link_ || std::exchange(silent_link_, std::nullopt) != master_link_) return;
  reopen_link();
}

// -- a link of which a piece is lost --

bool RedisNode::has_stream_gap(const Message& message) const {
  const auto ends_at = static_cast<std::int64_t>(message.number);
  return !message.bytes.empty() &&
         server_.received_offset() + static_cast<std::int64_t>(message.bytes.size()) != ends_at;
}

void RedisNode::reopen_link() {
  environment_.network.close(*master_link_, id_);
  tell([] { return redis::node_event::LinkClosed{}; });
  master_link_.reset();
  is_synchronised_ = false;
  server_.mark_link_down();
  connect_to_master();
}

}  // namespace lockstep::model
