#include "live/one_processor.h"

#include <utility>

namespace lockstep::live {

cpu_set_t allowed_processors() {
  cpu_set_t allowed;
  CPU_ZERO(&allowed);
  sched_getaffinity(0, sizeof allowed, &allowed);
  return allowed;
}

// Where the kernel refuses any of it, all is as it was, and slower.

void OneProcessor::share_with(pid_t process) {
  const int here = sched_getcpu();
  if (here < 0) return;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(static_cast<std::size_t>(here), &one);
  const cpu_set_t now = allowed_processors();
  if (CPU_COUNT(&now) > 1) {
    has_bound_ = sched_setaffinity(0, sizeof one, &one) == 0;
  }
  sched_setaffinity(process, sizeof one, &one);
}

void OneProcessor::leave() {
  if (std::exchange(has_bound_, false)) sched_setaffinity(0, sizeof allowed_, &allowed_);
}

}  // namespace lockstep::live
