// The wall clock of the servers: the machine's, or a file that another process steps.
//
// The file holds 8 bytes, the Unix time in microseconds as a signed integer of the machine's byte
// order. It is mapped: a store by another process is seen at the next reading. Real servers read
// the same file through confirm/step_clock.c.
#pragma once

#include <cstdint>
#include <string>

namespace lockstep::serve {

class WallClock {
 public:
  /// The machine's.
  WallClock() = default;
  WallClock(const WallClock&) = delete;
  WallClock& operator=(const WallClock&) = delete;
  ~WallClock();

  /// Switches to the file. REQUIRES: it was the machine's clock until now. Throws StartError if the
  /// file is missing or too short.
  void read_from(const std::string& path);

  [[nodiscard]] std::int64_t now_us() const;
  [[nodiscard]] std::int64_t now_ms() const;
  /// Whether it is stepped from outside, without notice.
  [[nodiscard]] bool is_stepped() const { return file_us_ != nullptr; }

 private:
  std::int64_t* file_us_ = nullptr;
};

/// Milliseconds of a monotonic clock, for the program's own timeouts.
[[nodiscard]] std::int64_t monotonic_ms();
[[nodiscard]] std::int64_t monotonic_us();

}  // namespace lockstep::serve
