// What a process writes to its standard output and error: the last lines are kept, for a person.
#pragma once

#include <cstdint>
#include <string>

#include "sim/file_descriptor.h"

namespace lockstep::live {

class OutputTail {
 public:
  /// Makes a pipe, and returns the end to write to. Throws std::system_error.
  [[nodiscard]] sim::FileDescriptor open();
  void close() { pipe_.reset(); }
  [[nodiscard]] int descriptor() const { return pipe_.number(); }
  /// Reads what there is.
  void read();
  [[nodiscard]] std::string tail() const;
  /// Of this process so far.
  [[nodiscard]] std::uint64_t bytes_read() const { return bytes_read_; }

 private:
  sim::FileDescriptor pipe_;
  std::string text_;
  std::uint64_t bytes_read_ = 0;
};

}  // namespace lockstep::live
