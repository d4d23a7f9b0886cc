#include "serve/relay.h"

#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <utility>

#include "redis/protocol/letter_case.h"

namespace lockstep::serve {
namespace {

/// A side that reads so slowly holds the other one up.
constexpr std::size_t unsent_bytes_max = std::size_t{1} << 20U;

bool is_subscription(std::string_view command) {
  for (const char* const each :
       {"subscribe", "psubscribe", "ssubscribe", "unsubscribe", "punsubscribe", "sunsubscribe"}) {
    if (redis::equals_ignoring_case(command, each)) return true;
  }
  return false;
}

/// In RESP2 a message looks like a reply.
bool is_message(const redis::Reply& reply) {
  if (reply.kind == redis::Reply::Kind::push) return true;
  if (reply.kind != redis::Reply::Kind::array || reply.elements.empty()) return false;
  const std::string& first = reply.elements.front().text;
  return first == "message" || first == "pmessage" || first == "smessage" || is_subscription(first);
}

}  // namespace

Relay::Relay(sim::FileDescriptor client, sim::FileDescriptor server, EventLoop& loop)
    : loop_(loop), client_(std::move(client)), server_(std::move(server)) {
  loop_.watch(client_.socket, Interest::reading, client_);
  loop_.watch(server_.socket, Interest::reading, server_);
}

void Relay::Side::on_ready(Readiness readiness) {
  if (is_closed || !readiness.can_read || !is_wanted) return;
  std::array<char, 65'536> buffer;
  while (received.size() < unsent_bytes_max) {
    const ssize_t count = recv(socket.number(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (count <= 0) {
      has_ended = true;
      return;
    }
    received.append(buffer.data(), static_cast<std::size_t>(count));
  }
}

void Relay::finish_round(std::int64_t now_us) {
  if (is_readable_) read_requests(client_.received, now_us);
  if (is_readable_) read_replies(server_.received);
  hand_on(client_, server_);
  hand_on(server_, client_);
  watch(client_);
  watch(server_);
}

void Relay::hand_on(Side& from, Side& to) {
  to.to_send += std::exchange(from.received, {});
  send(to);
  if (!from.has_ended) return;
  if (to.to_send.empty() || to.is_closed) {
    close(from);
    close(to);
  }
}

void Relay::send(Side& side) {
  if (side.is_closed) return side.to_send.clear();
  std::size_t sent = 0;
  while (sent < side.to_send.size()) {
    const ssize_t count = ::send(side.socket.number(), side.to_send.data() + sent,
                                 side.to_send.size() - sent, MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno != EAGAIN && errno != EWOULDBLOCK) side.has_ended = true;
    if (count <= 0) break;
    sent += static_cast<std::size_t>(count);
  }
  side.to_send.erase(0, sent);
  if (side.has_ended) side.to_send.clear();
}

void Relay::watch(Side& side) {
  if (side.is_closed) return;
  const Side& other = &side == &client_ ? server_ : client_;
  side.is_wanted = !side.has_ended && other.to_send.size() < unsent_bytes_max;
  const Interest wanted = !side.to_send.empty() ? Interest::reading_and_writing
                          : side.is_wanted      ? Interest::reading
                                                : Interest::nothing;
  if (wanted == side.interest) return;
  side.interest = wanted;
  loop_.change(side.socket, wanted, side);
}

void Relay::close(Side& side) {
  side.is_closed = true;
  side.socket.reset();
}

void Relay::read_requests(std::string_view bytes, std::int64_t now_us) {
  requests_.feed(bytes);
  for (redis::RespRead read; (read = requests_.next()) != redis::RespRead::incomplete;) {
    if (read == redis::RespRead::invalid) {
      is_readable_ = false;
      return;
    }
    const auto words = requests_.words();
    Exchange exchange{now_us, {words.begin(), words.end()}, {}};
    if (is_subscription(words.front())) {
      has_subscribed_ = true;
      answered_.push_back(std::move(exchange));
    } else {
      unanswered_.push_back(std::move(exchange));
    }
  }
}

void Relay::read_replies(std::string_view bytes) {
  replies_.feed(bytes);
  redis::Reply reply;
  for (redis::RespRead read; (read = replies_.next(reply)) != redis::RespRead::incomplete;) {
    if (read == redis::RespRead::invalid) {
      is_readable_ = false;
      return;
    }
    const bool is_answer = !unanswered_.empty() && reply.kind != redis::Reply::Kind::push &&
                           !(has_subscribed_ && is_message(reply));
    if (!is_answer) continue;
    unanswered_.front().reply = redis::describe(reply);
    answered_.push_back(std::move(unanswered_.front()));
    unanswered_.pop_front();
  }
}

std::vector<Exchange> Relay::take_exchanges() { return std::exchange(answered_, {}); }

}  // namespace lockstep::serve
