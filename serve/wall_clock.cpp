#include "serve/wall_clock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstring>

#include "serve/start_error.h"
#include "sim/file_descriptor.h"

namespace lockstep::serve {

void WallClock::read_from(const std::string& path) {
  const sim::FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.is_open()) {
    throw StartError(fmt::format("cannot open the clock {}: {}", path, std::strerror(errno)));
  }
  struct stat status {};
  if (fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode) ||
      status.st_size < static_cast<off_t>(sizeof(std::int64_t))) {
    throw StartError(fmt::format(
        "the clock {} is no file of 8 bytes (the Unix time in microseconds, as a 64-bit integer)",
        path));
  }
  void* const mapped = mmap(nullptr, sizeof(std::int64_t), PROT_READ, MAP_SHARED, file.number(), 0);
  if (mapped == MAP_FAILED) {
    throw StartError(fmt::format("cannot map the clock {}: {}", path, std::strerror(errno)));
  }
  file_us_ = static_cast<std::int64_t*>(mapped);
}

WallClock::~WallClock() {
  if (file_us_ != nullptr) munmap(file_us_, sizeof(std::int64_t));
}

std::int64_t WallClock::now_us() const {
  if (file_us_ != nullptr) {
    return std::atomic_ref<std::int64_t>(*file_us_).load(std::memory_order_acquire);
  }
  using std::chrono::microseconds;
  return std::chrono::duration_cast<microseconds>(
             std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::int64_t WallClock::now_ms() const {
  constexpr std::int64_t us_per_ms = 1000;
  const std::int64_t us = now_us();
  return us / us_per_ms - static_cast<std::int64_t>(us % us_per_ms < 0);
}

std::int64_t monotonic_us() {
  using std::chrono::microseconds;
  return std::chrono::duration_cast<microseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

std::int64_t monotonic_ms() { return monotonic_us() / 1000; }

}  // namespace lockstep::serve
