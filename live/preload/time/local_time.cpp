#include "live/preload/time/local_time.h"

#include <sys/mman.h>
#include <sys/syscall.h>

#include "live/preload/kernel/gate.h"

namespace lockstep::live::preload {

namespace {

const Page* mapped;
std::int64_t ahead;
std::int64_t page_behind;  // by how much our monotonic clock is ahead of the page's
std::int64_t began;
std::int64_t page_as_it_began;

std::int64_t sum(std::int64_t a, std::int64_t b) { return a > never - b ? never : a + b; }

}  // namespace

bool map_page(int descriptor) {
  const long address = native(SYS_mmap, mapped, page_bytes, PROT_READ,
                              MAP_SHARED | (mapped != nullptr ? MAP_FIXED : 0), descriptor, 0);
  if (address < 0 && address > -4096) return false;
  mapped = reinterpret_cast<const Page*>(address);
  ahead = 0;
  return true;
}

bool change_page(int descriptor) {
  const std::int64_t now = monotonic_now();
  if (!map_page(descriptor)) return false;
  page_behind = now - mapped->monotonic_ns;
  return true;
}

const Page& page() { return *mapped; }

std::int64_t monotonic_now() { return mapped->monotonic_ns + page_behind + ahead; }
std::int64_t on_page(std::int64_t deadline) {
  if (deadline == never) return never;
  return page_behind < 0 ? sum(deadline, -page_behind) : deadline - page_behind;
}
std::int64_t wall_now() { return mapped->wall_ns + ahead; }
std::int64_t processor_now() { return monotonic_now() - began; }
std::int64_t began_on_page() { return page_as_it_began; }
void begin_processor_time() {
  began = monotonic_now();
  page_as_it_began = mapped->monotonic_ns;
}

void run_ahead(std::int64_t ns) { ahead += ns; }
std::int64_t ahead_ns() { return ahead; }
void catch_up() { ahead = 0; }

bool Deadline::passed() const {
  return at <= (clock == Clock::wall ? wall_now() : monotonic_now());
}

std::int64_t Deadline::on_monotonic_clock() const {
  if (clock == Clock::monotonic || at == never) return at;
  const std::int64_t left = at - wall_now();
  return left <= 0 ? monotonic_now() : sum(left, monotonic_now());
}

Deadline after(std::int64_t ns) { return {sum(ns < 0 ? 0 : ns, monotonic_now())}; }

std::int64_t to_ns(const timespec& time) {
  if (time.tv_sec < 0) return 0;
  if (time.tv_sec >= never / ns_per_s) return never;
  return time.tv_sec * ns_per_s + time.tv_nsec;
}

std::int64_t to_ns(const timeval& time) {
  return to_ns(timespec{time.tv_sec, time.tv_usec * 1000});
}

}  // namespace lockstep::live::preload
