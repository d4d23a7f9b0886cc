// What the judges are told of a lock: what it promises, and what its answers mean.
#pragma once

#include <cstdint>

namespace lockstep::checker {

/// What the lock promises to an owner that acquires what it holds already.
enum class Reentry : std::uint8_t {
  counted,  ///< it is granted once more, and must be released as often
  refused,  ///< it is refused, like everybody else
};

/// What a refused acquire says of the lock.
enum class Refusal : std::uint8_t {
  truthful,  ///< that somebody held it
  spurious,  ///< nothing: a split vote, a queue with somebody ahead
};

}  // namespace lockstep::checker
