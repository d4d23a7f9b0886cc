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
  /// Reads what there is, unless it is flooded.
  void read();
  [[nodiscard]] std::string tail() const;
  static constexpr std::uint64_t bytes_max = std::uint64_t{64} << 20U;
  /// More than bytes_max came since open().
  [[nodiscard]] bool is_flooded() const { return bytes_read_ > bytes_max; }

 private:
  sim::FileDescriptor pipe_;
  std::string text_;
  std::uint64_t bytes_read_ = 0;
};

}  // namespace lockstep::live
