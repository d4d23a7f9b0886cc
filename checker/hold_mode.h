// Whether a lock is held alone.
#pragma once

#include <cstdint>

namespace lockstep::checker {

/// How a lock is held: readers share it.
enum class HoldMode : std::uint8_t { exclusive, shared };

}  // namespace lockstep::checker
