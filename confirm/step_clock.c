// A wall clock that stands still until it is set, for real servers: preload this library
// (LD_PRELOAD) and name in STEP_CLOCK_FILE a file of 8 bytes that holds the Unix time in
// microseconds.
//
// time, gettimeofday and clock_gettime(CLOCK_REALTIME) read the file, which is mapped, so a store
// by another process is seen at once. STEP_CLOCK_OFFSET_US is added: processes that share one file
// can disagree. Monotonic clocks run on. Before the library is set up, and without a file, time is
// real.
//
// Some servers (Valkey 9.1) add what a monotonic clock says to a wall clock that they read once in
// a millisecond. For those STEP_CLOCK_MONOTONIC_STEP_US is added to the monotonic clock with each
// reading, and they are told of no processor whose own counter they could read instead.
//
// Redis 6.0 runs its timers by the wall clock, so they would stand still with it: no replica would
// connect, no child be noticed. But where time() goes back its event loop runs them all at once. With
// STEP_CLOCK_TIME_WAVERS every other call is a second behind.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static const volatile int64_t* clock_us;
static int64_t offset_us;
static int64_t monotonic_step_us;
static int time_wavers;
static atomic_int_least64_t times_told;
static atomic_int_least64_t monotonic_added_us;

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
  const char* step = getenv("STEP_CLOCK_MONOTONIC_STEP_US");
  if (step != NULL) monotonic_step_us = atoll(step);
  time_wavers = getenv("STEP_CLOCK_TIME_WAVERS") != NULL;
  clock_us = mapped;
}

static int64_t now_us(void) { return *clock_us + offset_us; }

static int monotonic(struct timespec* time_out) {
  const int failed = (int)syscall(SYS_clock_gettime, CLOCK_MONOTONIC, time_out);
  const int64_t added_us = atomic_fetch_add(&monotonic_added_us, monotonic_step_us);
  const int64_t ns = time_out->tv_nsec + added_us % 1000000 * 1000;
  time_out->tv_sec += added_us / 1000000 + ns / 1000000000;
  time_out->tv_nsec = ns % 1000000000;
  return failed;
}

int clock_gettime(clockid_t which, struct timespec* time_out) {
  if (which == CLOCK_MONOTONIC && monotonic_step_us != 0) return monotonic(time_out);
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
  if (time_wavers && atomic_fetch_add(&times_told, 1) % 2 != 0) --now.tv_sec;
  if (time_out != NULL) *time_out = now.tv_sec;
  return now.tv_sec;
}

static FILE* open_file(const char* name, const char* path, const char* mode) {
  if (monotonic_step_us != 0 && strcmp(path, "/proc/cpuinfo") == 0) {
    errno = ENOENT;
    return NULL;
  }
  FILE* (*const real)(const char*, const char*) =
      (FILE * (*)(const char*, const char*)) dlsym(RTLD_NEXT, name);
  return real(path, mode);
}

FILE* fopen(const char* restrict path, const char* restrict mode) {
  return open_file("fopen", path, mode);
}

FILE* fopen64(const char* restrict path, const char* restrict mode) {
  return open_file("fopen64", path, mode);
}
