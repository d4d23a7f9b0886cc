// The clock that real servers read in place of the wall clock (see step_clock.c).
#pragma once

#include <cstdint>
#include <string>

namespace lockstep::confirm {

class StepClock {
 public:
  /// Creates the clock's file in an existing directory. Throws std::runtime_error if it cannot.
  StepClock(const std::string& directory, std::int64_t unix_time_us);
  StepClock(const StepClock&) = delete;
  StepClock& operator=(const StepClock&) = delete;
  ~StepClock();

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::int64_t now_us() const { return *us_; }
  /// Takes effect immediately in all processes that read this clock.
  void set_us(std::int64_t unix_time_us) { *us_ = unix_time_us; }

 private:
  std::string path_;
  volatile std::int64_t* us_ = nullptr;
};

/// The library to preload. Throws std::runtime_error if it is not beside the program.
[[nodiscard]] std::string step_clock_library();

}  // namespace lockstep::confirm
