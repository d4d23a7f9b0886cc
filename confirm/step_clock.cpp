#include "confirm/step_clock.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <stdexcept>
#include <string_view>

#include "sim/companion_file.h"

namespace lockstep::confirm {

StepClock::StepClock(const std::string& directory, std::int64_t unix_time_us)
    : path_(directory + "/clock") {
  const int file = open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file < 0) throw std::runtime_error("cannot make the clock " + path_);
  void* mapped = MAP_FAILED;
  if (ftruncate(file, sizeof(std::int64_t)) == 0) {
    mapped = mmap(nullptr, sizeof(std::int64_t), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  }
  close(file);
  if (mapped == MAP_FAILED) throw std::runtime_error("cannot map the clock " + path_);
  us_ = static_cast<volatile std::int64_t*>(mapped);
  set_us(unix_time_us);
}

StepClock::~StepClock() { munmap(const_cast<std::int64_t*>(us_), sizeof(std::int64_t)); }

std::string step_clock_library() {
  constexpr std::string_view name = "lockstep_step_clock.so";
  const auto library = sim::companion_file(name);
  if (!library) throw std::runtime_error(std::string(name) + " is not beside the program");
  return library->string();
}

}  // namespace lockstep::confirm
