// The remedies against nondeterminism, each of which a test can turn off to show that it is needed.
//
// LOCKSTEP_LIVE_WITHOUT names those that are off, separated by commas. It is for tests only.
#pragma once

#include <cstdint>

namespace lockstep::live::preload {

enum class Remedy : std::uint8_t { vdso, rdtsc, random, at_random, identity };

void read_remedies(const char* without);
bool has_no(Remedy remedy);

}  // namespace lockstep::live::preload
