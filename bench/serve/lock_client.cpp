#include "bench/serve/lock_client.h"

#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string_view>

#include "bench/lock_scripts.h"
#include "bench/serve/server_process.h"
#include "redis/protocol/resp.h"

namespace lockstep::bench {
namespace {

/// The words of one evaluation, with the lock's name made the client's own.
std::string request_of(const Evaluation& evaluation, std::string_view sha1,
                       const std::string& suffix) {
  std::vector<std::string> words{"EVALSHA", std::string(sha1),
                                 std::to_string(evaluation.key_count)};
  for (std::size_t i = 0; i < evaluation.key_count; ++i) {
    words.push_back(std::string(evaluation.keys[i]).append(suffix));
  }
  for (std::size_t i = 0; i < evaluation.argument_count; ++i) {
    words.emplace_back(evaluation.arguments[i]);
  }
  std::string bytes;
  redis::append_request(std::vector<std::string_view>(words.begin(), words.end()), bytes);
  return bytes;
}

}  // namespace

LockClient::LockClient(std::uint16_t port, std::size_t number, std::size_t in_flight)
    : socket_(connect_to(port)), in_flight_(in_flight) {
  if (socket_ < 0) throw std::runtime_error("cannot connect");
  std::array<std::string, script_names.size()> sha1s;
  for (std::size_t i = 0; i < script_names.size(); ++i)
    sha1s[i] = load(read_script(script_names[i]));
  for (const Evaluation& evaluation : lock_round) {
    requests_.push_back(
        request_of(evaluation, sha1s[evaluation.script], ":" + std::to_string(number)));
  }
}

LockClient::~LockClient() { close(socket_); }

std::string LockClient::load(const std::string& body) {
  out_.clear();
  redis::append_request(std::array<std::string_view, 3>{"SCRIPT", "LOAD", body}, out_);
  if (::send(socket_, out_.data(), out_.size(), MSG_NOSIGNAL) < 0) throw std::runtime_error("send");
  std::string reply;
  for (std::size_t lines = 0; lines < 2;) lines += read_lines(&reply);
  return reply.substr(reply.find('\n') + 1, 40);
}

void LockClient::send(std::size_t requests) {
  out_.clear();
  for (std::size_t i = 0; i < requests; ++i) {
    out_ += requests_[next_];
    next_ = (next_ + 1) % requests_.size();
  }
  unanswered_ += requests;
  std::string_view rest = out_;
  while (!rest.empty()) {
    const ssize_t sent = ::send(socket_, rest.data(), rest.size(), MSG_NOSIGNAL);
    if (sent < 0) throw std::runtime_error("the server closed the connection");
    rest.remove_prefix(static_cast<std::size_t>(sent));
  }
}

/// Every reply of these scripts is one line.
std::size_t LockClient::read_lines(std::string* out) {
  std::array<char, 16384> buffer;
  const ssize_t received = recv(socket_, buffer.data(), buffer.size(), 0);
  if (received <= 0) throw std::runtime_error("the server closed the connection");
  if (out != nullptr) out->append(buffer.data(), static_cast<std::size_t>(received));
  return static_cast<std::size_t>(std::count(buffer.data(), buffer.data() + received, '\n'));
}

std::size_t LockClient::take_replies() {
  const std::size_t replies = read_lines(nullptr);
  unanswered_ -= replies;
  send(replies);
  return replies;
}

void LockClient::end() {
  while (unanswered_ > 0) unanswered_ -= read_lines(nullptr);
  next_ = 0;
}

std::string LockClient::round() {
  std::string replies;
  send(requests_.size());
  while (unanswered_ > 0) unanswered_ -= read_lines(&replies);
  return replies;
}

}  // namespace lockstep::bench
