// Counts what this test program takes from the heap by operator new.
#pragma once

#include <cstdint>

namespace lockstep::checker::testing {

[[nodiscard]] std::uint64_t allocation_count();

}  // namespace lockstep::checker::testing
