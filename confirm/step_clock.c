// A wall clock that stands still until it is set, for real servers: preload this library
// (LD_PRELOAD) and name in STEP_CLOCK_FILE a file of 8 bytes that holds the Unix time in
// microseconds.
//
// time, gettimeofday and clock_gettime(CLOCK_REALTIME) read the file, which is mapped, so a store
// by another process is seen at once. STEP_CLOCK_OFFSET_US is added: processes that share one file
// can disagree. Monotonic clocks run on. Before the library is set up, and without a file, time is
// real.
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t* clock_us;
static int64_t offset_us;

__attribute__((constructor)) static void set_up(void) {
  const char* path = getenv("STEP_CLOCK_FILE");
  const char* offset = getenv("STEP_CLOCK_OFFSET_US");
  if (path == NULL) return;
  const int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) _exit(126);
  void* mapped = mmap(NULL, sizeof(int64_t), PROT_READ, MAP_SHARED, file, 0);
  close(file);
  if (mapped == MAP_FAILED) _exit(126);
  if (offset != NULL) offset_us = atoll(offset);
  clock_us = mapped;
}

static int64_t now_us(void) { return *clock_us + offset_us; }

int clock_gettime(clockid_t which, struct timespec* time_out) {
  const int is_wall = which == CLOCK_REALTIME || which == CLOCK_REALTIME_COARSE;
  if (clock_us == NULL || !is_wall) return (int)syscall(SYS_clock_gettime, which, time_out);
  const int64_t us = now_us();
  time_out->tv_sec = us / 1000000;
  time_out->tv_nsec = us % 1000000 * 1000;
  return 0;
}

int gettimeofday(struct timeval* restrict time_out, void* restrict zone) {
  (void)zone;
  struct timespec now;
  const int failed = clock_gettime(CLOCK_REALTIME, &now);
  time_out->tv_sec = now.tv_sec;
  time_out->tv_usec = now.tv_nsec / 1000;
  return failed;
}

time_t time(time_t* time_out) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (time_out != NULL) *time_out = now.tv_sec;
  return now.tv_sec;
}
