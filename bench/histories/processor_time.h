// The processor's time that this process has had: others may use the machine.
#pragma once

#include <ctime>

namespace lockstep::bench {

inline double seconds_of_processor() {
  timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

}  // namespace lockstep::bench
