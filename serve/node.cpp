#include "serve/node.h"

#include <sys/socket.h>

#include <cassert>
#include <cerrno>
#include <chrono>
#include <thread>
#include <utility>

#include "redis/protocol/reply_writer.h"

namespace lockstep::serve {
namespace {

constexpr int accepts_per_round_max = 1000;  // as Redis
/// So much output is not kept until the round's end.
constexpr std::size_t unsent_bytes_to_send_at_once = mebibyte;

}  // namespace

Node::Node(redis::ScriptEngine& scripts, EventLoop& loop, const WallClock& clock,
           const Limits& limits, redis::ServerVersion version, NodeOwner& owner)
    : scripts_(scripts),
      loop_(loop),
      clock_(clock),
      limits_(limits),
      owner_(owner),
      server_(scripts, *this) {
  server_.set_time_us(clock_.now_us());
  redis::ServerOptions options = redis::options_of(version);
  options.replication_id = random_();
  server_.start(options);
  static_cast<void>(server_.restore());
}

Node::~Node() = default;

void Node::listen(ListeningSocket socket) {
  listeners_.push_back(std::make_unique<Listener>(*this, std::move(socket)));
  loop_.watch(listeners_.back()->socket.file(), Interest::reading, *listeners_.back());
}

std::uint16_t Node::port() const {
  for (const auto& door : listeners_) {
    if (door->socket.port() != 0) return door->socket.port();
  }
  return 0;
}

std::string_view Node::path() const {
  for (const auto& door : listeners_) {
    if (!door->socket.path().empty()) return door->socket.path();
  }
  return {};
}

redis::Server& Node::server_now() {
  if (!server_.running_script().is_running) server_.set_time_us(clock_.now_us());
  return server_;
}

void Node::execute(std::initializer_list<std::string_view> words) {
  redis::DiscardingReplyWriter nowhere;
  const redis::SessionId session = server_now().open_session();
  [[maybe_unused]] const redis::ExecuteResult executed =
      server_.execute(session, {words.begin(), words.size()}, nowhere);
  assert(executed == redis::ExecuteResult::replied);
  server_.close_session(session);
}

void Node::accept_from(Listener& door) {
  for (int i = 0; i < accepts_per_round_max; ++i) {
    sim::FileDescriptor client = door.socket.accept();
    if (client.is_open()) {
      open(std::move(client), door.socket.path());
    } else if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
      // The client stays in the queue and would wake the loop at once again: look later (tick).
      loop_.change(door.socket.file(), Interest::nothing, door);
      return;
    } else if (errno != ECONNABORTED && errno != EINTR) {
      return;
    }
  }
}

void Node::open(sim::FileDescriptor socket, const std::string& path) {
  if (clients_ == limits_.clients_max) {
    constexpr std::string_view refusal = "-ERR max number of clients reached\r\n";
    [[maybe_unused]] const ssize_t ignored =
        ::send(socket.number(), refusal.data(), refusal.size(), MSG_NOSIGNAL);
    return;
  }
  const SocketAddresses ends = socket_addresses(socket, path);
  const redis::SessionId session = server_now().open_session({ends.peer, ends.local});
  const auto index = static_cast<std::size_t>(session);
  if (index >= connections_.size()) connections_.resize(index + 1);
  ConnectionOwner& self = *this;
  connections_[index] =
      std::make_unique<Connection>(std::move(socket), session, loop_, self, limits_);
  ++clients_;
}

Connection* Node::find(redis::SessionId session) {
  const auto index = static_cast<std::size_t>(session);
  if (index >= connections_.size()) return nullptr;
  Connection* const found = connections_[index].get();
  return found == nullptr || found->state() == ConnectionState::gone ? nullptr : found;
}

void Node::execute_requests(Connection& connection) {
  redis::RespWriter writer(connection.out());
  while (connection.state() == ConnectionState::open && !connection.is_executing()) {
    if (connection.unsent_bytes() > unsent_bytes_to_send_at_once) make_room(connection);
    if (connection.is_waiting_for_reader) return;
    if (connection.next_request() != redis::RespRead::complete) return;
    const redis::ExecuteResult executed = execute(connection, writer);
    if (is_shutdown_requested_)
      return connection.set_state(ConnectionState::gone);  // Redis says nothing
    if (executed == redis::ExecuteResult::blocked) {
      block(connection);
    } else {
      connection.wrote();
    }
  }
}

redis::ExecuteResult Node::execute(Connection& connection, redis::RespWriter& writer) {
  Connection* const outer = std::exchange(executing_, &connection);
  const redis::ExecuteResult executed =
      server_now().execute(connection.session(), connection.words(), writer);
  executing_ = outer;
  if (connection.is_executing()) connection.set_executing(false);
  return executed;
}

/// Sends what the client accepts. One that has much left and stops reading has its requests wait.
void Node::make_room(Connection& connection) {
  connection.send();
  connection.is_waiting_for_reader = connection.is_congested();
  enforce_limit(connection, monotonic_ms());
}

void Node::enforce_limit(Connection& connection, std::int64_t now_ms) {
  if (connection.unsent_bytes() == 0) return;
  const bool is_subscriber = server_.sessions().at(connection.session()).is_subscribed();
  const auto& limits = server_.config().client_output_buffer_limits;
  connection.enforce_limit(is_subscriber ? limits[2] : limits[0], now_ms);
}

