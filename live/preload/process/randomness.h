// Random numbers: getrandom, /dev/urandom and the 16 bytes that the kernel leaves a new process are
// drawn from the seed of the run.
//
// Not covered: RDRAND and RDSEED, which are instructions. The simulator tells OpenSSL not to use
// them (OPENSSL_ia32cap).
#pragma once

#include <cstddef>
#include <cstdint>

#include "live/preload/kernel/trap.h"

namespace lockstep::live::preload {

/// From the page's seed.
void seed_random_numbers();
/// Overwrites what AT_RANDOM points to.
void seed_at_random();

void draw_random_bytes(void* buffer, std::size_t bytes);
/// From a seed of one's own, which goes on from there.
void draw_random_bytes(std::uint64_t& from, void* buffer, std::size_t bytes);

/// getrandom, open, openat.
TrapTable random_traps();

}  // namespace lockstep::live::preload
