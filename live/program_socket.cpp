#include "live/program_socket.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace lockstep::live {

ProgramSocket::ProgramSocket(sim::FileDescriptor socket, std::int32_t filler_bytes)
    : socket_(std::move(socket)), filler_bytes_(filler_bytes) {}

void ProgramSocket::open() {
  std::array<char, 4'096> filler;
  while (filler_bytes_ > 0) {
    const auto wanted = std::min(static_cast<std::size_t>(filler_bytes_), filler.size());
    const ssize_t count = recv(socket_.number(), filler.data(), wanted, MSG_DONTWAIT);
    if (count <= 0) break;
    filler_bytes_ -= static_cast<std::int32_t>(count);
  }
  state_ = State::open;
}

void ProgramSocket::end() {
  is_ending_ = true;
  flush();
}

void ProgramSocket::write(std::string_view bytes) {
  waiting_.append(bytes);
  flush();
}

bool ProgramSocket::flush() {
  if (!socket_.is_open()) return false;
  std::size_t sent = 0;
  while (sent < waiting_.size()) {
    const ssize_t count = send(socket_.number(), waiting_.data() + sent, waiting_.size() - sent,
                               MSG_DONTWAIT | MSG_NOSIGNAL);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    sent += static_cast<std::size_t>(count);
  }
  waiting_.erase(0, sent);
  if (is_ending_ && waiting_.empty()) {
    socket_.reset();
    state_ = State::closed;
  }
  return sent > 0;
}

bool ProgramSocket::read(std::string& bytes) {
  std::array<char, 65'536> buffer;
  while (socket_.is_open()) {
    const ssize_t count = recv(socket_.number(), buffer.data(), buffer.size(), MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return errno == EAGAIN || errno == EWOULDBLOCK;
    if (count == 0) return false;
    bytes.append(buffer.data(), static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace lockstep::live