void Node::block(Connection& connection) {
  connection.set_state(ConnectionState::blocked);
  const std::int64_t timeout_ms = server_.block_timeout_ms(connection.session());
  if (timeout_ms == 0) return;
  std::int64_t deadline_ms = 0;
  if (__builtin_add_overflow(server_.now_ms(), timeout_ms, &deadline_ms)) return;
  connection.deadline_ms = deadline_ms;
  deadlines_.emplace(deadline_ms, connection.session());
}

std::optional<std::int64_t> Node::next_deadline_ms() const {
  if (deadlines_.empty()) return std::nullopt;
  return deadlines_.begin()->first + 1;  // Redis lets the last millisecond pass
}

bool Node::resume() {
  time_out_blocked_clients();
  if (unblocked_.empty()) return false;
  for (const redis::SessionId session : std::exchange(unblocked_, {})) {
    if (Connection* const connection = find(session)) execute_requests(*connection);
  }
  return true;
}

void Node::time_out_blocked_clients() {
  while (!deadlines_.empty() && deadlines_.begin()->first < clock_.now_ms()) {
    const redis::SessionId session = deadlines_.begin()->second;
    forget_deadline(session);
    server_now().unblock(session);
  }
}

void Node::forget_deadline(redis::SessionId session) {
  Connection& connection = *connections_[static_cast<std::size_t>(session)];
  if (!connection.deadline_ms) return;
  deadlines_.erase({*connection.deadline_ms, session});
  connection.deadline_ms.reset();
}

void Node::on_unblocked(redis::SessionId session, const redis::Reply& reply) {
  forget_deadline(session);
  Connection* const connection = find(session);
  if (connection == nullptr) return;
  redis::RespWriter writer(connection->out(), server_.protocol(session));
  redis::write_reply(reply, writer);
  connection->set_state(ConnectionState::open);
  connection->wrote();
  unblocked_.push_back(session);
}

void Node::on_unblocked_silently(redis::SessionId session) {
  forget_deadline(session);
  Connection* const connection = find(session);
  if (connection == nullptr) return;
  connection->set_state(ConnectionState::open);
  unblocked_.push_back(session);
}

void Node::on_closed(redis::SessionId session) {
  Connection* const connection = find(session);
  if (connection == nullptr) return owner_.on_replica_closed(*this, session);
  forget_deadline(session);  // it waits no more, though its connection may have much to send yet
  connection->set_state(ConnectionState::closing);
}

void Node::protect_executing() {
  if (executing_ != nullptr) executing_->set_executing(true);
}

void Node::on_sleep(std::int64_t us) { std::this_thread::sleep_for(std::chrono::microseconds(us)); }

void Node::on_push(redis::SessionId session, const redis::Reply& push) {
  Connection* const connection = find(session);
  if (connection == nullptr || connection->state() == ConnectionState::closing) return;
  redis::RespWriter writer(connection->out(), server_.protocol(session));
  redis::write_reply(push, writer);
  connection->wrote();
  if (connection->unsent_bytes() > unsent_bytes_to_send_at_once) {
    enforce_limit(*connection, monotonic_ms());
  }
}

void Node::on_propagated(std::string_view bytes, std::int64_t /*offset_after*/) {
  owner_.on_propagated(*this, bytes);
}

void Node::on_getack_wanted() { owner_.on_getack_wanted(*this); }

void Node::on_replica_of(std::string_view host, std::int64_t port) {
  owner_.on_replica_of(*this, host, port);
}

std::uint64_t Node::random_below(std::uint64_t bound) {
  return std::uniform_int_distribution<std::uint64_t>(0, bound - 1)(random_);
}

bool Node::on_shutdown() {
  is_shutdown_requested_ = true;
  return true;
}

void Node::on_pending_work(Connection& connection) {
  if (connection.is_listed) return;
  connection.is_listed = true;
  pending_.push_back(connection.session());
}

void Node::finish_round() {
  if (pending_.empty()) return;
  const std::int64_t now_ms = monotonic_ms();
  for (const redis::SessionId session : std::exchange(pending_, {})) {
    Connection& connection = *connections_[static_cast<std::size_t>(session)];
    if (connection.is_executing()) {  // what it has is sent, and it may go, after its request
      pending_.push_back(session);
      continue;
    }
    const bool is_gone = connection.state() == ConnectionState::gone;
    const bool is_all_sent = !is_gone && connection.send();
    if (!is_gone) enforce_limit(connection, now_ms);
    if (connection.is_waiting_for_reader && !connection.is_congested()) {
      connection.is_waiting_for_reader = false;
      unblocked_.push_back(session);
    }
    const bool is_done = connection.state() == ConnectionState::closing && is_all_sent;
    if (is_done || connection.state() == ConnectionState::gone) {
      close(connection);
    } else {
      connection.is_listed = false;
    }
  }
}

void Node::close(Connection& connection) {
  const redis::SessionId session = connection.session();
  forget_deadline(session);
  std::erase(unblocked_, session);
  server_now().close_session(session);
  connections_[static_cast<std::size_t>(session)].reset();
  --clients_;
}

void Node::tick() {
  for (const auto& door : listeners_) loop_.change(door->socket.file(), Interest::reading, *door);
  server_now().expire_cycle();
  server_.tick();
  const std::int64_t now_ms = monotonic_ms();
  for (const auto& connection : connections_) {
    if (connection) enforce_limit(*connection, now_ms);
  }
}

void Node::stop_listening() { listeners_.clear(); }

bool Node::has_unsent() const {
  for (const auto& connection : connections_) {
    if (connection && connection->unsent_bytes() > 0) return true;
  }
  return false;
}

}  // namespace lockstep::serve
