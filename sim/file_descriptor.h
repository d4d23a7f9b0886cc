// Owns one open file of the kernel: a socket, a pipe, an epoll, a queue of signals.
#pragma once

#include <unistd.h>

#include <utility>

namespace lockstep::sim {

class FileDescriptor {
 public:
  FileDescriptor() = default;
  /// Takes over; negative: none.
  explicit FileDescriptor(int number) : number_(number) {}
  FileDescriptor(FileDescriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~FileDescriptor() { reset(); }

  [[nodiscard]] int number() const { return number_; }
  [[nodiscard]] bool is_open() const { return number_ >= 0; }
  void reset() {
    if (number_ >= 0) close(number_);
    number_ = -1;
  }

 private:
  int number_ = -1;
};

}  // namespace lockstep::sim
