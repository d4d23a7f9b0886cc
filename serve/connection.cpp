#include "serve/connection.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>

#include "redis/protocol/resp_writer.h"

namespace lockstep::serve {
namespace {

constexpr std::size_t read_bytes_max = std::size_t{64} * 1024;
constexpr std::size_t memory_kept_max = mebibyte;

redis::RespLimits request_limits(const Limits& limits) {
  redis::RespLimits result;
  result.bulk_bytes_max = limits.bulk_bytes_max;
  return result;
}

bool is_temporary(int error) { return error == EAGAIN || error == EWOULDBLOCK || error == EINTR; }

}  // namespace

Connection::Connection(sim::FileDescriptor socket, redis::SessionId session, EventLoop& loop,
                       ConnectionOwner& owner, const Limits& limits)
    : socket_(std::move(socket)),
      session_(session),
      loop_(loop),
      owner_(owner),
      limits_(limits),
      reader_(request_limits(limits)) {
  loop_.watch(socket_, interest_, *this);
}

void Connection::set_state(ConnectionState state) {
  if (state_ == ConnectionState::gone) return;
  if (state_ == ConnectionState::closing && state != ConnectionState::gone) return;
  state_ = state;
  if (state == ConnectionState::gone) watch_for(Interest::nothing);
  if (state == ConnectionState::gone || state == ConnectionState::closing) notify_owner();
}

void Connection::on_ready(Readiness readiness) {
  if (state_ == ConnectionState::gone || is_executing_) return;
  if (readiness.can_write) notify_owner();
  if (readiness.can_read) receive();
}

void Connection::receive() {
  std::array<char, read_bytes_max> buffer;
  const ssize_t received = recv(socket_.number(), buffer.data(), buffer.size(), 0);
  if (received < 0 && is_temporary(errno)) return;
  if (received <= 0) return set_state(ConnectionState::gone);
  if (state_ == ConnectionState::closing) return;  // nobody reads what comes after the end
  reader_.feed({buffer.data(), static_cast<std::size_t>(received)});
  owner_.on_bytes(*this);
  if (reader_.unread_bytes() > limits_.unread_bytes_max) set_state(ConnectionState::gone);
}

redis::RespRead Connection::next_request() {
  const redis::RespRead read = reader_.next();
  if (read == redis::RespRead::invalid) {
    redis::RespWriter(out_).error(reader_.error());
    set_state(ConnectionState::closing);
  }
  return read;
}

bool Connection::send() {
  while (unsent_bytes() > 0) {
    const ssize_t sent =
        ::send(socket_.number(), out_.data() + sent_, unsent_bytes(), MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent < 0 && is_temporary(errno)) break;
    if (sent < 0) {
      set_state(ConnectionState::gone);
      return true;
    }
    sent_ += static_cast<std::size_t>(sent);
  }
  forget_sent();
  watch_as_needed();
  return unsent_bytes() == 0;
}

void Connection::watch_as_needed() {
  if (state_ == ConnectionState::gone) return;
  if (unsent_bytes() == 0) return watch_for(Interest::reading);
  watch_for(is_congested() ? Interest::writing : Interest::reading_and_writing);
}

void Connection::set_executing(bool is_executing) {
  is_executing_ = is_executing;
  if (is_executing) {
    watch_for(Interest::nothing);
  } else {
    watch_as_needed();
  }
}

void Connection::forget_sent() {
  if (sent_ == out_.size()) {
    out_.clear();
    if (out_.capacity() > memory_kept_max) out_.shrink_to_fit();
    sent_ = 0;
  } else if (sent_ > out_.size() / 2) {  // moves at most what has been sent
    out_.erase(0, sent_);
    sent_ = 0;
  }
}

void Connection::enforce_limit(const redis::OutputBufferLimit& limit, std::int64_t now_ms) {
  constexpr std::int64_t ms_per_s = 1000;
  const std::size_t unsent = unsent_bytes();
  const bool is_too_much = limit.hard_bytes != 0 && unsent > limit.hard_bytes;
  const bool is_much = limit.soft_bytes != 0 && unsent > limit.soft_bytes;
  if (!is_much) over_soft_limit_since_ms_ = -1;
  if (is_much && over_soft_limit_since_ms_ < 0) over_soft_limit_since_ms_ = now_ms;
  if (is_too_much ||
      (is_much && now_ms - over_soft_limit_since_ms_ > limit.soft_seconds * ms_per_s)) {
    set_state(ConnectionState::gone);
  }
}

void Connection::watch_for(Interest interest) {
  if (interest == interest_) return;
  interest_ = interest;
  loop_.change(socket_, interest, *this);
}

}  // namespace lockstep::serve
