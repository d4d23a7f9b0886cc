#include "live/preload/time/spin.h"

#include <sys/syscall.h>

#include <cstdint>

#include "live/preload/threads/threads.h"
#include "live/preload/time/local_time.h"

namespace lockstep::live::preload {

namespace {

constexpr int reads_allowed = 5000;
constexpr int yields_allowed = 2000;
// Reads let time run ahead before the simulator is told.
constexpr int reads_between_waits = 1000;

constexpr std::int64_t read_step_ns_min = 1'000;
constexpr std::int64_t read_step_ns_max = 100'000;
constexpr std::int64_t yield_step_ns_min = 10'000;
constexpr std::int64_t yield_step_ns_max = 1'000'000;

int reads;
int yields;
std::int64_t read_step_ns = read_step_ns_min;
std::int64_t yield_step_ns = yield_step_ns_min;
int waiting;
int call_of_last_wait;

std::int64_t doubled(std::int64_t step_ns, std::int64_t max_ns) {
  return step_ns * 2 < max_ns ? step_ns * 2 : max_ns;
}

void wait_spinning(int call, std::int64_t ns) {
  ++waiting;
  call_of_last_wait = call;
  wait_until(after(ns));
  --waiting;
}

}  // namespace

void count_clock_read() {
  if (++reads <= reads_allowed || current_thread() == nullptr) return;
  run_ahead(read_step_ns);
  if (reads % reads_between_waits != 0) return;
  read_step_ns = doubled(read_step_ns, read_step_ns_max);
  wait_spinning(SYS_clock_gettime, 0);
}

void count_yield() {
  if (++yields <= yields_allowed) return;
  const std::int64_t step_ns = yield_step_ns;
  yield_step_ns = doubled(yield_step_ns, yield_step_ns_max);
  wait_spinning(current_thread()->call, step_ns);
}

int repeated_call() { return waiting > 0 ? call_of_last_wait : 0; }

void note_idle() {
  if (waiting > 0) return;
  reads = yields = 0;
  read_step_ns = read_step_ns_min;
  yield_step_ns = yield_step_ns_min;
}

}  // namespace lockstep::live::preload
