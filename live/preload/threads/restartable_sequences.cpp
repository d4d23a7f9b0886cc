#include "live/preload/threads/restartable_sequences.h"

#include <dlfcn.h>
#include <linux/rseq.h>
#include <pthread.h>
#include <sys/syscall.h>

#include <cstddef>

#include "live/preload/kernel/gate.h"

namespace lockstep::live::preload {

namespace {

// What libc registers them with on x86.
constexpr unsigned signature = 0x53053053;
constexpr unsigned registered_bytes = 32;

const std::ptrdiff_t* offset_of_area;

}  // namespace

void find_restartable_sequences() {
  const auto* const bytes = static_cast<const unsigned*>(dlsym(RTLD_DEFAULT, "__rseq_size"));
  if (bytes == nullptr || *bytes == 0) return;  // an older libc, or told not to
  offset_of_area = static_cast<const std::ptrdiff_t*>(dlsym(RTLD_DEFAULT, "__rseq_offset"));
}

void turn_off_restartable_sequences() {
  if (offset_of_area == nullptr) return;
  native(SYS_rseq, static_cast<std::ptrdiff_t>(pthread_self()) + *offset_of_area, registered_bytes,
         RSEQ_FLAG_UNREGISTER, signature);
}

}  // namespace lockstep::live::preload
