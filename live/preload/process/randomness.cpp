#include "live/preload/process/randomness.h"

#include <fcntl.h>
#include <sys/auxv.h>
#include <sys/syscall.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

#include "live/preload/descriptors/descriptors.h"
#include "live/preload/kernel/gate.h"
#include "live/preload/kernel/remedies.h"
#include "live/preload/process/proc_files.h"
#include "live/preload/time/local_time.h"

namespace lockstep::live::preload {

namespace {

constexpr std::size_t at_random_bytes = 16;
constexpr std::uint64_t stream_of_at_random = 0x61745f72616e646f;

std::uint64_t state;

// SplitMix64.
std::uint64_t next(std::uint64_t& from) {
  from += 0x9e3779b97f4a7c15;
  std::uint64_t mixed = from;
  mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
  mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
  return mixed ^ (mixed >> 31);
}

long on_getrandom(const Call& call) {
  if (has_no(Remedy::random)) return pass(call);
  draw_random_bytes(call.pointer<void>(0), call.size(1));
  return call.words[1];
}

bool is_random_device(const char* path) {
  return std::strcmp(path, "/dev/urandom") == 0 || std::strcmp(path, "/dev/random") == 0;
}

long opened(const char* path, long descriptor) {
  if (descriptor < 0) return descriptor;
  if (!has_no(Remedy::random) && is_random_device(path)) {
    track(static_cast<int>(descriptor), Description::Kind::random);
  }
  return descriptor;
}

long on_open(const Call& call) {
  const auto* const path = call.pointer<const char>(0);
  return opened(path, open_path(call, path));
}

long on_openat(const Call& call) {
  const auto* const path = call.pointer<const char>(1);
  return opened(path, open_path(call, path));
}

constexpr Trap traps[] = {
    {SYS_getrandom, on_getrandom},
    {SYS_open, on_open},
    {SYS_openat, on_openat},
};

}  // namespace

TrapTable random_traps() { return table_of(traps); }

void seed_random_numbers() { state = page().seed; }

void seed_at_random() {
  auto* const bytes = reinterpret_cast<void*>(getauxval(AT_RANDOM));
  if (bytes == nullptr || has_no(Remedy::at_random)) return;
  std::uint64_t own = page().seed ^ stream_of_at_random;
  draw_random_bytes(own, bytes, at_random_bytes);
}

void draw_random_bytes(std::uint64_t& from, void* buffer, std::size_t bytes) {
  auto* at = static_cast<unsigned char*>(buffer);
  while (bytes > 0) {
    const std::uint64_t word = next(from);
    const std::size_t some = bytes < sizeof word ? bytes : sizeof word;
    std::memcpy(at, &word, some);
    at += some;
    bytes -= some;
  }
}

void draw_random_bytes(void* buffer, std::size_t bytes) { draw_random_bytes(state, buffer, bytes); }

}  // namespace lockstep::live::preload
