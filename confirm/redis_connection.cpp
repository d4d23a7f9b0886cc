#include "confirm/redis_connection.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace lockstep::confirm {
namespace {

constexpr int reply_patience_ms = 10'000;

[[noreturn]] void fail(const std::string& what) {
  throw std::runtime_error(what + ": " + std::strerror(errno));
}

/// A connected socket, or -1 with errno set.
int open_connection(const std::string& unix_socket_path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (unix_socket_path.size() >= sizeof(address.sun_path)) {
    throw std::runtime_error("too long for a socket's path: " + unix_socket_path);
  }
  unix_socket_path.copy(address.sun_path, unix_socket_path.size());
  const int connection = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (connection < 0) fail("socket");
  if (connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0) {
    return connection;
  }
  const int error = errno;
  close(connection);
  errno = error;
  return -1;
}

}  // namespace

RedisConnection::RedisConnection(const std::string& unix_socket_path)
    : socket_(open_connection(unix_socket_path)) {
  if (socket_ < 0) fail("connect " + unix_socket_path);
}

bool RedisConnection::can_connect(const std::string& unix_socket_path) {
  const int connection = open_connection(unix_socket_path);
  if (connection >= 0) close(connection);
  return connection >= 0;
}

RedisConnection::~RedisConnection() { close(socket_); }

redis::Reply RedisConnection::command(std::span<const std::string_view> words) {
  send(words);
  return read_reply();
}

redis::Reply RedisConnection::command(std::initializer_list<std::string_view> words) {
  return command(std::span<const std::string_view>(words.begin(), words.size()));
}

redis::Reply RedisConnection::command(const std::vector<std::string>& words) {
  const std::vector<std::string_view> views(words.begin(), words.end());
  return command(std::span<const std::string_view>(views));
}

void RedisConnection::send(std::span<const std::string_view> words) {
  out_.clear();
  redis::append_request(words, out_);
  send_bytes(out_);
}

void RedisConnection::send_bytes(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
    if (sent < 0) fail("send to redis-server");
    bytes.remove_prefix(static_cast<std::size_t>(sent));
  }
}

redis::Reply RedisConnection::read_reply() {
  redis::Reply reply;
  std::string bytes;
  for (;;) {
    switch (reader_.next(reply)) {
      case redis::RespRead::complete:
        return reply;
      case redis::RespRead::invalid:
        throw std::runtime_error("redis-server sent what is no reply: " + reader_.error());
      case redis::RespRead::incomplete:
        bytes.clear();
        read_bytes(bytes);
        reader_.feed(bytes);
    }
  }
}

std::optional<redis::Reply> RedisConnection::take_reply() {
  redis::Reply reply;
  std::string bytes;
  for (;;) {
    switch (reader_.next(reply)) {
      case redis::RespRead::complete:
        return reply;
      case redis::RespRead::invalid:
        throw std::runtime_error("redis-server sent what is no reply: " + reader_.error());
      case redis::RespRead::incomplete:
        if (!can_read(0)) return std::nullopt;
        bytes.clear();
        read_bytes(bytes);
        reader_.feed(bytes);
    }
  }
}

bool RedisConnection::can_read(int patience_ms) const {
  pollfd waiting{socket_, POLLIN, 0};
  int ready = 0;
  do {
    ready = poll(&waiting, 1, patience_ms);
  } while (ready < 0 && errno == EINTR);
  return ready == 1;
}

void RedisConnection::read_bytes(std::string& out) {
  if (!can_read(reply_patience_ms)) {
    throw std::runtime_error("nothing came from redis-server in time after\n" + out_);
  }
  std::array<char, 65536> buffer;
  const ssize_t received = recv(socket_, buffer.data(), buffer.size(), 0);
  if (received == 0) throw std::runtime_error("redis-server closed the connection");
  if (received < 0) fail("receive from redis-server");
  out.append(buffer.data(), static_cast<std::size_t>(received));
}

}  // namespace lockstep::confirm
